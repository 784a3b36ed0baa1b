//! Mechanisms that a description needs and a target does not have: they are refused by name, whatever was proven
//! with them.
//!
//! **Model.** A mechanism is something that decides what a processor runs, and when: the scheduler of a core,
//! the kind of a server, the queue of timers (`shield.rs`), the order of service routines, the reservation of
//! a virtual interrupt. A target has some of them ([`vorrang_model::target`]); a bound that relies on another one does
//! not hold there.
//!
//! **Assumptions.** 1. Mechanisms inside a guest are those of the guest. 2. Rates, execution times, costs and
//! blocking describe the machine, and nothing is changed for them.
//!
//! **Does not cover** whether the kernel at hand has what Linux has: the steps of a plan find that out.

use std::collections::BTreeSet;
use vorrang_model::System;
use vorrang_model::system::{
    InterruptOrder, Member, Scheduler, ServerKind, SupplyId, TaskId, TimerQueue,
};
use vorrang_model::target::{LINUX, Target};

/// One sentence for each mechanism that Linux does not have, with what to change; dispatched cores need none of it.
pub(super) fn missing(system: &System) -> Vec<String> {
    let mut missing = missing_of(system, &LINUX, |core| !is_left(system, core));
    missing.extend(kept(system));
    missing
}

/// Nothing keeps more urgent threads of a machine from a thread that has begun.
fn kept(system: &System) -> impl Iterator<Item = String> {
    let is_of_host =
        |id: &TaskId| system.keeps(*id) && system.guest_around(system.task(*id).on).is_none();
    system.task_ids().filter(is_of_host).map(|id| {
        format!(
            "{}: nothing on this machine keeps other threads of its supply from a job that has begun; without \
             `preemption` and with the longest job as `blocking` of those that share a thread with it, `vorrang check` \
             says what is proven then",
            system.task(id).name
        )
    })
}

/// The same of a target, as far as it is alone on the machine.
pub(crate) fn missing_on(system: &System, target: &Target) -> Vec<String> {
    missing_of(system, target, |_| true)
}

/// The same, on some cores.
fn missing_of(
    system: &System,
    target: &Target,
    is_meant: impl Fn(SupplyId) -> bool,
) -> Vec<String> {
    let mut missing = Vec::new();
    for core in system.cores().filter(|&core| is_meant(core)) {
        of_core(system, core, target, &mut missing);
    }
    for interrupt in &system.interrupts {
        let Some(delivery) = &interrupt.delivery else { continue };
        if delivery.pseudo_vcpu.is_some() && is_meant(system.core_of(delivery.vcpu)) {
            missing.push(format!(
                "{}: its pseudo-VCPU has no mechanism on this machine; without `pseudo-vcpu` the budget of {} pays for \
                 the interrupt, and `vorrang check` says what is proven then",
                interrupt.name,
                system.supply(delivery.vcpu).name
            ));
        }
    }
    missing
}

/// Whether a dispatcher of our own is to run a core of a description.
pub fn is_dispatched(system: &System) -> bool {
    system.cores().any(|core| is_dispatched_core(system, core))
}

/// Whether it is to run this core, which needs servers, a scheduler or pseudo-VCPUs that Linux does not have, and none of those
/// that only Linux has. One that needs both is run by neither.
pub fn is_dispatched_core(system: &System, core: SupplyId) -> bool {
    let mut members = system.described_members(core).peekable();
    if members.peek().is_none() {
        return false;
    }
    let kinds: Vec<ServerKind> = members
        .filter_map(|member| match member {
            Member::Server(id) => system.supply(id).server_kind(),
            Member::Task(_) => None,
        })
        .collect();
    let scheduler = system.supply(core).scheduler;
    let of_linux = scheduler == Scheduler::Linux || kinds.iter().any(|&kind| has_server(kind));
    let deliveries = system.interrupts.iter().filter_map(|interrupt| interrupt.delivery.as_ref());
    let mut to_it = deliveries.filter(|delivery| system.core_of(delivery.vcpu) == core);
    let of_others = !has_scheduler(scheduler)
        || kinds.iter().any(|&kind| !has_server(kind))
        || to_it.any(|delivery| delivery.pseudo_vcpu.is_some());
    of_others && !of_linux
}

/// Whether some of its cores are dispatched, and others, that have members, are the kernel's own.
pub fn is_of_both(system: &System) -> bool {
    let is_own = |core: SupplyId| {
        !is_dispatched_core(system, core) && system.described_members(core).next().is_some()
    };
    is_dispatched(system) && system.cores().any(is_own)
}

/// Whether a core is left to a dispatcher, beside others that are the kernel's own.
pub(super) fn is_left(system: &System, core: SupplyId) -> bool {
    is_of_both(system) && is_dispatched_core(system, core)
}

/// The processors of the cores that are left to dispatchers.
pub(super) fn dispatched(system: &System) -> BTreeSet<u32> {
    let cores = system.cores().filter(|&core| is_left(system, core));
    cores.filter_map(|core| system.host.cpus.get(&system.supply(core).name).copied()).collect()
}

fn of_core(system: &System, core: SupplyId, target: &Target, missing: &mut Vec<String>) {
    let supply = system.supply(core);
    let (name, runs) = (&supply.name, target.name);
    match supply.interrupt_order {
        InterruptOrder::FirstCome => {}
        InterruptOrder::Priority | InterruptOrder::Nested => missing.push(format!(
            "{name}: {runs} gives service routines no priorities, and they do not nest; leave `interrupts` out"
        )),
    }
    if !target.has_scheduler(supply.scheduler) {
        missing.push(format!(
            "{name}: {runs} schedules no core like that; \"{}\" is what it does",
            target.schedulers[0].word()
        ));
    }
    if supply.time_slice.is_some() {
        missing
            .push(format!("{name}: {runs} has no exact slices for equals; leave `time-slice` out"));
    }
    let kinds = || target.servers.iter().map(|kind| format!("\"{}\"", kind.word()));
    for member in system.described_members(core) {
        match member {
            Member::Server(id) => {
                let supply = system.supply(id);
                if !supply.server_kind().is_some_and(|kind| target.has_server(kind)) {
                    missing.push(format!(
                        "{}: {runs} has no such server, only {}",
                        supply.name,
                        kinds().collect::<Vec<String>>().join(", ")
                    ));
                }
            }
            Member::Task(id) if !target.has_tasks => missing.push(format!(
                "{}: {runs} runs nothing beside virtual processors; put it into one",
                system.task(id).name
            )),
            Member::Task(_) => {}
        }
    }
}

/// The cores that are shielded, by name.
pub(super) fn shielded(system: &System) -> impl Iterator<Item = &str> {
    shielded_cores(system).map(|core| system.supply(core).name.as_str())
}

/// The same.
pub(super) fn shielded_cores(system: &System) -> impl Iterator<Item = SupplyId> {
    system.cores().filter(|&core| system.supply(core).timer_queue == TimerQueue::TimerShield)
}

/// Other programs do not load modules.
pub(crate) fn not_exported(system: &System, target: &Target) -> impl Iterator<Item = String> {
    let runs = target.name;
    shielded(system).map(move |core| {
        format!(
            "{core}: `timers = \"timershield\"` is done by `vorrang apply` only, which loads a module for it; \
             \"hrtimer\" is what {runs} does"
        )
    })
}

/// Whether Linux can schedule a core like that.
pub(super) fn has_scheduler(scheduler: Scheduler) -> bool {
    LINUX.has_scheduler(scheduler)
}

/// Whether Linux has such servers on a core.
pub(super) fn has_server(kind: ServerKind) -> bool {
    LINUX.has_server(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_model::{Format, read};

    /// A core of that scheduler with a server of that kind, beside a core of Linux with an interrupt.
    fn is(scheduler: &str, kind: &str, rest: &str) -> bool {
        let by_priority = if kind == "sched-deadline" { "" } else { "priority = 1" };
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\n\
             budget = \"1ms\"\nperiod = \"10ms\"\n{by_priority}\n[core.1]\nscheduler = \"linux\"\n\
             [interrupt.disk]\non = \"core.1\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\n{rest}"
        );
        let system =
            read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        is_dispatched(&system)
    }

    #[test]
    fn what_linux_lacks_is_dispatched_on_each_core() {
        assert!(is("fixed-priority", "polling", ""));
        assert!(!is("linux", "sched-deadline", ""));
        assert!(!is("edf", "sched-deadline", ""));
        assert!(!is("linux", "polling", ""), "neither runs a core that needs both");
        let beside = "[vcpu.w]\non = \"core.1\"\nserver = \"sched-deadline\"\nbudget = \"1ms\"\nperiod = \"10ms\"\n";
        assert!(is("fixed-priority", "polling", beside));
    }

    #[test]
    fn a_core_of_linux_needs_what_linux_has_whatever_is_beside_it() {
        let said = |kind: &str| {
            let text = format!(
                "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[vcpu.v]\non = \"core.0\"\nserver = \"polling\"\n\
                 budget = \"1ms\"\nperiod = \"10ms\"\npriority = 1\n[core.1]\nscheduler = \"linux\"\n\
                 [vcpu.w]\non = \"core.1\"\n{kind}\nbudget = \"1ms\"\nperiod = \"10ms\"\n"
            );
            let system = read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}"));
            assert!(is_of_both(&system));
            (missing(&system), missing_on(&system, &LINUX).len())
        };
        assert_eq!(
            said("server = \"sched-deadline\""),
            (Vec::new(), 1),
            "alone Linux lacks the other core's"
        );
        let (missing, _) = said("server = \"polling\"\npriority = 1");
        assert!(missing.iter().any(|line| line.starts_with("vcpu.w: ")), "{missing:?}");
    }
}
