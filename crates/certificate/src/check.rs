//! The function that checks a certificate, as in `proofs/Certificate.v`.
//!
//! **Model.** `None` refuses. Every function here, in `supplied.rs`, `loads.rs`, `manner.rs`, `kernel.rs`, `cold.rs`, `shield.rs`,
//! `in_time.rs`, `deadlines.rs`, `sharing.rs`, `beside.rs` and `idle_guest.rs` has the name of the one there.

use crate::beside::beside_them;
use crate::cold::valid_contexts;
use crate::deadlines::{all_due, all_in_length, bursts, rival_bursts, rival_shares, share, shares};
use crate::idle_guest::idle_guest;
use crate::in_time::valid_shield;
use crate::kernel::{all_periods, valid_caller};
use crate::loads::{holds, needs, valid};
use crate::manner::valid_manner;
use crate::rounding::rounded_up;
use crate::sharing::{Credit, Sharing, covering};
use crate::supplied::{at_level, enough};
use crate::{Caller, Certificate, Member, Order, Point, Reservation, Rival, Slot, Supply};

/// Whether a certificate shows its bound.
pub fn check(certificate: &Certificate) -> bool {
    accepts(certificate).is_some()
}

fn accepts(c: &Certificate) -> Option<()> {
    delivers(&c.on)?;
    holds(valid_order(c))?;
    holds(0 < c.period)?;
    match &c.order {
        Order::Alone => by_itself(c),
        Order::Reserved { .. } => in_reservation(c),
        Order::Beside(of) => beside_them(c, of),
        Order::FromIdle { guest, which } => idle_guest(c, guest, *which),
        Order::Priority { .. } | Order::Deadline { .. } | Order::Credit(_) | Order::Sharing(_) => {
            by_windows(c)
        }
    }
}

/// Beside a task of a core by priority.
fn beside_task(member: &Member) -> bool {
    match member {
        Member::Kernel { callers, .. } => callers.iter().all(valid_caller),
        Member::Cold { contexts } => valid_contexts(contexts),
        Member::Timers(of) => valid_shield(of).is_some(),
        _ => valid(member),
    }
}

/// Beside a server, whose kernel begins with that.
fn beside_server(member: &Member) -> bool {
    match member {
        Member::Kernel { callers, .. } => match &callers[..] {
            [Caller::Itself { period }, others @ ..] => {
                0 < *period && others.iter().all(valid_caller)
            }
            _ => false,
        },
        Member::Cold { contexts } => valid_contexts(contexts),
        Member::Timers(of) => valid_shield(of).is_some(),
        _ => valid(member),
    }
}

fn valid_rival(rival: &Rival) -> bool {
    match *rival {
        Rival::Jobs { period, .. } => 0 < period,
        Rival::Bandwidth { budget, period } => 0 < budget && budget <= period,
    }
}

/// Every server receives its budget in each period.
fn delivers(supply: &Supply) -> Option<()> {
    match supply {
        Supply::Core => Some(()),
        Supply::Server(s) => {
            holds(0 < s.budget && s.budget <= s.period)?;
            holds(valid_manner(s.kind, s.budget, s.period))?;
            holds(s.urgent.iter().all(beside_server))?;
            delivers(&s.parent)?;
            let (&z, rest) = s.full.split_first()?;
            holds(z <= s.period)?;
            enough(&s.parent, at_level(s, s.budget.into(), z)?, z, rest)
        }
        Supply::Reservation(of) => keeps_deadlines(of),
        Supply::Slot(Slot { offset, budget, period, urgent }) => {
            holds(0 < *budget)?;
            holds(u128::from(*offset) + u128::from(*budget) <= (*period).into())?;
            holds(urgent.iter().all(valid))
        }
        Supply::Cold(of) => {
            holds(all_periods(&of.starts))?;
            delivers(&of.parent)
        }
    }
}

fn keeps_deadlines(of: &Reservation) -> Option<()> {
    let Reservation { budget, period, urgent, rivals, unit, late } = of;
    holds(0 < *budget && budget <= period)?;
    holds(urgent.iter().all(valid) && rivals.iter().all(valid_rival))?;
    holds(0 < *unit && *late <= period - budget)?;
    let due = share(*unit, *budget, *period)?.checked_add(rival_shares(*unit, rivals)?)?;
    let (first, whole) = (rival_bursts(*unit, rivals)?, u128::from(*unit));
    // All shares; a whole budget, with all bursts; and a budget that was kept.
    holds(due.checked_add(shares(*unit, urgent)?)? <= whole)?;
    let all = due.checked_mul((*period).into())?.checked_add(first)?;
    holds(all.checked_add(bursts(*unit, urgent, *period)?)? <= whole * u128::from(*period))?;
    let kept = first.checked_add(bursts(*unit, urgent, *late)?)?;
    holds(kept <= whole * u128::from(*late))
}

/// What comes before the job that arrives `from` after the begin of a window of length x, besides what is more urgent.
fn ahead(c: &Certificate, x: u64, from: u64) -> Option<u128> {
    match &c.order {
        Order::Priority { blocked_by } => Some((*blocked_by).into()),
        Order::Deadline { relative, rivals } => {
            all_due(c.jitter, rivals, x, u128::from(from) + u128::from(*relative))
        }
        Order::Alone | Order::Reserved { .. } | Order::Beside(_) | Order::FromIdle { .. } => {
            Some(0)
        }
        Order::Credit(of) => Some(of.blocked_by.into()),
        Order::Sharing(of) => Some(of.paid.blocked_by.into()),
    }
}

fn beside(c: &Certificate, length: u64) -> Option<u128> {
    match &c.order {
        Order::Deadline { rivals, .. } => all_in_length(rivals, length),
        Order::Priority { .. }
        | Order::Alone
        | Order::Credit(_)
        | Order::Sharing(_)
        | Order::Reserved { .. }
        | Order::Beside(_)
        | Order::FromIdle { .. } => Some(0),
    }
}

/// From each offset below the length on, by the window of its point.
fn covers(c: &Certificate) -> Option<()> {
    let mut from = 0_u64;
    for Point { upto, window, below } in &c.points {
        let own = rounded_up(u128::from(from) + 1, c.period)?;
        holds(rounded_up((*upto).into(), c.period)? <= own)?;
        let by = u128::from(*window) + u128::from(c.jitter);
        holds(by <= u128::from(from) + u128::from(c.bound))?;
        let own = own.checked_mul(c.cost.into())?;
        let own = own.checked_add(ahead(c, *window, upto.saturating_sub(1))?)?;
        enough(&c.on, own.checked_add(needs(&c.urgent, *window)?)?, *window, below)?;
        from = *upto;
    }
    holds(c.length <= from)
}

fn valid_order(c: &Certificate) -> bool {
    let may_be = if matches!(c.order, Order::Priority { .. }) { beside_task } else { valid };
    let fits = match &c.order {
        Order::Deadline { rivals, .. } => rivals.iter().all(valid_rival),
        // A credit is enough for a request, there is one for each, and each is handled before the next comes.
        Order::Credit(of) => is_paid(c, of) && c.bound <= c.period,
        Order::Sharing(of) => is_shared(c, of).is_some(),
        Order::Priority { .. }
        | Order::Alone
        | Order::Reserved { .. }
        | Order::Beside(_)
        | Order::FromIdle { .. } => true,
    };
    c.urgent.iter().all(may_be) && fits
}

/// A credit is enough for a request, and there is one for each.
fn is_paid(c: &Certificate, of: &Credit) -> bool {
    let all_taken = u128::from(of.credits) * u128::from(c.period);
    c.cost <= of.credit
        && 0 < of.credits
        && u128::from(of.back) <= all_taken
        && of.routine <= c.jitter
}

/// Each request adds its own time and that of others.
fn is_shared(c: &Certificate, of: &Sharing) -> Option<()> {
    holds(covering(&of.others)?.checked_add(of.own.into())? <= c.cost.into())?;
    holds(is_paid(c, &of.paid) && c.jitter < c.bound)?;
    holds(of.others.iter().all(|other| 0 < other.every))
}

/// By windows.
fn by_windows(c: &Certificate) -> Option<()> {
    holds(0 < c.length)?;
    let own = rounded_up(c.length.into(), c.period)?.checked_mul(c.cost.into())?;
    let work = own.checked_add(needs(&c.urgent, c.length)?)?.checked_add(beside(c, c.length)?)?;
    enough(&c.on, work, c.length, &c.length_below)?;
    covers(c)
}

/// Of a task that is alone in a reservation, and finds it afresh each time.
fn by_itself(c: &Certificate) -> Option<()> {
    let Supply::Reservation(of) = &c.on else { return None };
    let (cost, budget) = (u128::from(c.cost), u128::from(of.budget));
    let parts = cost.saturating_sub(1) / budget + 1;
    let takes = cost.checked_add(parts.checked_mul(u128::from(of.period) - budget)?)?;
    holds(0 < cost)?;
    let apart = c.period.saturating_sub(c.jitter);
    holds(cost * u128::from(of.period) <= u128::from(apart) * budget)?;
    let done = takes.checked_add(c.jitter.into())?;
    let exact = done == c.period.into() && cost == parts * budget;
    holds(done < c.period.into() || exact)?;
    holds(done <= c.bound.into())
}

/// Of a task that is alone in a `SCHED_DEADLINE` server of the core, whose runtime is never used up.
fn in_reservation(c: &Certificate) -> Option<()> {
    let Order::Reserved { blocked_by, after, budget, every, longest } = c.order else {
        return None;
    };
    holds(c.on == Supply::Core)?;
    let from_release = |time: u64| u128::from(time) + u128::from(c.jitter);
    holds(0 < every && from_release(every) <= c.period.into())?;
    holds(from_release(longest) <= c.period.into())?;
    let taken = needs(&c.urgent, longest)?.checked_add(c.cost.into())?;
    let all = taken.checked_add(u128::from(after) + u128::from(blocked_by))?;
    holds(all < longest.into() && taken < budget.into())?;
    holds(from_release(longest) <= c.bound.into())
}
