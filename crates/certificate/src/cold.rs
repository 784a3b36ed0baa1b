//! What cold caches of contexts take, as in `proofs/Certificate.v`.
//!
//! **Model.** `None`: more than 128 bits hold, or a period is zero. Every function here has the name of the one there.

use crate::kernel::{all_periods, often};
use crate::{Cold, ColdContext};

/// The most that a context less urgent than that loses.
fn lost_below(contexts: &[ColdContext], urgency: u64) -> u64 {
    let below = contexts.iter().filter(|of| of.urgency < urgency);
    below.map(|of| of.loss).max().unwrap_or_default()
}

/// What all contexts lose in a window of length x.
pub(crate) fn lost_by_all(contexts: &[ColdContext], x: u64) -> Option<u128> {
    contexts.iter().try_fold(0_u128, |sum, of| {
        let each = u128::from(of.loss) + u128::from(lost_below(contexts, of.urgency));
        sum.checked_add(each.checked_mul(often(&of.ready_from, x)?)?)
    })
}

pub(crate) fn valid_contexts(contexts: &[ColdContext]) -> bool {
    contexts.iter().all(|of| all_periods(&of.ready_from))
}

/// What a guest needs of the time of its context for w in a window of length z.
pub(crate) fn with_losses(of: &Cold, w: u128, z: u64) -> Option<u128> {
    let starts = often(&of.starts, z)?.checked_add(1)?;
    w.checked_add(u128::from(of.loss).checked_mul(starts)?)
}
