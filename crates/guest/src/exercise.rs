//! Timers of many threads in random histories: armed, cancelled, armed again, expired, and their owners' priorities
//! changed.
//!
//! **Model.** Each thread sleeps for a random time, again and again: on one of the kernel's clocks, or so that another may
//! end its sleep. One thread above all of them wakes a sleeper, changes the priority of one, and then computes for a
//! random time, in which the timers of the others wait. Every sleep that nothing ended notes whether it ended before its instant, and
//! how long after it its thread ran again.

use crate::policy;
use crate::spin::Spin;
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_nanosleep};
use nix::unistd::gettid;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread::{self, Thread};
use std::time::Duration;
use vorrang_guest::clock::now;
use vorrang_guest::{Exercise, Policy, Record};
use vorrang_random::Random;

/// The stream of the thread above the others; those of the others are their numbers.
const ABOVE: u64 = u64::MAX;

/// The lowest priority of those that sleep: above the kernel's `ktimers`.
const FIRST: u32 = 2;

/// One sleep in so many is on a clock, and nothing ends it.
const ON_A_CLOCK: u64 = 3;

const CLOCKS: [ClockId; 3] =
    [ClockId::CLOCK_MONOTONIC, ClockId::CLOCK_REALTIME, ClockId::CLOCK_BOOTTIME];

/// A thread that sleeps, as the one above it sees it.
struct Sleeper {
    handle: Mutex<Option<(i32, Thread)>>,
    /// Its sleep was ended.
    woken: AtomicBool,
}

/// What all share.
struct Shared {
    sleepers: Vec<Sleeper>,
    /// Timers armed, expired and cancelled, and priorities changed.
    steps: AtomicU64,
    over: AtomicBool,
    begun: Barrier,
}

/// What a thread did.
#[derive(Clone, Copy, Default)]
struct Seen {
    armed: u64,
    expired: u64,
    cancelled: u64,
    changed: u64,
    early: u64,
    latest: u64,
}

impl Seen {
    fn and(self, other: Self) -> Self {
        Self {
            armed: self.armed + other.armed,
            expired: self.expired + other.expired,
            cancelled: self.cancelled + other.cancelled,
            changed: self.changed + other.changed,
            early: self.early + other.early,
            latest: self.latest.max(other.latest),
        }
    }
}

/// Does the exercise.
///
/// # Errors
/// The kernel refuses something.
pub(crate) fn run(exercise: &Exercise) -> io::Result<Record> {
    let spin = Spin::measured();
    let sleeper = |_| Sleeper { handle: Mutex::default(), woken: AtomicBool::new(false) };
    let shared = Shared {
        sleepers: (0..exercise.threads).map(sleeper).collect(),
        steps: AtomicU64::new(0),
        over: AtomicBool::new(false),
        begun: Barrier::new(exercise.threads as usize + 1),
    };
    let shared = &shared;
    let seen = thread::scope(|scope| {
        let mut threads = Vec::new();
        for number in 0..exercise.threads {
            threads.push(scope.spawn(move || sleep(exercise, shared, number)));
        }
        threads.push(scope.spawn(move || above(exercise, shared, spin)));
        let ended = threads.into_iter().map(|thread| thread.join().expect("none panics"));
        ended.collect::<io::Result<Vec<Seen>>>()
    })?;
    let Seen { armed, expired, cancelled, changed, early, latest } =
        seen.into_iter().fold(Seen::default(), Seen::and);
    Ok(Record::Exercised { armed, expired, cancelled, changed, early, latest })
}

/// To the processor, with a priority; all wait for each other.
fn begin(exercise: &Exercise, shared: &Shared, priority: u32) -> io::Result<()> {
    let set =
        policy::set(0, Policy::Fifo(priority)).and_then(|()| policy::place(0, Some(exercise.cpu)));
    shared.begun.wait();
    set
}

fn sleep(exercise: &Exercise, shared: &Shared, number: u32) -> io::Result<Seen> {
    let own = &shared.sleepers[number as usize];
    *own.handle.lock().expect("none panics") = Some((gettid().as_raw(), thread::current()));
    begin(exercise, shared, FIRST + number)?;
    let mut random = Random::new(exercise.seed, u64::from(number));
    let mut seen = Seen::default();
    while !shared.over.load(Ordering::Relaxed) {
        let time = random.between(exercise.sleeps.0, exercise.sleeps.1);
        let due = now(ClockId::CLOCK_MONOTONIC) + time;
        if random.chance(1, ON_A_CLOCK) {
            on_clock(random.one_of(&CLOCKS), time);
        } else {
            thread::park_timeout(Duration::from_nanos(time));
        }
        let woke = now(ClockId::CLOCK_MONOTONIC);
        seen.armed += 1;
        if own.woken.swap(false, Ordering::Acquire) {
            seen.cancelled += 1;
            // If it came after the sleep, it is not to end the next one, which would be taken for early.
            thread::park_timeout(Duration::ZERO);
        } else {
            seen.expired += 1;
            seen.early += u64::from(woke < due);
            seen.latest = seen.latest.max(woke.saturating_sub(due));
        }
        shared.steps.fetch_add(2, Ordering::Relaxed);
    }
    Ok(seen)
}

/// Sleeps for a time on a clock.
fn on_clock(clock: ClockId, time: u64) {
    let until = Duration::from_nanos(now(clock) + time);
    // Nothing sends a signal; if it did, the sleep would be early, and be told.
    let _ended = clock_nanosleep(clock, ClockNanosleepFlags::TIMER_ABSTIME, &TimeSpec::from(until));
}

fn above(exercise: &Exercise, shared: &Shared, spin: Spin) -> io::Result<Seen> {
    begin(exercise, shared, exercise.above)?;
    let mut random = Random::new(exercise.seed, ABOVE);
    let mut seen = Seen::default();
    while shared.steps.load(Ordering::Relaxed) < exercise.steps {
        on_clock(ClockId::CLOCK_MONOTONIC, random.between(exercise.pauses.0, exercise.pauses.1));
        let mut one = || &shared.sleepers[random.index(shared.sleepers.len())];
        let (ended, changed) = (one(), one());
        let handle = |of: &Sleeper| of.handle.lock().expect("none panics").clone();
        if let Some((_, thread)) = handle(ended) {
            ended.woken.store(true, Ordering::Release);
            thread.unpark();
        }
        if let Some((thread, _)) = handle(changed) {
            let priority = FIRST
                + u32::try_from(random.below(u64::from(exercise.threads)))
                    .map_err(io::Error::other)?;
            policy::set(thread, Policy::Fifo(priority))?;
            seen.changed += 1;
            shared.steps.fetch_add(1, Ordering::Relaxed);
        }
        spin.run(random.between(0, exercise.computes));
    }
    shared.over.store(true, Ordering::Relaxed);
    Ok(seen)
}
