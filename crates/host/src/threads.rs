//! The thread of a server in a description, and the tasks that it does.

use vorrang_model::System;
use vorrang_model::system::{Member, Selector, SupplyId, TaskId};
use vorrang_quote::visible;

/// The selector of the thread of a server: its own, or that of its only task.
pub(crate) fn written(system: &System, id: SupplyId) -> Option<&str> {
    let supply = system.supply(id);
    let threads = &system.host.threads;
    let of_task = match *supply.members.as_slice() {
        [Member::Task(task)] => threads.get(&system.task(task).name),
        _ => None,
    };
    threads.get(&supply.name).or(of_task).map(String::as_str)
}

/// The thread of a server.
pub(crate) fn selector(system: &System, id: SupplyId) -> Result<Selector, String> {
    let name = &system.supply(id).name;
    let written = written(system, id).ok_or_else(|| {
        format!("{name} does not say which thread it is: `thread = \"name:...\"`")
    })?;
    let fault = |why: &str| format!("{name}: \"{}\" names no thread: {why}", visible(written));
    Selector::read(written).map_err(fault)
}

/// The tasks of a server and of those in it.
pub(crate) fn tasks_in(system: &System, id: SupplyId) -> Vec<TaskId> {
    let mut tasks = Vec::new();
    let mut within = vec![id];
    while let Some(id) = within.pop() {
        for member in &system.supply(id).members {
            match *member {
                Member::Task(task) => tasks.push(task),
                Member::Server(server) => within.push(server),
            }
        }
    }
    tasks.sort_unstable();
    tasks
}
