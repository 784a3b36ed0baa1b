//! The kinds of servers that `vorrang-host` runs, as trials: threads with servers, on a kernel and in the simulator.
//!
//! **Model.** In a *busy* trial every thread computes all the time: its supply in every period is compared
//! with its budget. In one with *jobs* a thread has a job every period, all released together: its longest
//! response is compared with the simulator's and the bound. Beside them a thread of `SCHED_OTHER`
//! computes all the time.
//!
//! **Assumptions.** 1. Work is instructions (`vorrang-probe`). 2. The schedule begins at a multiple of 100 ms, so that
//! the periods of servers and jobs begin with it. 3. A job is seen as late as its jitter says: by the next look,
//! or with the next budget of a polling server, which has returned when the timer of its thread fires.

pub(crate) mod answered;
pub(crate) mod filmed;
pub(crate) mod guest;
pub(crate) mod handled;
pub(crate) mod interrupted;
pub(crate) mod pinged;
pub(crate) mod served;

use std::fmt::Write as _;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

pub(crate) const MS: u64 = 1_000_000;

/// Counters are read so often.
pub(crate) const READ_MS: u64 = 10;

/// Each is run for this long.
pub(crate) const LENGTH_MS: u64 = 2000;

/// A server and the work of its thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The name of it and of its thread.
    pub(crate) name: &'static str,
    kind: &'static str,
    /// Its budget in milliseconds; where servers take turns, its share.
    pub(crate) budget: u64,
    /// In milliseconds; where servers take turns, of no meaning to them.
    pub(crate) period: u64,
    /// From one job of its thread to the next, in milliseconds.
    jobs: u64,
    /// A further line of it.
    key: &'static str,
}

/// Named after its kind.
const fn row(kind: &'static str, budget: u64, period: u64, jobs: u64) -> Row {
    Row { name: kind, kind, budget, period, jobs, key: "" }
}

const fn slot(name: &'static str, budget: u64, key: &'static str) -> Row {
    Row { name, kind: "slot", budget, period: 20, jobs: 100, key }
}

const fn share(name: &'static str, budget: u64) -> Row {
    Row { name, kind: "share", budget, period: READ_MS, jobs: 100, key: "" }
}

/// Servers side by side, the most urgent first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    scheduler: &'static str,
    /// A further line of the core.
    core: &'static str,
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

const SLOTS: &[Row] =
    &[slot("first", 7, "offset = \"2ms\""), slot("second", 8, "offset = \"9ms\"")];
/// A tenth of the turns is for all other threads.
const SHARES: &[Row] = &[share("heavy", 10), share("middle", 6), share("light", 2)];
/// In round-robin each has a turn.
const EQUAL: &[Row] = &[share("one", 1), share("two", 1), share("three", 1)];
const TURNS: &str = "quantum = \"2ms\"";
/// The same, in nanoseconds.
pub(crate) const QUANTUM: u64 = 2 * MS;

/// Servers in that order, whose threads compute all the time, or have jobs.
const fn trial(
    name: &'static str,
    [scheduler, core]: [&'static str; 2],
    rows: &'static [Row],
    busy: bool,
) -> Trial {
    Trial { name, scheduler, core, rows, busy }
}

/// Equal turns, and jobs beside a server that always has work.
pub(crate) const TURN_TRIALS: [Trial; 3] = [
    trial("busy-round", ["round-robin", TURNS], EQUAL, true),
    trial("jobs-round", ["round-robin", TURNS], EQUAL, false),
    trial("jobs-weighted", ["weighted-round-robin", TURNS], SHARES, false),
];

/// All others.
pub(crate) const TRIALS: [Trial; 9] = [
    trial("busy-fp", ["fixed-priority", ""], BY_PRIORITY, true),
    trial("busy-edf", ["edf", ""], BY_DEADLINE, true),
    trial("busy-slots", ["slots", ""], SLOTS, true),
    trial("busy-vtrr", ["vtrr", TURNS], SHARES, true),
    trial("busy-weighted", ["weighted-round-robin", TURNS], SHARES, true),
    trial("busy-stride", ["stride", TURNS], SHARES, true),
    trial("jobs-fp", ["fixed-priority", ""], BY_PRIORITY, false),
    trial("jobs-edf", ["edf", ""], BY_DEADLINE, false),
    trial("jobs-slots", ["slots", ""], SLOTS, false),
];

/// The share of all other threads where servers take turns.
const REST_SHARE: u64 = 2;
/// Their task: the last of all.
const REST_TASK: &str =
    "[task.rest]\non = \"server.rest\"\nwcet = \"1s\"\nperiod = \"1s\"\ndeadline = \"none\"\n";

/// The longest execution of a job, as it is stated.
const WCET_US: u64 = 3000;
/// The work of a job: the rest is for reading clocks.
pub(crate) const WORK_US: u64 = 2900;
/// The interval at which sleeping threads are sampled.
pub(crate) const LOOK_US: u64 = 1000;
/// The timer of a thread fires at most so much late.
const TIMER_US: u64 = 200;

impl Row {
    /// The delay with which its wake-ups are noticed.
    pub(crate) fn jitter_us(&self) -> u64 {
        if matches!(self.kind, "periodic" | "polling" | "slot") { TIMER_US } else { LOOK_US }
    }

    /// From one job to the next.
    pub(crate) fn every(&self) -> u64 {
        self.jobs * MS
    }
}

impl Trial {
    /// The description that is run; with tasks where they shall be proven.
    pub(crate) fn description(&self) -> String {
        self.written(!self.busy)
    }

    /// The same with tasks in any case, for the simulator.
    pub(crate) fn system(&self) -> System {
        read(self.written(true), Format::Toml).expect("a description")
    }

    fn written(&self, with_tasks: bool) -> String {
        let Self { scheduler, core, rows, .. } = self;
        let mut text =
            format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{core}\ncpu = 0\n");
        for (place, Row { name, kind, budget, period, key, .. }) in rows.iter().enumerate() {
            let _ = write!(
                text,
                "[server.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nthread = \"process:vorrang-probe/{name}\"\n{key}\n"
            );
            let _ = match *kind {
                "share" => writeln!(text, "{}", self.share(*budget)),
                _ => writeln!(text, "budget = \"{budget}ms\"\nperiod = \"{period}ms\""),
            };
            if *scheduler == "fixed-priority" {
                let _ = writeln!(text, "priority = {}", rows.len() - place);
            }
        }
        if with_tasks {
            text += &self.tasks();
        }
        if self.takes_turns() {
            let share = self.share(REST_SHARE);
            let _ = write!(
                text,
                "[server.rest]\non = \"core.0\"\nserver = \"share\"\n{share}\n{REST_TASK}"
            );
        }
        text
    }

    /// The key of a share, where its scheduler has them.
    fn share(&self, share: u64) -> String {
        if self.scheduler == "round-robin" { String::new() } else { format!("share = {share}") }
    }

    /// Whether its servers have fixed slots.
    pub(crate) fn has_slots(&self) -> bool {
        self.scheduler == "slots"
    }

    /// Where its servers take turns, the last task is that of all other threads, which always has work.
    pub(crate) fn rest(&self) -> Option<usize> {
        self.takes_turns().then_some(self.rows.len())
    }

    /// What all of its turns together are of the processor, beside those of all other threads.
    pub(crate) fn turns_percent(&self) -> u64 {
        let (own, rest) = match self.scheduler {
            "round-robin" => (self.rows.len() as u64, 1),
            _ => (self.rows.iter().map(|row| row.budget).sum(), REST_SHARE),
        };
        own * 100 / (own + rest)
    }

    /// Whether its servers take turns.
    pub(crate) fn takes_turns(&self) -> bool {
        self.core == TURNS
    }

    fn tasks(&self) -> String {
        self.rows.iter().fold(String::new(), |mut text, row| {
            let Row { name, jobs, .. } = row;
            let _ = write!(
                text,
                "[task.{name}]\non = \"server.{name}\"\nwcet = \"{WCET_US}us\"\nperiod = \"{jobs}ms\"\n\
                 deadline = \"{jobs}ms\"\njitter = \"{}us\"\n",
                row.jitter_us()
            );
            text
        })
    }

    /// The file of its description.
    pub(crate) fn file(&self) -> String {
        format!("/{}.toml", self.name)
    }

    /// The file of the counters.
    pub(crate) fn counted(&self) -> String {
        format!("/run/{}", self.name)
    }

    /// The threads, as the probe is told.
    pub(crate) fn threads(&self) -> String {
        let thread = |row: &Row| {
            let Row { name, jobs, .. } = row;
            if self.busy {
                format!("{name}=always")
            } else {
                format!("{name}={WORK_US}us/{jobs}ms")
            }
        };
        let threads: Vec<String> = self.rows.iter().map(thread).collect();
        format!("{} other=always", threads.join(" "))
    }
}
