//! What timers of low-priority tasks do to a high-priority one, simulated (Patel, Vanga, Brandenburg 2017).
//!
//! **Model.** The low-priority tasks sleep each with a period of its own, from phases that are drawn anew every
//! [`STRETCH`], each time from another seed: with fixed ones a task of the period of the control task would always
//! disturb it, or never.

use crate::base;
use crate::watch::Responses;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use vorrang_model::System;
use vorrang_model::system::{
    Activation, Member, SupplyId, Task, TaskId, Timer, TimerId, TimerQueue,
};
use vorrang_sim::{Arrivals, Pattern, Source, simulate};
use vorrang_time::{Duration, Instant};

const SYSTEM: &str = include_str!("../published/systems/timer-interference.toml");

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

/// Both queues.
pub const QUEUES: [(TimerQueue, &str); 2] =
    [(TimerQueue::HrTimer, "hrtimer"), (TimerQueue::TimerShield, "timershield")];

/// What was seen of a disturbance with a queue, by rows of the table: both queues of each disturbance.
///
/// # Panics
/// If there is no such disturbance: a bug of the figure.
pub fn of(seen: &[Responses], case: Disturbance, queue: TimerQueue) -> &Responses {
    let case = DISTURBANCES.iter().position(|one| *one == case).expect("it is one of them");
    let queue = QUEUES.iter().position(|one| one.0 == queue).expect("it is one of them");
    &seen[QUEUES.len() * case + queue]
}
