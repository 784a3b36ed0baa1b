//! What is asked about.

use std::collections::BTreeSet;
use std::fmt;
use vorrang_time::Duration;

/// Whose threads these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// This process, which would apply a description.
    Own,
    /// This thread, which asks for itself.
    Thread(i32),
}

/// A policy that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// `SCHED_FIFO` or `SCHED_RR` at this priority.
    Priority(u32),
    /// `SCHED_DEADLINE`.
    Deadline {
        /// Its budget.
        runtime: Duration,
        /// Its relative deadline.
        deadline: Duration,
        /// Its period.
        period: Duration,
    },
}

impl Asked {
    /// `fifo:80`, `deadline:4ms/10ms`, `deadline:4ms/8ms/10ms` (budget, deadline, period).
    ///
    /// # Errors
    /// It is none of these.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("\"{text}\" is none of fifo:80, deadline:4ms/10ms and deadline:4ms/8ms/10ms")
        };
        let time = |text: &str| text.parse::<Duration>().map_err(|_| wrong());
        let (kind, rest) = text.split_once(':').ok_or_else(wrong)?;
        match (kind, rest.split('/').collect::<Vec<_>>().as_slice()) {
            ("fifo" | "rr", [priority]) => {
                priority.parse().map(Self::Priority).map_err(|_| wrong())
            }
            ("deadline", [runtime, period]) => {
                let period = time(period)?;
                Ok(Self::Deadline { runtime: time(runtime)?, deadline: period, period })
            }
            ("deadline", [runtime, deadline, period]) => Ok(Self::Deadline {
                runtime: time(runtime)?,
                deadline: time(deadline)?,
                period: time(period)?,
            }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Priority(priority) => write!(f, "SCHED_FIFO {priority}"),
            Self::Deadline { runtime, deadline, period } => {
                write!(f, "SCHED_DEADLINE {runtime} in {deadline} every {period}")
            }
        }
    }
}

/// What is asked about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Whose rights count.
    pub whose: Whose,
    /// The policy that is asked for; `None`: any.
    pub asked: Option<Asked>,
    /// Whether priorities of `SCHED_FIFO` are needed.
    pub needs_priority: bool,
    /// Whether `SCHED_DEADLINE` is needed.
    pub needs_deadline: bool,
    /// Whether partitions of processors are needed.
    pub needs_partitions: bool,
    /// The processors that matter; `None`: all.
    pub cpus: Option<BTreeSet<u32>>,
    /// What the tracer `hwlat` wrote, where it was run for this.
    pub hwlat: Option<String>,
}

impl Subject {
    /// A machine on which any description may be applied.
    pub fn machine() -> Self {
        Self {
            whose: Whose::Own,
            asked: None,
            needs_priority: true,
            needs_deadline: true,
            needs_partitions: true,
            cpus: None,
            hwlat: None,
        }
    }

    /// A thread, with the policy that it asks for.
    pub fn thread(number: i32, asked: Option<Asked>) -> Self {
        Self {
            whose: Whose::Thread(number),
            asked,
            needs_priority: !matches!(asked, Some(Asked::Deadline { .. })),
            needs_deadline: !matches!(asked, Some(Asked::Priority(_))),
            needs_partitions: false,
            ..Self::machine()
        }
    }

    /// The folder of the thread whose rights count.
    pub(crate) fn folder(&self) -> String {
        match self.whose {
            Whose::Own => "/proc/self".to_owned(),
            Whose::Thread(number) => format!("/proc/{number}"),
        }
    }

    /// Who that is, in a sentence.
    pub(crate) fn who(&self) -> String {
        match self.whose {
            Whose::Own => "this process".to_owned(),
            Whose::Thread(number) => format!("thread {number}"),
        }
    }

    pub(crate) fn is_thread(&self) -> bool {
        matches!(self.whose, Whose::Thread(_))
    }

    /// Those of the processors that matter.
    pub(crate) fn among(&self, all: Vec<u32>) -> Vec<u32> {
        let matters = |cpu: &u32| self.cpus.as_ref().is_none_or(|cpus| cpus.contains(cpu));
        all.into_iter().filter(matters).collect()
    }
}
