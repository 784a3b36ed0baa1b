//! What it costs to learn from a running machine, at 20 000 switches a second.
//!
//! `cargo run --release -p vorrang-learn --example load [SECONDS [RUNS [MEANS]]]`, as root, with tracefs mounted where that is
//! the means (`ebpf`, `tracefs`; else what `vorrang learn` takes). A real-time thread
//! wakes 10 000 times a second; its events and those of all others are read and learnt from, as `vorrang learn --for` does.
//! The time of the processor that this takes is that of the thread that reads, the kernel's part of reading included.

use std::fs;
use std::io;
use std::thread;
use std::time::{Duration, Instant};
use vorrang_learn::{Learner, Wanted};
use vorrang_observe::schedule::events::{ALARMS, NEEDED, OTHERS};
use vorrang_recorded::{Means, Told, Tracing};
use vorrang_sched::Policy;

const WAKES: Duration = Duration::from_micros(100);
const HUNDRED_THOUSAND: u128 = 100_000;

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |or| words.next().map_or(or, |word| word.parse::<u64>().expect("a number"));
    let (seconds, runs) = (number(10), number(1));
    let by: Option<Means> = words.next().map(|word| word.parse().expect("ebpf or tracefs"));
    let mut all: Vec<u128> = (0..runs).map(|_| run(seconds, by)).collect();
    all.sort_unstable();
    let middle = all[all.len() / 2];
    println!("the middle of {runs}: {}.{:03} % of a processor", middle / 1000, middle % 1000);
}

/// The part of a processor that a run takes, in hundred-thousandths.
fn run(seconds: u64, by: Option<Means>) -> u128 {
    let woken = thread::Builder::new().name("wakes".to_owned());
    let woken = woken.spawn(move || wakes(Duration::from_secs(seconds + 1))).expect("a thread");
    let others: Vec<&str> = OTHERS.into_iter().chain([ALARMS]).collect();
    let tracing = Tracing::of(&NEEDED, &others, by).expect("it can be recorded");
    let means = tracing.by().0;
    let mut learner = Learner::new(Wanted::default());
    let (begin, taken, switches) = (Instant::now(), on_processor(), switches());
    let learnt = tracing.follow(
        Duration::from_secs(seconds),
        || false,
        |told| {
            let taken = match told {
                Told::Record(record) => learner.record(&record),
                Told::Text(text) => learner.text(text),
            };
            taken.map_err(io::Error::other)
        },
    );
    learnt.expect("a trace");
    let (passed, taken) = (begin.elapsed().as_nanos(), u128::from(on_processor() - taken));
    let switches = u128::from(self::switches() - switches);
    let events = u128::from(learner.finish().events.max(1));
    let a_second = |count: u128| count * 1_000_000_000 / passed;
    let part = taken * HUNDRED_THOUSAND / passed;
    println!(
        "{means}: {} switches and {} events a second, {} ns an event: {}.{:03} % of a processor",
        a_second(switches),
        a_second(events),
        taken / events,
        part / 1000,
        part % 1000
    );
    woken.join().expect("it ends");
    part
}

fn wakes(time: Duration) {
    vorrang_sched::set(0, Policy::fifo(20)).expect("a real-time thread");
    let mut next = Instant::now();
    let until = next + time;
    while next < until {
        next += WAKES;
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}

/// How long this thread has run, in nanoseconds.
fn on_processor() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux");
    text.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a time")
}

/// Switches of all processors since they began.
fn switches() -> u64 {
    let text = fs::read_to_string("/proc/stat").expect("a Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("ctxt "));
    line.and_then(|count| count.parse().ok()).expect("a number")
}
