//! Response time of a high-priority task while timers of low-priority tasks expire (Patel, Vanga,
//! Brandenburg 2017).
//!
//! **Model.** The low-priority tasks sleep each with a period of its own, from phases that are drawn anew every
//! [`STRETCH`]: with fixed ones a task of the period of the control task would always disturb it, or never.

use crate::base;
use crate::claim::{Agreement, Claim};
use crate::figure::{Figure, Reproduced, Table};
use crate::watch::{Responses, ratio, us};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
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
    run,
    remarks: &[
        "The intervals of the low-priority tasks were not published; ours are those that cyclictest chooses. Phases are drawn, so few timers expire together: a common release of all of them is worse, and is what the first experiment of docs/timer-shield.md does on Linux 6.12 and 7.2, with the module and without.",
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

/// For so long phases stay the same.
const STRETCH: Duration = Duration::from_ms(10);

/// Stretches of a run: half a second in all.
const STRETCHES: u64 = 50;

/// Responses of the control task.
pub fn responses(queue: TimerQueue, disturbance: Disturbance) -> Responses {
    let system = with(queue, disturbance);
    let mut seen = Responses::of(Source::Task(base::task(&system, "task.control")));
    for stretch in 0..STRETCHES {
        let pattern = Pattern::parse(&format!("periodic:{}", stretch + 1), &system);
        let pattern = pattern.expect("it exists");
        let mut history = pattern.history(&system, SupplyId(0)).expect("covered");
        let mut random = ChaCha8Rng::seed_from_u64(stretch);
        for (index, (timer, arrivals)) in (0..).zip(system.timers.iter().zip(&mut history.timers)) {
            let first = match disturbance {
                Disturbance::Tasks(_) => drawn(&mut random, timer.period),
                Disturbance::Timers(count) => spread(count, index),
            };
            *arrivals = Arrivals::from(Instant::ZERO + first);
        }
        simulate(&system, SupplyId(0), &history, Instant::ZERO + STRETCH, &mut seen)
            .expect("covered");
    }
    seen
}

/// A phase within a period.
fn drawn(random: &mut ChaCha8Rng, period: Duration) -> Duration {
    Duration::from_ns(random.next_u64() % period.as_ns())
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

fn run() -> Reproduced {
    const COLUMNS: &[&str] = &[
        "low-priority timers",
        "queue",
        "shortest [us]",
        "median [us]",
        "99 % [us]",
        "longest [us]",
        "median over idle [us]",
        "published over idle [us]",
    ];
    let runs: Vec<_> =
        DISTURBANCES.iter().flat_map(|case| QUEUES.map(|queue| (*case, queue))).collect();
    let seen: Vec<Responses> =
        runs.par_iter().map(|(case, (queue, _))| responses(*queue, *case)).collect();
    let lines =
        runs.iter().zip(&seen).map(|((case, (_, word)), one)| line(*case, word, one, &seen[0]));
    Reproduced { table: Table::new(COLUMNS, lines.collect()), claims: claims(&seen) }
}

const QUEUES: [(TimerQueue, &str); 2] =
    [(TimerQueue::HrTimer, "hrtimer"), (TimerQueue::TimerShield, "timershield")];

fn median(seen: &Responses) -> f64 {
    us(seen.quantile(500).expect("hundreds of jobs"))
}

/// By rows of the table: both queues of each disturbance.
fn claims(seen: &[Responses]) -> Vec<Claim> {
    const FILE: &str = "timershield.csv";
    const FITTED: &[&str] = &["the cost of an expiry", "the interval of the timers"];
    let of = |case: Disturbance, queue: usize| {
        let place = DISTURBANCES.iter().position(|one| *one == case).expect("it is one of them");
        &seen[QUEUES.len() * place + queue]
    };
    let longest = |case, queue| us(of(case, queue).longest().expect("hundreds of jobs"));
    let [none, one, fifty, hundred] = [0, 1, 50, 100].map(Disturbance::Tasks);
    let thousand = Disturbance::Timers(1000);
    let idle = median(&seen[0]);
    let added = |queue| median(of(thousand, queue)) - idle;
    let apart = [one, fifty, hundred, thousand]
        .map(|case| {
            (longest(case, 1) - longest(none, 1)).abs().max((median(of(case, 1)) - idle).abs())
        })
        .into_iter()
        .fold(0.0, f64::max);
    let tail = [one, fifty, hundred].map(|case| longest(case, 0));
    let spreads = tail.is_sorted() && tail[0] > longest(none, 0);
    let within = [one, fifty, hundred].map(|case| {
        let all = &of(case, 0).all;
        let within = all.iter().filter(|response| **response <= Duration::from_ns(214_800));
        100.0 * ratio(within.count() as u64, all.len() as u64)
    });
    [
        Claim::says("With hrtimers the more low-priority tasks there are, the further the responses spread to the right, with a long tail; with a number beside one curve: 60 % within 214.8 us.")
            .ours(format!(
                "longest {:.1}, {:.1} and {:.1} us beside 1, 50 and 100 tasks, {:.1} us without; within 214.8 us {:.0}, {:.0} and {:.0} %",
                tail[0], tail[1], tail[2], longest(none, 0), within[0], within[1], within[2]
            ))
            .judged(
                "numbers: 55 to 65 % within 214.8 us beside some number of tasks; in shape: the longest grows with each number of tasks",
                Agreement::of(within.iter().any(|part| (55.0..=65.0).contains(part)) && spreads, spreads),
            )
            .why("Neither intervals nor costs were published; with the costs that the 45 us below suggest, and cyclictest's intervals, few timers expire in one job."),
        Claim::says("With TimerShield the curves for 1, 50 and 100 tasks are nearly the same, and with 1000 timers of one task about that of an idle machine.")
            .row(FILE, 2)
            .ours(format!("median and longest response differ by {apart:.1} us at most"))
            .judged("by no more than 1 % of the response", Agreement::whether(apart <= idle / 100.0))
            .why("A job that arrives during an interrupt for a timer waits for its end."),
        Claim::says("With hrtimers 1000 timers of one task add nearly 45 us to the response.")
            .row(FILE, 2)
            .ours(format!("{:.1} us", added(0)))
            .fitted(FITTED),
        Claim::says("That is 22 % of the response on an idle machine.")
            .row(FILE, 3)
            .ours(format!("{:.1} %", 100.0 * added(0) / idle))
            .fitted(FITTED),
    ]
    .into_iter()
    .chain(of_costs())
    .collect()
}

/// What is said of the costs of a kernel, which descriptions state.
fn of_costs() -> Vec<Claim> {
    const FILE: &str = "timershield.csv";
    vec![
        Claim::says("TimerShield adds at most 1 us to a context switch on average, 9 us at most.")
            .row(FILE, 4)
            .row(FILE, 5)
            .why("A description states what a switch takes; the module's own costs in counted time are in docs/timer-shield.md, which is not the same code."),
        Claim::says("The worst processing of timers takes longer with hrtimers than with TimerShield.")
            .row(FILE, 6)
            .why("Entry and exit of interrupts are chosen here, so one batch is shorter by construction."),
        Claim::says("Enqueueing and dequeueing a timer take less than 0.4 us with either.")
            .row(FILE, 7)
            .row(FILE, 8)
            .why("Costs of a kernel on the publication's machine; those of the library's queue are measured by `cargo bench -p vorrang-timer`."),
    ]
}

fn line(case: Disturbance, word: &str, seen: &Responses, idle: &Responses) -> Vec<String> {
    let text =
        |time: Option<Duration>| time.map_or("-".to_owned(), |time| format!("{:.1}", us(time)));
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
        (Disturbance::Timers(1000), "hrtimer") => "45",
        (Disturbance::Timers(1000), _) => "0",
        _ => "-",
    }
}
