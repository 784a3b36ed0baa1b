//! Threads that poll for ever.

use super::Coverage;
use vorrang_model::system::{
    Activation, Delivery, Member, Preemption, Priority, Scheduler, ServerKind, System, Task, TaskId,
};

impl Coverage {
    /// Counts what is beside them.
    pub(super) fn polls(&mut self, system: &System) {
        for id in system.task_ids().filter(|&id| system.task(id).polls) {
            let beside = by_place(system, id).into_iter().chain(by_core(system, id));
            for (_, name) in beside.filter(|(is_so, _)| *is_so) {
                self.count("polls", name);
            }
        }
    }
}

/// Where it is.
fn by_place(system: &System, id: TaskId) -> [(bool, &'static str); 8] {
    let (task, supply) = (system.task(id), system.supply(system.task(id).on));
    let others = || supply.members.iter().filter(move |&&member| member != Member::Task(id));
    let of = |member: &Member| match *member {
        Member::Task(id) => system.task(id).priority,
        Member::Server(id) => system.supply(id).priority(),
    };
    let by_priority = matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
    let beside = |is: fn(&Priority, &Priority) -> bool| {
        by_priority && others().any(|member| is(&of(member), &task.priority))
    };
    [
        (true, "at all"),
        (beside(Priority::gt), "below another"),
        (beside(Priority::eq), "beside an equal"),
        (beside(Priority::lt), "above another"),
        (supply.scheduler.takes_turns(), "in turns"),
        (supply.time_slice.is_some(), "with a time slice"),
        (supply.server_kind().is_some_and(|kind| kind != ServerKind::Level), "within a budget"),
        (supply.server_kind() == Some(ServerKind::Level), "in a server without a budget"),
    ]
}

/// What is on its core.
fn by_core(system: &System, id: TaskId) -> [(bool, &'static str); 14] {
    let core = system.core_of(system.task(id).on);
    let (own, costs) = (system.supply(core), system.costs);
    let others = || system.tasks.iter().filter(|task| system.core_of(task.on) == core);
    let any = |is: fn(&Task) -> bool| others().any(is);
    let interrupts = || system.requests_on(core).map(|id| system.interrupt(id));
    let delivered =
        |is: fn(&Delivery) -> bool| interrupts().filter_map(|own| own.delivery.as_ref()).any(is);
    [
        (own.scheduler == Scheduler::Edf, "on a core with edf"),
        (own.scheduler == Scheduler::Slots, "on a core with slots"),
        (delivered(|_| true), "beside interrupts of guests"),
        (delivered(|own| own.pseudo_vcpu.is_some()), "beside a pseudo-VCPU"),
        (interrupts().any(|own| own.storm.is_some()), "beside a storm"),
        (any(|task| matches!(task.activation, Activation::Device(_))), "beside packets"),
        (any(|task| task.preemption == Preemption::None), "beside a task that is not preempted"),
        (any(|task| task.distances.is_some()), "beside bursts"),
        (system.timers_on(core).next().is_some(), "beside timers"),
        (own.rt_throttling.limit().is_some(), "beside throttling"),
        (!own.sections.is_zero(), "beside sections of the kernel"),
        (!costs.scheduler_call.is_zero(), "beside calls of the scheduler"),
        (!costs.context_switch.is_zero(), "beside switches"),
        (any(|task| task.cache.is_some()), "beside caches"),
    ]
}
