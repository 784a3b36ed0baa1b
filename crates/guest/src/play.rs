//! Scenes: threads that sleep beside one that computes, and what happens to them meanwhile.
//!
//! All instants count from a common one. All threads are where the scene says; the thread that controls
//! them is above all others. A thread that sleeps on another clock than `CLOCK_MONOTONIC` takes the
//! difference of the two before the common instant.
//!
//! In a scene with a lock the first sleeper owns it while it sleeps: a futex with inheritance, so that a
//! thread that waits for it lends its priority.

use crate::policy;
use crate::signal;
use crate::spin::Spin;
use nix::sys::pthread::{Pthread, pthread_self};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, ClockNanosleepFlags, clock_nanosleep, clock_settime};
use nix::unistd::gettid;
use rustix::thread::futex;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread::{self, Thread};
use std::time::Duration;
use vorrang_guest::clock::now;
use vorrang_guest::{Action, Clock, Meddling, Policy, Record, Scene, Sleeper};

/// From the creation of the threads to the common instant.
const LEAD: u64 = 20_000_000;
/// Of the thread that controls a scene.
const ABOVE_ALL: Policy = Policy::Fifo(98);

/// A thread that has begun.
#[derive(Clone)]
struct Member {
    number: i32,
    handle: Thread,
    /// What signals are sent to.
    receiver: Pthread,
}

/// What all threads of a scene share.
struct Stage {
    origin: u64,
    /// The threads that have begun, by their names.
    cast: Mutex<BTreeMap<String, Member>>,
    /// The processes that will be killed.
    killed: BTreeMap<String, i32>,
    lock: AtomicU32,
    begun: Barrier,
}

impl Stage {
    fn enter(&self, name: &str) {
        let cast = &mut self.cast.lock().expect("no panic");
        let (number, handle, receiver) = (gettid().as_raw(), thread::current(), pthread_self());
        cast.insert(name.to_owned(), Member { number, handle, receiver });
    }

    fn member(&self, name: &str) -> io::Result<Member> {
        let cast = self.cast.lock().expect("no panic");
        cast.get(name).cloned().ok_or_else(|| io::Error::other(format!("there is no {name}")))
    }

    /// How long after the common instant it is.
    fn since(&self) -> u64 {
        now(ClockId::CLOCK_MONOTONIC).saturating_sub(self.origin)
    }
}

/// Plays a scene to its end; what each thread saw, and what the actions did.
pub(crate) fn play(scene: &Scene) -> Vec<Record> {
    if let Err(why) = signal::handle() {
        return vec![refusal("handle a signal", &why)];
    }
    let killed = scene.meddling.iter().filter_map(|meddling| match &meddling.what {
        Action::Kill { process } => {
            Some(signal::process(process).map(|number| (process.clone(), number)))
        }
        _ => None,
    });
    let killed = match killed.collect::<io::Result<_>>() {
        Ok(killed) => killed,
        Err(why) => return vec![refusal("find a process", &why)],
    };
    let spin = Spin::measured();
    let threads = scene.sleepers.len() + usize::from(scene.urgent.is_some()) + 1;
    let stage = Arc::new(Stage {
        origin: now(ClockId::CLOCK_MONOTONIC) + LEAD,
        cast: Mutex::default(),
        killed,
        lock: AtomicU32::new(0),
        begun: Barrier::new(threads),
    });
    let mut playing = Vec::new();
    for (number, sleeper) in scene.sleepers.iter().enumerate() {
        let (stage, sleeper) = (Arc::clone(&stage), sleeper.clone());
        let owns = scene.has_lock && number == 0;
        playing.push(named(&sleeper.name.clone(), move || sleep(&stage, &sleeper, owns)));
    }
    if let Some(urgent) = scene.urgent {
        let stage = Arc::clone(&stage);
        playing.push(named("urgent", move || {
            begin(&stage, "urgent", Some(urgent.cpu), urgent.policy)?;
            until(&stage, ClockId::CLOCK_MONOTONIC, 0, 0);
            spin.run(urgent.time);
            Ok(Record::Slept { thread: "urgent".to_owned(), woke: stage.since(), in_time: true })
        }));
    }
    let meddling = Arc::clone(&stage);
    let (from, actions) = (scene.from, scene.meddling.clone());
    let mut seen = named("meddler", move || {
        begin(&meddling, "meddler", Some(from), ABOVE_ALL)?;
        Ok(actions.into_iter().flat_map(|action| meddle(&meddling, action)).collect::<Vec<_>>())
    })
    .join()
    .expect("no panic")
    .unwrap_or_else(|why| vec![refusal("meddle", &why)]);
    for thread in playing {
        let record = thread.join().expect("no panic");
        seen.push(record.unwrap_or_else(|why| refusal("play", &why)));
    }
    seen
}

fn named<T: Send + 'static>(
    name: &str,
    does: impl FnOnce() -> T + Send + 'static,
) -> thread::JoinHandle<T> {
    thread::Builder::new().name(name.to_owned()).spawn(does).expect("there is memory")
}

/// A thread comes to where it is to be; all wait for each other.
fn begin(stage: &Stage, name: &str, cpu: Option<usize>, policy: Policy) -> io::Result<()> {
    stage.enter(name);
    let placed = if policy.is_reserved() {
        policy::place(0, cpu).and_then(|()| policy::set(0, policy))
    } else {
        policy::set(0, policy).and_then(|()| policy::place(0, cpu))
    };
    stage.begun.wait();
    placed
}

/// Sleeps until an instant of a clock that is so far ahead of the one that counts; whether it was not woken before.
fn until(stage: &Stage, clock: ClockId, ahead: i64, after: u64) -> bool {
    let at = (stage.origin + after).saturating_add_signed(ahead);
    let seconds = i64::try_from(at / 1_000_000_000).expect("before the end of time");
    let rest = i64::try_from(at % 1_000_000_000).expect("less than a second");
    let at = TimeSpec::new(seconds, rest);
    clock_nanosleep(clock, ClockNanosleepFlags::TIMER_ABSTIME, &at).is_ok()
}

fn sleep(stage: &Stage, sleeper: &Sleeper, owns: bool) -> io::Result<Record> {
    begin(stage, &sleeper.name, sleeper.cpu, sleeper.policy)?;
    if sleeper.roams {
        policy::place_anywhere()?;
    }
    if owns {
        take(&stage.lock)?;
    }
    let in_time = if sleeper.parks {
        let at = sleeper.until;
        thread::park_timeout(Duration::from_nanos(
            at + stage.origin - now(ClockId::CLOCK_MONOTONIC),
        ));
        stage.since() >= at
    } else {
        let clock = of_kernel(sleeper.clock);
        let ahead = i64::try_from(now(clock)).expect("in range")
            - i64::try_from(now(ClockId::CLOCK_MONOTONIC)).expect("in range");
        until(stage, clock, ahead, sleeper.until)
    };
    let woke = stage.since();
    if sleeper.wants {
        take(&stage.lock)?;
    }
    if owns || sleeper.wants {
        give(&stage.lock)?;
    }
    Ok(Record::Slept { thread: sleeper.name.clone(), woke, in_time })
}

fn of_kernel(clock: Clock) -> ClockId {
    match clock {
        Clock::Monotonic => ClockId::CLOCK_MONOTONIC,
        Clock::Realtime => ClockId::CLOCK_REALTIME,
        Clock::Boottime => ClockId::CLOCK_BOOTTIME,
        Clock::Tai => ClockId::CLOCK_TAI,
    }
}

/// Takes a lock with inheritance.
fn take(lock: &AtomicU32) -> io::Result<()> {
    let own = gettid().as_raw().unsigned_abs();
    match lock.compare_exchange(0, own, Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => Ok(()),
        Err(_) => Ok(futex::lock_pi(lock, futex::Flags::PRIVATE, None)?),
    }
}

fn give(lock: &AtomicU32) -> io::Result<()> {
    let own = gettid().as_raw().unsigned_abs();
    match lock.compare_exchange(own, 0, Ordering::Release, Ordering::Relaxed) {
        Ok(_) => Ok(()),
        Err(_) => Ok(futex::unlock_pi(lock, futex::Flags::PRIVATE)?),
    }
}

fn refusal(what: &str, why: &io::Error) -> Record {
    let errno = why.raw_os_error().unwrap_or(0);
    Record::Refused { what: what.to_owned(), errno, why: why.to_string() }
}

/// Does an action at its instant.
fn meddle(stage: &Stage, meddling: Meddling) -> Vec<Record> {
    until(stage, ClockId::CLOCK_MONOTONIC, 0, meddling.after);
    let what = format!("{:?}", meddling.what);
    let done = match meddling.what {
        Action::SetPolicy { thread, policy } => {
            stage.member(&thread).and_then(|member| policy::set(member.number, policy))
        }
        Action::Place { thread, cpu } => {
            stage.member(&thread).and_then(|member| policy::place(member.number, Some(cpu)))
        }
        Action::Unpark { thread } => stage.member(&thread).map(|member| member.handle.unpark()),
        Action::Signal { thread } => {
            stage.member(&thread).and_then(|member| signal::send(member.receiver))
        }
        Action::Kill { process } => signal::kill(stage.killed[&process]),
        Action::StepClock { by } => {
            let to = now(ClockId::CLOCK_REALTIME).saturating_add_signed(by);
            clock_settime(ClockId::CLOCK_REALTIME, TimeSpec::from(Duration::from_nanos(to)))
                .map_err(io::Error::from)
        }
        Action::Write { path, text } => fs::write(path, text),
        Action::Read { path } => {
            return match fs::read_to_string(&path) {
                Ok(text) => vec![Record::Text { path, text }],
                Err(why) => vec![refusal(&what, &why)],
            };
        }
    };
    done.err().map(|why| refusal(&what, &why)).into_iter().collect()
}
