//! What is asked for in a server without a budget: nothing else limits what that takes.
//!
//! **Model.** A window begins when nothing in the server is ready. All that runs there in the window is then requested in it:
//!
//! | inside | counts as |
//! |---|---|
//! | task | its jobs, each with what may hold it up |
//! | task that a routine inside wakes | the requests of the routine: both are in the server from then on |
//! | routine of a guest | its requests |
//! | server with a budget, pseudo-VCPU | its budgets |
//! | level, share, soft constant-bandwidth server | what is asked for in it: it is ready whenever something in it is |
//!
//! **Assumptions.** 1. The tasks that are described are all work in it, but for what holds them up. 2. A hard constant-bandwidth
//! server keeps no more of a budget than one of `SCHED_DEADLINE`.
//!
//! **Does not cover** servers inside that sections hold up, and what cold caches lose: that is counted with the events of the
//! kernel ([`crate::overhead`]).
//!
//! Theory: docs/theory/levels.md.

use crate::core::Propagation;
use crate::demand::Load;
use crate::ground::{NoBound, Reason, Source, is_never_empty_handed};
use crate::request::{Competitor, Ranked};
use crate::server_kind::{Returns, Sheet};
use core::iter::successors;
use vorrang_model::system::{Activation, InterruptId, Member, Server, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// What is asked for in each of some members that is a level, by its place.
///
/// # Errors
/// Why something in one of them has no bound.
pub(crate) fn in_levels<'s>(
    arrivals: &Propagation<'s>,
    ranked: &[Ranked<'_>],
) -> Result<Vec<Option<Vec<Load<'s>>>>, Reason> {
    let inside = |own: &Ranked<'_>| match own.who {
        Competitor::Member(Member::Server(id)) if own.takes.storm.is_unlimited() => {
            asked_in_level(arrivals, id).map(Some)
        }
        _ => Ok(None),
    };
    ranked.iter().map(inside).collect()
}

/// The loads of members, of which levels take what is asked for in them.
pub(crate) fn used_by<'a>(loads: &mut [Load<'a>], inside: &'a [Option<Vec<Load<'a>>>]) {
    for (load, inside) in loads.iter_mut().zip(inside) {
        if let Some(inside) = inside {
            load.used_by = Some(inside);
        }
    }
}

/// What is asked for in a level, in windows that begin when nothing in it is ready.
///
/// # Errors
/// Why something in it has no bound.
pub(crate) fn asked_in_level<'s>(
    arrivals: &Propagation<'s>,
    id: SupplyId,
) -> Result<Vec<Load<'s>>, Reason> {
    let mut found = Vec::new();
    collect(arrivals, (id, id), &mut found)?;
    Ok(found)
}

fn collect<'s>(
    arrivals: &Propagation<'s>,
    (level, id): (SupplyId, SupplyId),
    found: &mut Vec<Load<'s>>,
) -> Result<(), Reason> {
    let system = arrivals.system;
    let (_, requests) = arrivals.requests_in_guest(id)?;
    found.extend(requests.iter().map(|requests| requests.storm));
    found.extend(arrivals.pseudo_vcpus_on(id)?.iter().map(|own| own.takes.storm));
    for &member in &system.supply(id).members {
        match member {
            Member::Task(task) => found.push(jobs(arrivals, level, task)?),
            Member::Server(inner) if is_never_empty_handed(system, inner) => {
                collect(arrivals, (level, inner), found)?;
            }
            Member::Server(inner) => found.push(budgets(arrivals, inner)?),
        }
    }
    Ok(())
}

/// The jobs of a task, each with a section before it.
fn jobs<'s>(arrivals: &Propagation<'s>, level: SupplyId, task: TaskId) -> Result<Load<'s>, Reason> {
    let system = arrivals.system;
    let load = match system.task(task).activation {
        Activation::Interrupt(id) if is_handled_in(system, level, id) => {
            arrivals.woken_after_core(task, id)?
        }
        _ => arrivals.load_of(Member::Task(task))?,
    };
    let blocking = system.task(task).blocking.checked_mul(arrivals.jobs_at_once(task));
    let cost = blocking.and_then(|blocking| load.cost.checked_add(blocking));
    let why = || Reason::NoBound {
        supply: system.supply(level).name.clone(),
        why: NoBound::TooLong,
        overbooked: None,
    };
    Ok(Load { cost: cost.ok_or_else(why)?, ..load })
}

/// Whether the routine of an interrupt in a guest is in that level, too.
fn is_handled_in(system: &System, level: SupplyId, id: InterruptId) -> bool {
    let vcpu = system.interrupt(id).delivery.as_ref().map(|delivery| delivery.vcpu);
    successors(vcpu, |&id| system.supply(id).on()).any(|around| around == level)
}

/// Whether it keeps its budget for its deadline, and has no priority.
fn by_deadlines_alone(server: &Server) -> bool {
    let sheet = Sheet::of_server(server);
    sheet.returns == Returns::AtDeadlines && sheet.takes.is_none()
}

/// The budgets of a server.
fn budgets<'s>(arrivals: &Propagation<'s>, id: SupplyId) -> Result<Load<'s>, Reason> {
    match arrivals.system.supply(id).server() {
        Some(server @ &Server { budget, period, .. }) if by_deadlines_alone(server) => {
            let budgets = Load::new(Source::Server(id), budget, period, Duration::ZERO);
            Ok(Load { kept_until: Some(period), ..budgets })
        }
        _ => arrivals.budgets(id),
    }
}
