//! The records of a guest. All times are nanoseconds of the guest's `CLOCK_MONOTONIC`.

use serde::{Deserialize, Serialize};

/// One line of a guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// The first: user space is reached, and the modules are loaded.
    Started {
        /// Release of the kernel, as `uname -r` says it.
        kernel: String,
        /// Version of the kernel, as `uname -v` says it.
        version: String,
        /// The number of processors.
        cpus: usize,
    },
    /// The work of this boot's loads: turns of a loop, and what they take if nothing interrupts them.
    Loop {
        /// So many turns.
        turns: u64,
        /// What it takes, in nanoseconds.
        takes: u64,
    },
    /// A module could not be loaded.
    ModuleRefused {
        /// Its file.
        module: String,
        /// Why not.
        why: String,
    },
    /// A step could not be done.
    Refused {
        /// What was tried.
        what: String,
        /// The number of the error, 0 if it has none.
        errno: i32,
        /// Its text.
        why: String,
    },
    /// A file that was read.
    Text {
        /// The file.
        path: String,
        /// What was in it.
        text: String,
    },
    /// A program that ran.
    Ran {
        /// The program and its arguments.
        command: Vec<String>,
        /// Its exit code; that of a signal is 128 and the signal.
        exit: i32,
        /// What it wrote to standard output.
        output: String,
        /// What it wrote to standard error.
        errors: String,
    },
    /// The jobs of a task, in their order.
    Jobs {
        /// The name of the thread.
        task: String,
        /// The number of the thread.
        thread: i32,
        /// All of them.
        jobs: Vec<Job>,
        /// The time of a processor that the kernel has charged the thread, until the end of the last one, less
        /// what came before the first.
        charged: u64,
    },
    /// The jobs of tasks whose jobs are not told one by one.
    Others {
        /// How many tasks.
        tasks: u64,
        /// How many jobs.
        jobs: u64,
        /// Jobs that began before their releases.
        early: u64,
        /// The longest time from the release of a job until it began.
        latest: u64,
    },
    /// A thread of a scene has slept, or, if it is `urgent`, computed.
    Slept {
        /// Its name.
        thread: String,
        /// When it ran again, or had computed, after the common instant of the scene.
        woke: u64,
        /// Whether that was because its instant had come.
        in_time: bool,
    },
    /// The timers of a thread have ended.
    Expired {
        /// How often they expired.
        times: u64,
    },
    /// An exercise is over.
    Exercised {
        /// Timers that were armed.
        armed: u64,
        /// Sleeps that ended with their timers.
        expired: u64,
        /// Sleeps that were ended before.
        cancelled: u64,
        /// Priorities that were changed.
        changed: u64,
        /// Sleeps that ended early, though nothing ended them.
        early: u64,
        /// The longest time from the instant of a sleep until its thread ran again.
        latest: u64,
    },
    /// What the kernel has accounted so far.
    Account {
        /// When the look began.
        at: u64,
        /// The threads that were asked for, by their numbers.
        threads: Vec<Accounted>,
        /// Files and what was in them.
        texts: Vec<(String, String)>,
    },
    /// What differs from the state that was remembered, one line each.
    Differences {
        /// None: nothing does.
        lines: Vec<String>,
    },
    /// Before the faults of a step: what they are taken from.
    Calls {
        /// The calls that may change something.
        all: u32,
        /// Every which of them is tried, from the first one on.
        stride: u32,
    },
    /// A program was ended or refused at one of its system calls, and the machine restored.
    Fault {
        /// The how manyth call that may change something, from 1.
        at: u32,
        /// The call.
        call: String,
        /// The exit code of what was faulted; 128 and the signal if that ended it.
        exit: i32,
        /// The exit codes of what restored, run twice.
        restored: [i32; 2],
        /// What differed afterwards.
        differences: Vec<String>,
        /// What the programs complained about, if what restored failed.
        said: String,
    },
    /// The last: everything was done.
    End,
}

/// One job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// When it was to begin.
    pub release: u64,
    /// When the thread ran for the first time.
    pub start: u64,
    /// When it was complete.
    pub finish: u64,
}

/// A thread and what it has received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accounted {
    /// Its number.
    pub thread: i32,
    /// Its name.
    pub name: String,
    /// The time of processors that it has received.
    pub ran: u64,
}
