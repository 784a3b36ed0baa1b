//! Systems written down in a few calls, for tests.

use vorrang_model::system::{
    Interrupt, InterruptId, Member, Priority, Requirement, RequirementKind, Scheduler, Server,
    ServerKind, Share, Supply, SupplyId, SupplyKind, System, Task, TaskId,
};
use vorrang_time::Duration;

/// A duration such as `"1.5ms"`.
pub(crate) fn time(text: &str) -> Duration {
    text.parse().unwrap()
}

/// A system with one core.
pub(crate) fn core(scheduler: Scheduler) -> System {
    let supply = Supply {
        name: "core.0".into(),
        kind: SupplyKind::Core,
        scheduler,
        members: vec![],
        ..Supply::default()
    };
    System { supplies: vec![supply], ..System::default() }
}

/// Adds a server of `[budget, period]`.
pub(crate) fn server(
    system: &mut System,
    name: &str,
    on: SupplyId,
    kind: ServerKind,
    [budget, period]: [&str; 2],
    priority: u32,
) -> SupplyId {
    let id = SupplyId(system.supplies.len());
    system.supplies[on.0].members.push(Member::Server(id));
    system.supplies.push(Supply {
        name: name.into(),
        kind: SupplyKind::Server(Server {
            on,
            rule: kind.rule().expect("it has a budget"),
            budget: time(budget),
            period: time(period),
            priority: Priority(priority),
            ..Server::default()
        }),
        scheduler: Scheduler::FixedPriority,
        members: vec![],
        ..Supply::default()
    });
    id
}

/// Adds a share of a supply that takes turns.
pub(crate) fn share(system: &mut System, name: &str, on: SupplyId, weight: u32) -> SupplyId {
    let id = SupplyId(system.supplies.len());
    system.supplies[on.0].members.push(Member::Server(id));
    let kind = SupplyKind::Share(Share { on, weight });
    system.supplies.push(Supply { name: name.into(), kind, ..Supply::default() });
    id
}

/// Adds a task of `[wcet, period]` whose deadline is the period.
pub(crate) fn task(
    system: &mut System,
    name: &str,
    on: SupplyId,
    [wcet, period]: [&str; 2],
    priority: u32,
) -> TaskId {
    let id = TaskId(system.tasks.len());
    system.supplies[on.0].members.push(Member::Task(id));
    system.tasks.push(Task {
        name: name.into(),
        on,
        wcet: time(wcet),
        min_interarrival: time(period),
        deadline: Some(time(period)),
        jitter: Duration::ZERO,
        blocking: Duration::ZERO,
        priority: Priority(priority),
        ..Task::default()
    });
    system.requirements.push(Requirement {
        name: name.into(),
        kind: RequirementKind::Deadline(id),
        limit: time(period),
        probability: None,
    });
    id
}

/// Adds an interrupt of `[isr, min-interarrival]` on the core.
pub(crate) fn interrupt(system: &mut System, name: &str, [isr, period]: [&str; 2]) -> InterruptId {
    let id = InterruptId(system.interrupts.len());
    system.interrupts.push(Interrupt {
        name: name.into(),
        on: SupplyId(0),
        isr: time(isr),
        min_interarrival: time(period),
        jitter: Duration::ZERO,
        ..Interrupt::default()
    });
    id
}
