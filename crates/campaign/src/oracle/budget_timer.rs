//! Timer interrupts by which budgets return and end.

use super::{Core, Ran};
use vorrang_model::system::{ServerKind, SupplyId};

/// One that is requested and not over.
#[derive(Clone, Copy, Debug)]
pub(super) struct BudgetTimer {
    /// When, in which step of the instant, and for which supply.
    pub(super) requested: (u64, u8, usize),
    left: u64,
    pub(super) begun: bool,
}

impl Core<'_> {
    /// The budget of a server returns or ends in this step.
    pub(super) fn time_budget(&mut self, id: SupplyId, step: u8) {
        let kind = self.server(id).kind;
        let returns_once = match kind {
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::CbsHard
            | ServerKind::SchedDeadline => true,
            ServerKind::Sporadic
            | ServerKind::PosixSporadic
            | ServerKind::RefillQueue
            | ServerKind::CbsSoft
            | ServerKind::Share
            | ServerKind::Level
            | ServerKind::Slot
            | ServerKind::Table => false,
        };
        if !returns_once || !self.is_of_host(self.parent(id)) {
            return;
        }
        let costs = &self.system.costs;
        let exit = if self.last.vcpu { costs.vm_exit.as_ns() } else { 0 };
        let around = costs.interrupt_entry.as_ns() + costs.interrupt_exit.as_ns();
        let left = around + costs.timer_expiry.as_ns() + exit;
        if left > 0 {
            let requested = (self.now, step, id.0);
            self.budget_timers.push_back(BudgetTimer { requested, left, begun: false });
        }
    }

    pub(super) fn run_budget_timer(&mut self) -> Ran {
        let first = self.budget_timers.front_mut().expect("it is requested");
        first.begun = true;
        first.left -= 1;
        self.last = super::Last::default();
        Ran::Timers
    }

    /// Step 1.
    pub(super) fn end_budget_timer(&mut self) {
        if self.budget_timers.front().is_some_and(|first| first.left == 0) {
            self.budget_timers.pop_front();
        }
    }
}
