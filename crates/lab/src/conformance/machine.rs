//! The overheads of a kernel during a case, and the interrupts.
//!
//! **Model.** Ticks come every 4 ms, to each case. A [`Source`] adds interrupts at a rate: of a timer that
//! wakes no thread, or of threads that sleep until their times. Each costs its [`Costs`], which are those of
//! the profile of the kernel ([`shipped`](super::shipped)) and stated in the description of every case.
//!
//! **Assumptions.** An interrupt of a kind costs the same whatever it interrupts, a switch the same for every
//! next thread.
//!
//! **Not covered.** Timers of a case's own threads and of their runtimes, which the
//! [tolerance](Costs::tolerance) covers.

use serde::Deserialize;
use std::fmt::Write as _;
use vorrang_guest::{AFTER_TICK, Policy, ScriptedJob, ScriptedThread, Step, TICK, Work};

/// The costs of a kernel, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// A tick.
    pub tick: u64,
    /// An interrupt of a timer that wakes no thread.
    pub timer: u64,
    /// One that wakes a thread that is less urgent than the running one.
    pub wake: u64,
    /// A switch to another thread.
    pub switch: u64,
    /// A job that only reads the clock and sleeps again.
    pub job: u64,
    /// The time of the kernel's thread for a timer of a thread of `SCHED_OTHER`.
    pub soft: u64,
}

/// More timers than any case has: wake-ups, beginnings and ends of runtimes.
pub(super) const OWN_TIMERS: u64 = 40;

impl Costs {
    /// Of an ideal machine.
    pub const NONE: Self = Self { tick: 0, timer: 0, wake: 0, switch: 0, job: 0, soft: 0 };

    /// How far instants of the kernel may lie from those of the simulator: the timers of a case that its
    /// description does not state, each an interrupt that wakes a thread.
    pub fn tolerance(&self) -> u64 {
        OWN_TIMERS * self.wake
    }

    /// The overhead of a job besides its switches: the interrupt that wakes its thread, and the time to read
    /// the clock and sleep again.
    pub fn of_job(&self) -> u64 {
        self.wake + self.job
    }
}

/// A measured cost: kernels do more in some interrupts than in others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// On average.
    pub average: Costs,
    /// In the worst of several stretches.
    pub longest: Costs,
}

impl Measured {
    /// Of an ideal machine.
    pub const NOTHING: Self = Self { average: Costs::NONE, longest: Costs::NONE };
}

/// The reader of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// The simulator: every thread is one task, and costs are averages.
    Simulation,
    /// The analysis, without averages: threads that are alike are one task.
    Bounds,
}

/// The source of interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A timer of the kernel that restarts itself and wakes no thread.
    Timer,
    /// Threads of `SCHED_FIFO` that sleep until their next times: each wakes itself by an interrupt.
    Threads,
    /// Threads of `SCHED_OTHER`: their timers are left to a thread of the kernel.
    Soft,
}

/// Interrupts at a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The source.
    pub kind: Kind,
    /// Thousands a second.
    pub khz: u64,
}

/// Between two jobs of a thread of [`Kind::Threads`].
const PERIOD: u64 = 10_000_000;
/// The priority of these threads, and of the kernel's thread where timers are left to it.
const THREADS: u32 = 20;
const SOFT: u32 = 30;
/// Of the kernel's thread, by default.
const KTIMERS: u32 = 1;

impl Source {
    /// From one interrupt to the next.
    pub fn every(self) -> u64 {
        1_000_000 / self.khz
    }

    /// Part of a name.
    pub fn name(self) -> String {
        let kind = match self.kind {
            Kind::Timer => "timer",
            Kind::Threads => "threads",
            Kind::Soft => "ktimers",
        };
        format!("{kind}-{}-khz", self.khz)
    }

    /// The threads that sleep until `end`, called with a prefix.
    pub fn threads(self, prefix: &str, cpu: Option<usize>, end: u64) -> Vec<ScriptedThread> {
        let (policy, period) = match self.kind {
            Kind::Timer => return Vec::new(),
            Kind::Threads => (Policy::Fifo(THREADS), PERIOD),
            // They do not run until the case is over.
            Kind::Soft => (Policy::Other, end),
        };
        let job = |release| ScriptedJob { release, work: Work::Compute(0) };
        let thread = |(number, first): (usize, u64)| ScriptedThread {
            name: format!("{prefix}i{number}"),
            cpu,
            policy,
            after: Vec::new(),
            jobs: (first..end).step_by(step(period)).map(job).collect(),
        };
        self.firsts(period).enumerate().map(thread).collect()
    }

    /// The first interrupts, one for each thread.
    fn firsts(self, period: u64) -> impl Iterator<Item = u64> {
        (self.every() / 2..period).step_by(step(self.every()))
    }

    /// The steps before a case.
    pub fn begin(self, cpu: usize) -> Option<Step> {
        match self.kind {
            Kind::Timer => Some(Step::StartInterrupts { cpu, every: self.every() }),
            Kind::Threads => None,
            Kind::Soft => Some(ktimers(cpu, SOFT)),
        }
    }

    /// The steps after it.
    pub fn end(self, cpu: usize) -> Option<Step> {
        match self.kind {
            Kind::Timer => Some(Step::EndInterrupts),
            Kind::Threads => None,
            Kind::Soft => Some(ktimers(cpu, KTIMERS)),
        }
    }

    /// Its interrupts.
    fn interrupts(self, costs: &Costs, whom: For) -> Vec<Interrupt> {
        let Costs { timer, wake, job, soft, .. } = *costs;
        let all = |isr, wakes| {
            let every = self.every();
            vec![Interrupt { isr, every, first: every / 2, wakes }]
        };
        match (self.kind, whom) {
            (Kind::Timer, _) => all(timer, None),
            (Kind::Soft, _) => all(wake, Some((SOFT, soft))),
            (Kind::Threads, For::Bounds) => all(wake, Some((THREADS, job))),
            (Kind::Threads, For::Simulation) => {
                let wakes = Some((THREADS, job));
                let one = |first| Interrupt { isr: wake, every: PERIOD, first, wakes };
                self.firsts(PERIOD).map(one).collect()
            }
        }
    }
}

fn step(time: u64) -> usize {
    usize::try_from(time).expect("a time of a script")
}

fn ktimers(cpu: usize, priority: u32) -> Step {
    Step::SetPolicy { thread: format!("ktimers/{cpu}"), policy: Policy::Fifo(priority) }
}

/// An interrupt of a description.
#[derive(Clone, Copy, Debug)]
struct Interrupt {
    isr: u64,
    every: u64,
    first: u64,
    /// The priority of the thread that it wakes, and its time.
    wakes: Option<(u32, u64)>,
}

/// The costs of switches, and of timer interrupts where a description states some, as a table of it.
pub fn stated(costs: &Costs, has_timers: bool) -> String {
    let Costs { switch, wake, .. } = *costs;
    match (switch, has_timers) {
        (0, _) => String::new(),
        (_, false) => format!("[costs]\ncontext-switch = \"{switch}ns\"\n"),
        (_, true) => {
            format!("[costs]\ncontext-switch = \"{switch}ns\"\ntimer-expiry = \"{wake}ns\"\n")
        }
    }
}

/// The costs of a kernel, as tables of a description, and the first arrivals of its interrupts in their
/// order.
pub fn described(source: Option<Source>, costs: &Costs, whom: For) -> (String, Vec<u64>) {
    let tick = Interrupt { isr: costs.tick, every: TICK, first: TICK - AFTER_TICK, wakes: None };
    let sources = source.map_or_else(Vec::new, |source| source.interrupts(costs, whom));
    let (mut text, mut firsts) = (String::new(), Vec::new());
    for (number, one) in [tick].into_iter().chain(sources).enumerate() {
        let Interrupt { isr, every, first, wakes } = one;
        if isr == 0 {
            continue;
        }
        firsts.push(first);
        let _ = write!(
            text,
            "\n[interrupt.i{number}]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{every}ns\"\n"
        );
        if let Some((priority, takes)) = wakes {
            let _ = write!(
                text,
                "wakes = \"task.i{number}\"\n\n[task.i{number}]\non = \"core.0\"\npriority = {priority}\n\
                 wcet = \"{takes}ns\"\ndeadline = \"none\"\n"
            );
        }
    }
    (text, firsts)
}
