//! How much budget a pseudo-VCPU needs.
//!
//! **Model.** In a period it pays for every interrupt that may come, and for each of them for the
//! routines of the same guest that have no reservation of their own and may stand before it:
//! `Q = ceil(T'/T) (c + sum over those of ceil(T/T_j) c_j)`.
//!
//! **Assumptions.** 1. The period is at least the interrupt's least inter-arrival time. 2. Interrupts with a
//! reservation of their own are not in the sum: they spend each other's budget nevertheless.
//!
//! Reference: Kim, Wang, Rajkumar 2015, the budget of a pseudo-VCPU.
//!
//! Theory: docs/theory/pseudo-vcpu.md#the-published-budget.

use vorrang_time::Duration;

/// What takes time in a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// What one interrupt takes: its routine and the task it wakes.
    pub cost: Duration,
    /// Its least inter-arrival time.
    pub period: Duration,
}

/// The budget for `own` in a period, with `unreserved` in the same guest; `None` if it is out of range.
pub fn pseudo_vcpu_budget(
    period: Duration,
    own: Handler,
    unreserved: &[Handler],
) -> Option<Duration> {
    let each = unreserved.iter().try_fold(own.cost, |sum, other| {
        let count = own.period.div_ceil(other.period);
        sum.checked_add(other.cost.checked_mul(count)?)
    })?;
    each.checked_mul(period.div_ceil(own.period))
}
