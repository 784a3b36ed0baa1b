//! The demand of the work in a server: no server uses more than that.
//!
//! **Model.** A job uses the server between its arrival and its longest response time, so in windows that begin anywhere it counts with
//! the latter as jitter. Less urgent work that holds it up is in the same server, and need not be that of a task which
//! is described: it counts with each job.
//!
//! **Assumptions.** 1. Every job is complete within its bound. 2. The tasks that are described are all work in a server, but
//! for what holds them up.
//!
//! **Does not cover** servers whose budget something else uses as well: periodic ones, which spend it without work; routines and pseudo-VCPUs of a guest, cold caches, tasks that
//! take packets, interrupts that storm; servers that are held up in it; and tasks without a bound.
//!
//! Theory: docs/theory/work-in-servers.md.

use crate::core::Propagation;
use crate::demand::{Load, task_anywhere};
use crate::ground::{delivered_to, sections_within};
use crate::overhead::loss_of_server;
use crate::request::Card;
use crate::server_kind::{Idle, Returns, Sheet};
use vorrang_model::system::{Member, Scheduler, SupplyId, TaskId};
use vorrang_time::Duration;

/// All work in a server, in windows that begin anywhere, with the longest response time of each task; none if something of
/// it has no bound.
pub(crate) fn asked_in<'s>(
    arrivals: &Propagation<'s>,
    responses: &dyn Fn(TaskId) -> Option<Duration>,
    id: SupplyId,
) -> Option<Vec<Load<'s>>> {
    let mut found = Vec::new();
    collect_asked(arrivals, responses, id, &mut found)?;
    Some(found)
}

fn collect_asked<'s>(
    arrivals: &Propagation<'s>,
    responses: &dyn Fn(TaskId) -> Option<Duration>,
    id: SupplyId,
    found: &mut Vec<Load<'s>>,
) -> Option<()> {
    let system = arrivals.system;
    // A periodic server spends its budget whether or not there is work.
    let spends = Sheet::of_supply(system, id).is_some_and(|sheet| sheet.idle == Idle::Spent);
    if spends || !only_tasks_use(arrivals, id) {
        return None;
    }
    for &member in &system.supply(id).members {
        match member {
            Member::Server(inner) if system.blocking(member).is_zero() => {
                collect_asked(arrivals, responses, inner, found)?;
            }
            Member::Task(task) if is_plain_task(arrivals, task) => {
                let response = responses(task)?;
                let load = arrivals.load_of(member).ok()?;
                found.push(task_anywhere(system, task, load, response));
            }
            Member::Server(_) | Member::Task(_) => return None,
        }
    }
    Some(())
}

/// Whether all that uses the budget of a server is the work of tasks that are bounded as such.
pub(crate) fn is_plain(arrivals: &Propagation<'_>, id: SupplyId) -> bool {
    let system = arrivals.system;
    let supply = system.supply(id);
    let members = supply.members.iter().all(|&member| match member {
        Member::Task(task) => is_plain_task(arrivals, task),
        Member::Server(inner) => {
            let returns = Sheet::of_supply(system, inner).map(|sheet| sheet.returns);
            let is_known = matches!(returns, Some(Returns::WithPeriods | Returns::InPieces));
            is_known && system.blocking(member).is_zero() && only_tasks_use(arrivals, inner)
        }
    });
    supply.scheduler == Scheduler::FixedPriority && only_tasks_use(arrivals, id) && members
}

/// Whether nothing but tasks uses the budget of a server, what is in servers in it left aside.
pub(crate) fn only_tasks_use(arrivals: &Propagation<'_>, id: SupplyId) -> bool {
    let system = arrivals.system;
    !system.supply(id).serves_other
        && delivered_to(system, id).is_empty()
        && loss_of_server(system, id).is_zero()
        && sections_within(system, id).is_zero()
}

/// Whether the jobs of a task are its execution time, and come as often as is stated.
pub(crate) fn is_plain_task(arrivals: &Propagation<'_>, task: TaskId) -> bool {
    let system = arrivals.system;
    let takes_packets = Card::polled_by(system, task).or_else(|| Card::read_by(system, task));
    let behaves = match arrivals.woken(task) {
        None => true,
        Some(Ok((_, requests))) => !requests.waits_for_ever && requests.calm == requests.storm,
        Some(Err(_)) => false,
    };
    takes_packets.is_none() && behaves
}
