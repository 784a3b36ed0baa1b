//! The kinds of servers that `vorrang-host` runs, as trials: threads with servers, on a kernel and in the simulator.
//!
//! **Model.** In a *busy* trial every thread computes all the time: what it is given in every period is held against
//! its budget. In one with *jobs* a thread has a job every period, all released together: its
//! longest response is held against the simulator's and the bound. Beside them a thread of `SCHED_OTHER`
//! computes all the time.
//!
//! **Assumptions.** 1. Work is instructions (`vorrang-probe`). 2. The schedule begins at a multiple of 100 ms, so that
//! the periods of servers and jobs begin with it. 3. A job is seen as late as its jitter says: by the next look,
//! or with the next budget of a polling server, which has returned when the timer of its thread fires.

pub(crate) mod answered;
pub(crate) mod served;

use std::fmt::Write as _;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

pub(crate) const MS: u64 = 1_000_000;

/// Each is run for this long.
pub(crate) const LENGTH_MS: u64 = 2000;

/// A server and the work of its thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Its kind, which is what it is called, too.
    pub(crate) kind: &'static str,
    /// In milliseconds.
    pub(crate) budget: u64,
    /// In milliseconds.
    pub(crate) period: u64,
    /// From one job of its thread to the next, in milliseconds.
    jobs: u64,
}

const fn row(kind: &'static str, budget: u64, period: u64, jobs: u64) -> Row {
    Row { kind, budget, period, jobs }
}

/// Servers side by side, the most urgent first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    scheduler: &'static str,
    pub(crate) rows: &'static [Row],
    pub(crate) busy: bool,
}

const BY_PRIORITY: &[Row] = &[
    row("periodic", 2, 10, 50),
    row("polling", 1, 10, 100),
    row("deferrable", 4, 20, 50),
    row("sporadic", 3, 20, 50),
    row("refill-queue", 2, 20, 100),
];
const BY_DEADLINE: &[Row] = &[
    row("periodic", 2, 10, 50),
    row("polling", 1, 10, 100),
    row("deferrable", 4, 20, 50),
    row("cbs-hard", 2, 20, 100),
];

/// All of them.
pub(crate) const TRIALS: [Trial; 4] = [
    Trial { name: "busy-fp", scheduler: "fixed-priority", rows: BY_PRIORITY, busy: true },
    Trial { name: "busy-edf", scheduler: "edf", rows: BY_DEADLINE, busy: true },
    Trial { name: "jobs-fp", scheduler: "fixed-priority", rows: BY_PRIORITY, busy: false },
    Trial { name: "jobs-edf", scheduler: "edf", rows: BY_DEADLINE, busy: false },
];

/// The longest execution of a job, as it is stated.
const WCET_US: u64 = 3000;
/// What a job does: the rest is for reading clocks.
pub(crate) const WORK_US: u64 = 2900;
/// A thread that sleeps is looked at every so often.
pub(crate) const LOOK_US: u64 = 1000;
/// The timer of a thread fires at most so much late.
const TIMER_US: u64 = 200;

impl Row {
    /// How late its wake-ups are seen.
    pub(crate) fn jitter_us(&self) -> u64 {
        if matches!(self.kind, "periodic" | "polling") { TIMER_US } else { LOOK_US }
    }

    /// From one job to the next.
    pub(crate) fn every(&self) -> u64 {
        self.jobs * MS
    }
}

impl Trial {
    /// What is run; tasks are in it where they are to be proven.
    pub(crate) fn description(&self) -> String {
        let Self { scheduler, rows, .. } = self;
        let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\ncpu = 0\n");
        for (place, Row { kind, budget, period, .. }) in rows.iter().enumerate() {
            let _ = write!(
                text,
                "[server.{kind}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ms\"\nperiod = \"{period}ms\"\n\
                 thread = \"process:vorrang-probe/{kind}\"\n"
            );
            if *scheduler == "fixed-priority" {
                let _ = writeln!(text, "priority = {}", rows.len() - place);
            }
        }
        if !self.busy {
            text += &self.tasks();
        }
        text
    }

    fn tasks(&self) -> String {
        self.rows.iter().fold(String::new(), |mut text, row| {
            let Row { kind, jobs, .. } = row;
            let _ = write!(
                text,
                "[task.{kind}]\non = \"server.{kind}\"\nwcet = \"{WCET_US}us\"\nperiod = \"{jobs}ms\"\n\
                 deadline = \"{jobs}ms\"\njitter = \"{}us\"\n",
                row.jitter_us()
            );
            text
        })
    }

    /// The same with tasks in any case, for the simulator.
    pub(crate) fn system(&self) -> System {
        let mut text = self.description();
        if self.busy {
            text += &self.tasks();
        }
        read(&text, Format::Toml).expect("a description")
    }

    /// The file of its description.
    pub(crate) fn file(&self) -> String {
        format!("/{}.toml", self.name)
    }

    /// The file of what was counted.
    pub(crate) fn counted(&self) -> String {
        format!("/run/{}", self.name)
    }

    /// The threads, as the probe is told.
    pub(crate) fn threads(&self) -> String {
        let thread = |row: &Row| {
            let Row { kind, jobs, .. } = row;
            if self.busy {
                format!("{kind}=always")
            } else {
                format!("{kind}={WORK_US}us/{jobs}ms")
            }
        };
        let threads: Vec<String> = self.rows.iter().map(thread).collect();
        format!("{} other=always", threads.join(" "))
    }
}
