//! Ends a run at an interruption.

use vorrang_sim::Observer;

/// An observer that has seen enough of a search once it is interrupted.
pub struct Patience(pub fn() -> bool);

impl Observer for Patience {
    #[inline]
    fn has_seen_enough(&self) -> bool {
        self.0()
    }
}
