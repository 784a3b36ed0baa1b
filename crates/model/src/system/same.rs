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
        let differing = Differing::between(self, before);
        let systems = [self, before];
        let places: BTreeSet<SupplyId> =
            systems.iter().flat_map(|system| differing.places(system)).collect();
        let mut changed = BTreeSet::new();
        for system in systems {
            let cores: BTreeSet<SupplyId> = places.iter().map(|&on| system.core_of(on)).collect();
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
}

/// The entities that are others, by the place in the list of their kind.
struct Differing {
    supplies: Vec<usize>,
    tasks: Vec<usize>,
    interrupts: Vec<usize>,
    timers: Vec<usize>,
    devices: Vec<usize>,
    requirements: Vec<usize>,
}

impl Differing {
    fn between(own: &System, before: &System) -> Self {
        Self {
            supplies: differing(&own.supplies, &before.supplies),
            tasks: differing(&own.tasks, &before.tasks),
            interrupts: differing(&own.interrupts, &before.interrupts),
            timers: differing(&own.timers, &before.timers),
            devices: differing(&own.devices, &before.devices),
            requirements: differing(&own.requirements, &before.requirements),
        }
    }

    /// A supply of each of them, in a system that has them.
    fn places(&self, system: &System) -> Vec<SupplyId> {
        let task = |id: TaskId| system.task(id).on;
        let interrupt = |id: InterruptId| system.interrupt(id).on;
        let mut places: Vec<SupplyId> = self.supplies.iter().map(|&at| SupplyId(at)).collect();
        places.extend(self.tasks.iter().map(|&at| task(TaskId(at))));
        places.extend(self.interrupts.iter().map(|&at| interrupt(InterruptId(at))));
        places.extend(self.timers.iter().map(|&at| task(system.timers[at].armed_by)));
        places.extend(self.devices.iter().map(|&at| interrupt(system.devices[at].interrupt)));
        let requirements = self.requirements.iter().map(|&at| &system.requirements[at]);
        places.extend(requirements.map(|required| system.core_of_requirement(required)));
        places
    }
}

/// The places in which two lists of one length have something else.
fn differing<T: PartialEq>(own: &[T], before: &[T]) -> Vec<usize> {
    let pairs = own.iter().zip(before).enumerate();
    pairs.filter(|(_, (own, before))| own != before).map(|(at, _)| at).collect()
}
