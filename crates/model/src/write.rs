//! A system as a description.
//!
//! Everything is written as it was resolved: priorities for rate-monotonic and
//! deadline-monotonic supplies, deadlines that were left out. Defaults are left out again.
//!
//! **Assumptions.**
//! 1. The system holds what `read` guarantees (see [`crate::system`]), and its names are names.
//! 2. Some order of declaration explains the order of its supplies, of its tasks and of the
//!    members of every supply. Where none does, the members come out in another order.
//!
//! **Does not cover** `unsupported` features: the system no longer knows what they said.

use crate::system::{
    Interrupt, Member, Requirement, RequirementKind, Scheduler, ServerKind, Supply, SupplyId,
    System, Task, TaskId,
};
use crate::word::{CORE_SCHEDULERS, Rule, SERVER_KINDS, text_of};
use std::fmt::Write as _;
use vorrang_time::Duration;

/// A description that reads back to an equal system.
///
/// ```
/// use vorrang_model::{Format, read, write_toml};
/// let source = r#"
///     version = 1
///     [core.0]
///     scheduler = "rate-monotonic"
///     [task.slow]
///     on = "core.0"
///     wcet = "1200us"
///     period = "20ms"
///     [task.fast]
///     on = "core.0"
///     wcet = "20us"
///     period = "500us"
/// "#;
/// let system = read(source, Format::Toml).unwrap();
/// assert_eq!(read(write_toml(&system), Format::Toml), Ok(system));
/// ```
pub fn write_toml(system: &System) -> String {
    let mut page = Page("version = 1\n".into());
    for member in order(system) {
        match member {
            Member::Server(id) => supply(&mut page, system, system.supply(id)),
            Member::Task(id) => task(&mut page, system, system.task(id)),
        }
    }
    for declared in &system.interrupts {
        interrupt(&mut page, system, declared);
    }
    for declared in &system.requirements {
        requirement(&mut page, system, declared);
    }
    page.0
}

/// Supplies and tasks in an order of declaration that puts every member behind the one before it.
fn order(system: &System) -> Vec<Member> {
    let mut before_supply = vec![None; system.supplies.len()];
    let mut before_task = vec![None; system.tasks.len()];
    for supply in &system.supplies {
        for pair in supply.members.windows(2) {
            match pair[1] {
                Member::Server(id) => before_supply[id.0] = Some(pair[0]),
                Member::Task(id) => before_task[id.0] = Some(pair[0]),
            }
        }
    }
    let (mut supplies, mut tasks) = (0, 0);
    let mut order = Vec::with_capacity(before_supply.len() + before_task.len());
    while supplies < before_supply.len() || tasks < before_task.len() {
        let written = |member: &Option<Member>| match member {
            None => true,
            Some(Member::Server(id)) => id.0 < supplies,
            Some(Member::Task(id)) => id.0 < tasks,
        };
        let supply_may = before_supply.get(supplies).is_some_and(written);
        let task_may = before_task.get(tasks).is_some_and(written);
        // Where neither may come next, no order explains the system: any will do.
        if supply_may || (!task_may && supplies < before_supply.len()) {
            order.push(Member::Server(SupplyId(supplies)));
            supplies += 1;
        } else {
            order.push(Member::Task(TaskId(tasks)));
            tasks += 1;
        }
    }
    order
}

struct Page(String);

impl Page {
    fn table(&mut self, name: &str) {
        self.raw(format_args!("\n[{name}]"));
    }

    fn text(&mut self, key: &str, value: &str) {
        self.raw(format_args!("{key} = \"{value}\""));
    }

    fn duration(&mut self, key: &str, value: Duration) {
        self.raw(format_args!("{key} = \"{value}\""));
    }

    fn duration_unless_zero(&mut self, key: &str, value: Duration) {
        if !value.is_zero() {
            self.duration(key, value);
        }
    }

    fn raw(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes everything");
    }
}

fn supply(page: &mut Page, system: &System, supply: &Supply) {
    page.table(&supply.name);
    if let Some(server) = &supply.server {
        page.text("on", &system.supply(server.on).name);
        page.text("server", text_of(SERVER_KINDS, &server.kind));
        page.duration("budget", server.budget);
        page.duration("period", server.period);
        if server.kind == ServerKind::Slot {
            page.duration("offset", server.offset);
        }
        priority(page, system, server.on, server.priority.0);
    }
    let rule = match supply.scheduler {
        Scheduler::FixedPriority => Rule::FixedPriority,
        Scheduler::Edf => Rule::Edf,
        Scheduler::Slots => Rule::Slots,
        Scheduler::Vtrr => Rule::Vtrr,
        Scheduler::Stride => Rule::Stride,
        Scheduler::RoundRobin => Rule::RoundRobin,
        Scheduler::WeightedRoundRobin => Rule::WeightedRoundRobin,
        Scheduler::Linux => Rule::Linux,
    };
    page.text("scheduler", text_of(CORE_SCHEDULERS, &rule));
}

fn priority(page: &mut Page, system: &System, on: SupplyId, priority: u32) {
    if system.supply(on).scheduler == Scheduler::FixedPriority {
        page.raw(format_args!("priority = {priority}"));
    }
}

fn task(page: &mut Page, system: &System, task: &Task) {
    page.table(&task.name);
    page.text("on", &system.supply(task.on).name);
    page.duration("wcet", task.wcet);
    page.duration("period", task.min_interarrival);
    match task.deadline {
        None => page.text("deadline", "none"),
        Some(deadline) if deadline == task.min_interarrival => {}
        Some(deadline) => page.duration("deadline", deadline),
    }
    page.duration_unless_zero("jitter", task.jitter);
    page.duration_unless_zero("blocking", task.blocking);
    priority(page, system, task.on, task.priority.0);
}

fn interrupt(page: &mut Page, system: &System, interrupt: &Interrupt) {
    page.table(&interrupt.name);
    page.text("on", &system.supply(interrupt.on).name);
    page.duration("isr", interrupt.isr);
    page.duration("min-interarrival", interrupt.min_interarrival);
    page.duration_unless_zero("jitter", interrupt.jitter);
}

/// What is required besides the deadlines that the tasks state themselves.
fn requirement(page: &mut Page, system: &System, requirement: &Requirement) {
    let of = match requirement.kind {
        RequirementKind::Deadline(id) => &system.task(id).name,
        RequirementKind::HandledWithin(id) => &system.interrupt(id).name,
    };
    // A deadline that a task states itself is called after the task.
    if requirement.name == *of {
        return;
    }
    page.table(&requirement.name);
    page.text("of", of);
    page.duration("handled-within", requirement.limit);
}
