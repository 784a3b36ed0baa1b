//! Whether programs of eBPF and tracefs record the same, at the same time.
//!
//! `cargo run -p vorrang-learn --example both [SECONDS]`, as root, with tracefs mounted, on a kernel with BTF. Two real-time
//! threads wake each other and sleep; every event of each processor that both recorded is compared, without its time, and so is
//! what is learnt. It ends with 1 if one event differs. Left out are timers that wake no thread, which eBPF does not record, and
//! what happens while threads of process 1 run: some kernels of virtual machines hide these from programs. Soft interrupts are
//! compared by themselves: another interrupt may come when one of the two has told that one begins, and the other has not.

use std::collections::BTreeSet;
use std::fs;
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

/// What a timer has that wakes a thread.
const WAKER: &str = "function=hrtimer_wakeup ";

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
    let lists = (0..cpus).flat_map(|cpu| [(cpu, false), (cpu, true)]);
    let differ = lists.filter(|list| !is_same(*list, from..to, &one, &other)).count();
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
            let pid = before.split(" [").next().unwrap_or_default().trim();
            let is_other = record.name() == b"hrtimer_start" && !event.contains(WAKER);
            if !is_other {
                events.push((record.cpu, record.at, format!("{pid}: {event}")));
            }
            learner.record(&record).map_err(io::Error::other)
        },
    );
    told.expect("a trace");
    Recorded { events, learnt: learner.finish() }
}

/// The threads of process 1, as lines name them.
fn of_process_1() -> BTreeSet<String> {
    let threads = fs::read_dir("/proc/1/task").expect("a process");
    let name = |thread: io::Result<fs::DirEntry>| thread.expect("a thread").file_name();
    threads.map(|thread| format!("<...>-{}", name(thread).to_string_lossy())).collect()
}

/// Whether what both have of a processor within a time is the same: its soft interrupts, or all else.
fn is_same(
    (cpu, is_soft): (usize, bool),
    within: std::ops::Range<u64>,
    one: &Recorded,
    other: &Recorded,
) -> bool {
    let is_own = |event: &&Event| event.0 == cpu && event.2.contains(": softirq_") == is_soft;
    let own = |of: &Recorded| of.events.iter().filter(is_own).cloned().collect::<Vec<Event>>();
    let (mut one, other) = (own(one), own(other));
    one.retain(|event| within.contains(&event.1));
    let what = if is_soft { "soft interrupts" } else { "other events" };
    // What is done over and over looks alike at many places: the nearest one is meant.
    let alike = (0..other.len()).filter(|at| Some(&other[*at].2) == one.first().map(|one| &one.2));
    let first = one.first().map_or(0, |event| event.1);
    let Some(at) = alike.min_by_key(|at| other[*at].1.abs_diff(first)) else {
        println!("processor {cpu}: none of the {what} are the same");
        return false;
    };
    let (hidden, mut others) = (of_process_1(), other[at..].iter().peekable());
    let (mut count, mut left_out, mut apart) = (0, 0, 0);
    for event in &one {
        while others.next_if(|own| own.2 != event.2 && is_of(&hidden, own)).is_some() {
            left_out += 1;
        }
        let Some(own) = others.next().filter(|own| own.2 == event.2) else {
            println!("processor {cpu}, after {count} {what}: only eBPF has {event:?}");
            return false;
        };
        apart = apart.max(own.1.abs_diff(event.1));
        count += 1;
    }
    println!(
        "processor {cpu}: {count} {what}, at most {apart} ns apart; {left_out} were hidden from eBPF"
    );
    count > 0
}

/// Whether it happened while one of these threads ran.
fn is_of(threads: &BTreeSet<String>, event: &Event) -> bool {
    event.2.split(": ").next().is_some_and(|thread| threads.contains(thread))
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
