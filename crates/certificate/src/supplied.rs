//! What supplies give, as in `proofs/Certificate.v`.
//!
//! **Model.** `None` refuses. Every function here has the name of the one there.

use crate::cold::with_losses;
use crate::loads::{holds, needs};
use crate::manner::{kept_of, wait_of};
use crate::{Server, Supply};

/// The supply gives w in every window of length x in which it is wanted throughout.
pub(crate) fn enough(supply: &Supply, w: u128, x: u64, below: &[u64]) -> Option<()> {
    match supply {
        Supply::Core => holds(w <= x.into()),
        _ if w == 0 => Some(()),
        Supply::Server(server) => {
            let (&z, rest) = below.split_first()?;
            let Server { kind, budget, period, .. } = **server;
            let (whole, r) = budgets(w, kept_of(kind, budget), period)?;
            let wait = wait_of(kind, budget, period) + u128::from(z);
            holds(whole.checked_add(wait)? <= x.into())?;
            holds(z <= server.period)?;
            enough(&server.parent, at_level(server, r, z)?, z, rest)
        }
        Supply::Reservation(of) => {
            let (whole, r) = budgets(w, of.budget, of.period)?;
            let wait = 2 * u128::from(of.period - of.budget);
            holds(wait.checked_add(whole)?.checked_add(r)? <= x.into())
        }
        Supply::Slot(of) => {
            let (&z, _) = below.split_first()?;
            let all = w.checked_add(needs(&of.urgent, z)?)?;
            let (whole, r) = budgets(all, of.budget, of.period)?;
            let gap = u128::from(of.period - of.budget);
            holds(gap.checked_add(whole)?.checked_add(r)? <= z.into())?;
            holds(z <= x)
        }
        Supply::Cold(of) => {
            let (&z, rest) = below.split_first()?;
            holds(z <= x)?;
            enough(&of.parent, with_losses(of, w, z)?, z, rest)
        }
    }
}

/// The time of the budgets before the last one that w needs, and what it needs of that one.
fn budgets(w: u128, budget: u64, period: u64) -> Option<(u128, u128)> {
    let n = (w - 1) / u128::from(budget);
    Some((n.checked_mul(period.into())?, w - n * u128::from(budget)))
}

/// What the parent of a server has to give in z, so that the server receives r.
pub(crate) fn at_level(s: &Server, r: u128, z: u64) -> Option<u128> {
    r.checked_add(s.blocking.into())?.checked_add(needs(&s.urgent, z)?)
}
