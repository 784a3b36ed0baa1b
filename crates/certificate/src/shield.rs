//! What the timers of a core behind a shield take, as in `proofs/Certificate.v`.
//!
//! **Model.** `None`: more than 128 bits hold, or a period is zero. Every function here has the name of the one there.

use crate::Member;
use crate::rounding::rounded_up;

/// The timers of a core behind a shield, beside a member of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shield {
    /// How urgent the member is, where an idle core is 0.
    pub beside: u64,
    /// The longest time for which a timer waits; `None`: as long as that takes.
    pub deferral: Option<u64>,
    /// A window in which all of them may come when they have waited for so long.
    pub at_last: u64,
    /// Each of them.
    pub timers: Vec<Shielded>,
    /// The routines of the core.
    pub first: Vec<Member>,
    /// Its other members, but for tasks that a timer wakes, each with its urgency.
    pub others: Vec<(u64, Member)>,
    /// A window in which there is a decision.
    pub decided_in: u64,
}

/// A timer behind a shield.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shielded {
    /// How urgent it is, where an idle core is 0.
    pub urgency: u64,
    /// What an interrupt for it takes.
    pub takes: u64,
    /// The least time between two expiries.
    pub period: u64,
    /// From an expiry to the end of the callback.
    pub latency: u64,
    /// What the task takes that it wakes on the core; 0 where it wakes none there.
    pub wakes: u64,
}

/// Whether no timer waits for the longest deferral, so that a shield keeps the less urgent ones out.
pub(crate) fn keeps_away(deferral: Option<u64>, timers: &[Shielded]) -> bool {
    deferral.is_none_or(|most| timers.iter().all(|timer| timer.latency <= most))
}

/// What timers take beside something as urgent as `p` in x, the less urgent ones before the first decision, within w.
pub fn timers_need(p: u64, w: u64, timers: &[Shielded], x: u64) -> Option<u128> {
    total(timers, |of| {
        let window = if p <= of.urgency { x } else { w };
        expired(of, window, of.latency)?.checked_mul(of.takes.into())
    })
}

/// What tasks take that timers wake which are more urgent than u.
pub fn woken_above(u: u64, timers: &[Shielded], x: u64) -> Option<u128> {
    let above = |of: &Shielded| expired(of, x, of.latency)?.checked_mul(of.wakes.into());
    total(timers, |of| if u < of.urgency { above(of) } else { Some(0) })
}

/// What all timers take, each up to d after its expiry.
pub fn all_deferred(d: u64, timers: &[Shielded], x: u64) -> Option<u128> {
    total(timers, |of| expired(of, x, d)?.checked_mul(of.takes.into()))
}

fn expired(of: &Shielded, x: u64, later: u64) -> Option<u128> {
    rounded_up(u128::from(x) + u128::from(later), of.period)
}

fn total(timers: &[Shielded], each: impl Fn(&Shielded) -> Option<u128>) -> Option<u128> {
    timers.iter().try_fold(0_u128, |sum, of| sum.checked_add(each(of)?))
}
