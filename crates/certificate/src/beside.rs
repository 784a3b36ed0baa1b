//! A task that is alone in a `SCHED_DEADLINE` server beside others, as in `proofs/Certificate.v`.
//!
//! **Model.** `None` refuses. Every function here has the name of the one there.

use crate::deadlines::{bursts, shares};
use crate::loads::{holds, needs, valid};
use crate::{Beside, Certificate, Member, Supply};

/// By how much a server exceeds a runtime.
const fn excess(member: &Member) -> u64 {
    match *member {
        Member::Runtime { exceeded, .. } => exceeded,
        Member::Jobs { .. }
        | Member::Budgets { .. }
        | Member::Kernel { .. }
        | Member::Cold { .. }
        | Member::Timers(_) => 0,
    }
}

/// By how much servers exceed a runtime each.
pub fn excesses(members: &[Member]) -> u128 {
    members.iter().map(|member| u128::from(excess(member))).sum()
}

const fn is_runtime(member: &Member) -> bool {
    matches!(member, Member::Runtime { .. })
}

const fn own_server(of: &Beside) -> Member {
    Member::Runtime { budget: of.runtime, period: of.every, exceeded: of.exceeded }
}

fn all_servers(of: &Beside) -> Vec<Member> {
    [&[own_server(of)][..], &of.others].concat()
}

fn before_servers(c: &Certificate, of: &Beside) -> Vec<Member> {
    [&of.routines[..], &c.urgent].concat()
}

/// No server is ready so long after its deadline, and no window of what comes before them is so long.
fn late_at_most(c: &Certificate, of: &Beside) -> Option<()> {
    let (all, first) = (all_servers(of), before_servers(c, of));
    let unit = u128::from(of.unit);
    holds(0 < of.unit)?;
    holds(shares(of.unit, &all)?.checked_add(shares(of.unit, &first)?)? <= unit)?;
    let once = excesses(&all).checked_add(of.goes_on_for.into())?.checked_mul(unit)?;
    let bursts = bursts(of.unit, &first, of.late.checked_add(1)?)?;
    holds(once.checked_add(bursts)? <= unit * u128::from(of.late))?;
    holds(u128::from(of.late) + u128::from(of.exceeded) <= of.every.into())?;
    let busy = needs(&first, of.apart)?.checked_add(of.goes_on_for.into())?;
    holds(busy < of.apart.into())
}

/// The jobs up to each of these places fit into so many budgets, and those are in time.
fn budgeted(c: &Certificate, of: &Beside) -> Option<()> {
    for (place, &k) in (0_u64..).zip(&of.budgets) {
        let (place, k) = (u128::from(place), u128::from(k));
        let x = k.checked_mul(of.every.into())?.checked_add(of.late.into())?;
        let within = x.checked_add(u128::from(of.exceeded) + u128::from(of.apart))?;
        let taken = needs(&of.routines, u64::try_from(within).ok()?)?;
        let own = (place + 1).checked_mul(c.cost.into())?;
        holds(own.checked_add(taken)? <= k.checked_mul(of.runtime.into())?)?;
        let before = place.checked_mul(c.period.into())?;
        holds(x.checked_add(c.jitter.into())? <= before.checked_add(c.bound.into())?)?;
    }
    Some(())
}

/// Of a task that is alone in a `SCHED_DEADLINE` server of the core, beside others.
pub(crate) fn beside_them(c: &Certificate, of: &Beside) -> Option<()> {
    holds(c.on == Supply::Core)?;
    let jobs = u128::try_from(of.budgets.len()).ok()?;
    let x = u128::from(of.again) * u128::from(of.every);
    holds(of.others.iter().all(is_runtime) && all_servers(of).iter().all(valid))?;
    holds(of.routines.iter().all(valid))?;
    late_at_most(c, of)?;
    budgeted(c, of)?;
    holds(0 < jobs && x <= jobs.checked_mul(c.period.into())?)?;
    let taken = needs(&of.routines, u64::try_from(x).ok()?)?;
    let own = jobs.checked_mul(c.cost.into())?;
    holds(own.checked_add(taken)? <= u128::from(of.again) * u128::from(of.runtime))
}
