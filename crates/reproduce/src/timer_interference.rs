//! Response time of a high-priority task while timers of low-priority tasks expire (Patel, Vanga,
//! Brandenburg 2017).

use crate::base;
use crate::figure::{Figure, Table};
use crate::watch::{Responses, us};
use rayon::prelude::*;
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Member, SupplyId, Task, TaskId, Timer, TimerId, TimerQueue,
};
use vorrang_sim::{Arrivals, Pattern, Source, simulate};
use vorrang_time::{Duration, Instant};

const SYSTEM: &str = include_str!("../../../published/systems/timer-interference.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "timer-interference",
    shows: "response time of a 1 kHz, 200 us task while low-priority timers expire, both queues",
    publication: "P. Patel, M. Vanga, B. Brandenburg 2017",
    system: "published/systems/timer-interference.toml",
    run: table,
    remarks: &[
        "Published: hrtimers spread the responses to the right with 50 and 100 low-priority tasks, and with 1000 timers of one task add nearly 45 us (22 %); TimerShield's curves stay together. Ours do the same.",
        "The 45 us were used to choose the cost of an expiry and the interval of the timers, neither of which was published: that row agrees by construction, the others do not.",
        "Published TimerShield curves shift a little with the number of timers; ours do not at all, because the caches that the callbacks disturb are not part of this description.",
    ],
};

/// What disturbs the control task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// So many tasks that sleep with a timer each.
    Tasks(u64),
    /// So many timers of one task.
    Timers(u64),
}

/// All disturbances of the publication, and none.
pub const DISTURBANCES: [Disturbance; 6] = [
    Disturbance::Tasks(0),
    Disturbance::Tasks(1),
    Disturbance::Tasks(50),
    Disturbance::Tasks(100),
    Disturbance::Timers(100),
    Disturbance::Timers(1000),
];

/// Responses of the control task over half a second.
pub fn responses(queue: TimerQueue, disturbance: Disturbance) -> Responses {
    let system = with(queue, disturbance);
    let core = SupplyId(0);
    let pattern = Pattern::parse("periodic:1", &system).expect("it exists");
    let mut history = pattern.history(&system, core).expect("covered");
    if let Disturbance::Timers(count) = disturbance {
        for (index, timer) in (0..).zip(&mut history.timers) {
            *timer = Arrivals::from(Instant::ZERO + spread(count, index));
        }
    }
    let mut seen = Responses::of(Source::Task(base::task(&system, "task.control")));
    let horizon = Instant::ZERO + Duration::from_ms(500);
    simulate(&system, core, &history, horizon, &mut seen).expect("covered");
    seen
}

/// When the timer of this index first expires, of so many spread evenly.
fn spread(count: u64, index: u64) -> Duration {
    Duration::from_ns(ATTACK.as_ns() * index / count)
}

/// Interval of the timers of one task.
const ATTACK: Duration = Duration::from_ms(10);

fn with(queue: TimerQueue, disturbance: Disturbance) -> System {
    let mut system = base::system(SYSTEM);
    system.supplies[0].timer_queue = queue;
    let low = system.tasks.pop().expect("the low one is the last");
    let timer = system.timers.pop().expect("it has one");
    system.supplies[0].members.pop();
    match disturbance {
        Disturbance::Tasks(count) => {
            for index in 0..count {
                let interval = Duration::from_us(1000 + 500 * index);
                let id = add(&mut system, &low, index, interval);
                system.tasks[id.0].activation = Activation::Timer(TimerId(system.timers.len()));
                let name = format!("{}-{index}", timer.name);
                system.timers.push(Timer { name, armed_by: id, period: interval, ..timer.clone() });
            }
        }
        Disturbance::Timers(count) => {
            let id = add(&mut system, &low, 0, low.min_interarrival);
            system.tasks[id.0].activation = Activation::Sporadic;
            for index in 0..count {
                let name = format!("{}-{index}", timer.name);
                let alike = Timer { name, armed_by: id, period: ATTACK, wakes: false };
                system.timers.push(alike);
            }
        }
    }
    system
}

fn add(system: &mut System, low: &Task, index: u64, interval: Duration) -> TaskId {
    let id = TaskId(system.tasks.len());
    let name = format!("{}-{index}", low.name);
    system.tasks.push(Task { name, min_interarrival: interval, ..low.clone() });
    system.supplies[0].members.push(Member::Task(id));
    id
}

fn table() -> Table {
    const COLUMNS: &[&str] = &[
        "low-priority timers",
        "queue",
        "shortest [us]",
        "median [us]",
        "99 % [us]",
        "longest [us]",
        "median over idle [us]",
        "published",
    ];
    let queues = [(TimerQueue::HrTimer, "hrtimer"), (TimerQueue::TimerShield, "timershield")];
    let runs: Vec<_> =
        DISTURBANCES.iter().flat_map(|case| queues.map(|queue| (*case, queue))).collect();
    let idle = responses(TimerQueue::HrTimer, Disturbance::Tasks(0));
    let lines: Vec<_> = runs
        .into_par_iter()
        .map(|(case, (queue, word))| line(case, word, &responses(queue, case), &idle))
        .collect();
    Table::new(COLUMNS, lines)
}

fn line(case: Disturbance, word: &str, seen: &Responses, idle: &Responses) -> Vec<String> {
    let text =
        |time: Option<Duration>| time.map_or("-".to_owned(), |time| format!("{:.1}", us(time)));
    let median = |seen: &Responses| us(seen.quantile(500).expect("five hundred jobs"));
    vec![
        match case {
            Disturbance::Tasks(count) => format!("{count} tasks"),
            Disturbance::Timers(count) => format!("{count} of one task"),
        },
        word.to_owned(),
        text(seen.shortest()),
        text(seen.quantile(500)),
        text(seen.quantile(990)),
        text(seen.longest()),
        format!("{:.1}", median(seen) - median(idle)),
        published(case, word).to_owned(),
    ]
}

fn published(case: Disturbance, queue: &str) -> &'static str {
    match (case, queue) {
        (Disturbance::Tasks(1 | 50 | 100), "hrtimer") => "60 % within 214.8 us, long tail",
        (Disturbance::Timers(1000), "hrtimer") => "nearly 45 us (22 %) over idle",
        (Disturbance::Timers(1000) | Disturbance::Tasks(1 | 50 | 100), _) => "about idle",
        _ => "-",
    }
}
