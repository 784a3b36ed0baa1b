//! What has deadlines on a supply under EDF, and reservations there.

use crate::Uncertified;
use vorrang_certificate::{
    Member, Reservation, Rival, bursts, rival_bursts, rival_shares, share, shares,
};
use vorrang_model::System;
use vorrang_model::system::{Member as OnSupply, ServerRule, SupplyId, TaskId};

/// What has deadlines on a supply, besides one member; `jobs` says what tasks do.
pub(super) fn rivals(
    system: &System,
    besides: OnSupply,
    mut jobs: impl FnMut(TaskId) -> Result<Member, Uncertified>,
) -> Result<Vec<Rival>, Uncertified> {
    let members = system.supply(system.on(besides)).members.iter().copied();
    members.filter(|&of| of != besides).map(|of| rival(system, of, &mut jobs)).collect()
}

fn rival(
    system: &System,
    of: OnSupply,
    jobs: &mut impl FnMut(TaskId) -> Result<Member, Uncertified>,
) -> Result<Rival, Uncertified> {
    match of {
        OnSupply::Task(id) => {
            let Member::Jobs { cost, period, jitter } = jobs(id)? else {
                unreachable!("it is a task")
            };
            Ok(Rival::Jobs { cost, period, jitter, relative: relative(system, id)? })
        }
        OnSupply::Server(id) => {
            let (budget, period) = bandwidth(system, id)?;
            Ok(Rival::Bandwidth { budget, period })
        }
    }
}

/// From the arrival of a task to its deadline; nothing is blocked there.
pub(super) fn relative(system: &System, id: TaskId) -> Result<u64, Uncertified> {
    let task = system.task(id);
    if task.blocking.as_ns() > 0 {
        return Err(Uncertified::not_mechanised("blocking under EDF", "edf-response"));
    }
    let deadline = task.deadline.ok_or_else(|| {
        Uncertified::not_mechanised("a task without a deadline under EDF", "edf-response")
    })?;
    Ok(deadline.as_ns())
}

/// Budget and period of a hard constant-bandwidth server.
fn bandwidth(system: &System, id: SupplyId) -> Result<(u64, u64), Uncertified> {
    let Some(server) = system.supply(id).server() else {
        return Err(Uncertified::not_mechanised("a share of turns", "turns"));
    };
    let (kind, page) = match server.rule {
        ServerRule::CbsHard => return Ok((server.budget.as_ns(), server.period.as_ns())),
        ServerRule::CbsSoft => ("cbs-soft", "soft-server"),
        ServerRule::SchedDeadline { .. } => ("sched-deadline", "sched-deadline"),
        ServerRule::Deferrable => ("deferrable", "edf-deferrable"),
        _ => ("another rule", "edf-response"),
    };
    Err(Uncertified::not_mechanised(format!("a server of kind {kind} under EDF"), page))
}

/// A hard constant-bandwidth server on a core, below what is more urgent than all deadlines.
pub(super) fn reservation(
    system: &System,
    id: SupplyId,
    urgent: Vec<Member>,
    jobs: impl FnMut(TaskId) -> Result<Member, Uncertified>,
) -> Result<Reservation, Uncertified> {
    let (budget, period) = bandwidth(system, id)?;
    let rivals = rivals(system, OnSupply::Server(id), jobs)?;
    let mut of = Reservation { budget, period, urgent, rivals, unit: 0, late: 0 };
    of.unit = unit(&of);
    of.late = late(&of).ok_or_else(|| Uncertified::NoBudget(system.supply(id).name.clone()))?;
    Ok(of)
}

/// A unit in which shares come out even, or where the periods have no common multiple in reach one that is fine.
fn unit(of: &Reservation) -> u64 {
    let periods =
        of.urgent.iter().map(Member::period).chain(of.rivals.iter().map(|rival| match *rival {
            Rival::Jobs { period, .. } | Rival::Bandwidth { period, .. } => period,
        }));
    unit_of(periods.chain([of.period]))
}

/// The same of such periods.
pub(super) fn unit_of(mut periods: impl Iterator<Item = u64>) -> u64 {
    let common = periods.try_fold(1, least_common_multiple);
    common.filter(|&unit| unit <= FINE).unwrap_or(FINE)
}

const FINE: u64 = 1 << 60;

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).checked_mul(b)
}

/// The least delay of a budget that was kept: what comes at once, over the share that is left.
fn late(of: &Reservation) -> Option<u64> {
    let Reservation { budget, period, urgent, rivals, unit, .. } = of;
    let left = u128::from(*unit).checked_sub(shares(*unit, urgent)?)?;
    let all = share(*unit, *budget, *period)?.checked_add(rival_shares(*unit, rivals)?)?;
    let first = rival_bursts(*unit, rivals)?.checked_add(bursts(*unit, urgent, 0)?)?;
    let delay = if first == 0 { 0 } else { first.checked_add(left)?.checked_sub(1)? / left.max(1) };
    let late = u64::try_from(delay).ok()?;
    // A whole budget comes by its deadline, too.
    let whole = all.checked_mul((*period).into())?.checked_add(rival_bursts(*unit, rivals)?)?;
    let whole = whole.checked_add(bursts(*unit, urgent, *period)?)?;
    let is_in_time = whole <= u128::from(*unit) * u128::from(*period);
    (is_in_time && all <= left && late <= period - budget).then_some(late)
}
