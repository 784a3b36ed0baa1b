//! What a bound takes for granted of workload and machine, said beside every verdict.

use super::of_kernel::OfKernel;
use core::fmt;
use vorrang_model::system::LongestSeen;
use vorrang_time::Duration;

/// What a bound takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// The description is true of the workload.
    Workload,
    /// What was learnt holds.
    Learnt {
        /// Tasks and interrupts.
        what: Vec<String>,
        /// The margin on what was seen, as it is written.
        margin: String,
    },
    /// Mechanisms cost nothing.
    NoCosts,
    /// Mechanisms cost what is stated.
    StatedCosts,
    /// What cold caches take on average is what they take.
    AverageCaches {
        /// Contexts with their caches.
        what: Vec<String>,
    },
    /// Timers of budgets that are not counted cost nothing besides calls and switches.
    BudgetTimers,
    /// The time of guests for timers of their tasks that state no routine.
    GuestTimers {
        /// These timers.
        timers: Vec<String>,
    },
    /// That a processor delivers these interrupts without the host, to guests that never sleep.
    Posted(Vec<String>),
    /// Where a shield of timers differs from the module that does it on Linux.
    ShieldedTimers {
        /// Those of this core.
        core: String,
    },
    /// Blocking is as stated.
    Blocking,
    /// Service routines.
    ServiceRoutines,
    /// Service routines that servers of Linux pay for.
    ChargedRoutines,
    /// Offsets of tasks.
    Clock,
    /// Fixed slots.
    Slots,
    /// Sporadic servers whose budget fragments have separate replenishment times.
    SporadicActivations,
    /// Queues of refills that state no least budget of their kernel.
    LeastRefill,
    /// Runtimes of `SCHED_DEADLINE` that end in time.
    Runtimes,
    /// Runtimes of `SCHED_DEADLINE` that end late by a time that counts.
    LateRuntimes {
        /// Of the servers on this core.
        core: String,
        /// The longest such time.
        by: Duration,
        /// The profile that states it, if any.
        kernel: Option<String>,
    },
    /// Less urgent work goes on for a time that counts.
    Sections {
        /// On this core.
        core: String,
        /// The longest such time.
        longest: Duration,
        /// The profile that states it, if any.
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
    /// The release of a kernel, and where its times are from.
    OfKernel(OfKernel),
    /// How often `SCHED_OTHER` interrupts what is less urgent than its server.
    OtherInOnePiece,
    /// Deadlines under EDF.
    EdfDeadlines,
    /// Interfering servers are used for the work in them and nothing else.
    WorkInServers,
    /// A server is used for the work in it and nothing else, so that its budget lasts.
    BudgetLasts {
        /// The server.
        server: String,
    },
    /// Equal priorities: what became ready first.
    FirstCome,
    /// Equal priorities: turns of a slice.
    ExactSlices,
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
            Self::Learnt { what, margin } => return f.write_str(&of_learnt(what, margin)),
            Self::NoCosts => {
                "scheduling, switching and cache refill cost nothing, or are part of the stated execution times"
            }
            Self::StatedCosts => {
                "calls of the scheduler, switches, interrupts, timers and cold caches cost no more than the description states"
            }
            Self::AverageCaches { what } => return f.write_str(&of_averages(what)),
            Self::BudgetTimers => {
                "the kernel's timers by which budgets return and end take no time besides calls and switches, or are described as interrupts, except those of servers whose budget returns once in a period (periodic, polling, deferrable, hard constant-bandwidth, SCHED_DEADLINE), which are counted"
            }
            Self::GuestTimers { timers } => return f.write_str(&of_guest_timers(timers)),
            Self::Posted(of) => return write!(f, "the processor delivers {}{POSTED}", listed(of)),
            Self::ShieldedTimers { core } => return write!(f, "{}", shielded(core)),
            Self::Blocking => BLOCKING,
            Self::ServiceRoutines => {
                "interrupt service routines run before everything else on their core, in the order that it states, and are charged to no server"
            }
            Self::ChargedRoutines => {
                "interrupt service routines run before everything else on their core, in the order that it states, and are charged to the SCHED_DEADLINE server of the core that they interrupt, and to no other"
            }
            Self::Clock => CLOCK,
            Self::Slots => "slots start at their offsets and never move",
            Self::SporadicActivations => SPORADIC_ACTIVATIONS,
            Self::LeastRefill => {
                "no refill of a refill-queue server without `min-budget` is smaller than the least budget of its kernel (MIN_BUDGET of seL4, twice its longest time in the kernel), below which it would be merged with the next one (docs/model.md)"
            }
            Self::Runtimes => {
                "a runtime of SCHED_DEADLINE ends when it is used up, and no thread waits longer than the stated blocking for a lock held by a thread without runtime (docs/apply.md); neither a `kernel` nor an `overrun` says how late one may end"
            }
            Self::LateRuntimes { core, by, kernel } => {
                let by_profile = by_profile(kernel.as_deref());
                return write!(
                    f,
                    "runtimes of SCHED_DEADLINE on {core} end at most {by} after they are used up, which is counted{by_profile}; no thread waits longer than the stated blocking for a lock held by a thread without runtime (docs/apply.md)"
                );
            }
            Self::Sections { core, longest, kernel } => {
                let by_profile = by_profile(kernel.as_deref());
                return write!(
                    f,
                    "when something becomes ready on {core}, its kernel goes on with less urgent work for at most {longest}, once per busy window, which is counted{by_profile}"
                );
            }
            Self::UnknownKernel { core, counts_sections } => {
                let sections = ", sections with preemption or interrupts off";
                let sections = if *counts_sections { "" } else { sections };
                return write!(
                    f,
                    "the kernel of {core} takes no time of its own besides what the description states: its tick, `ktimers`{sections} (no `kernel` is named, docs/kernel.md)"
                );
            }
            Self::KernelBesides { core, kernel, what } => {
                return write!(
                    f,
                    "of kernel {kernel} on {core} the following take no time besides what the description states: {}",
                    what.join("; ")
                );
            }
            Self::LongestSeen { core, kernel, what } => {
                let all = seen(what);
                return write!(
                    f,
                    "of kernel {kernel} on {core} the following take no longer, and are no later, than the longest of this many samples: {all}"
                );
            }
            Self::OfKernel(own) => return own.fmt(f),
            Self::OtherInOnePiece => OTHER_IN_ONE_PIECE,
            Self::WorkInServers => WORK_IN_SERVERS,
            Self::BudgetLasts { server } => return write!(f, "{server} {BUDGET_LASTS}"),
            Self::FirstCome => FIRST_COME,
            Self::ExactSlices => EXACT_SLICES,
            Self::Independence => INDEPENDENCE,
            Self::EdfDeadlines => "under EDF the deadline of a job counts from its arrival",
        })
    }
}

fn of_learnt(what: &[String], margin: &str) -> String {
    let what = listed(what);
    format!(
        "what was learnt of {what} stays within what was seen, with the margin of {margin} (docs/learn.md)"
    )
}

fn of_guest_timers(timers: &[String]) -> String {
    let timers = timers.join(", ");
    format!(
        "the guests of {timers} take no time for them, or that time is part of execution times: no `isr` is stated"
    )
}

fn of_averages(what: &[String]) -> String {
    let what = listed(what);
    format!(
        "cold caches of {what} take what they take on average: the bound is about the average, not about every job"
    )
}

/// `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// What was seen how often.
fn seen(what: &[LongestSeen]) -> String {
    let all = what.iter().map(|LongestSeen { what, samples }| format!("{what} ({samples})"));
    all.collect::<Vec<_>>().join(", ")
}

const BUDGET_LASTS: &str =
    "is used for nothing but the work described in it, which never uses its budget up";

const OTHER_IN_ONE_PIECE: &str =
    "SCHED_OTHER uses the budget of its server in one piece in each period (docs/model.md)";

const SPORADIC_ACTIVATIONS: &str =
    "sporadic servers keep a replenishment time for every fragment of budget (docs/model.md)";

const WORK_IN_SERVERS: &str = "interfering servers take no more than the work described in them, where that is less \
                               than their budgets";

const INDEPENDENCE: &str = "execution times have the stated distributions, independently of other jobs, of arrivals \
                            and of everything else";

const POSTED: &str = " itself, to a guest that never sleeps, without the host (docs/model.md)";
const CLOCK: &str = "tasks with an `offset` arrive exactly then and whole periods later, by one clock for all cores";

const BLOCKING: &str = "less urgent work delays a task or server by at most its blocking, once per busy window; where none is stated there is none";

const FIRST_COME: &str = "members of equal priority are served first come, first served, as by SCHED_FIFO, and no \
                          time slice ends what one of them does (`time-slice` where one does)";

const EXACT_SLICES: &str = "a time slice is so much time of the member itself, counted exactly, and the rest of it is kept \
                            while the member is preempted or sleeps (docs/model.md says which kernels count otherwise)";

/// The profile that states what counts, if any.
fn by_profile(kernel: Option<&str>) -> String {
    kernel.map(|name| format!(" (kernel {name})")).unwrap_or_default()
}

fn shielded(core: &str) -> String {
    format!(
        "timers that the shield of {core} held back are handled in timer interrupts right after the decision for something less urgent; the module timer_shield does that if its parameter `batch` is not less than the timers of a core and `callback` is 0, which `vorrang apply` ensures (docs/timer-shield.md)"
    )
}
