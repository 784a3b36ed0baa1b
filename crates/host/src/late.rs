//! Wake-ups that are found by polling: the description allows for that.
//!
//! Theory: docs/theory/noticed-wake-ups.md.

use crate::guests;
use crate::reserved::Unfit;
use crate::threads;
use vorrang_model::System;
use vorrang_model::system::{Activation, InterruptId, SupplyId};
use vorrang_time::Duration;

/// Arrivals in a server whose wake-ups are found by polling: the jitter must allow for that.
pub(crate) fn unfit(system: &System, id: SupplyId, look: Duration) -> Unfit {
    let mut unfit = Unfit::default();
    let server = &system.supply(id).name;
    for task in threads::tasks_in(system, id) {
        let task = system.task(task);
        match task.activation {
            Activation::Sporadic if task.jitter >= look => {}
            Activation::Interrupt(by) if guests::is_seen(system, by) => {}
            Activation::Interrupt(by) if system.interrupt(by).delivery.is_none() => {
                unfit.wrong.extend(wakes_late(system, id, by, look));
            }
            Activation::Sporadic => unfit.wrong.push(format!(
                "{}: what wakes {server} is seen by looking every {look}; state `jitter = \"{look}\"` or more, \
                 look more often (--look), or use a server that is \"polling\" or \"periodic\"",
                task.name
            )),
            _ => unfit.missing.push(format!(
                "{}: the instants of what activates it are not seen, and {server} needs them; \"polling\" and \
                 \"periodic\" servers do not",
                task.name
            )),
        }
    }
    unfit
}

/// An interrupt of the host that wakes the thread of a server, as is found by polling.
fn wakes_late(system: &System, id: SupplyId, by: InterruptId, look: Duration) -> Option<String> {
    let interrupt = system.interrupt(by);
    (interrupt.jitter < look).then(|| {
        format!(
            "{}: that it wakes {} is seen by looking every {look}; state `jitter = \"{look}\"` or more, look more often \
             (--look), or use a server that is \"polling\"",
            interrupt.name,
            system.supply(id).name
        )
    })
}
