//! What members of a supply take, as in `proofs/Certificate.v`.
//!
//! **Model.** `None`: more than 128 bits hold, or a period is zero.

use crate::cold::lost_by_all;
use crate::kernel::taken_by_all;
use crate::manner::valid_manner;
use crate::rounding::rounded_up;
use crate::shield::{keeps_away, timers_need};
use crate::{Kind, Member};

pub(crate) fn holds(what: bool) -> Option<()> {
    what.then_some(())
}

pub(crate) fn jitter_of(member: &Member) -> u64 {
    match *member {
        Member::Jobs { jitter, .. } => jitter,
        Member::Budgets { kind: Kind::Deferrable, budget, period } => period.saturating_sub(budget),
        Member::Budgets { .. }
        | Member::Runtime { .. }
        | Member::Kernel { .. }
        | Member::Cold { .. }
        | Member::Timers(_) => 0,
    }
}

/// What it may take at once.
pub(crate) fn at_once(member: &Member) -> u128 {
    match *member {
        Member::Runtime { budget, exceeded, .. } => u128::from(budget) + u128::from(exceeded),
        Member::Jobs { .. }
        | Member::Budgets { .. }
        | Member::Kernel { .. }
        | Member::Cold { .. }
        | Member::Timers(_) => member.cost().into(),
    }
}

/// The most that a member takes in a window of length x.
pub(crate) fn need(member: &Member, x: u64) -> Option<u128> {
    let within = x;
    let x = u128::from(x) + u128::from(jitter_of(member));
    match *member {
        Member::Kernel { call, switch, ref callers } => taken_by_all(call, switch, callers, within),
        Member::Cold { ref contexts } => lost_by_all(contexts, within),
        Member::Timers(ref of) => {
            let p = if keeps_away(of.deferral, &of.timers) { of.beside } else { 0 };
            timers_need(p, of.decided_in, &of.timers, within)
        }
        Member::Runtime { budget, period, .. } => {
            (x * u128::from(budget)).checked_div(period.into())?.checked_add(at_once(member))
        }
        Member::Jobs { .. } | Member::Budgets { .. } => {
            rounded_up(x, member.period())?.checked_mul(member.cost().into())
        }
    }
}

/// The most that members take together in a window of length x.
pub fn needs(members: &[Member], x: u64) -> Option<u128> {
    members.iter().try_fold(0_u128, |sum, member| sum.checked_add(need(member, x)?))
}

pub(crate) fn valid(member: &Member) -> bool {
    match *member {
        Member::Jobs { period, .. } => 0 < period,
        Member::Budgets { kind, budget, period } => {
            0 < budget && budget <= period && valid_manner(kind, budget, period)
        }
        Member::Runtime { budget, period, exceeded } => {
            0 < budget && budget <= period && exceeded < budget
        }
        Member::Kernel { .. } | Member::Cold { .. } | Member::Timers(_) => false,
    }
}
