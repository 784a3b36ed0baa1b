//! What members with deadlines ask for, as in `proofs/Certificate.v`.
//!
//! **Model.** `None`: more than 128 bits hold, or a period is zero.

use crate::loads::{at_once, jitter_of};
use crate::rounding::rounded_up;
use crate::{Member, Rival};

/// What a rival asks for by release in x, and by a deadline y after the begin of a window; y counts from `early` before.
fn due_by(early: u64, rival: &Rival, x: u64, y: u128) -> Option<u128> {
    let early = u128::from(early);
    match *rival {
        Rival::Jobs { cost, period, jitter, relative } => {
            let released = rounded_up(u128::from(x) + u128::from(jitter), period)?;
            let since = (y + u128::from(jitter)).checked_sub(early + u128::from(relative));
            let due = since.map_or(Some(0), |since| Some(since.checked_div(period.into())? + 1))?;
            released.min(due).checked_mul(cost.into())
        }
        Rival::Bandwidth { budget, period } => {
            y.saturating_sub(early).checked_mul(budget.into())?.checked_div(period.into())
        }
    }
}

/// What rivals ask for together.
pub fn all_due(early: u64, rivals: &[Rival], x: u64, y: u128) -> Option<u128> {
    sum(rivals, |rival| due_by(early, rival, x, y))
}

/// What rivals ask for in a length at which windows go on as if anew.
pub fn all_in_length(rivals: &[Rival], length: u64) -> Option<u128> {
    let length = u128::from(length);
    sum(rivals, |rival| match *rival {
        Rival::Jobs { cost, period, .. } => rounded_up(length, period)?.checked_mul(cost.into()),
        Rival::Bandwidth { budget, period } => {
            rounded_up(length.checked_mul(budget.into())?, period)
        }
    })
}

/// A share of a processor, in parts of `unit`, rounded up.
pub fn share(unit: u64, cost: u64, period: u64) -> Option<u128> {
    rounded_up(u128::from(cost) * u128::from(unit), period)
}

/// The shares of members.
pub fn shares(unit: u64, members: &[Member]) -> Option<u128> {
    sum(members, |of| share(unit, of.cost(), of.period()))
}

/// What members take in x beyond their shares of what follows, in parts of `unit`.
pub fn bursts(unit: u64, members: &[Member], x: u64) -> Option<u128> {
    sum(members, |of| {
        let first = at_once(of).checked_mul(unit.into())?;
        let before = u128::from(x) + u128::from(jitter_of(of));
        share(unit, of.cost(), of.period())?.checked_mul(before)?.checked_add(first)
    })
}

/// The shares of rivals.
pub fn rival_shares(unit: u64, rivals: &[Rival]) -> Option<u128> {
    sum(rivals, |rival| match *rival {
        Rival::Jobs { cost, period, .. } => share(unit, cost, period),
        Rival::Bandwidth { budget, period } => share(unit, budget, period),
    })
}

/// What rivals ask for beyond their shares.
pub fn rival_bursts(unit: u64, rivals: &[Rival]) -> Option<u128> {
    sum(rivals, |rival| match *rival {
        Rival::Jobs { cost, period, jitter, relative } => {
            let early = (u128::from(jitter) + u128::from(period)).saturating_sub(relative.into());
            share(unit, cost, period)?.checked_mul(early)
        }
        Rival::Bandwidth { .. } => Some(0),
    })
}

fn sum<T>(all: &[T], of: impl Fn(&T) -> Option<u128>) -> Option<u128> {
    all.iter().try_fold(0_u128, |sum, one| sum.checked_add(of(one)?))
}
