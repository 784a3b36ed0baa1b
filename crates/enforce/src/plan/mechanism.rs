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

use vorrang_model::System;
use vorrang_model::system::{
    InterruptOrder, Member, Scheduler, ServerKind, SupplyId, TaskId, TimerQueue,
};
use vorrang_model::target::{LINUX, Target};

/// One sentence for each mechanism that Linux does not have, with what to change.
pub(crate) fn missing(system: &System) -> Vec<String> {
    let mut missing = Vec::new();
    if let Use { of_linux: true, of_others: true } = uses(system) {
        missing.push(
            "some of its cores need the kernel's own scheduler and some the one of vorrang-host, and a description is for \
             one of them (docs/host.md, \"Beside cores of Linux\", says why): make \"sched-deadline\" servers \"cbs-hard\" ones \
             on an \"edf\" core, and give the tasks of a \"linux\" core servers of their own"
                .to_owned(),
        );
    }
    missing.extend(missing_on(system, &LINUX));
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
    let mut missing = Vec::new();
    for core in system.cores() {
        of_core(system, core, target, &mut missing);
    }
    for interrupt in &system.interrupts {
        let Some(delivery) = &interrupt.delivery else { continue };
        if delivery.pseudo_vcpu.is_some() {
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

/// Whether a dispatcher of our own is to run a description: it needs servers, schedulers or pseudo-VCPUs that Linux does not
/// have, and none of those that only Linux has.
pub fn is_dispatched(system: &System) -> bool {
    let Use { of_linux, of_others } = uses(system);
    of_others && !of_linux
}

/// What a description needs.
struct Use {
    /// A scheduler or server that only Linux has.
    of_linux: bool,
    /// One that only a dispatcher of our own has, or a pseudo-VCPU.
    of_others: bool,
}

fn uses(system: &System) -> Use {
    let cores = || system.cores().filter(|&core| system.described_members(core).next().is_some());
    let schedulers = || cores().map(|core| system.supply(core).scheduler);
    let servers = || {
        let members = cores().flat_map(|core| system.described_members(core));
        members.filter_map(|member| match member {
            Member::Server(id) => system.supply(id).server_kind(),
            Member::Task(_) => None,
        })
    };
    let of_linux =
        schedulers().any(|scheduler| scheduler == Scheduler::Linux) || servers().any(has_server);
    let deliveries = system.interrupts.iter().filter_map(|interrupt| interrupt.delivery.as_ref());
    let of_others = schedulers().any(|scheduler| !has_scheduler(scheduler))
        || servers().any(|kind| !has_server(kind))
        || deliveries.into_iter().any(|delivery| delivery.pseudo_vcpu.is_some());
    Use { of_linux, of_others }
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
    fn what_linux_lacks_is_dispatched_unless_something_else_needs_linux() {
        assert!(is("fixed-priority", "polling", ""));
        assert!(!is("linux", "sched-deadline", ""));
        assert!(!is("edf", "sched-deadline", ""));
        let beside = "[vcpu.w]\non = \"core.1\"\nserver = \"sched-deadline\"\nbudget = \"1ms\"\nperiod = \"10ms\"\n";
        assert!(!is("fixed-priority", "polling", beside), "one program has both cores");
    }

    #[test]
    fn a_description_for_both_is_told_what_to_do() {
        let said = |kind: &str| {
            let text = format!(
                "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\n\
                 budget = \"1ms\"\nperiod = \"10ms\"\npriority = 1\n[core.1]\nscheduler = \"linux\"\n\
                 [task.t]\non = \"core.1\"\nwcet = \"1ms\"\nperiod = \"10ms\"\npriority = 1\n"
            );
            missing(&read(&text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}"))).join("\n")
        };
        let both = said("polling");
        assert!(both.contains("\"cbs-hard\" ones on an \"edf\" core"), "{both}");
    }
}
