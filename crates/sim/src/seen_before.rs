//! What a search saw before a change, where that stands.
//!
//! **Model.** What is tried on a core, and what is seen, depends on that core, on those that paths connect with it, on
//! the seed and the limits of a search, and on how many things a system has.
//!
//! **Assumptions.** 1. What was seen before was seen by the same search, to its end, with what was known of responses.

use crate::chain_seen::ChainSeen;
use crate::observations::Observations;
use vorrang_model::system::{SupplyId, System};

/// What was seen of another system, on cores that are the same in this one.
#[derive(Clone, Debug, Default)]
pub struct SeenBefore<'b> {
    seen: Option<&'b Observations>,
    same: Vec<SupplyId>,
    chains: bool,
}

impl<'b> SeenBefore<'b> {
    /// What was seen of `before`, as far as it stands in `system`.
    pub fn of(system: &System, before: &System, seen: &'b Observations) -> Self {
        let same = system.same_cores(before);
        let is_same = |id| same.binary_search(&system.core_of(system.task(id).on)).is_ok();
        let mut tasks = system.chains.iter().flat_map(|chain| &chain.path);
        let chains = system.chains == before.chains && tasks.all(|&id| is_same(id));
        Self { seen: Some(seen), chains, same }
    }

    /// Whether what was seen of a core stands.
    pub(crate) fn is_of(&self, core: SupplyId) -> bool {
        self.same.binary_search(&core).is_ok()
    }

    /// What was seen of chains, if all of that stands: their histories are those of all their cores.
    pub(crate) fn chains(&self, system: &System) -> Option<Vec<Option<ChainSeen>>> {
        let seen = self.seen.filter(|_| self.chains)?;
        (seen.chains.len() == system.chains.len()).then(|| seen.chains.clone())
    }

    /// Adds what stands to what was seen of the other cores.
    pub(crate) fn stand_in(&self, system: &System, now: &mut Observations) {
        let Some(seen) = self.seen else { return };
        for id in system.task_ids().filter(|&id| self.is_of(system.core_of(system.task(id).on))) {
            now.tasks[id.0].clone_from(&seen.tasks[id.0]);
        }
        for id in system.interrupt_ids().filter(|&id| self.is_of(system.interrupt(id).on)) {
            now.interrupts[id.0].clone_from(&seen.interrupts[id.0]);
        }
        now.runs.extend(seen.runs.iter().filter(|(core, _)| self.is_of(**core)));
        let not_covered = seen.not_covered.iter().filter(|(core, _)| self.is_of(*core));
        now.not_covered.extend(not_covered.cloned());
        now.not_covered.sort_by_key(|(core, _)| *core);
        now.omissions.extend(seen.omissions.iter().filter(|own| self.is_of(own.core)));
        now.omissions.sort_by_key(|own| own.core);
    }
}
