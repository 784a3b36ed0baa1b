//! What a server takes of a core: its budget, and what switching to it and back takes.
//!
//! **Model.** In every period a budget is given in one piece at best: a switch to the server and one away
//! from it, and three calls of the scheduler, as the budget returns, as it is used up, and as what runs
//! next does. A budget that returns and ends by timers has two of these. What a cold cache loses is paid
//! from the budget and so part of it. The cost is (budget + switching) / period.
//!
//! **Assumptions.** 1. A guest switches at no cost to the core, so servers inside virtual processors
//! cost nothing by themselves: the budget around them pays.
//!
//! **Does not cover** the most that switching can take, which `vorrang check` bounds: budgets that are used
//! in pieces are switched to more often.

use core::cmp::Ordering;
use vorrang_analysis::{Bandwidth, Rate};
use vorrang_model::system::{Costs, ServerKind};
use vorrang_time::Duration;

/// Shares of cores, each by its weight, ordered; exact as far as 128 bits reach.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// By which costs are compared, in units of 2^-62, each fraction rounded up.
    rate: Rate,
    /// The same with each core once: decides between equals.
    plain: Rate,
    /// For people.
    share: Bandwidth,
}

impl Cost {
    /// Nothing.
    pub const ZERO: Self = Self { rate: Rate::ZERO, plain: Rate::ZERO, share: Bandwidth::ZERO };

    /// Some time in every period.
    pub fn of(time: Duration, period: Duration) -> Self {
        Self::weighted(time, period, 1)
    }

    /// The same on a core of some weight, at most [`crate::MOST_WEIGHT`].
    pub(crate) fn weighted(time: Duration, period: Duration, weight: u64) -> Self {
        let plain = Rate::ceil(time, period);
        let weighted = time * weight;
        let rate = Rate::ceil(weighted, period);
        Self { rate, plain, share: Bandwidth::of(weighted, period) }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            rate: self.rate.plus(other.rate),
            plain: self.plain.plus(other.plain),
            share: self.share.plus(other.share),
        }
    }

    /// As people are told it.
    pub fn share(self) -> Bandwidth {
        self.share
    }
}

impl PartialEq for Cost {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.rate, self.plain).cmp(&(other.rate, other.plain))
    }
}

/// What switching to a server of the host takes in each of its periods, at least.
pub(crate) fn switching(costs: &Costs, kind: ServerKind) -> Duration {
    use ServerKind::{CbsHard, Deferrable, Periodic, Polling, SchedDeadline};
    let by_timers = matches!(kind, CbsHard | Deferrable | Periodic | Polling | SchedDeadline);
    let timer = costs.interrupt_entry + costs.timer_expiry + costs.interrupt_exit;
    calls(costs) + if by_timers { timer * 2 } else { Duration::ZERO }
}

/// The same without the timers of its budget.
pub(crate) fn calls(costs: &Costs) -> Duration {
    costs.context_switch * 2 + costs.scheduler_call * 3
}
