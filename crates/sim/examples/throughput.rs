//! How many jobs per second the simulator runs: ten periodic tasks on a core, the same tasks in
//! two deferrable servers, machines with cold caches, and up to ten thousand tasks on one core.
//! Prints one line per system; `cargo run --release --example throughput -p vorrang-sim
//! [-- PART OF A NAME]`.

use std::time::Instant as Clock;
use vorrang_model::system::{
    Cache, CacheId, CacheModel, Member, Priority, Scheduler, Server, ServerRule, Share, Supply,
    SupplyId, SupplyKind, System, Task, TaskId,
};
use vorrang_sim::{Job, Observer, Pattern, Simulator};
use vorrang_time::{Duration, Instant};

/// Period in milliseconds and execution time in microseconds of ten rate-monotonic tasks.
const TASKS: [(u64, u64); 10] = [
    (5, 350),
    (10, 700),
    (20, 1400),
    (25, 1750),
    (40, 2800),
    (50, 3500),
    (80, 5600),
    (100, 7000),
    (200, 14000),
    (400, 28000),
];

/// The time in which tasks are counted, in nanoseconds, to find the horizon for about as many jobs
/// of every system.
const SAMPLE: u64 = 1_000_000_000_000;

/// The tasks dealt out to the supplies in turn.
fn deal(mut system: System, supplies: &[SupplyId]) -> System {
    for (index, (period, wcet)) in TASKS.into_iter().enumerate() {
        let on = supplies[index % supplies.len()];
        system.supplies[on.0].members.push(Member::Task(TaskId(index)));
        system.tasks.push(Task {
            name: format!("task.{index}"),
            on,
            wcet: Duration::from_us(wcet),
            min_interarrival: Duration::from_ms(period),
            deadline: Some(Duration::from_ms(period)),
            jitter: Duration::ZERO,
            blocking: Duration::ZERO,
            priority: Priority(10 - u32::try_from(index).expect("ten")),
            ..Task::default()
        });
    }
    system
}

fn one_core() -> System {
    let supply = Supply {
        name: "core.0".into(),
        kind: SupplyKind::Core,
        scheduler: Scheduler::FixedPriority,
        members: vec![],
        ..Supply::default()
    };
    System { supplies: vec![supply], ..System::default() }
}

fn in_servers(count: usize) -> System {
    let mut system = one_core();
    let servers: Vec<SupplyId> = (1..=count).map(SupplyId).collect();
    for &id in &servers {
        system.supplies[0].members.push(Member::Server(id));
        system.supplies.push(Supply {
            name: format!("vcpu.{}", id.0),
            kind: SupplyKind::Server(Server {
                on: SupplyId(0),
                rule: ServerRule::Deferrable,
                budget: Duration::from_us(5000 / count as u64),
                period: Duration::from_us(5000),
                priority: Priority(u32::try_from(id.0).expect("few")),
                ..Server::default()
            }),
            scheduler: Scheduler::FixedPriority,
            members: vec![],
            ..Supply::default()
        });
    }
    deal(system, &servers)
}

/// This many tasks, 70 % of a core together, with periods from 10 to 100 ms that share no pattern,
/// rate-monotonic.
fn many(tasks: usize, scheduler: Scheduler) -> System {
    let mut system = one_core();
    system.supplies[0].scheduler = scheduler;
    for index in 0..tasks {
        // A step of the golden ratio spreads the periods evenly.
        let spread = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 34;
        let period = Duration::from_ns(10_000_000 + spread * 90_000_000 / (1 << 30));
        system.supplies[0].members.push(Member::Task(TaskId(index)));
        system.tasks.push(Task {
            name: format!("task.{index}"),
            wcet: Duration::from_ns(period.as_ns() * 7 / 10 / tasks as u64),
            min_interarrival: period,
            deadline: Some(period),
            priority: Priority(u32::MAX - u32::try_from(period.as_ns()).expect("below 4 s")),
            ..Task::default()
        });
    }
    system
}

/// Three virtual machines that take turns of 300 us, three tasks each, cold after every switch.
fn machines(model: CacheModel) -> System {
    let mut system = one_core();
    (system.supplies[0].scheduler, system.supplies[0].quantum) =
        (Scheduler::Vtrr, Duration::from_us(300));
    let (useful_ppm, sustained) = (90_000, Duration::from_us(85));
    system.caches.push(Cache { name: "cache.c".into(), model, useful_ppm, sustained });
    for machine in 1..=3 {
        let name = format!("vcpu.{machine}");
        let weight = 4 - u32::try_from(machine).expect("three");
        let kind = SupplyKind::Share(Share { on: SupplyId(0), weight });
        system.supplies[0].members.push(Member::Server(SupplyId(machine)));
        let (vm, cache) = (Some(name.clone()), Some(CacheId(0)));
        system.supplies.push(Supply { name, kind, vm, cache, ..Supply::default() });
        for task in 0..3 {
            let id = TaskId(system.tasks.len());
            system.supplies[machine].members.push(Member::Task(id));
            system.tasks.push(Task {
                name: format!("task.{}", id.0),
                on: SupplyId(machine),
                wcet: Duration::from_us(60),
                min_interarrival: Duration::from_us(1_000 + 100 * id.0 as u64),
                priority: Priority(task),
                ..Task::default()
            });
        }
    }
    system
}

#[derive(Default)]
struct Count(u64);

impl Observer for Count {
    fn completed(&mut self, _job: &Job, _at: Instant) {
        self.0 += 1;
    }
}

fn main() {
    let mut systems = vec![
        ("ref10 on a core".to_owned(), deal(one_core(), &[SupplyId(0)])),
        ("ref10 in two deferrable servers".to_owned(), in_servers(2)),
    ];
    for (caches, model) in
        [("flooded", CacheModel::Flood), ("exponential", CacheModel::Exponential)]
    {
        systems.push((format!("three machines, {caches} caches"), machines(model)));
    }
    for tasks in [10, 100, 1_000, 10_000] {
        systems.push((format!("{tasks} tasks by priority"), many(tasks, Scheduler::FixedPriority)));
        systems.push((format!("{tasks} tasks by deadline"), many(tasks, Scheduler::Edf)));
    }
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for (name, system) in systems.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        let core = SupplyId(0);
        let pattern = Pattern::parse("synchronous", &system).expect("it is one");
        let history = pattern.history(&system, core).expect("covered");
        let mut simulator = Simulator::new(&system, core).expect("covered");
        let jobs: u64 =
            system.tasks.iter().map(|task| SAMPLE / task.min_interarrival.as_ns()).sum();
        let horizon = Instant::from_ns(SAMPLE / jobs * 2_325_000);
        let mut count = Count::default();
        let begin = Clock::now();
        simulator.run(&history, horizon, &mut count);
        let rate = u128::from(count.0) * 1_000_000 / begin.elapsed().as_micros().max(1);
        println!("{name}: {} jobs, {rate} jobs/s, {} ns/job", count.0, 1_000_000_000 / rate.max(1));
    }
}
