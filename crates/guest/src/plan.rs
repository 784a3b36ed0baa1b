//! The plan of a guest. All times are nanoseconds.

use crate::expiries::{Exercise, ManyTimers};
use crate::scene::Scene;
use crate::scheduling::Policy;
use serde::{Deserialize, Serialize};

/// From one tick of the kernels to the next: they come at multiples of it.
pub const TICK: u64 = 4_000_000;
/// From a tick to the common instant of a script: the tick itself is over.
pub const AFTER_TICK: u64 = 10_000;

/// What the tasks of a background load did.
pub const DONE: &str = "/run/load";

/// Steps, done one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// In this order; a step that fails is recorded and does not end the plan.
    pub steps: Vec<Step>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Writes a text to a file that exists (of the kernel, say).
    Write {
        /// The file.
        path: String,
        /// The text.
        text: String,
    },
    /// Makes a folder (a control group, say).
    MakeFolder {
        /// Its path.
        path: String,
    },
    /// Reads a file.
    Read {
        /// The file.
        path: String,
    },
    /// Loads a module.
    LoadModule {
        /// Its file.
        path: String,
        /// Its parameters, as `name=value`, between spaces.
        parameters: String,
    },
    /// Unloads a module.
    UnloadModule {
        /// Its name.
        name: String,
    },
    /// Runs a program to its end.
    Run {
        /// The program and its arguments.
        command: Vec<String>,
    },
    /// Starts a program in the background; it is ended with the machine.
    Start {
        /// The program and its arguments.
        command: Vec<String>,
    },
    /// Waits for a time.
    Sleep {
        /// For how long.
        time: u64,
    },
    /// Waits until a file holds a text.
    Await {
        /// The file, which need not be there yet.
        path: String,
        /// The text.
        text: String,
        /// The longest time.
        limit: u64,
    },
    /// Starts a process called `load` in the background, whose threads are tasks. What they did is in
    /// [`DONE`], a record a line, when all have ended.
    StartLoad {
        /// The tasks.
        tasks: Vec<LoadedTask>,
        /// When they end, after the common instant, if they have no more jobs.
        until: u64,
    },
    /// Gives the thread with a name a processor and a policy; that there is no such thread, or
    /// that the kernel refuses, is told.
    SetThread {
        /// The name; if it ends with `*`, all threads are meant whose names begin so.
        name: String,
        /// The only processor it may use; unchanged if none is stated.
        cpu: Option<usize>,
        /// Its policy.
        policy: Policy,
    },
    /// Tells what the kernel has accounted to threads so far, and what is in these files.
    Account {
        /// The names of the threads, as in `SetThread`.
        threads: Vec<String>,
        /// The files.
        files: Vec<String>,
    },
    /// Remembers the state of the machine: policies, processors and groups of all threads, groups,
    /// interrupts.
    RememberState,
    /// Tells what differs from the state that was remembered.
    CompareState,
    /// Runs `change` again and again, each time ended or refused at another system call that
    /// may change something; before each, `before`, and after each, `restore` twice; and tells for each what
    /// differs from the state that was remembered.
    Faults {
        /// What is done before; nothing, if it is empty.
        #[serde(default)]
        before: Vec<String>,
        /// What changes the machine.
        change: Vec<String>,
        /// What restores it.
        restore: Vec<String>,
        /// What happens to it.
        fault: Fault,
        /// Every which call; 1: every one.
        stride: u32,
    },
    /// Empties the kernel's trace and records these events from here on, such as
    /// `sched/sched_switch`.
    StartTrace {
        /// The events, as folder and name.
        events: Vec<String>,
    },
    /// Sets the policy of a thread of the kernel.
    SetPolicy {
        /// What its name begins with.
        thread: String,
        /// The policy.
        policy: Policy,
    },
    /// Runs tasks side by side until the last one has done its jobs.
    Load {
        /// The tasks; the first job of each is its offset after a common instant.
        tasks: Vec<LoadedTask>,
    },
    /// The same, and does steps meanwhile, from the creation of the tasks on; what the steps saw is told
    /// first.
    Meanwhile {
        /// The tasks.
        tasks: Vec<LoadedTask>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// The same, but the jobs of these tasks only are told; of the others together how many there were and how
    /// late they began ([`Record::Others`](crate::Record::Others)): jobs by the ten thousand are more than a serial port
    /// takes.
    MeanwhileOf {
        /// The tasks.
        tasks: Vec<LoadedTask>,
        /// The names of those whose jobs are told.
        told: Vec<String>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// From here on a thread has timers of its own that expire again and again.
    StartTimers {
        /// The thread and its timers.
        timers: ManyTimers,
    },
    /// It ends; how often its timers expired is told.
    EndTimers,
    /// Threads whose timers are armed, cancelled and expire, and one that cancels them and changes priorities; what they
    /// did is told.
    Exercise {
        /// What they do.
        exercise: Exercise,
    },
    /// Plays a scene to its end.
    Play {
        /// The scene.
        scene: Scene,
    },
    /// Runs the threads of a script side by side; they tell what they did.
    Script {
        /// The threads.
        threads: Vec<ScriptedThread>,
        /// When they end, after the common instant from which releases count, which is [`AFTER_TICK`]
        /// after a tick: none ends while another one still has jobs.
        until: u64,
    },
    /// Measures once more what work takes on a processor, while the others go on; it is told.
    MeasureWork {
        /// The processor.
        cpu: usize,
    },
    /// From here on a timer of the kernel interrupts a processor again and again; it wakes no thread.
    StartInterrupts {
        /// The processor.
        cpu: usize,
        /// Nanoseconds from one to the next.
        every: u64,
    },
    /// None does any longer.
    EndInterrupts,
    /// Stops recording and sends the trace.
    EndTrace,
}

/// What happens to a program at a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// It is killed before the call.
    Kill,
    /// The call is not made, and returns this error.
    Refuse(i32),
    /// What changes the machine is left to do its work; what restores it is killed before the call.
    KillRestore,
}

/// A thread that does jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedTask {
    /// The name of the thread, at most 15 letters.
    pub name: String,
    /// The processor it is pinned to; any if none is stated.
    pub cpu: Option<usize>,
    /// Its policy.
    pub policy: Policy,
    /// From the common instant to the first release.
    pub offset: u64,
    /// Between two releases.
    pub period: u64,
    /// How many.
    pub jobs: u32,
    /// What each does.
    pub work: Work,
}

/// A thread that does the jobs of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptedThread {
    /// Its name, at most 15 letters.
    pub name: String,
    /// The processor it is pinned to; any if none is stated.
    pub cpu: Option<usize>,
    /// Its policy.
    pub policy: Policy,
    /// The threads of the script that wake it: its k-th job begins when the k-th of each of them is complete. Without any it
    /// sleeps until the release of each.
    pub after: Vec<String>,
    /// Its jobs, in the order of their releases; of one that others wake, of the arrivals of their sources.
    pub jobs: Vec<ScriptedJob>,
}

/// A job of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptedJob {
    /// Its release, after the common instant.
    pub release: u64,
    /// What it does.
    pub work: Work,
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Computes what takes this long if nothing interrupts it: so many instructions, whatever the kernel
    /// charges the thread meanwhile.
    Compute(u64),
    /// The same, and every microsecond it lets another processor of the emulator have its turn, which under counted time may
    /// have none beside a processor that is busy.
    ComputeByTurns(u64),
    /// The same as `Compute`, then discards its remaining budget (`sched_yield`).
    ComputeThenYield(u64),
    /// Sends so many bytes to the console, which its interrupt's thread passes on.
    Send(usize),
}
