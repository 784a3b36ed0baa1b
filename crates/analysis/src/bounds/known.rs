//! What is known already of cores on which nothing changed.
//!
//! **Model.** No bound of a core rests on another that no path connects with it, nor on what that one takes of the
//! effort ([`Effort`](crate::Effort)). So what was found of a core stands as long as nothing changes on it.
//!
//! **Assumptions.** 1. What is known was found of the whole system before, to its end, by what is asked for now.
//!
//! What a supply rests on: docs/theory/supply.md.

use super::found::Bounds;
use vorrang_model::system::{SupplyId, System};

/// What was found of another system, on cores that are the same in this one.
#[derive(Clone, Debug)]
pub struct Known<'k> {
    bounds: &'k Bounds,
    cores: Vec<SupplyId>,
}

impl<'k> Known<'k> {
    /// What was found of `before`, as far as it holds of `system`.
    pub fn of(system: &System, before: &System, bounds: &'k Bounds) -> Self {
        Self { bounds, cores: system.same_cores(before) }
    }

    /// Whether what was found of a core stands.
    pub fn is_of(&self, core: SupplyId) -> bool {
        self.cores.binary_search(&core).is_ok()
    }

    /// What was found of the other cores, and what is known.
    pub(super) fn beside(&self, system: &System, mut found: Bounds) -> Bounds {
        let known = self.bounds;
        for id in system.supply_ids().filter(|&id| self.is_of(system.core_of(id))) {
            found.late[id.0] = known.late[id.0];
            found.guaranteed[id.0].clone_from(&known.guaranteed[id.0]);
            found.wanted[id.0].clone_from(&known.wanted[id.0]);
        }
        for id in system.task_ids().filter(|&id| self.is_of(system.core_of(system.task(id).on))) {
            found.tasks[id.0].clone_from(&known.tasks[id.0]);
            found.alone[id.0].clone_from(&known.alone[id.0]);
            found.seldom[id.0].clone_from(&known.seldom[id.0]);
        }
        for id in system.interrupt_ids().filter(|&id| self.is_of(system.interrupt(id).on)) {
            found.interrupts[id.0].clone_from(&known.interrupts[id.0]);
        }
        found
    }
}
