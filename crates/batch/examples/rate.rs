//! What a batch takes beside its theorem alone: `cargo run --release -p vorrang-batch --example rate -- 1000000`
//!
//! Ten tasks for each set, on one thread. Prints `ratio batch VALUE (batch …, theorem …)` in sets per second of
//! processor time, as Linux counts it, the best of five turns of each, taken in turns. The theorem is asked
//! about the same sets as they lie in memory, and about so few that they stay in the caches.

use std::fs::read_to_string;
use vorrang_analysis::fixed_priority::{Scratch, SporadicTask, response_times};
use vorrang_analysis::supply::Dedicated;
use vorrang_batch::{Asked, Piece, Room, Scheduler, Table, Unit, answered};
use vorrang_random::Random;
use vorrang_time::Duration;

const TASKS: usize = 10;
/// As many as `vorrang-bench` has.
const FEW: usize = 20_000;

fn main() {
    let sets = std::env::args().nth(1).map_or(1_000_000, |sets| sets.parse().expect("a number"));
    let tasks = drawn(sets);
    let columns = columns(&tasks);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let (mut batch, mut all, mut cached) = (0.0_f64, 0.0_f64, 0.0_f64);
    let few = &tasks[..tasks.len().min(FEW * TASKS)];
    for _ in 0..5 {
        batch = batch.max(pool.install(|| rate(sets, || whole(&columns))));
        all = all.max(rate(sets, || alone(&tasks)));
        cached = cached.max(rate(few.len() / TASKS, || alone(few)));
    }
    for (name, theorem) in [("batch", all), ("batch-cached", cached)] {
        let ratio = batch / theorem;
        println!("ratio {name} {ratio:.3} (batch {batch:.0}, theorem {theorem:.0} sets/s)");
    }
}

/// In rate-monotonic order: periods from a millisecond to a second, each doubling as likely.
fn drawn(sets: usize) -> Vec<SporadicTask> {
    let mut random = Random::new(1, 0);
    let mut all = Vec::with_capacity(sets * TASKS);
    for _ in 0..sets {
        let mut periods = [0_u64; TASKS];
        for period in &mut periods {
            let octave = 1_000 << random.between(0, 9);
            *period = 1_000 * random.between(octave, 2 * octave - 1);
        }
        periods.sort_unstable();
        let share = random.between(50, 95);
        let parts = [(); TASKS].map(|()| random.between(1, 1_000));
        let sum: u64 = parts.iter().sum();
        all.extend(periods.iter().zip(parts).map(|(period, part)| {
            let period = Duration::from_ns(*period);
            let wcet = Duration::from_ns((period.as_ns() * share / 100 * part / sum).max(1));
            SporadicTask { wcet, period, limit: period }
        }));
    }
    all
}

/// The same tasks as columns.
struct Columns {
    set: Vec<i64>,
    wcet: Vec<i64>,
    period: Vec<i64>,
    priority: Vec<i64>,
}

fn columns(tasks: &[SporadicTask]) -> Columns {
    let ns = |time: Duration| i64::try_from(time.as_ns()).expect("short");
    let of_set = |each: fn(i64) -> i64| (0_i64..).take(tasks.len()).map(each).collect();
    Columns {
        set: of_set(|row| row / 10),
        wcet: tasks.iter().map(|task| ns(task.wcet)).collect(),
        period: tasks.iter().map(|task| ns(task.period)).collect(),
        priority: of_set(|row| -row),
    }
}

/// How many bounds there are.
fn whole(columns: &Columns) -> usize {
    let Columns { set, wcet, period, priority } = columns;
    let (deadline, priority) = (None, Some(&priority[..]));
    let table =
        Table::new(vec![Piece { set, wcet, period, deadline, priority }], [Unit::Nanosecond; 3]);
    let asked = Asked { scheduler: Scheduler::FixedPriority, bounds: true };
    let answers = answered(&table, asked, Room::default(), || false).expect("nothing is wrong");
    answers.bounds.iter().filter(|bound| **bound != 0).count()
}

fn alone(tasks: &[SporadicTask]) -> usize {
    let (mut scratch, mut responses) = (Scratch::default(), Vec::new());
    let mut known = 0;
    for set in tasks.chunks(TASKS) {
        response_times(&Dedicated, set, &mut scratch, &mut responses);
        known += responses.iter().flatten().count();
    }
    known
}

/// Sets per second of this thread.
fn rate(sets: usize, work: impl FnOnce() -> usize) -> f64 {
    let begun = on_processor_ns();
    std::hint::black_box(work());
    let taken = on_processor_ns() - begun;
    #[expect(clippy::cast_precision_loss, reason = "a number to be printed")]
    let (sets, taken) = (sets as f64, taken as f64);
    sets / (taken / 1e9)
}

/// What this thread has had.
fn on_processor_ns() -> u64 {
    let text = read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|first| first.parse().ok()).expect("nanoseconds first")
}
