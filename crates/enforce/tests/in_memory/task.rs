//! A thread of the machine in memory.

use vorrang_enforce::{Policy, Thread};

/// What keeps a thread where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Nothing: who may, moves it.
    Not,
    /// `PF_NO_SETAFFINITY`: the kernel alone moves it.
    ByKernel,
    /// That, and no cpuset either: it is a thread of the kernel for one processor.
    OnProcessor,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) thread: Thread,
    /// The folder of its control group.
    pub(crate) group: String,
    pub(crate) policy: Policy,
    /// The mask set by `sched_setaffinity`.
    pub(crate) asked: Option<Vec<u32>>,
    /// What it may use of that (`cpus_ptr`).
    pub(crate) allowed: Vec<u32>,
    /// The processor it ran on last, whose domain it belongs to.
    pub(crate) last: u32,
    /// Asleep, it stays on that one, wherever it may run.
    pub(crate) asleep: bool,
    pub(crate) held: Held,
    /// A zombie.
    pub(crate) ended: bool,
    /// A thread of the kernel that runs first after this many `wait`s, and cannot be moved until then.
    pub(crate) begins_after: Option<u32>,
}

impl Task {
    pub(crate) fn new(process: i32, thread: i32, name: &str, cpus: &[u32]) -> Self {
        Self {
            thread: Thread {
                thread,
                process,
                start: 1000 + u64::from(thread.unsigned_abs()),
                name: name.to_owned(),
            },
            group: crate::groups::ROOT.to_owned(),
            policy: Policy::default(),
            asked: None,
            allowed: cpus.to_vec(),
            last: cpus[0],
            asleep: false,
            held: Held::Not,
            ended: false,
            begins_after: None,
        }
    }

    pub(crate) fn stat(&self) -> String {
        let Thread { thread, start, name, .. } = &self.thread;
        let state = if self.ended { "Z" } else { "S" };
        let held = if self.held == Held::Not { 0 } else { 0x0400_0000 };
        let is_of_kernel = self.begins_after.is_some() || self.held != Held::Not;
        let flags = held | if is_of_kernel { 0x0020_0000 } else { 0 };
        let mut fields = vec!["0".to_owned(); 49];
        for (number, text) in [
            (3, state.to_owned()),
            (9, flags.to_string()),
            (22, start.to_string()),
            (39, self.last.to_string()),
        ] {
            fields[number - 3] = text;
        }
        format!("{thread} ({name}) {}\n", fields.join(" "))
    }

    pub(crate) fn is_reserved(&self) -> bool {
        self.policy.policy == Policy::DEADLINE && !self.ended
    }

    /// The kernel may run it on these only (`set_cpus_allowed_ptr`).
    pub(crate) fn confine(&mut self, cpus: &[u32]) {
        let asked = self.asked.clone().unwrap_or_else(|| cpus.to_vec());
        let both: Vec<u32> = cpus.iter().copied().filter(|cpu| asked.contains(cpu)).collect();
        self.allowed = if both.is_empty() { cpus.to_vec() } else { both };
        self.run();
    }

    /// It runs, if it does: where it may.
    pub(crate) fn run(&mut self) {
        if !self.asleep && !self.allowed.contains(&self.last) {
            self.last = self.allowed[0];
        }
    }
}
