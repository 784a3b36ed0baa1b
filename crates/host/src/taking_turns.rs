//! Requirements on servers that take turns of a whole processor.
//!
//! **Model.** Servers that take turns leave no time of a processor as long as one of them has work. Linux needs
//! some: its server of `SCHED_OTHER` (50 ms of every second, deferred while threads of that class get
//! as much by themselves) would come before the dispatcher. So one server has no `thread`: in its
//! turns there is no loan, and all other threads have the processor.
//!
//! ```text
//!   a (thread)     |####        ####|####        ####|
//!   rest           |    ####        |    ####        |     every thread without a loan
//!   b (thread)     |        ####    |        ####    |
//!                  |---- a cycle ---|
//! ```
//!
//! **Assumptions.** 1. That server takes every turn, whether or not another thread has work; so a task in it
//! states that it always has work, and bounds count its turns. 2. A tenth of a cycle of at most 450 ms
//! is 50 ms of every 950 ms, after which the kernel's server would begin.
//!
//! Theory: docs/theory/all-other-threads.md.

use crate::reserved::{Reserved, SHORTEST_PERIOD, Unfit};
use crate::rule::WakeUps;
use vorrang_model::System;
use vorrang_model::system::{Member, Scheduler, ServerKind, SupplyId};
use vorrang_time::Duration;

/// The longest time in which every server has all its turns.
const LONGEST_CYCLE: Duration = Duration::from_ms(450);
/// One of this many turns is for all other threads.
const ONE_OF: u64 = 10;

/// What is refused of a core whose members take turns, with the servers found.
pub(crate) fn unfit(system: &System, core: SupplyId, servers: &[Reserved]) -> Unfit {
    let supply = system.supply(core);
    let (name, quantum) = (&supply.name, supply.quantum);
    let mut unfit = Unfit::default();
    if quantum < SHORTEST_PERIOD {
        unfit.wrong.push(format!("{name}: its quantum is {quantum}, below {SHORTEST_PERIOD}"));
    }
    let weight = |one: &Reserved| match supply.scheduler {
        Scheduler::RoundRobin => 1,
        _ => u64::from(one.server.weight().unwrap_or(1)),
    };
    let all: u64 = servers.iter().map(weight).sum();
    let rest = servers.iter().filter(|one| one.wake_ups == WakeUps::Rest);
    let rest: u64 = rest.map(weight).sum();
    if rest * ONE_OF < all || rest == 0 {
        unfit.wrong.push(format!(
            "{name}: {rest} of {all} turns are left to threads that are in no server, and a tenth is needed: give a server \
             of kind \"share\" no `thread`, a `share` of at least {}, and a task that always has work",
            (all - rest).div_ceil(ONE_OF - 1).max(1)
        ));
    }
    if quantum.checked_mul(all).is_none_or(|cycle| cycle > LONGEST_CYCLE) {
        unfit.wrong.push(format!(
            "{name}: {all} turns of {quantum} are more than {LONGEST_CYCLE}; take a shorter quantum or smaller shares"
        ));
    }
    for member in &supply.members {
        let Member::Server(id) = *member else { continue };
        let supply = system.supply(id);
        let name = &supply.name;
        if supply.server_kind() != Some(ServerKind::Share) {
            unfit
                .missing
                .push(format!("{name}: only servers of kind \"share\" take turns on a machine"));
        }
        let is_rest = servers.iter().any(|one| one.name == *name && one.wake_ups == WakeUps::Rest);
        if is_rest && !always_wants(system, id) {
            unfit.wrong.push(format!(
                "{name}: it takes all its turns, so that bounds have to count them: put a task on it that always has \
                 something to do, with `wcet = \"1s\"`, `period = \"1s\"` and `deadline = \"none\"`"
            ));
        }
    }
    unfit
}

/// Whether a task on it always has work.
fn always_wants(system: &System, server: SupplyId) -> bool {
    system.supply(server).members.iter().any(|member| match *member {
        Member::Task(task) => {
            let task = system.task(task);
            task.activation == vorrang_model::system::Activation::Sporadic
                && task.wcet >= task.min_interarrival
        }
        Member::Server(_) => false,
    })
}
