//! What did not change from one system to another one.
//!
//! **Model.** Nothing that happens on a core changes another that no path connects with it. So what was found of a core
//! holds after a change elsewhere, as long as everything has the same number as before.

use super::{InterruptId, SupplyId, System, TaskId};
use std::collections::BTreeSet;

impl System {
    /// The cores on which, and on all that paths connect with them, everything is as in another system; none where
    /// something was added or taken away, or what belongs to the whole machine is another.
    pub fn same_cores(&self, before: &Self) -> Vec<SupplyId> {
        if !self.is_alike(before) {
            return Vec::new();
        }
        let mut changed = BTreeSet::new();
        for system in [self, before] {
            let cores: BTreeSet<SupplyId> =
                self.changed(before).into_iter().map(|on| system.core_of(on)).collect();
            changed.extend(cores.into_iter().flat_map(|core| system.connected(core)));
        }
        self.cores().filter(|core| !changed.contains(core)).collect()
    }

    /// Whether everything has the same number as in another system, and the whole machine is the same.
    fn is_alike(&self, before: &Self) -> bool {
        let counts = |system: &Self| {
            let Self { supplies, tasks, interrupts, timers, devices, .. } = system;
            let and = (system.requirements.len(), system.chains.len());
            (supplies.len(), tasks.len(), interrupts.len(), timers.len(), devices.len(), and)
        };
        let is_core = |system: &Self| system.cores().collect::<Vec<_>>();
        let Self { caches, costs, host, unsupported, .. } = self;
        counts(self) == counts(before)
            && is_core(self) == is_core(before)
            && (caches, costs) == (&before.caches, &before.costs)
            && (host, unsupported) == (&before.host, &before.unsupported)
    }

    /// A supply of each entity that is another one, as it was and as it is.
    fn changed(&self, before: &Self) -> Vec<SupplyId> {
        let mut places = Vec::new();
        for system in [self, before] {
            let task = |id: TaskId| system.task(id).on;
            let interrupt = |id: InterruptId| system.interrupt(id).on;
            places.extend(differing(&self.supplies, &before.supplies).map(SupplyId));
            places.extend(differing(&self.tasks, &before.tasks).map(|at| task(TaskId(at))));
            let interrupts = differing(&self.interrupts, &before.interrupts);
            places.extend(interrupts.map(|at| interrupt(InterruptId(at))));
            let timers = differing(&self.timers, &before.timers);
            places.extend(timers.map(|at| task(system.timers[at].armed_by)));
            let devices = differing(&self.devices, &before.devices);
            places.extend(devices.map(|at| interrupt(system.devices[at].interrupt)));
            let requirements = differing(&self.requirements, &before.requirements);
            places.extend(
                requirements.map(|at| system.core_of_requirement(&system.requirements[at])),
            );
        }
        places
    }
}

/// The places in which two lists of one length have something else.
fn differing<'s, T: PartialEq>(own: &'s [T], before: &'s [T]) -> impl Iterator<Item = usize> + 's {
    own.iter().zip(before).enumerate().filter(|(_, (own, before))| own != before).map(|(at, _)| at)
}
