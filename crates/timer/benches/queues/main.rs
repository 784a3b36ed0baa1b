//! Compares the time of our queues with that of peers, measured in the same run.
//!
//! ```text
//! cargo bench -p vorrang-timer --bench queues
//! ratio OPERATION/PENDING/OURS/PEER VALUE (ours TIME, peer TIME)
//! ```
//!
//! A value above 1 means that ours is faster; times are for one operation. All sides get the same
//! expiries, run on one thread and take turns; what counts is the processor time of that thread in
//! the median of the repetitions. Figures of a busy machine are worth little all the same: look at
//! the spread on stderr.
//!
//! | peer | is |
//! |---|---|
//! | `red-black` | a red-black tree with the first node at hand and erasure in place, as in Linux; nodes of 24 bytes in one array |
//! | `btree-set` | `BTreeSet` of (expiry, timer) |
//! | `binary-heap` | `BinaryHeap`; what is cancelled stays until it comes to the top or most entries are such, when they are swept out |
//! | `indexed-heap` | a binary heap that knows where each timer stands, and cancels at once |
//! | `hash-wheel` | `hierarchical_hash_wheel_timer`, cancellable; expiries are rounded to milliseconds |
//! | `delay-queue` | `DelayQueue` of tokio-util; expiries are rounded up to milliseconds |
//!
//! The last two do not keep the order of expiry. In cancel-and-insert time stands still, so that
//! the wheel never comes to the entries that it must drop; `binary-heap` sweeps once in as many
//! operations as timers are pending, and has room for twice as many entries as timers: neither its
//! memory nor the time of one cancellation is bounded by what is pending, unlike with ours and with
//! `red-black`.

mod exact;
mod indexed_heap;
mod red_black;
mod rounding;
mod workload;

use exact::{Btree, Heap, Hr, Rekeyed, Shield};
use indexed_heap::IndexedHeap;
use red_black::RedBlack;
use rounding::{HashWheel, Tokio};
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::time::Duration;
use workload::Workload;

/// One queue in a benchmark.
trait Side {
    /// Takes out the first timer and arms it again that much later, for each delay; a sum of the
    /// expiries.
    fn pop_and_rearm(&mut self, delays: &[u64]) -> u64;

    /// Cancels a timer and arms it at a new expiry, for each; the first expiry afterwards.
    fn cancel_and_insert(&mut self, moves: &[(u32, u64)]) -> u64;

    /// Whether timers come out in the order of expiry, so that its answers are those of the others.
    fn is_exact(&self) -> bool {
        true
    }
}

type Named = (&'static str, Box<dyn Side>);

/// All sides with the same timers pending; ours first.
fn sides(expiries: &[u64]) -> Vec<Named> {
    vec![
        ("timershield", Box::new(Shield::new(expiries))),
        ("hrtimer", Box::new(Hr::new(expiries))),
        ("timershield-other-urgency", Box::new(Rekeyed::new(expiries))),
        ("red-black", Box::new(RedBlack::new(expiries))),
        ("btree-set", Box::new(Btree::new(expiries))),
        ("binary-heap", Box::new(Heap::new(expiries))),
        ("indexed-heap", Box::new(IndexedHeap::new(expiries))),
        ("hash-wheel", Box::new(HashWheel::new(expiries))),
        ("delay-queue", Box::new(Tokio::new(expiries))),
    ]
}

/// How many of the sides are ours.
const OURS: usize = 3;

/// How much is measured with that many timers pending.
struct Effort {
    pending: u32,
    /// So many that queues with deferred work do some of it.
    operations: usize,
    repetitions: usize,
}

const MEASURED: [Effort; 3] = [
    Effort { pending: 100, operations: 50_000, repetitions: 51 },
    Effort { pending: 10_000, operations: 50_000, repetitions: 51 },
    Effort { pending: 1_000_000, operations: 1_000_000, repetitions: 5 },
];

/// Without optimisation, and with every check, it only shows that it works.
const TRIED: [Effort; 2] = [
    Effort { pending: 100, operations: 2_000, repetitions: 1 },
    Effort { pending: 2_000, operations: 1_000, repetitions: 1 },
];

fn main() {
    let measure = std::env::args().any(|argument| argument == "--bench");
    let efforts = if measure { &MEASURED[..] } else { &TRIED[..] };
    for effort in efforts {
        let Effort { pending, operations, repetitions } = effort;
        let seed = workload::SEED;
        eprintln!("{pending} timers: {operations} operations, {repetitions} times, seed {seed}");
        let mut workload = Workload::new(*pending);
        let expiries = workload.expiries();
        compare("pop-and-re-arm", effort, &expiries, &mut |sides| {
            let delays = workload.delays(*operations);
            each(sides, &mut |side| side.pop_and_rearm(&delays))
        });
        compare("cancel-and-insert", effort, &expiries, &mut |sides| {
            let moves = workload.moves(*operations);
            each(sides, &mut |side| side.cancel_and_insert(&moves))
        });
    }
}

/// Times a pass of every side, and compares the answers of the exact ones.
fn each(sides: &mut [Named], pass: &mut dyn FnMut(&mut dyn Side) -> u64) -> Vec<Duration> {
    let mut answer = None;
    let run = |(name, side): &mut Named| {
        let start = processor_time();
        let this = black_box(pass(&mut **side));
        let elapsed = processor_time().saturating_sub(start);
        if side.is_exact() {
            assert_eq!(*answer.get_or_insert(this), this, "{name} gives another answer");
        }
        elapsed
    };
    sides.iter_mut().map(run).collect()
}

/// What this thread has had of a processor.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("it is not negative")
}

/// Measures one operation for all sides in turn, and prints the ratios.
fn compare(
    operation: &str,
    effort: &Effort,
    expiries: &[u64],
    pass: &mut dyn FnMut(&mut [Named]) -> Vec<Duration>,
) {
    let pending = effort.pending;
    let mut sides = sides(expiries);
    // To warm up.
    pass(&mut sides);
    let mut times = vec![Vec::new(); sides.len()];
    for _ in 0..effort.repetitions {
        times.iter_mut().zip(pass(&mut sides)).for_each(|(times, time)| times.push(time));
    }
    let median: Vec<f64> = times.iter_mut().map(|times| median_ns(effort, times)).collect();
    for ((name, _), (times, median)) in sides.iter().zip(times.iter().zip(&median)) {
        let (least, most) = (ns(effort, times[0]), ns(effort, times[times.len() - 1]));
        eprintln!("{operation}/{pending}/{name}: {median:.1} ns, {least:.1} to {most:.1} ns");
    }
    for ((ours, _), our_time) in sides[..OURS].iter().zip(&median) {
        for ((peer, _), time) in sides[OURS..].iter().zip(&median[OURS..]) {
            let ratio = time / our_time;
            let (our_time, time) = (format!("{our_time:.1} ns"), format!("{time:.1} ns"));
            println!(
                "ratio {operation}/{pending}/{ours}/{peer} {ratio:.2} (ours {our_time}, peer {time})"
            );
        }
    }
}

/// Nanoseconds for one operation in the median of the times, which are sorted.
fn median_ns(effort: &Effort, times: &mut [Duration]) -> f64 {
    times.sort();
    ns(effort, times[times.len() / 2])
}

#[expect(clippy::cast_precision_loss, reason = "for printing")]
fn ns(effort: &Effort, time: Duration) -> f64 {
    time.as_secs_f64() * 1e9 / effort.operations as f64
}
