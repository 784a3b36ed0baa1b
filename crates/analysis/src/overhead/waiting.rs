//! What calls the scheduler of a core while a member waits.
//!
//! **Theorem.** In a window throughout which a member does not run, each task in it that shares a supply of the host, and each guest, gets
//! ready once at most, for it stays so until it runs. Besides, each return of a budget of the host calls.
//!
//! **Assumptions.** 1. The members of a guest call the guest's scheduler. 2. A reservation of the host has something ready when
//! one of its members gets ready, at the same instant.
//!
//! Theory: docs/theory/scheduler-costs.md.

use super::event::replenishments;
use crate::arrival::Arrivals;
use crate::ground::deliveries;
use vorrang_model::system::{Member, System};

/// What calls while a member waits, besides the returns of its own budget.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// How many tasks and guests in it get ready, once each.
    pub(super) once: u64,
    /// The returns of budgets inside a reservation of the host.
    pub(super) returns: Vec<Arrivals<'static>>,
}

impl Waiting {
    /// That of a member of a supply of the host.
    pub(super) fn of(system: &System, member: Member) -> Self {
        let mut waiting = Self::default();
        waiting.add(system, member);
        waiting
    }

    fn add(&mut self, system: &System, member: Member) {
        let Member::Server(id) = member else {
            self.once += 1;
            return;
        };
        let supply = system.supply(id);
        if supply.vm.is_some() {
            let may_wake = !supply.members.is_empty() || deliveries(system, id).next().is_some();
            self.once += u64::from(may_wake);
            return;
        }
        for &inner in &supply.members {
            if let Member::Server(server) = inner {
                self.returns.extend(replenishments(system.supply(server)));
            }
            self.add(system, inner);
        }
    }
}
