//! Systems with one task among more urgent ones, all of which state a distribution of execution times: on a
//! core, or in a reservation of it; sometimes beside an interrupt and a deferrable server.

use super::TASK;
use super::draw::{Drawn, require};
use crate::random::Random;
use std::collections::BTreeMap;
use vorrang_model::System;
use vorrang_model::system::{
    Interrupt, Member, Priority, Scheduler, Server, ServerKind, Supply, SupplyId, SupplyKind, Task,
};
use vorrang_time::Duration;

/// Limits in sixteenths of the period of the task.
const LIMITS: u64 = 32;

/// The system with this number of a seed.
pub fn draw_among(seed: u64, index: u64) -> Drawn {
    let mut random = Random::new(seed, index);
    let linux = random.chance(1, 2);
    let scheduler = if linux { Scheduler::Linux } else { Scheduler::FixedPriority };
    let core = Supply { name: "core.0".into(), scheduler, ..Supply::default() };
    let mut system = System { supplies: vec![core], ..System::default() };
    let (mut on, mut share) = (SupplyId(0), 95);
    if random.chance(1, 2) {
        share = random.between(30, 70);
        let kinds = [ServerKind::Periodic, ServerKind::Deferrable, ServerKind::SchedDeadline];
        let kind = random.one_of(if linux { &kinds } else { &kinds[..2] });
        on = add_server(&mut system, kind, (share, 2_000_000));
        share -= 5;
    }
    if random.chance(1, 3) {
        let taken = 5 * share / 100;
        share -= taken;
        system.interrupts.push(Interrupt {
            name: "interrupt.i".into(),
            on: SupplyId(0),
            isr: Duration::from_ns(10_000 * taken.max(1)),
            min_interarrival: Duration::from_ms(1),
            ..Interrupt::default()
        });
    }
    if on == SupplyId(0) && random.chance(1, 3) {
        let rival = add_server(&mut system, ServerKind::Deferrable, (10, 3_000_000));
        share -= 20;
        let period = Duration::from_ms(3);
        add(&mut system, rival, Task { wcet: period, min_interarrival: period, ..Task::default() });
    }
    let tasks = random.between(2, 4);
    for _ in 0..tasks {
        let task = task(&mut random, share / tasks);
        add(&mut system, on, task);
    }
    // The limits are those of the first one.
    let subject = system.tasks.iter().position(|task| task.on == on).expect("it has tasks");
    assert!(system.tasks[subject..].iter().all(|task| task.on == on));
    system.tasks[subject].priority = Priority(0);
    swap_first(&mut system, subject);
    let period = system.task(TASK).min_interarrival.as_ns();
    require(&mut system, (1..=LIMITS).map(|part| period * part / 16));
    Drawn { system, alone: false }
}

/// Times of which the longest takes a share of the core, in hundredths, and others less.
fn task(random: &mut Random, share: u64) -> Task {
    let period = random.between(5, 60) * 500_000;
    let wcet = (period * share.max(1) / 100).max(10);
    let mut times = BTreeMap::from([(Duration::from_ns(wcet), 1)]);
    for _ in 0..random.between(1, 3) {
        let time = wcet * random.between(10, 90) / 100;
        let weight = random.between(1, 40);
        *times.entry(Duration::from_ns(time)).or_insert(0) += u32::try_from(weight).expect("40");
    }
    let execution: Vec<(Duration, u32)> = times.into_iter().collect();
    let jitter = if random.chance(1, 3) { random.below(period) } else { 0 };
    Task {
        bcet: execution[0].0,
        wcet: Duration::from_ns(wcet),
        execution,
        min_interarrival: Duration::from_ns(period),
        jitter: Duration::from_ns(jitter),
        ..Task::default()
    }
}

fn add_server(system: &mut System, kind: ServerKind, (share, period): (u64, u64)) -> SupplyId {
    let id = SupplyId(system.supplies.len());
    let server = Server {
        on: SupplyId(0),
        rule: kind.rule().expect("it has a budget"),
        budget: Duration::from_ns(period * share / 100),
        period: Duration::from_ns(period),
        priority: Priority(90),
        ..Server::default()
    };
    let name = format!("server.s{}", id.0);
    system.supplies.push(Supply { name, kind: SupplyKind::Server(server), ..Supply::default() });
    system.supplies[0].members.push(Member::Server(id));
    id
}

fn add(system: &mut System, on: SupplyId, task: Task) {
    let id = vorrang_model::system::TaskId(system.tasks.len());
    let priority = Priority(u32::try_from(10 + id.0).expect("few"));
    system.supplies[on.0].members.push(Member::Task(id));
    system.tasks.push(Task { name: format!("task.t{}", id.0), on, priority, ..task });
}

/// Makes a task the first one.
fn swap_first(system: &mut System, place: usize) {
    system.tasks.swap(0, place);
    let swapped = |member: &mut Member| {
        if let Member::Task(id) = member {
            id.0 = match id.0 {
                0 => place,
                id if id == place => 0,
                id => id,
            };
        }
    };
    system.supplies.iter_mut().flat_map(|supply| &mut supply.members).for_each(swapped);
}
