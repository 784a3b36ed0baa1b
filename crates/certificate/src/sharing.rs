//! What a pseudo-VCPU by *arrival* does for its interrupt, as in `proofs/Certificate.v`.
//!
//! **Model.** Every function here has the name of the one there. `None`: more than 128 bits hold, or a period is zero.

use crate::rounding::rounded_up;

/// What a pseudo-VCPU by *arrival* does for an interrupt that is alone in its guest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Credit {
    /// How long less urgent work may have the supply before the pseudo-VCPU.
    pub blocked_by: u64,
    /// Its budget for one request.
    pub credit: u64,
    /// How many of these it has.
    pub credits: u64,
    /// When one is back after it was taken.
    pub back: u64,
    /// The longest time from a request that is not held back to the end of the routine of the core.
    pub routine: u64,
}

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
