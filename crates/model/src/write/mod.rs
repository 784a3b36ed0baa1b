//! A system as a description.
//!
//! Everything is written as it was resolved: priorities for rate-monotonic and
//! deadline-monotonic supplies, deadlines that were left out. Defaults are left out again.
//!
//! **Assumptions.**
//! 1. The system holds what `read` guarantees (see [`crate::system`]), and its names are names.
//! 2. Some order of declaration explains the order of its supplies, of its tasks and of the
//!    members of every supply. Where none does, the members come out in another order.
//!
//! **Does not cover** `unsupported` features: the system no longer knows what they said.

mod event;
mod page;
mod processor;

use crate::system::{Chain, Member, Requirement, RequirementKind, SupplyId, System, TaskId};
use page::Page;

/// A description that reads back to an equal system.
///
/// ```
/// use vorrang_model::{Format, read, write_toml};
/// let source = r#"
///     version = 1
///     [core.0]
///     scheduler = "rate-monotonic"
///     [task.slow]
///     on = "core.0"
///     wcet = "1200us"
///     period = "20ms"
///     [task.fast]
///     on = "core.0"
///     wcet = "20us"
///     period = "500us"
/// "#;
/// let system = read(source, Format::Toml).unwrap();
/// assert_eq!(read(write_toml(&system), Format::Toml), Ok(system));
/// ```
pub fn write_toml(system: &System) -> String {
    let mut page = Page::new();
    processor::costs(&mut page, &system.costs);
    for declared in &system.caches {
        processor::cache(&mut page, declared);
    }
    for member in order(system) {
        match member {
            Member::Server(id) if system.supply(id).serves_other => {}
            Member::Task(id) if system.is_other(id) => {}
            Member::Server(id) => processor::supply(&mut page, system, system.supply(id)),
            Member::Task(id) => processor::task(&mut page, system, id),
        }
    }
    for id in system.interrupt_ids().filter(|&id| system.interrupt(id).is_external()) {
        event::interrupt(&mut page, system, id);
    }
    for id in system.timer_ids() {
        event::timer(&mut page, system, id);
    }
    for declared in &system.devices {
        event::device(&mut page, system, declared);
    }
    for declared in &system.requirements {
        requirement(&mut page, system, declared);
    }
    for declared in &system.chains {
        chain(&mut page, system, declared);
    }
    page.finish()
}

/// Supplies and tasks in an order of declaration that puts every member behind the one before it.
fn order(system: &System) -> Vec<Member> {
    let mut before_supply = vec![None; system.supplies.len()];
    let mut before_task = vec![None; system.tasks.len()];
    for supply in &system.supplies {
        for pair in supply.members.windows(2) {
            match pair[1] {
                Member::Server(id) => before_supply[id.0] = Some(pair[0]),
                Member::Task(id) => before_task[id.0] = Some(pair[0]),
            }
        }
    }
    let (mut supplies, mut tasks) = (0, 0);
    let mut order = Vec::with_capacity(before_supply.len() + before_task.len());
    while supplies < before_supply.len() || tasks < before_task.len() {
        let written = |member: &Option<Member>| match member {
            None => true,
            Some(Member::Server(id)) => id.0 < supplies,
            Some(Member::Task(id)) => id.0 < tasks,
        };
        let supply_may = before_supply.get(supplies).is_some_and(written);
        let task_may = before_task.get(tasks).is_some_and(written);
        // Where neither may come next, no order explains the system: any will do.
        if supply_may || (!task_may && supplies < before_supply.len()) {
            order.push(Member::Server(SupplyId(supplies)));
            supplies += 1;
        } else {
            order.push(Member::Task(TaskId(tasks)));
            tasks += 1;
        }
    }
    order
}

/// What is required besides the deadlines that the tasks state themselves.
fn requirement(page: &mut Page, system: &System, requirement: &Requirement) {
    let of = match requirement.kind {
        RequirementKind::Deadline(id) => &system.task(id).name,
        RequirementKind::HandledWithin(id) => &system.interrupt(system.origin_of(id)).name,
    };
    // A deadline that a task states itself is called after the task.
    if requirement.name == *of {
        return;
    }
    page.table(&requirement.name);
    page.text("of", of);
    page.duration("handled-within", requirement.limit);
    if let Some(probability) = requirement.probability {
        page.text("probability", &probability.to_string());
    }
}

fn chain(page: &mut Page, system: &System, chain: &Chain) {
    page.table(&chain.name);
    let names: Vec<&str> = chain.path.iter().map(|&id| system.task(id).name.as_str()).collect();
    page.names("path", &names);
    if let Some(limit) = chain.reaction {
        page.duration("reaction", limit);
    }
    if let Some(limit) = chain.age {
        page.duration("age", limit);
    }
}
