//! The tasks whose timers expire.
//!
//! Each timer has a phase, drawn by chance, and the period of all. A time that was missed, because
//! the processor was given to others, is not caught up: the timer goes on with its next time.

use super::{Load, Way};
use crate::machine::clock::{exact_timers, now_ns, sleep_until, timespec};
use crate::machine::policy::{behind_all_others, compute};
use crate::machine::{Unable, files};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use rustix::fd::OwnedFd;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};
use std::sync::{PoisonError, RwLock};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Stacks of the tasks: they call nothing deep, and there are a thousand of them.
const STACK_BYTES: usize = 64 << 10;

/// When timers expire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// From here on; all is ready then.
    pub(super) from_ns: u64,
    /// Until here.
    pub(super) until_ns: u64,
    /// Each of them again after so long.
    pub(super) period_ns: u64,
    /// Whether the tasks need a background policy.
    pub(super) behind_all: bool,
}

/// Seed and range of the phases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phases {
    pub(super) seed: u64,
    pub(super) period_ns: u64,
}

impl Times {
    /// The next time of a timer that was set for this one, and has been handled now.
    fn after(&self, expiry_ns: u64, now_ns: u64) -> u64 {
        let behind = now_ns.saturating_sub(expiry_ns) / self.period_ns;
        expiry_ns + (behind + 1) * self.period_ns
    }
}

/// The task that returns when its timers were set to expire.
pub(super) type Sleeper<'scope> = ScopedJoinHandle<'scope, Vec<u64>>;

/// Holds the tasks back until all of them are there; those that are let go without times end.
pub(super) type Gate = RwLock<Option<Times>>;

/// Files for the timers of a load, where it needs some.
pub(super) fn files(load: Load) -> Result<Vec<OwnedFd>, Unable> {
    if load.way != Way::Timerfds {
        return Ok(Vec::new());
    }
    let create = |_| timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC);
    let files: Result<Vec<OwnedFd>, _> = (0..load.timers).map(create).collect();
    files.map_err(|why| Unable(format!("{} timerfds are refused: {why}", load.timers)))
}

/// Starts the tasks, which wait at the gate; on a failure the started ones keep waiting there.
pub(super) fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    load: Load,
    files: Vec<OwnedFd>,
    gate: &'scope Gate,
    plan: Phases,
) -> Result<Vec<Sleeper<'scope>>, Unable> {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    let phases = (0..load.timers).map(|_| random.next_u64() % plan.period_ns);
    let mut phases: Vec<u64> = phases.collect();
    let spawn = |task: Box<dyn FnOnce(Times) -> Vec<u64> + Send>| {
        let started = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || {
            exact_timers();
            let opened = *gate.read().unwrap_or_else(PoisonError::into_inner);
            let Some(times) = opened else { return Vec::new() };
            if times.behind_all {
                behind_all_others();
            }
            task(times)
        });
        started.map_err(|why| Unable(format!("{} tasks are refused: {why}", load.timers)))
    };
    match load.way {
        _ if load.timers == 0 => Ok(Vec::new()),
        Way::Tasks => phases
            .into_iter()
            .map(|phase| spawn(Box::new(move |times| asleep(phase, times))))
            .collect(),
        Way::Timerfds => {
            phases.sort_unstable();
            let armed = files.into_iter().zip(phases).collect();
            Ok(vec![spawn(Box::new(move |times| with_files(armed, times)))?])
        }
    }
}

/// Runs when no other thread is ready, so that the processor never sleeps: jobs find it awake, and equally
/// fast, beside every load.
pub(super) fn keep_awake(times: Times) {
    behind_all_others();
    while now_ns() < times.until_ns {
        compute();
    }
}

/// A task with one timer.
fn asleep(phase_ns: u64, times: Times) -> Vec<u64> {
    let mut expiries = Vec::with_capacity(expected(times));
    let mut next = times.from_ns + phase_ns;
    while next < times.until_ns {
        sleep_until(next);
        expiries.push(next);
        next = times.after(next, now_ns());
    }
    expiries
}

/// A task with many, and the phase of each; they expire in this order, again and again.
fn with_files(mut armed: Vec<(OwnedFd, u64)>, times: Times) -> Vec<u64> {
    let mut expiries = Vec::with_capacity(expected(times) * armed.len());
    for (file, next) in &mut armed {
        *next += times.from_ns;
        arm(file, *next);
    }
    while !armed.is_empty() {
        armed.retain_mut(|(file, next)| {
            let mut count = [0; 8];
            let read = rustix::io::read(&*file, &mut count);
            debug_assert!(read.is_ok(), "a timer that was set expires");
            expiries.push(*next);
            *next = times.after(*next, now_ns());
            arm(file, *next);
            *next < times.until_ns
        });
    }
    expiries
}

/// Sets a timer for one time.
fn arm(file: &OwnedFd, ns: u64) {
    let never = Timespec { tv_sec: 0, tv_nsec: 0 };
    let once = Itimerspec { it_interval: never, it_value: timespec(ns) };
    let armed = timerfd_settime(file, TimerfdTimerFlags::ABSTIME, &once);
    debug_assert!(armed.is_ok(), "a time on the clock of the file");
}

/// How often a timer expires, and once more.
fn expected(times: Times) -> usize {
    let often = (times.until_ns - times.from_ns) / times.period_ns + 1;
    usize::try_from(often).unwrap_or(0)
}

/// As many files as the load needs may be open while this lives.
pub(super) fn room(load: Load) -> Result<Option<files::Room>, Unable> {
    match load.way {
        Way::Timerfds => files::Room::for_more(load.timers).map(Some),
        Way::Tasks => Ok(None),
    }
}
