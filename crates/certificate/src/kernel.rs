//! What calls and switches of a core take, as in `proofs/Certificate.v`.
//!
//! **Model.** `None`: more than 128 bits hold, or a period is zero. Every function here has the name of the one there.

use crate::caller::{Caller, Times};
use crate::rounding::rounded_up;

/// How often something happens in a window of length x.
pub(crate) fn often(sources: &[Times], x: u64) -> Option<u128> {
    sources.iter().try_fold(0_u128, |sum, &Times { period, jitter }| {
        sum.checked_add(rounded_up(u128::from(x) + u128::from(jitter), period)?)
    })
}

/// What the calls and switches of one member take.
fn taken_by(call: u64, switch: u64, caller: &Caller, x: u64) -> Option<u128> {
    let (call, switch) = (u128::from(call), u128::from(switch));
    match caller {
        Caller::Above { returns, wakes, idles } => {
            let events = often(returns, x)?.checked_add(often(wakes, x)?)?.checked_mul(2)?;
            (call + switch).checked_mul(events.checked_add(u128::from(*idles))?)
        }
        Caller::Below { returns } => call.checked_mul(often(returns, x)?.checked_add(1)?),
        Caller::Itself { period } => {
            let calls = rounded_up(x.into(), *period)?.checked_add(1)?;
            call.checked_mul(calls)?.checked_add(2 * switch)
        }
    }
}

/// What all of them take, with what is under way.
pub(crate) fn taken_by_all(call: u64, switch: u64, callers: &[Caller], x: u64) -> Option<u128> {
    let under_way = u128::from(call) + u128::from(switch);
    callers
        .iter()
        .try_fold(under_way, |sum, caller| sum.checked_add(taken_by(call, switch, caller, x)?))
}

pub(crate) fn all_periods(sources: &[Times]) -> bool {
    sources.iter().all(|of| 0 < of.period)
}

pub(crate) fn valid_caller(caller: &Caller) -> bool {
    match caller {
        Caller::Above { returns, wakes, .. } => all_periods(returns) && all_periods(wakes),
        Caller::Below { returns } => all_periods(returns),
        Caller::Itself { .. } => false,
    }
}
