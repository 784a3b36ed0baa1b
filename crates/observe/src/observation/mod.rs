//! The observations of each task, server, interrupt and chain of a description in a trace.
//!
//! **Model.** A row for each: the observation, and its comparison with a bound or stated value.
//!
//! | of | observed | compared with |
//! |---|---|---|
//! | a task | from wake-up to sleep; of one that others wake, from the wake-up of the first of them | the bound of its response |
//! | | what a job received | its `wcet` |
//! | a server that is a thread | use of its budget | budget and period ([`usage`](crate::usage)) |
//! | an interrupt | from the begin of its routine until it is handled | the bound of its response |
//! | | its routine | its `isr` |
//! | a chain | from a reading to the first output that shows an event after it, and to the next output after those that rest on it | the bound of the chain |
//!
//! **Assumptions.** Those of [`history`](crate::history), and: 1. The response counts from the wake-up, which
//! is not before the arrival; an interrupt's from its routine. So the observed time is at most the response,
//! and an observation above the bound is a violation. 2. Where by the bound a job may arrive before another
//! is complete, an observed job that is long enough to contain several is not compared with bounds. Otherwise
//! two jobs that look like one violate the bound anyway. 3. What polls a card, has a cache, or runs under a kernel
//! with costs of its own may receive more than its work: then more than `wcet` is open.
//!
//! **Does not cover** the inside of guests, and what the profile of a kernel adds to a core.

mod chain;
mod interrupt;
mod path;
mod server;
mod setting;
mod task;

use crate::comparison::{Comparison, Verdict};
use crate::history::History;
use crate::matching::{Found, Matching};
use crate::pieces::Stretch;
use crate::schedule::Schedule;
use crate::usage::Window;
use std::collections::BTreeMap;
use vorrang_model::System;
use vorrang_model::system::Kernel;
use vorrang_time::Duration;

/// The kind of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A task.
    Task,
    /// A server of the host.
    Server,
    /// A virtual processor.
    Vcpu,
    /// An interrupt.
    Interrupt,
    /// A chain of tasks.
    Chain,
}

impl Kind {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Server => "server",
            Self::Vcpu => "vcpu",
            Self::Interrupt => "interrupt",
            Self::Chain => "chain",
        }
    }
}

/// The longest of some times, and their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The longest.
    pub longest: u64,
    /// The mean, rounded down.
    pub mean: u64,
}

impl Times {
    fn of(times: impl Iterator<Item = u64>) -> Option<Self> {
        let fold = |(count, sum, longest): (u64, u128, u64), time: u64| {
            (count + 1, sum + u128::from(time), longest.max(time))
        };
        let (count, sum, longest) = times.fold((0, 0, 0), fold);
        let mean = u64::try_from(sum.checked_div(u128::from(count))?).unwrap_or(u64::MAX);
        Some(Self { longest, mean })
    }
}

/// The use of a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The budget.
    pub budget: u64,
    /// Its period.
    pub period: u64,
    /// The mean in a period, rounded down.
    pub mean: u64,
    /// The largest in a window of one period.
    pub largest: Option<Window>,
}

/// Reaction times or data ages of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latency {
    /// How many were complete.
    pub values: u64,
    /// How long they took.
    pub times: Option<Times>,
    /// What the description requires.
    pub limit: Option<u64>,
    /// When the job of each task read and wrote, along the path, of the one that decides.
    pub way: Vec<Stretch>,
    /// Each of them, in the order of their beginnings.
    pub all: Vec<Handing>,
}

/// A value that a chain handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handing {
    /// From the reading from which it counts to its end.
    pub window: Stretch,
    /// When the job of each task read and wrote, along the path.
    pub way: Vec<Stretch>,
}

/// What a chain handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    /// Its reaction times.
    pub reaction: Latency,
    /// Its data ages.
    pub age: Latency,
}

/// The observations of one entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The number of the thread; none of an interrupt or a chain.
    pub thread: Option<u32>,
    /// Its name, the interrupts' numbers, or the tasks along a chain.
    pub who: String,
    /// Complete jobs; of a chain reaction times.
    pub jobs: u64,
    /// Their responses.
    pub responses: Option<Times>,
    /// The times that they received.
    pub executed: Option<Times>,
    /// The number of its preemptions.
    pub preempted: u64,
    /// The most preemptions in one job.
    pub preempted_in_a_job: u64,
    /// The use of its budget.
    pub usage: Option<Usage>,
    /// What a chain handed on.
    pub handed: Option<Handed>,
    /// The result.
    pub comparisons: Vec<Comparison>,
    /// Deviations from the description, as sentences.
    pub notes: Vec<String>,
    /// What is as described, and good to know, as sentences.
    pub remarks: Vec<String>,
}

/// An entity of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its full name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Whether a trace of the host can show it: what runs inside a guest it cannot.
    pub is_shown: bool,
    /// Its observations; or the reason for having none, as a clause.
    pub seen: Found<Seen>,
}

impl Row {
    /// All its results.
    pub fn comparisons(&self) -> &[Comparison] {
        self.seen.as_ref().map_or(&[], |seen| &seen.comparisons)
    }

    /// Whether it was not seen although it can be, or deviates from the description.
    fn is_not_as_described(&self) -> bool {
        self.seen.as_ref().map_or(self.is_shown, |seen| !seen.notes.is_empty())
    }
}

/// Bounds of responses and chains; where there is none, why, as a clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Of tasks, by id.
    pub tasks: Vec<Found<Duration>>,
    /// Of interrupts, by id.
    pub interrupts: Vec<Found<Duration>>,
    /// Of chains, in their order.
    pub chains: Vec<Found<Duration>>,
}

/// The result of all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that a trace of the host can show was seen, and nothing above its bound.
    Below,
    /// Nothing was above, but something was not seen, not compared, or not as described.
    Open,
    /// Something was above.
    Above,
}

/// The observations in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Servers, tasks, interrupts, chains: each in the order of declaration.
    pub rows: Vec<Row>,
    /// The histories of the threads, by number.
    pub histories: BTreeMap<u32, History>,
}

impl Observation {
    /// Evaluates a trace.
    pub fn of(system: &System, schedule: &Schedule, matching: &Matching, limits: &Limits) -> Self {
        let threads = matching.tasks.iter().chain(&matching.supplies).flatten();
        let histories = threads.map(|&thread| (thread, History::of(schedule, thread))).collect();
        let look = Look { system, schedule, matching, limits, histories };
        let mut rows = Vec::new();
        // The kernel's server of `SCHED_OTHER` is no thread.
        let servers = system.supply_ids();
        for id in servers.filter(|&id| !system.supply(id).serves_other) {
            rows.extend(look.server(id));
        }
        // Nor can a description name what the profile of a kernel adds.
        let is_named = |name: &str| !Kernel::does(name);
        let tasks = system.task_ids().filter(|&id| !system.is_other(id));
        let tasks = tasks.filter(|&id| is_named(&system.task(id).name));
        rows.extend(tasks.map(|id| look.task(id)));
        let interrupts = system.interrupt_ids();
        let interrupts = interrupts.filter(|&id| system.interrupt(id).is_external());
        let interrupts = interrupts.filter(|&id| is_named(&system.interrupt(id).name));
        rows.extend(interrupts.map(|id| look.interrupt(id)));
        rows.extend((0..system.chains.len()).map(|place| look.chain(place)));
        Self { rows, histories: look.histories }
    }

    /// The result.
    pub fn outcome(&self) -> Outcome {
        let verdicts = || self.rows.iter().flat_map(Row::comparisons).map(|one| &one.verdict);
        if verdicts().any(|verdict| *verdict == Verdict::Above) {
            Outcome::Above
        } else if self.rows.iter().any(Row::is_not_as_described)
            || verdicts().any(|verdict| matches!(verdict, Verdict::Open(_)))
        {
            Outcome::Open
        } else {
            Outcome::Below
        }
    }
}

/// The inputs of a row.
struct Look<'a> {
    system: &'a System,
    schedule: &'a Schedule,
    matching: &'a Matching,
    limits: &'a Limits,
    histories: BTreeMap<u32, History>,
}

impl Look<'_> {
    /// The history of a thread; it exists if an entity is matched with it.
    fn history(&self, thread: u32) -> &History {
        &self.histories[&thread]
    }

    /// A thread with its name.
    fn named(&self, thread: u32) -> Seen {
        let who = self.schedule.names.get(&thread).cloned();
        let who = who.unwrap_or_else(|| "has no event in the trace".to_owned());
        Seen { thread: Some(thread), who, ..Seen::default() }
    }

    /// The resolution of a sum of this many intervals.
    fn resolution(&self, intervals: u64) -> u64 {
        2 * self.schedule.resolution * intervals.max(1)
    }
}

#[cfg(test)]
mod tests;
