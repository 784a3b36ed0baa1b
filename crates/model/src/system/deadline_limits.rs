//! What a kernel of Linux is set to take under `SCHED_DEADLINE`, as far as a description or a profile states it.
//!
//! **Model.** These are settings of the machine. They change no bound and no history: they say which reservations the
//! kernel refuses ([`limits`](crate::target::linux::limits)).

use vorrang_time::Duration;

/// What is stated; the default of the kernel where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadlineLimits {
    /// `sched_deadline_period_min_us`.
    pub shortest_period: Option<Duration>,
    /// `sched_deadline_period_max_us`.
    pub longest_period: Option<Duration>,
    /// `sched_rt_runtime_us` in `sched_rt_period_us`, in millionths.
    pub share_ppm: Option<u32>,
}
