//! What the timers of a core behind a shield take, as in `proofs/Certificate.v`.
//!
//! **Model.** `None`: more than 128 bits hold, or a period is zero. Every function here has the name of the one there.

use crate::Shielded;
use crate::rounding::rounded_up;

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
