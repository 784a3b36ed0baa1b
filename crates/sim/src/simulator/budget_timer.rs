//! The timers of the kernel for replenishments and exhaustions of budgets.
//!
//! **Assumptions.** 1. Each takes an interrupt of its own, of a fixed length. 2. It has no effect on the
//! budget, which has returned, or ended, when the interrupt is requested.
//!
//! **Does not cover** servers whose budgets do not return once in a period (docs/model.md).

use super::one_core::OneCore;
use crate::observer::{Cause, Observer};
use crate::routines::Work;
use vorrang_mechanisms::server::AnyServer;
use vorrang_model::system::Costs;
use vorrang_time::{Duration, Instant};

impl OneCore<'_> {
    /// The budget of a server has just returned or ended.
    pub(super) fn time_budget(&mut self, node: usize) {
        let Costs { interrupt_entry, interrupt_exit, timer_expiry, vm_exit, .. } =
            self.system.costs;
        let returns_once = matches!(
            self.tree.nodes[node].server,
            Some(
                AnyServer::Periodic(_)
                    | AnyServer::Polling(_)
                    | AnyServer::Deferrable(_)
                    | AnyServer::CbsHard(_)
                    | AnyServer::SchedDeadline(_)
            )
        );
        let own = &self.tree.nodes[node];
        if !returns_once || own.pays_for.is_some() || !self.tree.parent(node).is_host() {
            return;
        }
        let left_guest = self.runs_guest();
        let exit = if left_guest { vm_exit } else { Duration::ZERO };
        let length = interrupt_entry + timer_expiry + interrupt_exit + exit;
        if !length.is_zero() {
            self.tree.nodes[0].routines.request_timers(Work::Budget { left_guest }, length);
            self.unsettled.insert(0);
        }
    }

    /// Its interrupt is over.
    pub(super) fn end_budget_timer(
        &self,
        left_guest: bool,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let Costs { interrupt_entry, interrupt_exit, timer_expiry, vm_exit, .. } =
            self.system.costs;
        self.lose(Cause::InterruptEntry, interrupt_entry + interrupt_exit, now, observer);
        self.lose(Cause::TimerExpiry, timer_expiry, now, observer);
        if left_guest {
            self.lose(Cause::VmExit, vm_exit, now, observer);
        }
    }
}
