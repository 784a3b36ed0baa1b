//! Times and instants of a trace, as people are told them.

use vorrang_time::Duration;

/// Nanoseconds.
pub(super) fn ns(time: u64) -> Duration {
    Duration::from_ns(time)
}

/// A mean, which is no more exact than what it is of: in whole microseconds.
pub(super) fn whole(time: u64) -> Duration {
    Duration::from_us(time / 1_000)
}

/// An instant as the trace writes it.
pub(super) fn seconds(at: u64) -> String {
    format!("{}.{:06}", at / 1_000_000_000, at % 1_000_000_000 / 1_000)
}
