//! What on a core no analysis covers.
//!
//! A bound that leaves something out is worse than none, so a feature is refused here, by name,
//! until an analysis accounts for it: everything of a [`System`] that makes a core behave
//! otherwise than `docs/analysis.md` assumes.
//!
//! **Assumptions.** The best-case execution time of a task and the machine of a virtual processor
//! are in no bound: a bound holds for every execution time up to the worst, and wherever a server
//! comes from.

use vorrang_model::system::{
    Activation, Costs, Interrupt, InterruptOrder, Member, Scheduler, ServerKind, SupplyId, System,
};

/// The first thing on a core, by name, that makes every requirement there undecided.
pub(crate) fn not_covered(system: &System, core: SupplyId) -> Option<String> {
    unsupported(system, core)
        .or_else(|| not_covered_at_interrupt_level(system, core))
        .or_else(|| not_covered_between_contexts(system, core))
        .or_else(|| on_core(system, core).find_map(|id| not_covered_at(system, id)))
}

fn unsupported(system: &System, core: SupplyId) -> Option<String> {
    let affects = |of: Option<SupplyId>| of.is_none_or(|of| of == core);
    let feature = system.unsupported.iter().find(|feature| affects(feature.core));
    feature.map(|feature| feature.what.clone())
}

/// The supplies of a core, itself included.
fn on_core(system: &System, core: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
    (0..system.supplies.len()).map(SupplyId).filter(move |&id| system.core_of(id) == core)
}

/// Interrupts that do more than run their routine first come, first served, and what comes with
/// interrupts.
fn not_covered_at_interrupt_level(system: &System, core: SupplyId) -> Option<String> {
    let interrupts = || system.interrupts_on(core).map(|id| system.interrupt(id));
    let supply = system.supply(core);
    interrupts()
        .find_map(|interrupt| not_covered_of(system, interrupt))
        .or_else(|| {
            (supply.interrupt_order != InterruptOrder::FirstCome)
                .then(|| format!("the order of interrupts of {}", supply.name))
        })
        .or_else(|| system.timers_on(core).next().map(|id| system.timer(id).name.clone()))
        .or_else(|| system.devices_on(core).next().map(|id| system.device(id).name.clone()))
}

fn not_covered_of(system: &System, interrupt: &Interrupt) -> Option<String> {
    let name = &interrupt.name;
    if interrupt.delivery.is_some() {
        return Some(format!("the virtual side of {name}"));
    }
    if let Some(task) = interrupt.wakes {
        return Some(format!("{}, which {name} wakes", system.task(task).name));
    }
    interrupt.storm.map(|_| format!("the storms of {name}"))
}

/// What it takes to give the core to somebody else.
fn not_covered_between_contexts(system: &System, core: SupplyId) -> Option<String> {
    if system.costs != Costs::default() {
        return Some("the costs of the machine".to_owned());
    }
    // Most systems have none, and need no look at every task for every core.
    if system.caches.is_empty() {
        return None;
    }
    let tasks = system.tasks.iter().filter(|task| system.core_of(task.on) == core);
    let of_tasks = tasks.map(|task| (task.cache, &task.name));
    let supplies = on_core(system, core).map(|id| system.supply(id));
    let of_supplies = supplies.map(|supply| (supply.cache, &supply.name));
    let (cache, name) =
        of_supplies.chain(of_tasks).find_map(|(cache, name)| Some((cache?, name)))?;
    Some(format!("{} of {name}", system.cache(cache).name))
}

/// Something about one supply or the way its servers are scheduled.
fn not_covered_at(system: &System, id: SupplyId) -> Option<String> {
    let supply = system.supply(id);
    if supply.scheduler.takes_turns() || supply.scheduler == Scheduler::Linux {
        return Some(format!("the \"{}\" scheduler of {}", supply.scheduler.word(), supply.name));
    }
    supply.members.iter().find_map(|&member| {
        let name = system.member_name(member);
        match member {
            // Whatever wakes it is named above; this is for systems that were not read.
            Member::Task(task) if system.task(task).activation != Activation::Sporadic => {
                Some(format!("{name}, which something wakes"))
            }
            Member::Task(task) => match supply.scheduler {
                Scheduler::Slots => {
                    Some(format!("{name}, a task directly on the slots of {}", supply.name))
                }
                Scheduler::Edf if system.task(task).deadline.is_none() => {
                    Some(format!("{name}, a task without deadline under EDF"))
                }
                _ => None,
            },
            Member::Server(server) => {
                let kind = system.supply(server).server.as_ref()?.kind;
                let covered = match supply.scheduler {
                    Scheduler::FixedPriority => {
                        matches!(
                            kind,
                            ServerKind::Periodic | ServerKind::Deferrable | ServerKind::Sporadic
                        )
                    }
                    Scheduler::Edf => {
                        matches!(
                            kind,
                            ServerKind::Periodic | ServerKind::Deferrable | ServerKind::CbsHard
                        )
                    }
                    Scheduler::Slots => kind == ServerKind::Slot,
                    _ => false,
                };
                (!covered).then(|| format!("{name}, a \"{}\" server", kind.word()))
            }
        }
    })
}
