//! The function that checks a certificate, as in `proofs/Certificate.v`.
//!
//! **Model.** `None` refuses. Every function here has the name and the order of the one there.

use crate::{Certificate, Kind, Member, Point, Server, Supply};

/// Whether a certificate shows its bound.
pub fn check(certificate: &Certificate) -> bool {
    accepts(certificate).is_some()
}

fn accepts(c: &Certificate) -> Option<()> {
    delivers(&c.on)?;
    holds(c.urgent.iter().all(valid))?;
    holds(0 < c.period)?;
    holds(0 < c.length)?;
    let own = rounded_up(c.length.into(), c.period)?.checked_mul(c.cost.into())?;
    let work = own.checked_add(needs(&c.urgent, c.length)?)?;
    enough(&c.on, work, c.length, &c.length_below)?;
    covers(c)
}

fn holds(what: bool) -> Option<()> {
    what.then_some(())
}

/// `n / d`, rounded up.
fn rounded_up(n: u128, d: u64) -> Option<u128> {
    let d = u128::from(d);
    n.checked_add(d)?.checked_sub(1)?.checked_div(d)
}

/// The most that a member takes in a window of length x.
fn need(member: &Member, x: u64) -> Option<u128> {
    let (cost, period, jitter) = match *member {
        Member::Jobs { cost, period, jitter } => (cost, period, jitter),
        Member::Budgets { kind: Kind::Deferrable, budget, period } => {
            (budget, period, period.saturating_sub(budget))
        }
        Member::Budgets { budget, period, .. } => (budget, period, 0),
    };
    rounded_up(u128::from(x) + u128::from(jitter), period)?.checked_mul(cost.into())
}

/// The most that members take together in a window of length x; `None`: more than 128 bits hold, or a period is zero.
pub fn needs(members: &[Member], x: u64) -> Option<u128> {
    members.iter().try_fold(0_u128, |sum, member| sum.checked_add(need(member, x)?))
}

/// How long a server may have no budget at first.
fn wait_of(server: &Server) -> u64 {
    match server.kind {
        Kind::Polling => server.period - 1,
        Kind::Periodic | Kind::Deferrable | Kind::Sporadic => server.period - server.budget,
    }
}

/// The supply gives w in every window of length x in which it is wanted throughout.
fn enough(supply: &Supply, w: u128, x: u64, below: &[u64]) -> Option<()> {
    let Supply::Server(server) = supply else { return holds(w <= x.into()) };
    if w == 0 {
        return Some(());
    }
    let (&z, rest) = below.split_first()?;
    let whole = (w - 1) / u128::from(server.budget);
    let r = w - whole * u128::from(server.budget);
    let whole = whole.checked_mul(server.period.into())?;
    holds(whole.checked_add(u128::from(wait_of(server)) + u128::from(z))? <= x.into())?;
    holds(z <= server.period)?;
    enough(&server.parent, at_level(server, r, z)?, z, rest)
}

/// What the parent of a server has to give in z, so that the server receives r.
fn at_level(s: &Server, r: u128, z: u64) -> Option<u128> {
    r.checked_add(s.blocking.into())?.checked_add(needs(&s.urgent, z)?)
}

fn valid(member: &Member) -> bool {
    match *member {
        Member::Jobs { period, .. } => 0 < period,
        Member::Budgets { budget, period, .. } => 0 < period && 0 < budget && budget <= period,
    }
}

/// Every server receives its budget in each period.
fn delivers(supply: &Supply) -> Option<()> {
    let Supply::Server(s) = supply else { return Some(()) };
    holds(0 < s.budget && s.budget <= s.period)?;
    holds(s.urgent.iter().all(valid))?;
    delivers(&s.parent)?;
    let (&z, rest) = s.full.split_first()?;
    holds(z <= s.period)?;
    enough(&s.parent, at_level(s, s.budget.into(), z)?, z, rest)
}

/// From each offset below the length on, by the window of its point.
fn covers(c: &Certificate) -> Option<()> {
    let mut from = 0_u64;
    for Point { upto, window, below } in &c.points {
        let own = rounded_up(u128::from(from) + 1, c.period)?;
        holds(rounded_up((*upto).into(), c.period)? <= own)?;
        let by = u128::from(*window) + u128::from(c.jitter);
        holds(by <= u128::from(from) + u128::from(c.bound))?;
        let own = own.checked_mul(c.cost.into())?.checked_add(c.blocked_by.into())?;
        enough(&c.on, own.checked_add(needs(&c.urgent, *window)?)?, *window, below)?;
        from = *upto;
    }
    holds(c.length <= from)
}
