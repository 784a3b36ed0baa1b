//! A reservation: a supply that takes its time from another.

use super::{Priority, SupplyId};
use vorrang_time::Duration;

/// A reservation: `budget` of the parent's time in every `period`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server {
    /// The supply it takes its time from.
    pub on: SupplyId,
    /// The rule by which budget is spent and replenished.
    pub rule: ServerRule,
    /// Time per period, at most the period.
    pub budget: Duration,
    /// Replenishment period.
    pub period: Duration,
    /// Urgency on a fixed-priority parent; unused elsewhere.
    pub priority: Priority,
    /// Longest time that less urgent work on the parent may delay it, once per busy window, where
    /// priority decides about it; zero elsewhere.
    pub blocking: Duration,
}

impl Server {
    /// The kind that its rule is of.
    pub fn kind(&self) -> ServerKind {
        self.rule.kind()
    }

    /// The relative deadline that is stated, which only [`ServerRule::SchedDeadline`] may have.
    pub fn deadline(&self) -> Option<Duration> {
        match self.rule {
            ServerRule::SchedDeadline { deadline, .. } => deadline,
            _ => None,
        }
    }

    /// The time from the beginning of a budget to its deadline: the period where nothing else is stated.
    pub fn relative_deadline(&self) -> Duration {
        self.deadline().unwrap_or(self.period)
    }

    /// Where in its period a [`ServerRule::Slot`] starts; `None`: it is no slot.
    pub fn slot_offset(&self) -> Option<Duration> {
        match self.rule {
            ServerRule::Slot { offset } => Some(offset),
            _ => None,
        }
    }

    /// Whether its budget is a slice: seL4 has no period then, and at the end of each slice a thread goes behind
    /// those of its priority.
    pub fn is_round_robin(&self) -> bool {
        self.kind() == ServerKind::RefillQueue && self.budget == self.period
    }

    /// Whether it reclaims unused bandwidth (GRUB).
    pub fn reclaims(&self) -> bool {
        matches!(self.rule, ServerRule::SchedDeadline { reclaims: true, .. })
    }
}

impl Default for Server {
    /// One nanosecond of every nanosecond of supply 0, deferrable: to start from.
    fn default() -> Self {
        Self {
            on: SupplyId(0),
            rule: ServerRule::Deferrable,
            budget: Duration::RESOLUTION,
            period: Duration::RESOLUTION,
            priority: Priority::default(),
            blocking: Duration::ZERO,
        }
    }
}

/// What the queue of a [`ServerRule::RefillQueue`] holds where nothing is stated.
pub const REFILLS: u32 = 8;

/// The rule by which a server spends and regains its budget, with what only this rule has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerRule {
    /// [`ServerKind::Periodic`].
    Periodic,
    /// [`ServerKind::Polling`].
    Polling,
    /// [`ServerKind::Deferrable`].
    Deferrable,
    /// [`ServerKind::Sporadic`].
    Sporadic,
    /// [`ServerKind::CbsHard`].
    CbsHard,
    /// [`ServerKind::CbsSoft`].
    CbsSoft,
    /// [`ServerKind::SchedDeadline`].
    SchedDeadline {
        /// Relative deadline, from the budget to the period; `None`: the period.
        deadline: Option<Duration>,
        /// Whether it reclaims unused bandwidth (GRUB).
        reclaims: bool,
    },
    /// [`ServerKind::Slot`].
    Slot {
        /// Start of the slot within the period.
        offset: Duration,
    },
    /// [`ServerKind::Table`]: its windows are [`Supply::windows`](super::Supply::windows), and together the budget.
    Table,
    /// [`ServerKind::PosixSporadic`].
    PosixSporadic,
    /// [`ServerKind::RefillQueue`].
    RefillQueue {
        /// Refills that the queue holds, at least 2.
        refills: u32,
        /// The least budget, at most the budget: less than that joins the next refill; `None`: not
        /// stated.
        min_budget: Option<Duration>,
    },
}

impl ServerRule {
    /// The kind that it is of.
    pub fn kind(self) -> ServerKind {
        match self {
            Self::Periodic => ServerKind::Periodic,
            Self::Polling => ServerKind::Polling,
            Self::Deferrable => ServerKind::Deferrable,
            Self::Sporadic => ServerKind::Sporadic,
            Self::CbsHard => ServerKind::CbsHard,
            Self::CbsSoft => ServerKind::CbsSoft,
            Self::SchedDeadline { .. } => ServerKind::SchedDeadline,
            Self::Slot { .. } => ServerKind::Slot,
            Self::Table => ServerKind::Table,
            Self::PosixSporadic => ServerKind::PosixSporadic,
            Self::RefillQueue { .. } => ServerKind::RefillQueue,
        }
    }
}

impl ServerKind {
    /// Whether Linux itself runs it: before every priority, with runtimes that may end late and pay for interrupts.
    pub const fn is_of_linux(self) -> bool {
        match self {
            Self::SchedDeadline => true,
            Self::Periodic
            | Self::Polling
            | Self::Deferrable
            | Self::Sporadic
            | Self::CbsHard
            | Self::CbsSoft
            | Self::Slot
            | Self::Table
            | Self::PosixSporadic
            | Self::RefillQueue
            | Self::Share
            | Self::Level => false,
        }
    }

    /// Whether its time lies at fixed places of each period.
    pub const fn has_place(self) -> bool {
        match self {
            Self::Slot | Self::Table => true,
            Self::Periodic
            | Self::Polling
            | Self::Deferrable
            | Self::Sporadic
            | Self::CbsHard
            | Self::CbsSoft
            | Self::SchedDeadline
            | Self::PosixSporadic
            | Self::RefillQueue
            | Self::Share
            | Self::Level => false,
        }
    }

    /// Its rule where nothing else is stated; `None`: a share or a level has no budget, hence no rule for it.
    pub fn rule(self) -> Option<ServerRule> {
        Some(match self {
            Self::Periodic => ServerRule::Periodic,
            Self::Polling => ServerRule::Polling,
            Self::Deferrable => ServerRule::Deferrable,
            Self::Sporadic => ServerRule::Sporadic,
            Self::CbsHard => ServerRule::CbsHard,
            Self::CbsSoft => ServerRule::CbsSoft,
            Self::SchedDeadline => ServerRule::SchedDeadline { deadline: None, reclaims: false },
            Self::Slot => ServerRule::Slot { offset: Duration::ZERO },
            Self::Table => ServerRule::Table,
            Self::PosixSporadic => ServerRule::PosixSporadic,
            Self::RefillQueue => ServerRule::RefillQueue { refills: REFILLS, min_budget: None },
            Self::Share | Self::Level => return None,
        })
    }
}

/// The word of a description for a rule, for a share or for a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerKind {
    /// Full budget every period, idled away when nothing is ready (the proxy process).
    Periodic,
    /// Full budget every period, lost at once when nothing is ready.
    Polling,
    /// Full budget every period, kept until the end of the period.
    Deferrable,
    /// Sprunt's sporadic server: what was consumed returns one period after its level of
    /// priority became active.
    Sporadic,
    /// Constant-bandwidth server that waits for its deadline when the budget is gone.
    CbsHard,
    /// Constant-bandwidth server that postpones its deadline when the budget is gone.
    CbsSoft,
    /// Linux `SCHED_DEADLINE`.
    SchedDeadline,
    /// The same interval of every period: offset, length (budget), period.
    Slot,
    /// Several intervals of every period.
    Table,
    /// `SCHED_SPORADIC` of POSIX, with its defects.
    PosixSporadic,
    /// A sporadic scheduling context of seL4: a short queue of refills.
    RefillQueue,
    /// A share of a parent that takes turns ([`Share`](super::Share)), which has no budget.
    Share,
    /// A priority without a budget ([`Level`](super::Level)).
    Level,
}
