//! A processor under Linux: `SCHED_DEADLINE` by deadline, then everything else by fixed priority.
//!
//! ```text
//!   earliest deadline … latest deadline | highest priority … lowest | background
//! ```

use super::Key;
use vorrang_time::Instant;

/// The key of a `SCHED_DEADLINE` member whose absolute deadline is `deadline`.
#[inline]
pub fn deadline_key(deadline: Instant, declared: u32) -> Key {
    Key { major: 0, minor: deadline.as_ns(), declared }
}

/// The key of any other member that became ready at `since`; see
/// [`fixed_priority::key`](super::fixed_priority::key).
#[inline]
pub fn priority_key(priority: u32, since: Instant, declared: u32) -> Key {
    Key { major: level(priority), minor: since.as_ns(), declared }
}

/// Whether the member of this key is at least as urgent as `priority`.
#[inline]
pub fn is_at_least_as_urgent(key: Key, priority: u32) -> bool {
    key.major <= level(priority)
}

/// Zero is before all priorities.
fn level(priority: u32) -> u64 {
    1 + u64::from(u32::MAX - priority)
}
