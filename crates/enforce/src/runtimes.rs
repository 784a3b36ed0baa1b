//! How a runtime of `SCHED_DEADLINE` ends.
//!
//! **Model.** With the scheduler's feature `HRTICK_DL` a timer ends a runtime when it is exhausted. Without
//! it, this is noticed at the next tick, so a thread receives up to a tick more than its budget at once (and
//! less later). Bounds of the threads beside it do not allow for that.
//!
//! **Assumption.** Timers have their high resolution, which real-time kernels need anyway.
//!
//! **Not covered.** Kernels that are locked down (Secure Boot) do not show the feature.

use crate::machine::Kernel;

/// The features of the scheduler: words, those that are off with `NO_` before them.
pub(crate) const FEATURES: &str = "/sys/kernel/debug/sched/features";
/// The one that ends runtimes by a timer.
pub(crate) const BY_TIMER: &str = "HRTICK_DL";
/// The text that disables it.
pub(crate) const BY_TICK: &str = "NO_HRTICK_DL";

/// When runtimes end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimesEnd {
    /// When they are exhausted.
    ByTimer,
    /// At the next tick.
    ByTick,
    /// Unknown, with the reason.
    Unknown(String),
}

/// When runtimes end on this machine now.
pub fn runtimes_end(kernel: &dyn Kernel) -> RuntimesEnd {
    let text = match kernel.read(FEATURES) {
        Ok(text) => text,
        Err(why) => return RuntimesEnd::Unknown(format!("{FEATURES}: {why}")),
    };
    let mut words = text.split_whitespace().filter(|word| [BY_TIMER, BY_TICK].contains(word));
    match words.next() {
        Some(BY_TIMER) => RuntimesEnd::ByTimer,
        Some(_) => RuntimesEnd::ByTick,
        None => RuntimesEnd::Unknown(format!("{FEATURES} has no {BY_TIMER}")),
    }
}
