//! Preemptive earliest deadline first; equal deadlines to the first declared. Pseudo-VCPUs go before all deadlines.
//!
//! ```text
//!   highest priority … lowest (pseudo-VCPUs) | earliest deadline … latest
//! ```

use super::Key;
use vorrang_time::Instant;

/// The key of a member whose absolute deadline is `deadline`; one without a deadline
/// ([`Instant::NEVER`]) comes last.
#[inline]
pub fn key(deadline: Instant, declared: u32) -> Key {
    Key { major: BY_DEADLINE, minor: deadline.as_ns(), declared }
}

/// The key of a pseudo-VCPU that became ready at `since`; see
/// [`fixed_priority::key`](super::fixed_priority::key).
#[inline]
pub fn priority_key(priority: u32, since: Instant, declared: u32) -> Key {
    Key { major: u64::from(u32::MAX - priority), minor: since.as_ns(), declared }
}

/// Whether the member of this key has its deadline no later than `deadline`, or goes before all deadlines.
#[inline]
pub fn is_at_least_as_urgent(key: Key, deadline: Instant) -> bool {
    key.major < BY_DEADLINE || key.minor <= deadline.as_ns()
}

/// Behind all priorities.
const BY_DEADLINE: u64 = 1 << u32::BITS;
