//! A reservation: a supply that takes its time from another.

use super::{Priority, SupplyId};
use vorrang_time::Duration;

/// A reservation: `budget` of the parent's time in every `period`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The supply it takes its time from.
    pub on: SupplyId,
    /// The rule by which budget is spent and replenished.
    pub kind: ServerKind,
    /// Time per period, at most the period.
    pub budget: Duration,
    /// Replenishment period.
    pub period: Duration,
    /// Start of the slot within the period, for [`ServerKind::Slot`]; zero otherwise.
    pub offset: Duration,
    /// Urgency on a fixed-priority parent; unused elsewhere.
    pub priority: Priority,
    /// Longest time that less urgent work on the parent may delay it, once per busy window, where
    /// priority decides about it; zero elsewhere.
    pub blocking: Duration,
    /// Relative deadline of [`ServerKind::SchedDeadline`], from the budget to the period; `None`:
    /// the period.
    pub deadline: Option<Duration>,
    /// Whether a [`ServerKind::SchedDeadline`] reclaims unused bandwidth (GRUB).
    pub reclaims: bool,
    /// Weight on a parent that takes turns, at least 1.
    pub share: u32,
    /// Refills that the queue of a [`ServerKind::RefillQueue`] holds, at least 2.
    pub refills: u32,
    /// The least budget of a [`ServerKind::RefillQueue`], at most its budget: less than that joins the
    /// next refill; `None`: not stated.
    pub min_budget: Option<Duration>,
}

impl Default for Server {
    /// One nanosecond of every nanosecond of supply 0, deferrable: to start from.
    fn default() -> Self {
        Self {
            on: SupplyId(0),
            kind: ServerKind::Deferrable,
            budget: Duration::RESOLUTION,
            period: Duration::RESOLUTION,
            offset: Duration::ZERO,
            priority: Priority::default(),
            blocking: Duration::ZERO,
            deadline: None,
            reclaims: false,
            share: 1,
            refills: REFILLS,
            min_budget: None,
        }
    }
}

/// What the queue of a [`ServerKind::RefillQueue`] holds where nothing is stated.
pub const REFILLS: u32 = 8;

/// The rule by which a server spends and regains its budget.
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
    /// `SCHED_SPORADIC` of POSIX, with its defects.
    PosixSporadic,
    /// A sporadic scheduling context of seL4: a short queue of refills.
    RefillQueue,
    /// No budget: its share of a parent that takes turns. Budget and period are not looked at.
    Share,
}
