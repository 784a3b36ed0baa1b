//! What a run tells whoever watches it.
//!
//! All methods do nothing by default, so what is not watched costs nothing.

use vorrang_model::system::{InterruptId, SupplyId, TaskId};
use vorrang_time::Instant;

/// Watches a run. Calls come in the order of events; [`Observer::ran`] when an interval is over.
pub trait Observer {
    /// The core ran `what` in `[from, to)`, and something else before and after.
    fn ran(&mut self, _from: Instant, _to: Instant, _what: Running) {}

    /// A job became ready, at its release.
    fn released(&mut self, _job: &Job) {}

    /// A job's work is done.
    fn completed(&mut self, _job: &Job, _at: Instant) {}

    /// A job that arrived before the horizon `at` was not complete there.
    fn unfinished(&mut self, _job: &Job, _at: Instant) {}

    /// A server regained budget, or its slot began.
    fn replenished(&mut self, _server: SupplyId, _at: Instant) {}

    /// A server's budget is gone, or its slot over.
    fn exhausted(&mut self, _server: SupplyId, _at: Instant) {}

    /// Whether the run may end before its horizon; asked at every instant. Nothing is then
    /// reported as unfinished.
    fn has_seen_enough(&self) -> bool {
        false
    }
}

/// Watches nothing.
impl Observer for () {}

/// What a core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Running {
    /// Nothing.
    Idle,
    /// A job of a task.
    Task(TaskId),
    /// A service routine.
    Interrupt(InterruptId),
    /// A periodic server or a slot takes its time without work in it.
    Idling(SupplyId),
    /// The less urgent work that holds up this task.
    Blocking(TaskId),
}

/// What a job belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A task.
    Task(TaskId),
    /// An interrupt.
    Interrupt(InterruptId),
}

/// One job of a task, or one service routine of an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Job {
    /// What it belongs to.
    pub source: Source,
    /// Counts the jobs of its source from zero.
    pub number: u64,
    /// When it arrived; responses and deadlines count from here.
    pub arrival: Instant,
    /// When it became ready.
    pub release: Instant,
}
