//! Cold caches of virtual processors and of tasks outside them.

use super::{Draft, Manner, Scale};
use vorrang_model::system::{Cache, CacheId, CacheModel, SupplyId};

impl Draft {
    /// One or two curves, in a quarter of the systems that draw reservations or from everything, and
    /// in half of those whose costs are meant to be bounded.
    pub(super) fn caches(&mut self) {
        let drawn = match self.manner {
            Manner::Bounded
            | Manner::Guests
            | Manner::Credits
            | Manner::Inner
            | Manner::Shielded => false,
            Manner::Charged => self.random.chance(1, 2),
            Manner::Reserved | Manner::Everything => self.random.chance(1, 4),
        };
        if !drawn {
            return;
        }
        for number in 0..=self.random.below(2) {
            self.cache(number);
        }
        for id in self.system.supply_ids() {
            // A virtual processor in another one progresses at the rate of that.
            let outer = self.system.supply(id).on();
            let inside = outer.is_some_and(|outer| self.is_in_guest(outer));
            if self.system.supply(id).vm.is_some() && !inside {
                self.system.supplies[id.0].cache = self.curve();
            }
        }
        for id in self.system.task_ids() {
            if !self.is_in_guest(self.system.task(id).on) {
                self.system.tasks[id.0].cache = self.curve();
            }
        }
    }

    fn cache(&mut self, number: u64) {
        let model = self.random.weighted(&[(3, CacheModel::Flood), (1, CacheModel::Exponential)]);
        let most = match self.scale {
            Scale::Tiny => 4,
            Scale::Small => 12,
            Scale::Realistic | Scale::Harmonic => 90,
        };
        let sustained = self.random.between(1, most);
        let useful = self.random.weighted(&[(4, 500_000), (3, 90_000), (2, 333_333), (1, 0)]);
        let sustained = self.units(sustained);
        let useful_ppm = if model == CacheModel::Flood { useful } else { useful.max(90_000) };
        let name = format!("cache.c{number}");
        self.system.caches.push(Cache { name, model, useful_ppm, sustained });
    }

    fn curve(&mut self) -> Option<CacheId> {
        let drawn = self.random.chance(3, 4);
        drawn.then(|| CacheId(self.random.index(self.system.caches.len())))
    }

    /// Whether a supply is a virtual processor or inside one.
    pub(super) fn is_in_guest(&self, supply: SupplyId) -> bool {
        self.vcpu_around(supply).is_some()
    }

    /// The innermost virtual processor around what is on a supply.
    pub(super) fn vcpu_around(&self, mut supply: SupplyId) -> Option<SupplyId> {
        loop {
            if self.system.supply(supply).vm.is_some() {
                return Some(supply);
            }
            supply = self.system.supply(supply).on()?;
        }
    }
}
