//! What of a core the theorems do not know.

use super::caches::{are_covered, is_cold};
use super::counted::{is_counted, returns_once};
use super::kernel::is_plain;
use super::requests::{is_of_host, paid};
use super::shield::{is_covered, is_shielded};
use crate::Uncertified;
use vorrang_model::System;
use vorrang_model::system::{
    Costs, InterruptId, InterruptTime, PseudoVcpuRule, RtThrottling, Scheduler, ServerKind,
    SupplyId, Task,
};

/// Nothing happens on the core that the theorems do not know.
pub(super) fn core_is_covered(system: &System, id: SupplyId) -> Result<(), Uncertified> {
    let core = system.supply(id);
    let within = |supply: &SupplyId| system.core_of(*supply) == id;
    let cold = is_cold(system, id) && !are_covered(system, id);
    let shielded = is_shielded(system, id) && (!is_covered(system, id) || is_cold(system, id));
    let otherwise = !is_plain(system, id);
    let kernel = core.sections.as_ns() > 0 || core.overrun.as_ns() > 0;
    // Only servers of this kind are charged.
    let reserved = system
        .supply_ids()
        .filter(within)
        .any(|supply| system.supply(supply).server_kind() == Some(ServerKind::SchedDeadline));
    let charged = reserved && core.interrupt_time != InterruptTime::Apart;
    let throttled = matches!(core.rt_throttling, RtThrottling::After(_));
    let kept = system.task_ids().any(|id| system.keeps(id) && within(&system.task(id).on));
    let polls = system.tasks.iter().any(|task| task.polls && within(&task.on));
    let refused: [(bool, &str, &'static str); 14] = [
        (polls, "threads that poll for ever", "polling-threads"),
        (kept, "tasks that are not preempted", "non-preemptive"),
        (!system.unsupported.is_empty(), "a feature that is not represented", "not-bounded"),
        (
            otherwise && !is_counted(system, id) && calls_cost(&system.costs),
            "calls of the scheduler",
            "scheduler-costs",
        ),
        (cold, "cold caches", "cold-caches"),
        (
            shielded,
            "timers behind a shield beside calls, sections or other members",
            "timer-shield",
        ),
        (system.devices_on(id).next().is_some(), "network cards", "network-card"),
        (budgets_are_uncounted(system, id), "timers of other budgets", "budget-timers"),
        (system.interrupts_of(id).any(|one| pays_otherwise(system, one)), PAYS, "pseudo-vcpu-load"),
        (is_kicked(system, id), "kicks from other cores", "propagation"),
        (is_spaced(system, id), "distances of several arrivals", "distances"),
        (throttled, "throttled threads", "throttling"),
        (otherwise && kernel, "sections of a kernel", "sections"),
        (otherwise && charged, "charged interrupts", "charged-interrupts"),
    ];
    match refused.into_iter().find(|(is_so, ..)| *is_so) {
        Some((_, what, page)) => Err(Uncertified::not_mechanised(what, page)),
        None => Ok(()),
    }
}

/// Whether the routine of another core requests an interrupt here.
fn is_kicked(system: &System, core: SupplyId) -> bool {
    system.interrupts_on(core).any(|id| system.interrupt(id).raised_by.is_some())
}

/// Whether more is known of arrivals on a core than the time between two.
fn is_spaced(system: &System, core: SupplyId) -> bool {
    let of_tasks = |task: &Task| task.distances.is_some() && system.core_of(task.on) == core;
    let mut interrupts = system.interrupts_on(core);
    system.tasks.iter().any(of_tasks)
        || interrupts.any(|id| system.interrupt(id).distances.is_some())
}

const PAYS: &str = "pseudo-VCPUs of timers, beside blocking or levels, or by arrival for tasks elsewhere in a guest";

fn calls_cost(costs: &Costs) -> bool {
    costs.scheduler_call.as_ns() > 0 || costs.context_switch.as_ns() > 0
}

/// Whether budgets return and end, or may be late, by interrupts that take time and are not counted.
fn budgets_are_uncounted(system: &System, core: SupplyId) -> bool {
    let Costs { interrupt_entry, interrupt_exit, timer_expiry, vm_exit, .. } = &system.costs;
    let free =
        [interrupt_entry, interrupt_exit, timer_expiry, vm_exit].iter().all(|of| of.is_zero());
    let counted = |kind| returns_once(kind) || kind == ServerKind::Sporadic;
    // A level has no budget.
    let has_one = |id: SupplyId| system.supply(id).level().is_none();
    let other = |&id: &SupplyId| {
        let kind = system.supply(id).server_kind();
        let is_here = system.core_of(id) == core && is_of_host(system, id);
        is_here && has_one(id) && !kind.is_some_and(counted)
    };
    // Those of a pseudo-VCPU with a period return, too.
    let pays =
        |id| paid(system, id).is_some_and(|(_, payer)| payer.rule != PseudoVcpuRule::Arrival);
    !free && (system.supply_ids().any(|id| other(&id)) || system.interrupts_of(core).any(pays))
}

/// Whether its pseudo-VCPU is none of which the load is known.
fn pays_otherwise(system: &System, id: InterruptId) -> bool {
    let Some((delivery, payer)) = paid(system, id) else { return false };
    let elsewhere = |task| system.task(task).on != delivery.vcpu;
    let on = system.supply(delivery.vcpu).on();
    let by_priority = on.is_some_and(|on| system.supply(on).scheduler == Scheduler::FixedPriority);
    let core = system.interrupt(id).on;
    let blocked =
        system.tasks.iter().any(|of| of.blocking.as_ns() > 0 && system.core_of(of.on) == core)
            || system.supply_ids().any(|id| {
                let server = system.supply(id).server();
                server.is_some_and(|of| of.blocking.as_ns() > 0) && system.core_of(id) == core
            });
    let in_level = |id: SupplyId| system.supply(id).level().is_some();
    let by_arrival = payer.rule == PseudoVcpuRule::Arrival;
    system.interrupt(id).timer.is_some()
        || in_level(delivery.vcpu)
        || on.is_some_and(in_level)
        || by_arrival && system.interrupt(id).wakes.is_some_and(elsewhere)
        || !by_priority
        || blocked
}
