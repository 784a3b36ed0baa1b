//! The cost of timers of less urgent tasks for a job that runs when they expire.
//!
//! **Model.** An urgent job is released every millisecond on one processor and computes for a while
//! that is known. Less urgent timers expire there at known times, so that afterwards it is known how
//! many did while each job ran:
//!
//! ```text
//!   release   start                          end
//!   │─────────│██████▒█████████▒▒████████▒███│          ▒ an expiry: interrupt, wake-up
//!             │      ↑         ↑↑        ↑   │          took = alone + expiries · cost
//!   response = end − release
//! ```
//!
//! *tasks*: each sleeps in `clock_nanosleep` until its next time. *timerfds*: one task has as many
//! timers as files and arms each again when it has expired.
//!
//! **Assumptions.** 1. A timer expires at the time it was set for, since the kernel is not allowed to defer
//! it; one that expires just before a job ends may be handled just after it. 2. The tasks do
//! not run while the job does. That is so with a real-time priority; without one the tasks have the
//! background policy, which is reported. 3. Other interruptions of jobs affect the medians of all numbers of
//! expiries equally. 4. A background thread always runs, so that the processor is awake and equally fast
//! beside every load.
//!
//! **Cost.** A row takes some hundred milliseconds; a thousand tasks take a thousand threads.
//!
//! **Reference.** P. Patel, M. Vanga, B. Brandenburg: `TimerShield`, 2017, which states the response of
//! such a job beside 0, 1, 50, 100 and 1000 timers.

mod bench;
mod load;
pub mod regression;

pub use bench::{Plan, measure};

use crate::machine::conditions::Condition;
use crate::statistics::{Sorted, Spread};

/// The kind of timers that expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As many tasks, each with one.
    Tasks,
    /// One task with as many.
    Timerfds,
}

/// Both, in the order of measuring.
pub const WAYS: [Way; 2] = [Way::Tasks, Way::Timerfds];

impl Way {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::Timerfds => "timerfds",
        }
    }
}

/// Timers that expire beside the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// How many.
    pub timers: usize,
    /// The kind.
    pub way: Way,
}

impl Load {
    /// `alone`, `tasks-50`, `timerfds-1000`.
    pub fn name(&self) -> String {
        match self.timers {
            0 => "alone".to_owned(),
            timers => format!("{}-{timers}", self.way.word()),
        }
    }
}

/// A job of the urgent task, by the clock of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// When it should have started.
    pub release_ns: u64,
    /// When it did.
    pub start_ns: u64,
    /// When it was done.
    pub end_ns: u64,
}

/// The times of one job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From its release to its end.
    pub response_ns: f64,
    /// From its start to its end.
    pub took_ns: f64,
    /// Timers that expired in between.
    pub expiries: usize,
    /// Those of them that expired before the job would have been done alone: their number is random, and
    /// independent of other interruptions of the job.
    pub early: usize,
}

/// The times of jobs with this execution time alone, with the instants of expiries, in order.
pub fn samples(jobs: &[Job], expiries_ns: &[u64], alone_ns: u64) -> Vec<Sample> {
    let before = |ns: u64| expiries_ns.partition_point(|expiry| *expiry < ns);
    let sample = |job: &Job| Sample {
        response_ns: (job.end_ns - job.release_ns) as f64,
        took_ns: (job.end_ns - job.start_ns) as f64,
        expiries: before(job.end_ns) - before(job.start_ns),
        early: before(job.end_ns.min(job.start_ns + alone_ns)) - before(job.start_ns),
    };
    jobs.iter().map(sample).collect()
}

/// The result of jobs beside one load.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The timers.
    pub load: Load,
    /// From release to end.
    pub response: Sorted,
    /// From start to end.
    pub took: Sorted,
    /// Expiries while a job ran, on average.
    pub expiries: f64,
}

impl Outcome {
    /// The result of these jobs; `None` of none.
    pub fn of(load: Load, samples: &[Sample]) -> Option<Self> {
        let expiries = samples.iter().map(|of| of.expiries as f64).sum::<f64>();
        Some(Self {
            load,
            response: Sorted::of(samples.iter().map(|of| of.response_ns))?,
            took: Sorted::of(samples.iter().map(|of| of.took_ns))?,
            expiries: expiries / samples.len() as f64,
        })
    }
}

/// The cost of an expiry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expiry {
    /// The kind of timers.
    pub way: Way,
    /// One number for each round.
    pub cost: Spread,
    /// The execution time of a job without any, by the same line.
    pub alone_ns: f64,
    /// The median distance of jobs from the line.
    pub residual_ns: f64,
}

impl Expiry {
    /// From the jobs of each round, those without timers included; `None` if no round has jobs with
    /// different numbers of expiries.
    pub fn of(way: Way, rounds: &[Vec<Sample>]) -> Option<Self> {
        let lines: Vec<regression::Line> =
            rounds.iter().filter_map(|samples| regression::of(samples)).collect();
        let cost = Spread::of_few(lines.iter().map(|line| line.per_expiry_ns))?;
        let alone_ns = Spread::of(lines.iter().map(|line| line.alone_ns))?.median;
        let said = |of: &Sample| alone_ns + cost.median * of.expiries as f64;
        let off = rounds.iter().flatten().map(|of| (of.took_ns - said(of)).abs());
        Some(Self { way, cost, alone_ns, residual_ns: Spread::of(off)?.median })
    }
}

/// The result of a measurement.
#[derive(Clone, Debug)]
pub struct Measured {
    /// One for each load, in the order of measuring.
    pub outcomes: Vec<Outcome>,
    /// The cost of an expiry, by kind of timers.
    pub expiries: Vec<Expiry>,
    /// How often every load was measured.
    pub rounds: usize,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Their effect on the numbers.
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests;
