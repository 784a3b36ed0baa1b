//! The system of a description without errors.

use super::interrupt::Interrupts;
use super::tree::{Local, Tree, rule};
use super::urgency::Urgency;
use crate::description::{self, Description, Field};
use crate::system::{
    Interrupt, Member, Requirement, Scheduler, Server, Supply, SupplyId, System, Task, TaskId,
    Unsupported,
};
use crate::word::Rule;
use vorrang_time::Duration;

const CHECKED: &str = "an error was reported for everything else";

pub(super) fn build(
    description: &Description,
    tree: &Tree,
    urgency: &Urgency,
    interrupts: &Interrupts,
    requirements: Vec<Requirement>,
) -> System {
    let supplies = tree.order.iter().map(|index| supply(description, tree, urgency, *index));
    let tasks = (0..description.tasks.len()).map(|index| task(description, tree, urgency, index));
    let cores = description.interrupts.iter().zip(&interrupts.core);
    System {
        supplies: supplies.collect(),
        tasks: tasks.collect(),
        interrupts: cores
            .map(|(declared, core)| interrupt(declared, tree.id(core.expect(CHECKED))))
            .collect(),
        requirements,
        unsupported: unsupported(description, tree, interrupts),
        ..System::default()
    }
}

fn value<T: Clone>(field: &Field<T>) -> T {
    field.get().expect(CHECKED).value.clone()
}

fn or<T: Copy>(field: &Field<T>, default: T) -> T {
    field.or(default).expect(CHECKED)
}

fn supply(description: &Description, tree: &Tree, urgency: &Urgency, index: usize) -> Supply {
    let declared = &description.supplies[index];
    let server = declared.body.server.as_ref().map(|server| Server {
        on: tree.id(tree.parent[index].expect(CHECKED)),
        kind: value(&server.kind),
        budget: value(&server.budget),
        period: value(&server.period),
        offset: or(&server.offset, Duration::ZERO),
        priority: urgency.supplies[index],
        ..Server::default()
    });
    let members = tree.members[index].iter().map(|member| match *member {
        Local::Task(index) => Member::Task(TaskId(index)),
        Local::Server(index) => Member::Server(tree.id(index)),
    });
    Supply {
        name: declared.name.clone(),
        server,
        scheduler: match rule(description, index).expect(CHECKED) {
            Rule::FixedPriority | Rule::RateMonotonic | Rule::DeadlineMonotonic => {
                Scheduler::FixedPriority
            }
            Rule::Edf => Scheduler::Edf,
            Rule::Slots => Scheduler::Slots,
            Rule::Vtrr => Scheduler::Vtrr,
            Rule::Stride => Scheduler::Stride,
            Rule::RoundRobin => Scheduler::RoundRobin,
            Rule::WeightedRoundRobin => Scheduler::WeightedRoundRobin,
            Rule::Linux => Scheduler::Linux,
        },
        members: members.collect(),
        ..Supply::default()
    }
}

fn task(description: &Description, tree: &Tree, urgency: &Urgency, index: usize) -> Task {
    let declared = &description.tasks[index];
    let task = &declared.body;
    let period = value(&task.period);
    Task {
        name: declared.name.clone(),
        on: tree.id(tree.task_parent[index].expect(CHECKED)),
        wcet: value(&task.wcet),
        min_interarrival: period,
        deadline: or(&task.deadline, Some(period)),
        jitter: or(&task.jitter, Duration::ZERO),
        blocking: or(&task.blocking, Duration::ZERO),
        priority: urgency.tasks[index],
        ..Task::default()
    }
}

fn interrupt(declared: &description::Declared<description::Interrupt>, on: SupplyId) -> Interrupt {
    Interrupt {
        name: declared.name.clone(),
        on,
        isr: value(&declared.body.isr),
        min_interarrival: value(&declared.body.min_interarrival),
        jitter: or(&declared.body.jitter, Duration::ZERO),
        ..Interrupt::default()
    }
}

fn unsupported(
    description: &Description,
    tree: &Tree,
    interrupts: &Interrupts,
) -> Vec<Unsupported> {
    let profile = description
        .profile
        .iter()
        .map(|file| Unsupported { what: format!("the machine profile {file}"), core: None });
    let others = interrupts
        .unsupported
        .iter()
        .map(|(what, core)| Unsupported { what: what.clone(), core: Some(tree.id(*core)) });
    profile.chain(others).collect()
}
