//! Whether programs of eBPF and tracefs record the same, at the same time.
//!
//! `cargo run -p vorrang-learn --example both [SECONDS]`, as root, with tracefs mounted, on a kernel with BTF. Two real-time
//! threads wake each other and sleep; every event of each processor that both recorded is compared, without its time, and so is
//! what is learnt. It ends with 1 if one event differs.

use std::io;
use std::process::ExitCode;
use std::sync::Barrier;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use vorrang_learn::{Learner, Learnt, Wanted};
use vorrang_observe::schedule::events::{ALARMS, NEEDED, OTHERS};
use vorrang_recorded::{Means, Told, Tracing};
use vorrang_sched::Policy;

/// So much at both ends may be in one of them only.
const ENDS: u64 = 20_000_000;
/// So many events are the same where both lists are laid beside each other.
const ALIKE: usize = 32;

/// An event: its processor, its instant, its text behind that.
type Event = (usize, u64, String);

struct Recorded {
    events: Vec<Event>,
    learnt: Learnt,
}

fn main() -> ExitCode {
    let seconds = std::env::args().nth(1).map_or(3, |word| word.parse().expect("a number"));
    let time = Duration::from_secs(seconds);
    let woken = thread::spawn(move || work(time + Duration::from_secs(1)));
    let barrier = &Barrier::new(2);
    let (one, other) = thread::scope(|scope| {
        let one = scope.spawn(|| recorded(Means::Ebpf, time, barrier));
        let other = scope.spawn(|| recorded(Means::Tracefs, time, barrier));
        (one.join().expect("eBPF"), other.join().expect("tracefs"))
    });
    woken.join().expect("it ends");
    let first = |of: &Recorded| of.events.first().map_or(0, |event| event.1);
    let last = |of: &Recorded| of.events.last().map_or(0, |event| event.1);
    let from = first(&one).max(first(&other)) + ENDS;
    let to = last(&one).min(last(&other)).saturating_sub(ENDS);
    let cpus = one.events.iter().map(|event| event.0).max().map_or(0, |most| most + 1);
    let differ = (0..cpus).filter(|cpu| !is_same(*cpu, from..to, &one, &other)).count();
    tell(&one.learnt, &other.learnt);
    ExitCode::from(u8::from(differ > 0))
}

fn recorded(by: Means, time: Duration, barrier: &Barrier) -> Recorded {
    let others: Vec<&str> = OTHERS.into_iter().chain([ALARMS]).collect();
    let tracing = Tracing::of(&NEEDED, &others, Some(by)).expect("it can be recorded");
    let (mut events, mut learner) = (Vec::new(), Learner::new(Wanted::default()));
    barrier.wait();
    let told = tracing.follow(
        time,
        || false,
        |told| {
            let Told::Record(record) = told else { panic!("pages are of a known kind") };
            let mut line = Vec::new();
            record.line(&mut line).expect("an event");
            let text = String::from_utf8_lossy(&line);
            let (before, event) = text.split_once(": ").expect("a time");
            let pid = before.split(" [").next().unwrap_or_default();
            events.push((record.cpu, record.at, format!("{}: {event}", pid.trim())));
            learner.record(&record).map_err(io::Error::other)
        },
    );
    told.expect("a trace");
    Recorded { events, learnt: learner.finish() }
}

/// Whether what both have of a processor within a time is the same.
fn is_same(cpu: usize, within: std::ops::Range<u64>, one: &Recorded, other: &Recorded) -> bool {
    let own = |of: &Recorded| -> Vec<Event> {
        of.events.iter().filter(|event| event.0 == cpu).cloned().collect()
    };
    let (mut one, other) = (own(one), own(other));
    one.retain(|event| within.contains(&event.1));
    let texts = |events: &[Event]| -> Vec<String> {
        events.iter().take(ALIKE).map(|event| event.2.clone()).collect()
    };
    let begin = texts(&one);
    let Some(at) = (0..other.len()).find(|at| texts(&other[*at..]) == begin) else {
        println!("processor {cpu}: nothing is the same");
        return false;
    };
    let pairs = || one.iter().zip(&other[at..]);
    let differ = pairs().find(|(one, other)| one.2 != other.2);
    let apart = pairs().map(|(one, other)| one.1.abs_diff(other.1)).max().unwrap_or_default();
    let count = pairs().count();
    println!("processor {cpu}: {count} events of {}, at most {apart} ns apart", one.len());
    if let Some((one, other)) = differ {
        println!("  differ: {one:?}\n          {other:?}");
    }
    differ.is_none() && count == one.len()
}

/// The longest times of both.
fn tell(one: &Learnt, other: &Learnt) {
    for (number, thread) in &one.threads {
        let Some(other) = other.threads.get(number) else {
            println!("{number} was recorded by eBPF only");
            continue;
        };
        println!(
            "{}: {} jobs of {}, longest {} ns of {}, two at least {:?} ns apart of {:?}",
            String::from_utf8_lossy(&thread.name),
            thread.executed.count(),
            other.executed.count(),
            thread.executed.longest(),
            other.executed.longest(),
            thread.arrivals.distances.sporadic(),
            other.arrivals.distances.sporadic(),
        );
    }
}

/// A thread that sleeps, and one that it wakes.
fn work(time: Duration) {
    vorrang_sched::set(0, Policy::fifo(20)).expect("a real-time thread");
    let (tell, told) = mpsc::channel::<()>();
    let second = thread::Builder::new().name("second".to_owned()).spawn(move || {
        vorrang_sched::set(0, Policy::fifo(10)).expect("a real-time thread");
        while told.recv().is_ok() {}
    });
    let mut next = Instant::now();
    let until = next + time;
    while next < until {
        next += Duration::from_micros(500);
        thread::sleep(next.saturating_duration_since(Instant::now()));
        tell.send(()).expect("it runs");
    }
    drop(tell);
    second.expect("a thread").join().expect("it ends");
}
