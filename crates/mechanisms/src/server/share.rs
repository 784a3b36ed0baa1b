//! Share: no budget and no period; the guest runs when it is its turn on the parent.

use super::{Server, Violation};
use vorrang_time::{Duration, Instant};

/// A server without state.
#[derive(Clone, Copy, Debug)]
pub struct Share;

impl Server for Share {
    /// Unlimited: how long it runs is a matter of turns.
    #[inline]
    fn budget(&self) -> Duration {
        Duration::MAX
    }

    #[inline]
    fn consume(&mut self, _now: Instant, _amount: Duration) {}

    #[inline]
    fn due(&self) -> Instant {
        Instant::NEVER
    }

    fn replenish(&mut self, _now: Instant) {}

    fn check(&self) -> Result<(), Violation> {
        Ok(())
    }
}
