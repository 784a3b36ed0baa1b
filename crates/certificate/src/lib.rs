//! Certificates of response-time bounds, and the function that checks them.
//!
//! **Model.** A [`Certificate`] says of one task which supply it is on, what is more urgent there, and a bound; and it
//! lists windows from which [`check`] sees, without a search, that the bound holds. All numbers are nanoseconds.
//! `proofs/Certificate.v` has the same types and the same function, line by line, `proofs/Certified.v` the theorem that
//! the function is right: `certified`. [`as_coq`] writes a certificate in its terms.
//!
//! **Assumptions.** 1. The certificate describes the system, which the theorem cannot know. 2. This function and that
//! of Coq answer the same, which is tested with ten thousand certificates. Where a number leaves 128 bits this one
//! refuses, whatever the other says.
//! Depends on nothing, the analysis least of all. docs/trusted-base.md says what a reviewer reads besides.

mod beside;
mod caller;
mod check;
mod cold;
mod coq;
mod deadlines;
mod guest;
mod idle_guest;
mod in_time;
mod kernel;
mod loads;
mod manner;
mod member;
mod numbers;
mod rounding;
mod sharing;
mod shield;
mod supplied;

pub use beside::excesses;
pub use caller::{Caller, ColdContext, Times};
pub use check::check;
pub use coq::as_coq;
pub use deadlines::{all_due, all_in_length, bursts, rival_bursts, rival_shares, share, shares};
pub use guest::{GuestTask, Offset, Stretch};
pub use in_time::others_above;
pub use loads::needs;
pub use manner::{kept_of, wait_of};
pub use member::{Kind, Member, Shield, Shielded};
pub use sharing::{Credit, Other, Sharing, covering};
pub use shield::{all_deferred, timers_need, woken_above};

/// Something with deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub enum Rival {
    /// A task; its deadlines count from arrivals.
    Jobs { cost: u64, period: u64, jitter: u64, relative: u64 },
    /// A hard constant-bandwidth server.
    Bandwidth { budget: u64, period: u64 },
}

/// A source of processor time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Supply {
    /// A core.
    #[default]
    Core,
    /// A server on another supply, by priority.
    Server(Box<Server>),
    /// A hard constant-bandwidth server on a core under EDF.
    Reservation(Reservation),
    /// A slot of a core.
    Slot(Slot),
    /// What a cold cache leaves of a supply.
    Cold(Box<Cold>),
}

/// A cold cache, and the supply of its context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cold {
    /// What the context loses at most of its time from a start on.
    pub loss: u64,
    /// Its starts, while its guest wants something.
    pub starts: Vec<Times>,
    /// What the context gets.
    pub parent: Supply,
}

/// A slot of a core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// From the beginning of a period to the slot.
    pub offset: u64,
    /// Its length.
    pub budget: u64,
    /// The period.
    pub period: u64,
    /// The routines of the core.
    pub urgent: Vec<Member>,
}

/// A server, and windows that show that it receives its budget in each period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its rule.
    pub kind: Kind,
    /// Time in each period.
    pub budget: u64,
    /// The period.
    pub period: u64,
    /// How long less urgent work may have the supply before it.
    pub blocking: u64,
    /// What is more urgent on its parent.
    pub urgent: Vec<Member>,
    /// The window in which it receives its budget, and those of the supplies below.
    pub full: Vec<u64>,
    /// The supply that it is on.
    pub parent: Supply,
}

/// A hard constant-bandwidth server on a core under EDF.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reservation {
    /// Time in each period.
    pub budget: u64,
    /// The period.
    pub period: u64,
    /// What is more urgent on the core than all deadlines.
    pub urgent: Vec<Member>,
    /// What else has deadlines there.
    pub rivals: Vec<Rival>,
    /// Shares of the core are counted in parts of this, rounded up.
    pub unit: u64,
    /// How late a budget may be that was kept while the guest slept.
    pub late: u64,
}

/// How its supply orders a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// By priority.
    Priority {
        /// How long less urgent work may have the supply.
        blocked_by: u64,
    },
    /// By deadline.
    Deadline {
        /// From the arrival to the deadline.
        relative: u64,
        /// What else has deadlines.
        rivals: Vec<Rival>,
    },
    /// It is alone in a [`Reservation`].
    Alone,
    /// It is an interrupt for which a pseudo-VCPU is charged.
    Credit(Credit),
    /// It is such an interrupt, and shares its guest with others.
    Sharing(Sharing),
    /// It is alone in a `SCHED_DEADLINE` server of the core, whose runtime is never used up.
    Reserved {
        /// How long less urgent work and the kernel may have the core.
        blocked_by: u64,
        /// What the kernel takes after each of its jobs.
        after: u64,
        /// The runtime of the server.
        budget: u64,
        /// Its period.
        every: u64,
        /// A window that is longer than any in which the server, or what comes before it, is ready.
        longest: u64,
    },
    /// It is alone in a `SCHED_DEADLINE` server of the core, beside others.
    Beside(Box<Beside>),
    /// It is one of all tasks of a deferrable server, from an idle guest on.
    FromIdle {
        /// The tasks.
        guest: Vec<GuestTask>,
        /// Its place among them.
        which: u64,
    },
}

/// A `SCHED_DEADLINE` server of a core among others, whose runtimes may be used up and end late.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// How long less urgent work and the kernel may have the core.
    pub goes_on_for: u64,
    /// The runtime of the server.
    pub runtime: u64,
    /// Its period.
    pub every: u64,
    /// By how much a runtime is exceeded at most.
    pub exceeded: u64,
    /// Routines of the core, which may be charged to the server.
    pub routines: Vec<Member>,
    /// The other servers, each a [`Member::Runtime`].
    pub others: Vec<Member>,
    /// Shares of the core are counted in parts of this, rounded up.
    pub unit: u64,
    /// How long after their deadlines servers may be ready.
    pub late: u64,
    /// A window that is longer than any of what comes before the servers.
    pub apart: u64,
    /// How many budgets cover each of the first jobs, and those before it, after the server started afresh.
    pub budgets: Vec<u64>,
    /// How many more cover as many jobs again.
    pub again: u64,
}

impl Default for Order {
    fn default() -> Self {
        Self::Priority { blocked_by: 0 }
    }
}

/// From one offset of an arrival in a busy window to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The next offset.
    pub upto: u64,
    /// The window in which a job that arrived before it is complete.
    pub window: u64,
    /// Windows of the supplies below.
    pub below: Vec<u64>,
}

/// A bound on the response times of one task, and why it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The supply that the task is on.
    pub on: Supply,
    /// What is more or as urgent there; by deadline: what is more urgent than all deadlines.
    pub urgent: Vec<Member>,
    /// How the supply orders it.
    pub order: Order,
    /// The longest execution time of the task.
    pub cost: u64,
    /// The least time between two arrivals.
    pub period: u64,
    /// The longest time from arrival to release.
    pub jitter: u64,
    /// The bound, from the arrival.
    pub bound: u64,
    /// A length into which the work that is released in it fits.
    pub length: u64,
    /// Windows of the supplies below, for that.
    pub length_below: Vec<u64>,
    /// All offsets below that length.
    pub points: Vec<Point>,
}
