//! Systems with one task of random execution times in a reservation, and competitors that never sleep.

use super::TASK;
use crate::random::Random;
use std::collections::BTreeMap;
use vorrang_model::System;
use vorrang_model::system::{
    Member, Priority, Probability, Requirement, RequirementKind, Scheduler, Server, ServerKind,
    Supply, SupplyId, SupplyKind, Task, TaskId,
};
use vorrang_time::Duration;

/// A system to run.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Core 0 first; a requirement of task 0 for each limit.
    pub system: System,
    /// Whether the task is alone in its reservation.
    pub alone: bool,
}

impl Drawn {
    /// The longest of the limits.
    pub fn longest_limit(&self) -> Duration {
        self.system.requirements.iter().map(|own| own.limit).max().unwrap_or_default()
    }
}

/// Limits in halves of the server's period.
const LIMITS: u64 = 24;

/// The system with this number of a seed.
pub fn draw(seed: u64, index: u64) -> Drawn {
    let mut random = Random::new(seed, index);
    let linux = random.chance(1, 3);
    let scheduler = if linux { Scheduler::Linux } else { Scheduler::Edf };
    let core = Supply { name: "core.0".into(), scheduler, ..Supply::default() };
    let mut system = System { supplies: vec![core], ..System::default() };
    let all = [ServerKind::CbsHard, ServerKind::CbsSoft, ServerKind::SchedDeadline];
    let kinds = if linux { &all[2..] } else { &all };
    let kinds: Vec<ServerKind> = (0..4).map(|_| random.one_of(kinds)).collect();
    let period = random.between(1_000, 20_000) * 1_000;
    let budget = period * random.between(5, 70) / 100;
    add(&mut system, kinds[0], budget, period, subject(&mut random, budget, period));
    rivals(&mut system, &kinds[1..], (budget, period), &mut random);
    require(&mut system, (1..=LIMITS).map(|half| period * half / 2));
    Drawn { system, alone: true }
}

/// A requirement of the task for each limit, in nanoseconds.
pub(super) fn require(system: &mut System, limits: impl Iterator<Item = u64>) {
    system.requirements.extend(limits.enumerate().map(|(place, limit)| Requirement {
        name: format!("require.r{place}"),
        kind: RequirementKind::Deadline(TASK),
        limit: Duration::from_ns(limit),
        probability: Some(Probability { per_trillion: 1_000_000_000_000 }),
    }));
}

/// The task: execution times whose mean is a large part of the reservation's supply between two arrivals.
fn subject(random: &mut Random, budget: u64, period: u64) -> Task {
    let distance = match random.below(4) {
        0 => period * random.between(20, 350) / 100,
        whole => period * whole,
    };
    let raw: Vec<(u64, u64)> =
        (0..random.between(2, 5)).map(|_| (random.between(1, 40), random.between(1, 30))).collect();
    let weight: u64 = raw.iter().map(|(_, weight)| weight).sum();
    let sum: u64 = raw.iter().map(|(time, weight)| time * weight).sum();
    let served = u128::from(distance) * u128::from(budget) / u128::from(period);
    let load = u128::from(random.between(40, 98));
    let mut times = BTreeMap::new();
    for (time, weight_of) in raw {
        let ns = served * load * u128::from(time * weight) / u128::from(sum * 100);
        let ns = u64::try_from(ns).expect("shorter than the distance by far").max(1);
        *times.entry(Duration::from_ns(ns)).or_insert(0) += u32::try_from(weight_of).expect("30");
    }
    let execution: Vec<(Duration, u32)> = times.into_iter().collect();
    let jitter = if random.chance(1, 2) { random.below(6 * distance) } else { 0 };
    Task {
        bcet: execution[0].0,
        wcet: execution[execution.len() - 1].0,
        execution,
        min_interarrival: Duration::from_ns(distance),
        jitter: Duration::from_ns(jitter),
        ..Task::default()
    }
}

/// Servers for the rest of the core, each with a task that is always ready.
fn rivals(system: &mut System, kinds: &[ServerKind], own: (u64, u64), random: &mut Random) {
    let parts = 1 + random.index(kinds.len());
    let (budget, period) = own;
    for kind in &kinds[..parts] {
        let of = random.between(1_000, 20_000) * 1_000;
        let left = u128::from(of) * u128::from(period - budget) / u128::from(period);
        let share = u64::try_from(left).expect("less than the period") / parts as u64;
        let task = Task {
            wcet: Duration::from_ns(of),
            min_interarrival: Duration::from_ns(of),
            ..Task::default()
        };
        add(system, *kind, share, of, task);
    }
}

fn add(system: &mut System, kind: ServerKind, budget: u64, period: u64, task: Task) {
    let (id, on) = (TaskId(system.tasks.len()), SupplyId(system.supplies.len()));
    let server = Server {
        on: SupplyId(0),
        rule: kind.rule().expect("it has a budget"),
        budget: Duration::from_ns(budget),
        period: Duration::from_ns(period),
        priority: Priority(u32::try_from(id.0).expect("few")),
        ..Server::default()
    };
    system.supplies.push(Supply {
        name: format!("server.s{}", id.0),
        kind: SupplyKind::Server(server),
        members: vec![Member::Task(id)],
        ..Supply::default()
    });
    system.supplies[0].members.push(Member::Server(on));
    system.tasks.push(Task { name: format!("task.t{}", id.0), on, ..task });
}
