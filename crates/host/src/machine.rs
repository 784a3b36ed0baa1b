//! The interface to a machine: a clock, the processor time of threads, interrupts of guests, and loans of a priority.
//!
//! Threads are identified by the places of their servers among those of the processor. Errors of threads are
//! handled by the machine: a thread that has ended is never ready and receives nothing.

use vorrang_time::{Duration, Instant};

/// A processor, its threads and a clock.
pub trait Machine {
    /// The time since the beginning of the schedule.
    fn now(&mut self) -> Instant;

    /// The next interrupt of a guest that was raised, in order; each is returned once.
    fn raised(&mut self) -> Option<Raised>;

    /// The processor time that a thread has received so far, from any beginning: never less than before, and of
    /// two looks never more apart than the clock.
    fn received(&mut self, thread: usize) -> Duration;

    /// Whether a thread is ready or running. If it is not, all interrupts of guests are told from then on, up to the next sleep.
    fn wants(&mut self, thread: usize) -> bool;

    /// Whether a task on the core that is more urgent than this level is ready or running.
    fn precedes(&mut self, level: usize) -> bool;

    /// Whether no task on the core is ready or running.
    fn tasks_rest(&mut self) -> bool;

    /// From now on the thread has the processor whenever it is ready, and no task above this level is. There is no other loan; one of
    /// the same thread goes on at this level.
    fn lend(&mut self, thread: usize, level: usize);

    /// The same before the thread that is lent to, whose loan goes on, and is of no higher level.
    fn lend_first(&mut self, thread: usize, level: usize);

    /// What the clock says at the end of a decision, after its loans.
    fn decided(&mut self) -> Instant;

    /// Ends the loan, of either kind.
    fn take_back(&mut self, thread: usize);

    /// Sleeps until an instant, or until the thread that is lent to, or is lent to first, has had the processor for as long as it
    /// may at once, or an interrupt of a guest that is `heard` is raised, whichever comes first; if it is to `watch`, only until
    /// that thread sleeps, which may be so already; if tasks on the core precede it, only until none does. Others are not told
    /// meanwhile. One that is lent to first is always watched.
    fn sleep(&mut self, until: Instant, at_most: Duration, attention: Attention) -> Woken;
}

/// What ends a sleep early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attention {
    /// That the lent thread sleeps.
    pub watch: bool,
    /// That one of these is raised.
    pub heard: Heard,
    /// That no task on the core precedes this level any more, as one does.
    pub preceded: Option<usize>,
}

/// Interrupts of guests, by their places among those of a processor: those that a decision may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heard(u64);

impl Heard {
    /// All of them.
    pub const ALL: Self = Self(u64::MAX);

    /// Those of which this holds, one after the other.
    pub fn those(are_heard: impl Iterator<Item = bool>) -> Self {
        let heard = (0..u64::BITS).zip(are_heard).filter(|&(_, is_heard)| is_heard);
        Self(heard.fold(0, |all, (place, _)| all | 1 << place))
    }

    /// Whether this is one of them; where there are very many, the last ones always are.
    pub fn contains(self, place: usize) -> bool {
        place >= u64::BITS as usize || self.0 >> place & 1 == 1
    }
}

/// Why a sleep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// The instant has come, an interrupt of a guest was raised, or the run ends.
    InTime,
    /// The lent thread sleeps, possibly since that very instant.
    ThreadLeft,
}

/// An interrupt of a guest that was raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    /// Which one, by its place among those of the processor.
    pub interrupt: usize,
    /// The instant at which it was raised.
    pub at: Instant,
    /// How often it was raised since the last one without being told.
    pub unheard: u64,
}
