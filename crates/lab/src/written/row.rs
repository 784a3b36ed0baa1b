//! A row of the steps of a scenario.

use crate::data::ns;
use serde::Deserialize;
use vorrang_guest::{Fault, LoadedTask, Policy, Step, Work};

/// A row, which is one step or some of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields, rename_all_fields = "kebab-case")]
pub(crate) enum Row {
    /// A step that says it all.
    Word(Word),
    /// A program is run to its end.
    Run {
        run: Line,
        /// The exit code that is expected.
        #[serde(default)]
        exit: i32,
        /// A part of what it prints.
        #[serde(default)]
        says: String,
        /// What is claimed; none: nothing is expected.
        check: Option<String>,
    },
    /// A program is started.
    Start { start: Line },
    /// Nothing happens.
    Sleep {
        #[serde(deserialize_with = "ns")]
        sleep: u64,
    },
    /// A file is read.
    Read { read: String },
    /// A file is written.
    Write { write: String, text: String },
    /// A folder is made.
    MakeFolder { make_folder: String },
    /// A file holds a text.
    Await {
        wait_for: String,
        #[serde(default)]
        text: String,
        /// The longest time.
        #[serde(deserialize_with = "ns")]
        limit: u64,
    },
    /// A module that was built is loaded.
    LoadModule {
        load_module: String,
        #[serde(default)]
        parameters: String,
    },
    /// A module is unloaded.
    UnloadModule { unload_module: String },
    /// The process `load` is started.
    StartLoad { start_load: Vec<Thread> },
    /// Threads do their jobs.
    Load { load: Vec<Thread> },
    /// Events are traced from here on.
    Trace { trace: Vec<String> },
    /// A timer of the kernel interrupts a processor again and again.
    StartInterrupts {
        interrupts_on: usize,
        #[serde(deserialize_with = "ns")]
        every: u64,
    },
    /// It is measured what work takes on a processor.
    MeasureWork { measure_work: usize },
    /// A thread is given a processor and a policy.
    SetThread {
        /// Its name, or the beginning of some names and `*`.
        set_thread: String,
        /// The processor; unchanged if none is stated.
        cpu: Option<usize>,
        policy: Policy,
    },
    /// A command is tried with a fault at each of its calls.
    Faults {
        faults: Fault,
        /// What is done before.
        before: Option<Line>,
        change: Line,
        /// What undoes it.
        restore: Line,
    },
    /// Steps that are a program.
    Part { part: String },
    /// Steps, again and again.
    Times { times: usize, steps: Vec<Self> },
}

/// A step without anything.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    /// The state of the machine is remembered.
    RememberState,
    /// It is compared with that.
    CompareState,
    /// The trace ends.
    EndTrace,
    /// No timer interrupts any longer.
    EndInterrupts,
}

/// A command line, between spaces, or its words; programs without a path are those of `/bin`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Line {
    Text(String),
    Words(Vec<String>),
}

impl Line {
    pub(crate) fn command(&self) -> Vec<String> {
        let mut words = match self {
            Self::Text(text) => words(text),
            Self::Words(words) => words.clone(),
        };
        if let Some(program) = words.first_mut().filter(|program| !program.starts_with('/')) {
            program.insert_str(0, "/bin/");
        }
        words
    }
}

/// The words of a line.
pub(crate) fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// A thread that has jobs, without end if their number is not stated.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thread {
    name: String,
    cpu: Option<usize>,
    #[serde(default = "other")]
    policy: Policy,
    #[serde(deserialize_with = "ns")]
    period: u64,
    #[serde(default = "without_end")]
    jobs: u32,
    #[serde(deserialize_with = "ns")]
    work: u64,
    /// Whether it lets other processors have their turns.
    #[serde(default, rename = "by-turns")]
    by_turns: bool,
}

const fn other() -> Policy {
    Policy::Other
}

const fn without_end() -> u32 {
    u32::MAX
}

impl Thread {
    fn task(&self) -> LoadedTask {
        let Self { name, cpu, policy, period, jobs, work, by_turns } = self.clone();
        let work = if by_turns { Work::ComputeByTurns(work) } else { Work::Compute(work) };
        LoadedTask { name, cpu, policy, offset: 0, period, jobs, work }
    }
}

impl Row {
    /// Its steps; `part` has those that are programs.
    pub(crate) fn steps(&self, part: &dyn Fn(&str) -> Vec<Step>) -> Vec<Step> {
        let tasks = |threads: &[Thread]| threads.iter().map(Thread::task).collect();
        vec![match self.clone() {
            Self::Word(Word::RememberState) => Step::RememberState,
            Self::Word(Word::CompareState) => Step::CompareState,
            Self::Word(Word::EndInterrupts) => Step::EndInterrupts,
            Self::StartInterrupts { interrupts_on: cpu, every } => {
                Step::StartInterrupts { cpu, every }
            }
            Self::MeasureWork { measure_work: cpu } => Step::MeasureWork { cpu },
            Self::SetThread { set_thread: name, cpu, policy } => {
                Step::SetThread { name, cpu, policy }
            }
            Self::Word(Word::EndTrace) => Step::EndTrace,
            Self::Run { run, .. } => Step::Run { command: run.command() },
            Self::Start { start } => Step::Start { command: start.command() },
            Self::Sleep { sleep } => Step::Sleep { time: sleep },
            Self::Read { read } => Step::Read { path: read },
            Self::Write { write, text } => Step::Write { path: write, text },
            Self::MakeFolder { make_folder } => Step::MakeFolder { path: make_folder },
            Self::Await { wait_for, text, limit } => Step::Await { path: wait_for, text, limit },
            Self::LoadModule { load_module, parameters } => {
                load_module_of(&load_module, &parameters)
            }
            Self::UnloadModule { unload_module } => Step::UnloadModule { name: unload_module },
            Self::StartLoad { start_load } => {
                Step::StartLoad { tasks: tasks(&start_load), until: 0 }
            }
            Self::Load { load } => Step::Load { tasks: tasks(&load) },
            Self::Trace { trace } => Step::StartTrace { events: trace },
            Self::Faults { faults, before, change, restore } => Step::Faults {
                before: before.map(|line| line.command()).unwrap_or_default(),
                change: change.command(),
                restore: restore.command(),
                fault: faults,
                stride: 1,
            },
            Self::Part { part: name } => return part(&name),
            Self::Times { times, steps } => {
                let once: Vec<Step> = steps.iter().flat_map(|row| row.steps(part)).collect();
                return std::iter::repeat_n(once, times).flatten().collect();
            }
        }]
    }
}

/// Loads a module that was built.
pub(crate) fn load_module_of(name: &str, parameters: &str) -> Step {
    Step::LoadModule { path: format!("/kernel/{name}.ko"), parameters: parameters.to_owned() }
}
