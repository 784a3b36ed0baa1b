//! One thread: its jobs, while the trace comes.
//!
//! ```text
//!   expires  woken                       sleeps         woken
//!      │       │  ██████     ███  █████   │              │
//!      └window─┘ wait  preempted          └── asleep ────┘ a job ends here, or it suspends itself
//! ```
//!
//! **Model.** A job is released in a window: from the instant for which the thread asked to be woken, or from the beginning
//! of the interrupt that wakes it, to its wake-up. Whether a sleep is between two jobs is known when it ends
//! ([`Separation`]). What a job executes and for how long it suspends itself are counted apart.
//!
//! **Assumption.** An instant for which a thread asks is on the clock of the trace (`trace_clock` is `mono`); one that is
//! not within a second before the wake-up is not used.

use crate::distances::{Distances, Window};
use crate::periodic::Periodic;
use crate::separation::Separation;
use crate::tally::Tally;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_observe::schedule::Left;

/// What wakes a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A timer.
    Timer,
    /// An interrupt of a device.
    Interrupt(u32),
    /// Another interrupt.
    Other,
    /// What ran on the processor.
    Thread,
}

/// Longer before a wake-up than any timer is late.
const SECOND: u64 = 1_000_000_000;
/// Processors and priorities of a thread that are kept.
const KEPT: usize = 1024;

/// When things were released.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrivals {
    /// Least distances.
    pub distances: Distances,
    /// Periodic models of all of them.
    pub periodic: Periodic,
}

impl Arrivals {
    /// One more.
    pub fn add(&mut self, window: Window) {
        self.distances.add(window);
        self.periodic.add(window);
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Unknown,
    Asleep,
    Ready,
    Running,
}

/// A job that is not over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Job {
    executed: u64,
    pieces: u64,
    suspended: u64,
}

/// How it came to sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slept {
    at: u64,
    kind: Option<Separation>,
    is_held: bool,
}

/// What is known of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Its last name.
    pub name: Vec<u8>,
    /// The priorities that it had, as the kernel counts.
    pub priorities: BTreeSet<i32>,
    /// The processors on which it ran.
    pub cpus: BTreeSet<usize>,
    /// What separates its jobs.
    pub separation: Separation,
    /// When its jobs were released.
    pub arrivals: Arrivals,
    /// Execution times of jobs.
    pub executed: Tally,
    /// Execution times with the time for which a job suspended itself.
    pub occupied: Tally,
    /// For how long jobs suspended themselves, those that did.
    pub suspended: Tally,
    /// For how long something less urgent went on after a wake-up.
    pub blocked: Tally,
    /// What woke it how often.
    pub causes: BTreeMap<Cause, u64>,
    /// How it came to sleep, how often.
    pub sleeps: BTreeMap<Separation, u64>,
    state: State,
    since: u64,
    job: Option<Job>,
    call: Option<Separation>,
    slept: Option<Slept>,
    alarm: Option<u64>,
    waking: Option<(u64, u64, Cause)>,
    /// Since when it waits for a processor, and for how long something less urgent had it meanwhile.
    pub(crate) waits: Option<(u64, u64)>,
}

impl Thread {
    pub(crate) fn calls(&mut self, call: &[u8]) {
        self.call = Separation::of_call(call);
    }

    pub(crate) fn returns(&mut self) {
        self.call = None;
    }

    pub(crate) fn asks_for(&mut self, at: u64) {
        self.alarm = Some(at);
    }

    /// Something begins to wake it, on behalf of what began at an instant.
    pub(crate) fn waking(&mut self, at: u64, from: u64, cause: Cause) {
        if matches!(self.state, State::Ready | State::Running) {
            self.waking = Some((at, from, cause));
        } else {
            self.wakes(at, from, cause);
        }
    }

    /// It is ready; a wake-up may have begun while it was on its way to sleep.
    pub(crate) fn woken(&mut self, at: u64) {
        if matches!(self.state, State::Unknown | State::Asleep) {
            let (at, from, cause) = self.waking.unwrap_or((at, at, Cause::Thread));
            self.wakes(at, from, cause);
        }
        self.waking = None;
    }

    fn wakes(&mut self, at: u64, from: u64, cause: Cause) {
        *self.causes.entry(cause).or_default() += 1;
        let alarm = self.alarm.take().filter(|alarm| *alarm <= at && at - alarm < SECOND);
        let from = if cause == Cause::Timer { alarm.unwrap_or(from) } else { from };
        let slept = self.slept.take();
        if self.separates(slept, cause) {
            self.completes();
            self.begins(Window { from: from.min(at), to: at });
        } else if let (Some(job), Some(slept)) = (&mut self.job, slept) {
            job.suspended += at.saturating_sub(slept.at);
        }
        self.state = State::Ready;
        self.waits = Some((at, 0));
    }

    fn begins(&mut self, window: Window) {
        self.arrivals.add(window);
        self.job = Some(Job::default());
    }

    /// Whether a sleep was between two jobs; what was before the trace began may have been any.
    fn separates(&self, slept: Option<Slept>, cause: Cause) -> bool {
        let Some(slept) = slept else { return self.separation == Separation::Sleep };
        match (self.separation, slept.kind) {
            _ if slept.is_held => false,
            (Separation::Sleep, _) => true,
            (wanted, Some(kind)) => wanted == kind,
            (Separation::Timer, None) => cause == Cause::Timer,
            (_, None) => false,
        }
    }

    fn completes(&mut self) {
        if let Some(job) = self.job.take() {
            self.executed.add(job.executed);
            self.occupied.add(job.executed + job.suspended);
            if job.suspended > 0 {
                self.suspended.add(job.suspended);
            }
        }
    }

    pub(crate) fn comes(&mut self, at: u64, cpu: usize, priority: i32) {
        // It yielded: when it was to go on is not said.
        if self.state == State::Asleep
            && let Some(slept) = self.slept.take()
            && self.separates(Some(slept), Cause::Thread)
        {
            self.completes();
            self.begins(Window { from: slept.at, to: at });
        }
        if let Some((_, blocked)) = self.waits.take() {
            self.blocked.add(blocked);
        }
        // Hardly anything comes to another processor, or with another priority.
        let is_new = self.cpus.last() != Some(&cpu) || self.priorities.last() != Some(&priority);
        if is_new && self.cpus.len() < KEPT && self.priorities.len() < KEPT {
            self.cpus.insert(cpu);
            self.priorities.insert(priority);
        }
        (self.state, self.since) = (State::Running, at);
    }

    /// An interrupt takes its processor, or it leaves it; the error of that counts, too.
    pub(crate) fn pauses(&mut self, at: u64, error: u64) {
        if let Some(job) = &mut self.job {
            job.executed += at.saturating_sub(self.since) + error;
            job.pieces += 1;
        }
        self.since = at;
    }

    pub(crate) fn resumes(&mut self, at: u64) {
        self.since = at;
    }

    pub(crate) fn goes(&mut self, at: u64, left: Left, priority: i32) {
        self.alarm = self.alarm.filter(|_| left != Left::Ready);
        let yields = self.call == Some(Separation::Yield)
            && (self.separation == Separation::Yield
                || (self.separation == Separation::Sleep && priority < 0));
        self.state = match left {
            Left::Ready if yields => {
                *self.sleeps.entry(Separation::Yield).or_default() += 1;
                self.slept = Some(Slept { at, kind: self.call, is_held: false });
                self.call = None;
                State::Asleep
            }
            Left::Ready => State::Ready,
            Left::Held | Left::Asleep => {
                let is_held = left == Left::Held;
                if let Some(kind) = self.call.filter(|_| !is_held) {
                    *self.sleeps.entry(kind).or_default() += 1;
                }
                self.slept = Some(Slept { at, kind: self.call, is_held });
                State::Asleep
            }
        };
    }

    /// The trace is over: where any sleep separates, one that sleeps has completed its job.
    pub(crate) fn ends(&mut self) {
        let is_over = self.slept.is_some_and(|slept| !slept.is_held);
        if self.separation == Separation::Sleep && is_over {
            self.completes();
        }
    }
}
