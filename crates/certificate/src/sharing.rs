//! An interrupt that shares its guest with others, as in `proofs/Certificate.v`.
//!
//! **Model.** Every function here has the name of the one there. `None`: more than 128 bits hold, or a period is zero.

use crate::loads::holds;
use crate::rounding::rounded_up;
use crate::{Certificate, Credit};

/// What a pseudo-VCPU by *arrival* does for an interrupt that shares its guest with others and wakes no task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The pseudo-VCPU.
    pub paid: Credit,
    /// How long the routine of its own takes in the guest.
    pub own: u64,
    /// The other interrupts of the guest.
    pub others: Vec<Other>,
}

/// Another interrupt of a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// How long its routine takes in the guest.
    pub isr: u64,
    /// The least time between two arrivals.
    pub every: u64,
    /// The longest time from its arrival to the end of that routine.
    pub bound: u64,
}

/// What others of a guest may have pending.
pub fn covering(others: &[Other]) -> Option<u128> {
    others.iter().try_fold(0_u128, |sum, of| {
        sum.checked_add(rounded_up(of.bound.into(), of.every)?.checked_mul(of.isr.into())?)
    })
}

/// A credit is enough for a request, and there is one for each.
pub(crate) fn is_paid(c: &Certificate, of: &Credit) -> bool {
    let all_taken = u128::from(of.credits) * u128::from(c.period);
    c.cost <= of.credit
        && 0 < of.credits
        && u128::from(of.back) <= all_taken
        && of.routine <= c.jitter
}

/// Each request adds its own time and that of others.
pub(crate) fn is_shared(c: &Certificate, of: &Sharing) -> Option<()> {
    holds(covering(&of.others)?.checked_add(of.own.into())? <= c.cost.into())?;
    holds(is_paid(c, &of.paid) && c.jitter < c.bound)?;
    holds(of.others.iter().all(|other| 0 < other.every))
}
