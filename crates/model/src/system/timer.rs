//! Timers of tasks and the queue of a core that holds them.

use super::TaskId;
use vorrang_time::Duration;

/// Which expired timers are handled when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimerQueue {
    /// In the order of expiry, at once (hrtimers of Linux).
    #[default]
    HrTimer,
    /// At once only those of tasks at least as urgent as what runs; the others when something
    /// less urgent gets the core (Patel, Vanga, Brandenburg 2017).
    TimerShield,
}

/// A timer of a task, in the timer queue of the task's core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Full name, such as `timer.logger`.
    pub name: String,
    /// The task that arms it. Its urgency is that of the member of the core through which that
    /// task runs.
    pub armed_by: TaskId,
    /// Least time between two expiries.
    pub period: Duration,
    /// Whether its callback releases a job of that task, whose [`Activation`](super::Activation) is then this timer.
    pub wakes: bool,
}
