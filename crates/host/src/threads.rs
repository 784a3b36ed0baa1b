//! The thread of a server in a description.

use vorrang_model::System;
use vorrang_model::system::{Member, Selector, SupplyId};
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
    match Selector::read(written).map_err(fault)? {
        Selector::Irq(_) | Selector::Napi(..) => {
            Err(fault("threads of the kernel cannot receive loans"))
        }
        selector => Ok(selector),
    }
}
