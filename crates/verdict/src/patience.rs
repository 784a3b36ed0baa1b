//! Ends a run where its end is wanted.

use vorrang_sim::Observer;

/// Has seen enough of a search once somebody has asked for the end.
pub struct Patience(pub fn() -> bool);

impl Observer for Patience {
    #[inline]
    fn has_seen_enough(&self) -> bool {
        self.0()
    }
}
