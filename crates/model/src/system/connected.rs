//! Cores that paths of wake-ups connect.

use super::{SupplyId, System};
use std::collections::BTreeSet;

impl System {
    /// The cores that paths connect to this one, directly or over others, with it, in the order of declaration.
    pub fn connected(&self, core: SupplyId) -> Vec<SupplyId> {
        let links = self.links();
        let mut connected = BTreeSet::from([core]);
        let mut before = 0;
        while before < connected.len() {
            before = connected.len();
            for &(from, to) in &links {
                if connected.contains(&from) || connected.contains(&to) {
                    connected.extend([from, to]);
                }
            }
        }
        connected.into_iter().collect()
    }

    /// The pairs of cores of which one wakes or interrupts something on the other.
    fn links(&self) -> BTreeSet<(SupplyId, SupplyId)> {
        let core_of = |id| self.core_of(self.task(id).on);
        let tasks = self.task_ids().flat_map(|id| {
            self.task(id).wakes.iter().map(move |&woken| (core_of(id), core_of(woken)))
        });
        let kicks = self.interrupts.iter().filter_map(|kick| {
            let from = self.interrupt(kick.raised_by?).on;
            Some((from, kick.on))
        });
        tasks.chain(kicks).filter(|(from, to)| from != to).collect()
    }
}
