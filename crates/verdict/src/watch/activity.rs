//! The use of a core's time, and the number of its switches.

use vorrang_model::System;
use vorrang_model::system::{InterruptId, TimerId};
use vorrang_sim::{Context, Observer, Running, Section};
use vorrang_time::{Duration, Instant};

/// A use of the core's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doing {
    /// Jobs of tasks, and less urgent work that blocks them.
    Tasks,
    /// Service routines of the core.
    Routines,
    /// Routines of guests.
    GuestRoutines,
    /// Calls of the scheduler.
    SchedulerCalls,
    /// Context switches.
    Switches,
    /// Timer interrupts and callbacks.
    Timers,
    /// Non-preemptible sections of the kernel.
    Sections,
    /// Servers that consume their budget without work.
    Idling,
    /// It has nothing to do.
    Idle,
}

impl Doing {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Tasks,
        Self::Routines,
        Self::GuestRoutines,
        Self::SchedulerCalls,
        Self::Switches,
        Self::Timers,
        Self::Sections,
        Self::Idling,
        Self::Idle,
    ];

    /// As it is called in tables.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::Routines => "service routines",
            Self::GuestRoutines => "guests' routines",
            Self::SchedulerCalls => "scheduler calls",
            Self::Switches => "context switches",
            Self::Timers => "timer interrupts",
            Self::Sections => "non-preemptible sections",
            Self::Idling => "budget idled away",
            Self::Idle => "nothing",
        }
    }
}

/// The time of a core, and what happened on it.
pub struct Activity {
    /// By [`Doing`]: total time and number of intervals.
    doing: [(Duration, u64); 9],
    /// The end of the last stretch.
    until: Instant,
    /// How often the scheduler was called.
    pub calls: u64,
    /// How often another context than before got the core.
    pub switches: u64,
    /// By interrupt.
    pub requests: Vec<Requests>,
    /// By timer.
    pub timers: Vec<Lateness>,
}

/// What happened to the requests of an interrupt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Requests that were held back by the pseudo-VCPU.
    pub masked: u64,
    /// How often requests were let through again.
    pub unmasked: u64,
    /// Requests that merged with one that waited.
    pub merged: u64,
}

/// How long after their expiry callbacks of a timer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// How many did.
    pub count: u64,
    /// The longest time.
    pub longest: Duration,
    sum_ns: u128,
}

impl Lateness {
    /// The mean, rounded down.
    pub fn mean(&self) -> Option<Duration> {
        let mean = self.sum_ns.checked_div(u128::from(self.count))?;
        Some(Duration::from_ns(u64::try_from(mean).expect("at most the longest")))
    }
}

impl Activity {
    /// Nothing seen yet.
    pub fn of_core(system: &System) -> Self {
        Self {
            doing: Default::default(),
            until: Instant::ZERO,
            calls: 0,
            switches: 0,
            requests: vec![Requests::default(); system.interrupts.len()],
            timers: vec![Lateness::default(); system.timers.len()],
        }
    }

    /// The end of the run.
    pub fn time(&self) -> Duration {
        self.until.saturating_since(Instant::ZERO)
    }

    /// How long the core did this.
    pub fn spent(&self, doing: Doing) -> Duration {
        self.doing[doing as usize].0
    }

    /// In how many stretches.
    pub fn stretches(&self, doing: Doing) -> u64 {
        self.doing[doing as usize].1
    }
}

impl Observer for Activity {
    #[inline]
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let doing = match what {
            Running::Task(_) | Running::Blocking(_) => Doing::Tasks,
            Running::Interrupt(_) => Doing::Routines,
            Running::GuestRoutine(_) => Doing::GuestRoutines,
            Running::Kernel(Section::SchedulerCall) => Doing::SchedulerCalls,
            Running::Kernel(Section::ContextSwitch) => Doing::Switches,
            Running::Kernel(Section::Timers) => Doing::Timers,
            Running::Kernel(Section::NonPreemptible) => Doing::Sections,
            Running::Idling(_) => Doing::Idling,
            Running::Idle => Doing::Idle,
        };
        let (time, stretches) = &mut self.doing[doing as usize];
        *time += to - from;
        *stretches += 1;
        self.until = to;
    }

    #[inline]
    fn called(&mut self, _at: Instant) {
        self.calls += 1;
    }

    #[inline]
    fn switched(&mut self, _from: Option<Context>, _to: Context, _at: Instant) {
        self.switches += 1;
    }

    fn masked(&mut self, interrupt: InterruptId, _at: Instant) {
        self.requests[interrupt.0].masked += 1;
    }

    fn unmasked(&mut self, interrupt: InterruptId, _at: Instant) {
        self.requests[interrupt.0].unmasked += 1;
    }

    fn merged(&mut self, interrupt: InterruptId, _at: Instant) {
        self.requests[interrupt.0].merged += 1;
    }

    fn expired(&mut self, timer: TimerId, due: Instant, at: Instant) {
        let lateness = &mut self.timers[timer.0];
        lateness.count += 1;
        lateness.longest = lateness.longest.max(at - due);
        lateness.sum_ns += u128::from((at - due).as_ns());
    }
}
