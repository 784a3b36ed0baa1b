//! What a server brings by its rule, as in `proofs/Certificate.v`.

use crate::Kind;

/// What a server brings in each period.
pub fn kept_of(kind: Kind, budget: u64) -> u64 {
    match kind {
        Kind::Refills { least, .. } => budget.saturating_sub(least).saturating_add(1),
        Kind::Periodic | Kind::Polling | Kind::Deferrable | Kind::Sporadic => budget,
    }
}

/// How long a server may bring nothing at first.
pub fn wait_of(kind: Kind, budget: u64, period: u64) -> u128 {
    match kind {
        Kind::Polling => period.saturating_sub(1).into(),
        Kind::Refills { .. } => 2 * u128::from(period.saturating_sub(kept_of(kind, budget))),
        Kind::Periodic | Kind::Deferrable | Kind::Sporadic => period.saturating_sub(budget).into(),
    }
}

pub(crate) fn valid_manner(kind: Kind, budget: u64, period: u64) -> bool {
    match kind {
        Kind::Refills { most, least } => {
            2 <= most && 0 < least && least <= budget && budget < period
        }
        Kind::Periodic | Kind::Polling | Kind::Deferrable | Kind::Sporadic => true,
    }
}
