//! What takes time of a supply, in numbers, as in `proofs/Certificate.v`.

use crate::caller::{Caller, ColdContext};

/// The rule by which a server spends and regains its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub enum Kind {
    /// Full budget every period, idled away when nothing is ready.
    Periodic,
    /// Full budget every period, lost at once when nothing is ready.
    Polling,
    /// Full budget every period, kept until the end of the period.
    Deferrable,
    /// What is used returns one period after its level became active, each unit by itself.
    Sporadic,
    /// A queue of at most `most` refills, of which the first has `least` or joins the next.
    Refills { most: u64, least: u64 },
}

/// Something that takes time of a supply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub enum Member {
    /// A task or a service routine.
    Jobs { cost: u64, period: u64, jitter: u64 },
    /// A server.
    Budgets { kind: Kind, budget: u64, period: u64 },
    /// A `SCHED_DEADLINE` server whose runtimes are exceeded by so much at most.
    Runtime { budget: u64, period: u64, exceeded: u64 },
    /// The kernel of a core: calls of the scheduler, and switches.
    Kernel { call: u64, switch: u64, callers: Vec<Caller> },
    /// The cold caches of the contexts of a core.
    Cold { contexts: Vec<ColdContext> },
    /// The timers of a core behind a shield.
    Timers(Box<Shield>),
}

impl Member {
    /// The time of a job, or the budget.
    pub const fn cost(&self) -> u64 {
        match *self {
            Self::Jobs { cost, .. } => cost,
            Self::Budgets { budget, .. } | Self::Runtime { budget, .. } => budget,
            Self::Kernel { .. } | Self::Cold { .. } | Self::Timers(_) => 0,
        }
    }

    /// Its period.
    pub const fn period(&self) -> u64 {
        match *self {
            Self::Jobs { period, .. }
            | Self::Budgets { period, .. }
            | Self::Runtime { period, .. } => period,
            Self::Kernel { .. } | Self::Cold { .. } | Self::Timers(_) => 0,
        }
    }
}

/// The timers of a core behind a shield, beside a member of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shield {
    /// How urgent the member is, where an idle core is 0.
    pub beside: u64,
    /// The longest time for which a timer waits; `None`: as long as that takes.
    pub deferral: Option<u64>,
    /// A window in which all of them may come when they have waited for so long.
    pub at_last: u64,
    /// Each of them.
    pub timers: Vec<Shielded>,
    /// The routines of the core.
    pub first: Vec<Member>,
    /// Its other members, but for tasks that a timer wakes, each with its urgency.
    pub others: Vec<(u64, Member)>,
    /// A window in which there is a decision.
    pub decided_in: u64,
}

/// A timer behind a shield.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shielded {
    /// How urgent it is, where an idle core is 0.
    pub urgency: u64,
    /// What an interrupt for it takes.
    pub takes: u64,
    /// The least time between two expiries.
    pub period: u64,
    /// From an expiry to the end of the callback.
    pub latency: u64,
    /// What the task takes that it wakes on the core; 0 where it wakes none there.
    pub wakes: u64,
}
