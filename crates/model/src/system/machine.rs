//! What the machine takes for its own work: fixed costs, and caches that recover.

use vorrang_time::Duration;

/// What the machine takes for its own work; all zero: nothing is charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// One call of a core's scheduler.
    pub scheduler_call: Duration,
    /// Giving a core to another virtual processor or task, besides cold caches.
    pub context_switch: Duration,
    /// The callback of one expired timer.
    pub timer_expiry: Duration,
    /// Entering a service routine.
    pub interrupt_entry: Duration,
    /// Leaving it.
    pub interrupt_exit: Duration,
    /// Leaving a guest and coming back.
    pub vm_exit: Duration,
}

/// How work progresses after the core ran something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Full name, such as `cache.celeron-64k`.
    pub name: String,
    /// The curve.
    pub model: CacheModel,
    /// Share of the full rate right after a switch, in parts per million, at most a million.
    pub useful_ppm: u32,
    /// Flood: time to the full rate. Exponential: time constant, 1/k.
    pub sustained: Duration,
}

/// The rate of progress since a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CacheModel {
    /// The share right after the switch until `sustained`, then the full rate: the worst case.
    Flood,
    /// Exponential recovery: the average case.
    Exponential,
}
