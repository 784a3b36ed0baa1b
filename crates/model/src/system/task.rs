//! Sporadic work and what makes it arrive.

use super::distances::{cycle, mean};
use super::{
    CacheId, Communication, DeviceId, Distances, InterruptId, Priority, SupplyId, TaskId, TimerId,
};
use vorrang_time::{Duration, Instant};

/// Sporadic work.
///
/// A job arrives at `a`, at least `min_interarrival` after the previous arrival; it is released
/// (becomes ready) at some instant of `[a, a + jitter]`, in the order of arrival; it executes for
/// at most `wcet`; its response time counts from `a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Full name, such as `task.speed`.
    pub name: String,
    /// The supply it runs on.
    pub on: SupplyId,
    /// Longest execution time of a job, at full rate.
    pub wcet: Duration,
    /// Least time between two arrivals.
    pub min_interarrival: Duration,
    /// Least times over several arrivals, if more is known than the time between two.
    pub distances: Option<Distances>,
    /// Longest time between two arrivals; `None`: not known.
    pub latest_interarrival: Option<Duration>,
    /// It arrives exactly then, and whole inter-arrival times later, by the clock of the system; `None`: no instant is
    /// known. With one the longest time between two arrivals is the least.
    pub offset: Option<Duration>,
    /// When its jobs read and write what chains hand on.
    pub communication: Communication,
    /// Whether more urgent members of its supply take the processor from a job that has begun.
    pub preemption: Preemption,
    /// Whether it polls for ever: its one job is there from the start and never ends. Its execution time and the time
    /// between two arrivals are [`Task::ENDLESS`] then, and it has neither deadline nor response.
    pub polls: bool,
    /// Deadline after the arrival; shorter, equal or longer than the inter-arrival time; `None`
    /// for best-effort work without a requirement.
    pub deadline: Option<Duration>,
    /// Longest time from arrival to release.
    pub jitter: Duration,
    /// Longest time that less urgent work on the same supply may delay it, once per busy window
    /// (critical sections under a priority ceiling, sections that mask preemption).
    pub blocking: Duration,
    /// Urgency on a fixed-priority supply; unused elsewhere.
    pub priority: Priority,
    /// Shortest execution time of a job, at least one nanosecond, at most `wcet`. No bound relies
    /// on it.
    pub bcet: Duration,
    /// How often a job takes which time, as times with weights, each job independently of the
    /// others; empty: any time from `bcet` to `wcet` by no rule.
    pub execution: Vec<(Duration, u32)>,
    /// Weight on a supply that takes turns, at least 1.
    pub share: u32,
    /// How its work progresses after the core ran something else, for a task outside virtual
    /// processors; `None`: at full rate.
    pub cache: Option<CacheId>,
    /// The tasks of which each end of a job releases one, or has a part in that; the [`Activation`] of each says which.
    pub wakes: Vec<TaskId>,
    /// What makes its jobs arrive.
    pub activation: Activation,
}

impl Task {
    /// Longer than any history: what stands for the times of a task that polls.
    pub const ENDLESS: Duration = Duration::MAX_STATED;

    /// So many jobs arrive at most in so long a time, over and over.
    pub fn cycle(&self) -> (u64, Duration) {
        cycle(self.min_interarrival, self.distances.as_ref())
    }

    /// Its first arrival that is not before an instant, where its offset says when it arrives.
    pub fn first_from(&self, begin: Instant) -> Option<Instant> {
        let first = Instant::ZERO + self.offset?;
        let periods = begin.saturating_since(first).div_ceil(self.min_interarrival);
        Some(first + self.min_interarrival * periods)
    }

    /// The time between two of them in the long run, rounded down.
    pub fn mean_distance(&self) -> Duration {
        mean(self.cycle())
    }
}

impl Default for Task {
    /// A nanosecond of work every nanosecond on supply 0, without a deadline: to start from.
    fn default() -> Self {
        Self {
            name: String::new(),
            on: SupplyId(0),
            wcet: Duration::RESOLUTION,
            min_interarrival: Duration::RESOLUTION,
            distances: None,
            latest_interarrival: None,
            offset: None,
            communication: Communication::default(),
            preemption: Preemption::default(),
            polls: false,
            deadline: None,
            jitter: Duration::ZERO,
            blocking: Duration::ZERO,
            priority: Priority::default(),
            bcet: Duration::RESOLUTION,
            execution: Vec::new(),
            share: 1,
            cache: None,
            wakes: Vec::new(),
            activation: Activation::Sporadic,
        }
    }
}

/// What other members of its supply do to a job that has begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preemption {
    /// The more urgent ones take the supply's time from it.
    #[default]
    Full,
    /// None takes it before the job completes, but for servers of `SCHED_DEADLINE`.
    None,
}

/// What makes the jobs of a task arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// The world, at least the inter-arrival time apart.
    #[default]
    Sporadic,
    /// The end of an interrupt's service routine: of the guest's, if the interrupt is delivered
    /// to a guest. A job's arrival is the interrupt's.
    Interrupt(InterruptId),
    /// The expiry of a timer, which is the job's arrival.
    Timer(TimerId),
    /// A packet in the socket buffer of a device; its arrival at the card is the job's.
    Device(DeviceId),
    /// The end of a job of another task, whose arrival is the job's.
    Task(TaskId),
    /// The end of the last of several jobs, one of each task that names it in [`Task::wakes`]. They descend from one
    /// job of one task, and have its arrival.
    Join,
}

impl Activation {
    /// Whether the ends of jobs of other tasks release its jobs.
    pub fn is_by_tasks(self) -> bool {
        matches!(self, Self::Task(_) | Self::Join)
    }
}
