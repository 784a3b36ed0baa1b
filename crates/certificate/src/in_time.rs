//! Whether callbacks of timers behind a shield end in time, as in `proofs/Certificate.v`.
//!
//! **Model.** `None` refuses. Every function here has the name of the one there.

use crate::loads::{holds, need, needs, valid};
use crate::shield::{all_deferred, keeps_away, timers_need, woken_above};
use crate::{Member, Shield, Shielded};

/// What members that are more urgent than u take.
pub fn others_above(u: u64, members: &[(u64, Member)], x: u64) -> Option<u128> {
    let above = members.iter().filter(|(urgency, _)| u < *urgency);
    above.map(|(_, member)| member).try_fold(0_u128, |sum, of| sum.checked_add(need(of, x)?))
}

/// Routines, all timers, and what is more urgent leave something of each latency.
fn end_by_order(of: &Shield) -> Option<()> {
    of.timers.iter().try_for_each(|&Shielded { urgency, latency, .. }| {
        let first = needs(&of.first, latency)?;
        let timers = timers_need(0, 0, &of.timers, latency)?;
        let woken = woken_above(urgency, &of.timers, latency)?;
        let others = others_above(urgency, &of.others, latency)?;
        let all = first.checked_add(timers)?.checked_add(woken)?.checked_add(others)?;
        holds(all < latency.into())
    })
}

/// Routines and all timers, each up to d later, leave something of x, and no latency is below d + x.
fn end_at_last(d: u64, of: &Shield) -> Option<()> {
    let x = of.at_last;
    let all = needs(&of.first, x)?.checked_add(all_deferred(d, &of.timers, x)?)?;
    holds(all < x.into())?;
    let last = u128::from(d) + u128::from(x);
    holds(of.timers.iter().all(|timer| last <= timer.latency.into()))
}

pub(crate) fn valid_shield(of: &Shield) -> Option<()> {
    holds(of.timers.iter().all(|timer| 0 < timer.period))?;
    holds(of.first.iter().all(valid) && of.others.iter().all(|(_, member)| valid(member)))?;
    match of.deferral {
        None => end_by_order(of)?,
        Some(d) => end_by_order(of).or_else(|| end_at_last(d, of))?,
    }
    if keeps_away(of.deferral, &of.timers) {
        let w = of.decided_in;
        let all = needs(&of.first, w)?.checked_add(timers_need(0, 0, &of.timers, w)?)?;
        holds(all < w.into())?;
    }
    Some(())
}
