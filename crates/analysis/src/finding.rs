//! What the analysis found for one requirement, and in whose words.

use crate::effort::NoBound;
use crate::utilisation::Overbooked;
use core::fmt;
use vorrang_model::system::LongestSeen;
use vorrang_time::Duration;

/// A bound, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Longest response time, from the arrival; `None` if nothing bounds it.
    pub bound: Option<Duration>,
    /// How it was found, or would have been.
    pub method: Method,
    /// What the bound takes for granted.
    pub assumptions: Vec<Assumption>,
    /// Why there is no bound.
    pub reason: Option<Reason>,
}

impl Finding {
    pub(crate) fn none(method: Method, reason: Reason) -> Self {
        Self { bound: None, method, assumptions: Vec::new(), reason: Some(reason) }
    }
}

/// How the members of a supply are scheduled against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Local {
    /// Fixed priority.
    FixedPriority,
    /// EDF, response time.
    Edf,
    /// EDF, only that every deadline is met.
    EdfDemand,
    /// The only task of a constant-bandwidth server.
    AloneInCbs,
    /// The only task of a constant-bandwidth server, by the distribution of its times.
    Chance,
    /// Fixed priority, by jobs that exceed thresholds.
    Thresholds,
    /// A service routine at interrupt level.
    ServiceRoutine,
    /// A routine of a guest.
    GuestRoutine,
    /// The task that takes packets out of a ring.
    Polling,
    /// What a pseudo-VCPU pays for.
    PseudoVcpu,
    /// No analysis applies.
    NotCovered,
}

/// What the supply of a task is bounded as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A core.
    Core,
    /// A server under fixed priority.
    FixedPriorityServer,
    /// A server under EDF.
    PeriodicResource,
    /// A fixed slot.
    FixedSlot,
    /// Turns in a ring.
    Turns,
}

/// How a bound was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Method {
    /// The analysis among the members of the supply.
    pub local: Local,
    /// The bound of the supply itself.
    pub form: Form,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = match self.form {
            Form::Core => "",
            Form::FixedPriorityServer => " on a fixed-priority server (Davis, Burns 2005)",
            Form::PeriodicResource => {
                " on a periodic resource (Shin, Lee 2003; Easwaran et al. 2007)"
            }
            Form::FixedSlot => " on a fixed slot (Kaiser, Zöbel 2009)",
            Form::Turns => " on turns in a ring",
        };
        match (self.local, self.form) {
            (Local::FixedPriority, Form::FixedPriorityServer) => {
                f.write_str("fixed-priority server analysis (Davis, Burns 2005)")
            }
            (Local::FixedPriority, _) => write!(f, "response-time analysis (Lehoczky 1990){on}"),
            (Local::Edf, _) => write!(f, "EDF response-time analysis (Spuri 1996){on}"),
            (Local::EdfDemand, _) => write!(f, "EDF demand criterion (Zhang, Burns 2009){on}"),
            (Local::AloneInCbs, _) => f.write_str(
                "one task in a constant-bandwidth server (Abeni, Manica, Palopoli 2009)",
            ),
            (Local::Chance, _) => f.write_str(
                "one task in a constant-bandwidth server, by the distribution of its times (Abeni, Buttazzo 1999)",
            ),
            (Local::Thresholds, _) => {
                write!(f, "fixed priority, by the probability that jobs exceed thresholds{on}")
            }
            (Local::ServiceRoutine, _) => {
                f.write_str("response-time analysis at interrupt level (Lehoczky 1990)")
            }
            (Local::GuestRoutine, _) => write!(f, "first come, first served in the guest{on}"),
            (Local::Polling, _) => write!(f, "packets out of a ring, in rounds{on}"),
            (Local::PseudoVcpu, _) => {
                f.write_str("pseudo-VCPU (Kim, Wang, Rajkumar 2015, with credit at the arrival)")
            }
            (Local::NotCovered, _) => f.write_str("no analysis"),
        }
    }
}

/// What a bound takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// The description is true of the workload.
    Workload,
    /// Mechanisms cost nothing.
    NoCosts,
    /// Mechanisms cost what is stated.
    StatedCosts,
    /// Timers of budgets that are not counted cost nothing besides calls and switches.
    BudgetTimers,
    /// What guests take for timers of their tasks that state no routine.
    GuestTimers {
        /// These timers.
        timers: Vec<String>,
    },
    /// Blocking is as stated.
    Blocking,
    /// Service routines.
    ServiceRoutines,
    /// Service routines that servers of Linux pay for.
    ChargedRoutines,
    /// Fixed slots.
    Slots,
    /// Sporadic servers whose pieces of budget keep their own times.
    SporadicActivations,
    /// Queues of refills none of which is too small for their kernel.
    LeastRefill,
    /// Runtimes of `SCHED_DEADLINE` that end in time.
    Runtimes,
    /// Runtimes of `SCHED_DEADLINE` that end late by a time that counts.
    LateRuntimes {
        /// Of the servers on this core.
        core: String,
        /// The longest such time.
        by: Duration,
        /// Who says so, if it is a profile.
        kernel: Option<String>,
    },
    /// Less urgent work goes on for a time that counts.
    Sections {
        /// On this core.
        core: String,
        /// The longest such time.
        longest: Duration,
        /// Who says so, if it is a profile.
        kernel: Option<String>,
    },
    /// Nothing is said about the kernel of a core.
    UnknownKernel {
        /// The core.
        core: String,
        /// Whether its sections are stated.
        counts_sections: bool,
    },
    /// What the profile of a kernel names and no bound counts.
    KernelBesides {
        /// The core.
        core: String,
        /// The profile.
        kernel: String,
        /// What it does.
        what: Vec<String>,
    },
    /// What the profile of a kernel has from measurements.
    LongestSeen {
        /// The core.
        core: String,
        /// The profile.
        kernel: String,
        /// What was measured, and how often.
        what: Vec<LongestSeen>,
    },
    /// How often `SCHED_OTHER` interrupts what is less urgent than its server.
    OtherInOnePiece,
    /// Deadlines under EDF.
    EdfDeadlines,
    /// Execution times by their distribution.
    Independence,
    /// An interrupt does not storm, where the bound is its own or that of the task it wakes.
    NoOwnStorm {
        /// The interrupt.
        interrupt: String,
        /// The task that it wakes.
        task: Option<String>,
        /// The least time between two arrivals for which the bounds hold.
        apart: Duration,
        /// The same while it storms.
        storm: Duration,
    },
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoOwnStorm { interrupt, task: Some(task), apart, storm } => {
                return write!(
                    f,
                    "{interrupt} does not storm: its bound and that of {task} hold for arrivals at least {apart} apart; under its storm ({storm}) neither is claimed"
                );
            }
            Self::NoOwnStorm { interrupt, task: None, apart, storm } => {
                return write!(
                    f,
                    "{interrupt} does not storm: its bound holds for arrivals at least {apart} apart; under its storm ({storm}) it is not claimed"
                );
            }
            Self::Workload => {
                "arrivals, jitter and execution times stay within what the description states, and no job suspends itself"
            }
            Self::NoCosts => {
                "scheduling, switching and cache refill cost nothing, or are part of the stated execution times"
            }
            Self::StatedCosts => {
                "calls of the scheduler, switches, interrupts, timers and cold caches cost no more than the description states"
            }
            Self::BudgetTimers => {
                "the kernel's timers by which budgets return and end take no time besides calls and switches, or are described as interrupts, except those of servers whose budget returns once in a period (periodic, polling, deferrable, hard constant-bandwidth, SCHED_DEADLINE), which are counted"
            }
            Self::GuestTimers { timers } => {
                return write!(
                    f,
                    "the guests of {} take no time for them, or it is part of execution times: no `isr` is stated",
                    timers.join(", ")
                );
            }
            Self::Blocking => {
                "less urgent work delays a task or server by at most its blocking, once per busy window; where none is stated there is none"
            }
            Self::ServiceRoutines => {
                "interrupt service routines run before everything else on their core, in the order that it states, and are charged to no server"
            }
            Self::ChargedRoutines => {
                "interrupt service routines run before everything else on their core, in the order that it states, and are charged to the SCHED_DEADLINE server of the core that they interrupt, and to no other"
            }
            Self::Slots => "slots start at their offsets and never move",
            Self::SporadicActivations => {
                "sporadic servers keep a replenishment time for every piece of budget (docs/model.md)"
            }
            Self::LeastRefill => {
                "no refill of a refill-queue server is ever smaller than the least budget of its kernel (MIN_BUDGET of seL4, twice its longest time in the kernel), below which it would join the next one and wait for that; no description states it (docs/model.md)"
            }
            Self::Runtimes => {
                "a runtime of SCHED_DEADLINE ends when it is used up, and no thread waits longer than the stated blocking for a lock held by a thread without runtime (docs/apply.md); neither a `kernel` nor an `overrun` says how late one may end"
            }
            Self::LateRuntimes { core, by, kernel } => {
                let kernel = kernel.as_ref().map(|name| format!(" (kernel {name})"));
                return write!(
                    f,
                    "runtimes of SCHED_DEADLINE on {core} end at most {by} after they are used up, which is counted{}; no thread waits longer than the stated blocking for a lock held by a thread without runtime (docs/apply.md)",
                    kernel.unwrap_or_default()
                );
            }
            Self::Sections { core, longest, kernel } => {
                let kernel = kernel.as_ref().map(|name| format!(" (kernel {name})"));
                return write!(
                    f,
                    "when something becomes ready on {core}, its kernel goes on with less urgent work for at most {longest}, once per busy window, which is counted{}",
                    kernel.unwrap_or_default()
                );
            }
            Self::UnknownKernel { core, counts_sections } => {
                let sections = ", sections with preemption or interrupts off";
                let sections = if *counts_sections { "" } else { sections };
                return write!(
                    f,
                    "what the kernel of {core} does by itself takes no time, besides what the description states: its tick, `ktimers`{sections} (no `kernel` is named, docs/kernel.md)"
                );
            }
            Self::KernelBesides { core, kernel, what } => {
                return write!(
                    f,
                    "of kernel {kernel} on {core} these take no time, besides what the description states: {}",
                    what.join("; ")
                );
            }
            Self::LongestSeen { core, kernel, what } => {
                let all: Vec<String> =
                    what.iter().map(|LongestSeen { what, samples }| format!("{what} ({samples})")).collect();
                return write!(
                    f,
                    "of kernel {kernel} on {core} these take no longer, and come no later, than the longest that was seen in so many samples: {}",
                    all.join(", ")
                );
            }
            Self::OtherInOnePiece => {
                "what SCHED_OTHER takes before SCHED_FIFO it takes in one piece in each period of its server (docs/model.md)"
            }
            Self::Independence => {
                "how long a job executes is of the distribution stated, and says nothing about other jobs, arrivals or anything else"
            }
            Self::EdfDeadlines => "under EDF the deadline of a job counts from its arrival",
        })
    }
}

/// Why there is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No analysis covers something on the core.
    NotCovered {
        /// What, by name.
        what: String,
    },
    /// A server on the way to the core may not receive its budget in each period.
    NoGuarantee {
        /// The server.
        server: String,
        /// Its period.
        period: Duration,
        /// How long its budget may take, if that is known.
        needs: Option<Duration>,
        /// Who takes more than there is, if that is why.
        overbooked: Option<Box<Overbooked>>,
    },
    /// More may be requested than a pseudo-VCPU lets through.
    HeldBack {
        /// The interrupt that is held back.
        interrupt: String,
    },
    /// Nothing says how often something is late.
    NoReservation {
        /// What.
        what: String,
        /// Why.
        why: &'static str,
    },
    /// The busy window does not end, or was not found.
    NoBound {
        /// The supply it is about.
        supply: String,
        /// Why.
        why: NoBound,
        /// Who takes more than there is, if that is why.
        overbooked: Option<Box<Overbooked>>,
    },
    /// Nobody wanted to wait for it any longer.
    Interrupted,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCovered { what } => write!(f, "no analysis covers {what}"),
            Self::NoGuarantee { server, period, overbooked: Some(cause), .. } => write!(
                f,
                "{cause}, so that {server} is not guaranteed its budget in each period of {period}"
            ),
            Self::NoGuarantee { server, period, needs: Some(needs), .. } => {
                write!(
                    f,
                    "{server} may take {needs} to receive its budget, longer than its period of {period}"
                )
            }
            Self::NoGuarantee { server, period, needs: None, .. } => {
                write!(f, "{server} is not guaranteed its budget in each period of {period}")
            }
            Self::HeldBack { interrupt } => {
                write!(f, "{interrupt} may come more often than its pseudo-VCPU lets it through")
            }
            Self::NoReservation { what, why } => {
                write!(f, "no deadline-miss probability is known for {what}: {why}")
            }
            Self::NoBound { overbooked: Some(cause), .. } => write!(f, "{cause}"),
            Self::NoBound { supply, why, .. } => write!(f, "on {supply}, {why}"),
            Self::Interrupted => f.write_str("the analysis was interrupted"),
        }
    }
}
