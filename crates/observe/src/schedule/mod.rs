//! The schedule of all processors, from the text of a kernel's trace.
//!
//! **Model.** A processor runs one thread at a time; `sched_switch` says when it takes which next.
//! Service routines interrupt the thread that runs and are kept beside it, not taken from its time.
//! Instants are nanoseconds; the kernel prints microseconds, so each may be wrong by one
//! ([`Schedule::resolution`]).
//!
//! **Assumptions.** 1. Events of a processor stand in the order of time. 2. Nothing was lost: a
//! trace that says that it lost events is refused. One whose buffer was overwritten begins where the
//! last processor's begins ([`Schedule::is_cut`]).

mod btf;
pub mod events;
mod kind;
mod line;
mod reader;
pub mod seen;
mod stamp;

pub use reader::{MOST_EVENTS, Malformed, Reader};

use std::collections::BTreeMap;

/// A stretch of time in which a processor ran a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The processor.
    pub cpu: usize,
    /// Number of the thread, 0 for the idle one.
    pub thread: u32,
    /// Its name.
    pub name: String,
    /// When it was given the processor.
    pub begin: u64,
    /// When that was given to another.
    pub end: u64,
    /// Whether it was still ready.
    pub preempted: bool,
}

/// A thread became ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wakeup {
    /// The instant.
    pub at: u64,
    /// Number of the thread.
    pub thread: u32,
    /// Its name.
    pub name: String,
    /// The processor on which it will run.
    pub cpu: usize,
}

/// A service routine: of a device, of the processor itself, or a soft interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// The processor.
    pub cpu: usize,
    /// Number of the interrupt.
    pub interrupt: u32,
    /// Its name.
    pub name: String,
    /// When it began.
    pub begin: u64,
    /// When it was complete.
    pub end: u64,
}

/// A stretch of time in which a processor ran a guest of KVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guest {
    /// The processor.
    pub cpu: usize,
    /// The thread that runs the guest's virtual processor.
    pub thread: u32,
    /// When it was entered.
    pub begin: u64,
    /// When it was left.
    pub end: u64,
}

/// The state of a thread that leaves its processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    /// It is still ready: preempted, or its budget is used up (`R`).
    Ready,
    /// It waits for something to do (`S`, `I`), or has ended (`X`, `Z`).
    Asleep,
    /// It waits in the middle of something: for a lock or a disk (`D`), or stopped (`T`, `t`).
    Held,
}

/// Something that happens to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Something begins to wake it (`sched_waking`).
    Waking,
    /// It is ready (`sched_wakeup`, `sched_wakeup_new`).
    Woken,
    /// It has a job more, which begins when the one before is complete. Threads of Linux have none.
    Queued,
    /// It is given a processor.
    Comes,
    /// It leaves it.
    Goes(Left),
}

/// The same with its place and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The instant.
    pub at: u64,
    /// Where; of a wake-up: where it will run.
    pub cpu: usize,
    /// To which thread.
    pub thread: u32,
    /// What happened.
    pub what: What,
}

/// A thread was lent the priority of one that waits for it (`sched_pi_setprio`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// The instant.
    pub at: u64,
    /// Number of the thread.
    pub thread: u32,
    /// What it was lent, as the kernel counts.
    pub priority: i32,
}

/// Everything that was seen, each in the order of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Stretches of threads, the idle ones included; those that the trace has whole.
    pub runs: Vec<Run>,
    /// Stretches that did not end before the trace did; their end is that of the trace.
    pub unfinished: Vec<Run>,
    /// All wake-ups, in order.
    pub wakeups: Vec<Wakeup>,
    /// Service routines of devices.
    pub routines: Vec<Routine>,
    /// Those of the processors themselves: timers, calls from other processors.
    pub vectors: Vec<Routine>,
    /// Soft interrupts.
    pub soft: Vec<Routine>,
    /// Routines of any kind that did not end before the trace did; their end is that of the trace.
    pub unfinished_routines: Vec<Routine>,
    /// Stretches of guests.
    pub guests: Vec<Guest>,
    /// What happened to threads; at one instant in the order of the text.
    pub events: Vec<Event>,
    /// The last name of each thread that was named.
    pub names: BTreeMap<u32, String>,
    /// The last priority of each thread that had a processor, as the kernel counts: the less, the more
    /// urgent; −1 for a reservation.
    pub priorities: BTreeMap<u32, i32>,
    /// When each thread first had each of its priorities, counted like this.
    pub had: BTreeMap<(u32, i32), u64>,
    /// Priorities that threads got from those that waited for them.
    pub inherited: Vec<Inherited>,
    /// Lines that tracers printed besides, which say nothing about scheduling.
    pub skipped: u64,
    /// When the trace begins.
    pub begin: u64,
    /// When it ends.
    pub end: u64,
    /// The error of an instant.
    pub resolution: u64,
    /// Whether a wake-up is told when the job arrives, not when a kernel has seen to it.
    pub tells_activations: bool,
    /// Whether older events were overwritten, and the trace begins later than it was begun.
    pub is_cut: bool,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            runs: Vec::new(),
            unfinished: Vec::new(),
            wakeups: Vec::new(),
            routines: Vec::new(),
            vectors: Vec::new(),
            soft: Vec::new(),
            unfinished_routines: Vec::new(),
            guests: Vec::new(),
            events: Vec::new(),
            names: BTreeMap::new(),
            priorities: BTreeMap::new(),
            had: BTreeMap::new(),
            inherited: Vec::new(),
            skipped: 0,
            begin: 0,
            end: 0,
            resolution: 1_000,
            tells_activations: false,
            is_cut: false,
        }
    }
}

impl Schedule {
    /// The stretches of the threads with a name.
    pub fn runs_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Run> {
        self.runs.iter().filter(move |run| run.name == name)
    }

    /// The time that threads with a name received in an interval.
    pub fn received(&self, name: &str, begin: u64, end: u64) -> u64 {
        let within = |run: &Run| run.end.min(end).saturating_sub(run.begin.max(begin));
        self.runs_of(name).map(within).sum()
    }

    /// All stretches, those that the end of the trace cuts included, in the order of beginnings.
    pub fn all_runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().chain(&self.unfinished)
    }
}
