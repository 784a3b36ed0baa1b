//! Preemptive earliest deadline first; equal deadlines to the first declared.

use super::Key;
use vorrang_time::Instant;

/// The key of a member whose absolute deadline is `deadline`; one without a deadline
/// ([`Instant::NEVER`]) comes last.
#[inline]
pub fn key(deadline: Instant, declared: u32) -> Key {
    Key { major: deadline.as_ns(), minor: 0, declared }
}

/// Whether the member of this key has its deadline no later than `deadline`.
#[inline]
pub fn is_at_least_as_urgent(key: Key, deadline: Instant) -> bool {
    key.major <= deadline.as_ns()
}
