//! What readers find, and what an import is.

use std::collections::{BTreeMap, BTreeSet};

/// More lines, elements or assignments of one file than any machine has: what is behind them is not read.
pub(crate) const LINES: usize = 4096;

/// The longest name of a machine, a thread or a domain, in bytes; files have no longer ones either.
pub(crate) const NAME: usize = 255;

/// A description with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The description, in TOML.
    pub text: String,
    /// What was read, and what was not carried over, as sentences.
    pub lost: Vec<String>,
    /// Where two places say different things of the same.
    pub contradictions: Vec<Contradiction>,
}

/// Two places that do not fit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contradiction {
    /// What does not fit.
    pub says: String,
    /// The two files.
    pub between: [String; 2],
}

/// How a thread is scheduled, as far as it is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// `SCHED_OTHER`, `SCHED_BATCH`, `SCHED_IDLE`.
    Other,
    /// `SCHED_FIFO`.
    Fifo(u32),
    /// `SCHED_RR`.
    RoundRobin(u32),
    /// `SCHED_FIFO` or `SCHED_RR`: a priority was seen, and which of them is not known.
    RealTime(u32),
    /// `SCHED_DEADLINE`, whose parameters are in no file.
    Deadline,
}

/// Those that `SCHED_FIFO` and `SCHED_RR` have.
pub(crate) const PRIORITIES: std::ops::RangeInclusive<u32> = 1..=99;

impl Policy {
    pub(crate) fn said(self) -> String {
        match self {
            Self::Other => "SCHED_OTHER".to_owned(),
            Self::Fifo(priority) => format!("SCHED_FIFO {priority}"),
            Self::RoundRobin(priority) => format!("SCHED_RR {priority}"),
            Self::RealTime(priority) => format!("SCHED_FIFO or SCHED_RR {priority}"),
            Self::Deadline => "SCHED_DEADLINE".to_owned(),
        }
    }

    /// The words of libvirt and systemd; `None`: another one.
    pub(crate) fn of_word(word: &str, priority: Option<u32>) -> Option<Self> {
        let priority = priority.unwrap_or(1);
        if !PRIORITIES.contains(&priority) && matches!(word, "fifo" | "rr") {
            return None;
        }
        Some(match word {
            "fifo" => Self::Fifo(priority),
            "rr" => Self::RoundRobin(priority),
            "other" | "batch" | "idle" => Self::Other,
            _ => return None,
        })
    }

    pub(crate) fn is_real_time(self) -> bool {
        self != Self::Other
    }

    /// Whether a thread cannot be of both.
    pub(crate) fn contradicts(self, other: Self) -> bool {
        match (self, other) {
            (Self::RealTime(own), Self::Fifo(theirs) | Self::RoundRobin(theirs))
            | (Self::Fifo(theirs) | Self::RoundRobin(theirs), Self::RealTime(own)) => own != theirs,
            _ => self != other,
        }
    }
}

/// What a place says of a thread, and which place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The file.
    pub(crate) from: String,
    pub(crate) cpus: Option<Vec<u32>>,
    pub(crate) policy: Option<Policy>,
    /// The processor on which it ran last, where only that is known.
    pub(crate) ran_on: Option<u32>,
}

impl Word {
    /// One of a file of the configuration.
    pub(crate) fn new(from: &str, cpus: Option<Vec<u32>>, policy: Option<Policy>) -> Self {
        Self { from: from.to_owned(), cpus, policy, ran_on: None }
    }
}

/// A thread with what is said of it; the last word is that of the running one, where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    /// The virtual machine and the number of the virtual processor, where it is one.
    pub(crate) vcpu: Option<(String, u32)>,
    /// Its name for people, and for the description.
    pub(crate) name: String,
    /// How `apply` finds it.
    pub(crate) selector: String,
    pub(crate) words: Vec<Word>,
}

impl Thread {
    /// The policy of the first who says one.
    pub(crate) fn policy(&self) -> Option<Policy> {
        self.words.iter().find_map(|word| word.policy)
    }

    /// The processors of the first who says some.
    pub(crate) fn cpus(&self) -> Option<&Vec<u32>> {
        self.words.iter().find_map(|word| word.cpus.as_ref())
    }
}

/// A list of processors with the file that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// What it is called there.
    pub(crate) name: String,
    pub(crate) from: String,
    pub(crate) cpus: Vec<u32>,
}

/// An interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Irq {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) from: String,
    pub(crate) cpus: Vec<u32>,
}

/// All that was found of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) release: Option<String>,
    pub(crate) online: Option<Listed>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) irqs: Vec<Irq>,
    /// `isolcpus`, `nohz_full`, `rcu_nocbs`, `irqaffinity` of the command line.
    pub(crate) kernel: BTreeMap<String, Listed>,
    /// `isolated_cores` of tuned.
    pub(crate) tuned: Option<Listed>,
    /// Where other threads of virtual machines, and slices, may run.
    pub(crate) others: Vec<Listed>,
    pub(crate) irqbalance: bool,
    /// The kernel's tick as a sentence, with the file that says it.
    pub(crate) tick: Option<String>,
    pub(crate) lost: BTreeSet<String>,
}

impl Machine {
    pub(crate) fn lose(&mut self, what: impl Into<String>) {
        self.lost.insert(what.into());
    }

    pub(crate) fn listed(&self, name: &str) -> Option<&Listed> {
        self.kernel.get(name)
    }
}

impl Thread {
    /// A virtual processor.
    pub(crate) fn of_vm(vm: &str, number: u32, word: Word) -> Self {
        Self {
            vcpu: Some((vm.to_owned(), number)),
            name: format!("{vm}-{number}"),
            selector: format!("vm:{vm}/{number}"),
            words: vec![word],
        }
    }
}
