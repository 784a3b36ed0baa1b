//! Who ran when, from the text of a kernel's trace.
//!
//! **Model.** A processor runs one thread at a time; `sched_switch` says when it takes which next.
//! Service routines interrupt the thread that runs and are kept beside it, not taken from its time.
//! Instants are nanoseconds; the kernel prints microseconds, so each is up to one too early.
//!
//! **Assumptions.** 1. Events of a processor stand in the order of time. 2. Nothing was lost: a
//! trace that says that it lost events is refused.

mod parse;

pub use parse::Malformed;

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
    /// Whether it could have gone on.
    pub preempted: bool,
}

/// A thread became ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wakeup {
    /// When.
    pub at: u64,
    /// Number of the thread.
    pub thread: u32,
    /// Its name.
    pub name: String,
    /// The processor on which it will run.
    pub cpu: usize,
}

/// A service routine of a device.
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

/// Everything that was seen, each in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Stretches of threads, the idle ones included.
    pub runs: Vec<Run>,
    /// Wake-ups.
    pub wakeups: Vec<Wakeup>,
    /// Service routines.
    pub routines: Vec<Routine>,
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
}
