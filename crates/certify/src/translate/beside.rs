//! A reservation of Linux beside others, or whose runtime may be used up, with one task.
//!
//! **Model.** Each server of the core is `Runtime_of`, as it is for tasks below. What comes before them are the routines of
//! the core and all calls there. Where routines are charged, they are the `routines` of the theorem, and may all be
//! charged to the server; where they are not, none is. A section of the kernel and a call may be under way
//! when a window begins.
//!
//! Derived in docs/theory/several-reservations.md.

use super::deadlines::unit_of;
use super::interrupts::{delay, routines};
use super::kernel::{calls, calls_of_server, is_plain, refused, runtime, servers};
use super::supplies::jobs;
use crate::Uncertified;
use crate::windows::Search;
use vorrang_certificate::{Beside, Certificate, Member, Order};
use vorrang_model::System;
use vorrang_model::system::{InterruptTime, Member as OnSupply, SupplyId, TaskId};

/// The certificate of a task that is alone in a reservation of a core.
pub(super) fn beside(
    system: &System,
    id: TaskId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    let on = system.task(id).on;
    let core = system.core_of(on);
    if system.supply(on).on() != Some(core) || !is_plain(system, core) {
        return Err(refused("with more than one task"));
    }
    let Member::Jobs { cost, period, jitter } = jobs(system, id, search)? else {
        unreachable!("it is a task")
    };
    let own = runtime(system, on, search)?;
    let Member::Runtime { budget, period: every, exceeded } = own else {
        unreachable!("it is a reservation")
    };
    let others: Vec<_> = servers(system, core).filter(|&other| other != on).collect();
    let others = others.into_iter().map(|other| runtime(system, other, search));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let first = routines(system, core, search)?;
    let charged = system.supply(core).interrupt_time == InterruptTime::Charged;
    let (routines, mut urgent) = if charged { (first, Vec::new()) } else { (Vec::new(), first) };
    urgent.extend(calls(system, core, (search, jobs))?);
    for server in servers(system, core) {
        urgent.extend(server_calls(system, server, search)?);
    }
    let periods = [&[own][..], &others, &routines, &urgent].concat();
    let unit = unit_of(periods.iter().map(Member::period));
    let of = Beside {
        goes_on_for: delay(system, core),
        runtime: budget,
        every,
        exceeded,
        routines,
        others,
        unit,
        ..Beside::default()
    };
    let order = Order::Beside(Box::new(of));
    let own = Certificate { urgent, order, cost, period, jitter, ..Certificate::default() };
    let why = "a server of kind sched-deadline whose budgets are not shown to cover its task";
    let refused = || Uncertified::not_mechanised(why, "several-reservations");
    search.beside(own).ok_or_else(refused)
}

fn server_calls(
    system: &System,
    server: SupplyId,
    search: &mut Search,
) -> Result<Vec<Member>, Uncertified> {
    let tasks = system.supply(server).members.iter();
    let tasks = tasks.filter_map(|&of| match of {
        OnSupply::Task(id) => Some(id),
        OnSupply::Server(_) => None,
    });
    let mut all = Vec::new();
    for task in tasks {
        all.extend(calls_of_server(system, server, &jobs(system, task, search)?));
    }
    Ok(all)
}
