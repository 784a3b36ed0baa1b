//! What is asked of a machine: a clock, what threads have received, and who is lent a priority.
//!
//! Threads are known by the places of their servers among those of the processor. What has gone
//! wrong with one of them is the machine's matter: a thread that has ended wants nothing and
//! receives nothing.

use vorrang_time::{Duration, Instant};

/// A processor, its threads and a clock.
pub trait Machine {
    /// The time since the beginning of the schedule.
    fn now(&mut self) -> Instant;

    /// The processor time that a thread has received so far, from any beginning: never less than before, and of
    /// two looks never more apart than the clock.
    fn received(&mut self, thread: usize) -> Duration;

    /// Whether a thread has something to do: it runs, or would if it could.
    fn wants(&mut self, thread: usize) -> bool;

    /// From now on the thread has the processor whenever it wants it. No other one is lent to.
    fn lend(&mut self, thread: usize);

    /// It has not any more.
    fn take_back(&mut self, thread: usize);

    /// Sleeps until an instant, or until the lent thread has had the processor for as long as it may at once, whichever
    /// comes first; if it is to `watch`, only until that thread does not want the processor, which may be so already.
    fn sleep(&mut self, until: Instant, at_most: Duration, watch: bool) -> Woken;
}

/// Why a sleep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// The instant has come, or it is to end.
    InTime,
    /// The lent thread left the processor to others, perhaps at that very instant.
    ThreadLeft,
}
