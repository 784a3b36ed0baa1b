//! A core with tasks, timers and a timer in hardware, as the properties see it.

use vorrang_timer::{Class, Clock, TimerId};

/// What runs, or owns timers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) class: Class,
    /// What it inherits while something more urgent waits for it.
    pub(crate) inherits: Option<Class>,
}

impl Task {
    pub(crate) const IDLE: Self = Self::of(Class::Idle);
    /// The owner of the tick and similar timers: of the highest priority.
    pub(crate) const KERNEL: Self = Self::of(Class::RealTime(99));

    pub(crate) const fn of(class: Class) -> Self {
        Self { class, inherits: None }
    }

    pub(crate) const fn inheriting(self, class: Class) -> Self {
        Self { class: self.class, inherits: Some(class) }
    }
}

/// Timers of all clocks; those of one clock by number.
pub(crate) const fn timer(clock: Clock, slot: u32) -> TimerId {
    TimerId { clock, slot }
}

/// The most timers that a property uses on one clock.
pub(crate) const SLOTS: u32 = 1000;

/// Instants are nanoseconds on the hardware's axis but for those of [`arm`](Machine::arm), which
/// are on the timer's clock. The core begins idle.
pub(crate) trait Machine {
    fn set_clock(&mut self, clock: Clock, offset: u64);
    /// Arms a timer in the context of its owner; with a period, its callback restarts it.
    fn arm(&mut self, timer: TimerId, at: u64, owner: Task, period: Option<u64>);
    /// The owner of a pending timer inherits, or inherits no longer.
    fn inherit(&mut self, timer: TimerId, owner: Task);
    /// The hardware fires; the timers handled.
    fn interrupt(&mut self, now: u64) -> Vec<TimerId>;
    /// The core goes to a task; the timers handled, which should be at most `limit`.
    fn switch(&mut self, now: u64, to: Task, limit: u32) -> Vec<TimerId>;
    /// When the hardware fires.
    fn programmed(&mut self) -> Option<u64>;
    /// The timers that a list of timers shows while a task reads it.
    fn listed(&mut self, reader: Task) -> Vec<TimerId>;
}
