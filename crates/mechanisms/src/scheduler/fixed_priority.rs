//! Preemptive fixed priority; equal priorities first come, first served.
//!
//! ```text
//!  A, B of priority 1, C of 2; # runs  - ready
//!  A   |###---####|            ready since 0: keeps its place while C preempts it
//!  B     |--------####|        ready since 1: after A
//!  C       |###|
//!      0 1 2  5    9   13
//! ```

use super::Key;
use vorrang_time::Instant;

/// The key of a member that became ready at `since`. A larger `priority` is more urgent; a
/// member that is preempted keeps its key, one that slept gets a new one.
#[inline]
pub fn key(priority: u32, since: Instant, declared: u32) -> Key {
    Key { major: u64::from(u32::MAX - priority), minor: since.as_ns(), declared }
}

/// Whether the member of this key is at least as urgent as `priority`, by priority alone.
#[inline]
pub fn is_at_least_as_urgent(key: Key, priority: u32) -> bool {
    key.major <= u64::from(u32::MAX - priority)
}
