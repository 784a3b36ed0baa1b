//! Overheads of the machine, and turns.

use super::{Draft, Manner};
use vorrang_model::system::{Costs, Scheduler, SupplyId};
use vorrang_time::Duration;

impl Draft {
    /// Some of the costs, in a part of the systems.
    pub(super) fn costs(&mut self) {
        let drawn = match self.manner {
            Manner::Bounded | Manner::Guests | Manner::Inner => self.random.chance(1, 6),
            Manner::Reserved | Manner::Credits => self.random.chance(1, 2),
            Manner::Charged | Manner::Shielded => true,
            Manner::Everything => self.random.chance(1, 3),
        };
        if !drawn {
            return;
        }
        let mut costs = [(); 6].map(|()| self.cost());
        if self.manner == Manner::Shielded {
            self.costs_of_shields(&mut costs);
        }
        if matches!(self.manner, Manner::Bounded | Manner::Guests | Manner::Inner) {
            // They would leave most of these systems without a bound.
            (costs[0], costs[1]) = (Duration::ZERO, Duration::ZERO);
        }
        self.system.costs = Costs {
            scheduler_call: costs[0],
            context_switch: costs[1],
            timer_expiry: costs[2],
            interrupt_entry: costs[3],
            interrupt_exit: costs[4],
            // The budget of a pseudo-VCPU must cover the end of an interrupt.
            vm_exit: self.affordable_exit(costs[5]),
        };
    }

    /// Mostly some for calls and callbacks, which make a shield matter; none for calls and switches beside a
    /// pseudo-VCPU of a guest inside a reservation, where they are not covered.
    fn costs_of_shields(&mut self, costs: &mut [Duration; 6]) {
        for place in [0, 2] {
            if costs[place].is_zero() && self.random.chance(2, 3) {
                let length = self.scale.draw_short(&mut self.random, 1);
                costs[place] = self.units(length);
            }
        }
        let deliveries = self.system.interrupts.iter().filter_map(|own| own.delivery.as_ref());
        let is_inside = |vcpu: SupplyId| {
            let on = self.system.supply(vcpu).on();
            on.is_some_and(|on| !self.system.supply(on).is_core())
        };
        let mut paid = deliveries.filter(|delivery| delivery.pseudo_vcpu.is_some());
        if paid.any(|delivery| is_inside(delivery.vcpu)) {
            (costs[0], costs[1]) = (Duration::ZERO, Duration::ZERO);
        }
    }

    fn cost(&mut self) -> Duration {
        if self.random.chance(1, 2) {
            return Duration::ZERO;
        }
        // Large values leave no time for the tasks.
        let most = if self.manner == Manner::Everything { 2 } else { 1 };
        let length = self.scale.draw_short(&mut self.random, most);
        self.units(length)
    }

    fn affordable_exit(&self, wanted: Duration) -> Duration {
        let spare = self.system.interrupts.iter().filter_map(|interrupt| {
            let delivery = interrupt.delivery.as_ref()?;
            let pseudo = delivery.pseudo_vcpu.as_ref()?;
            let woken = interrupt.wakes.map_or(Duration::ZERO, |id| self.system.task(id).wcet);
            Some(pseudo.budget.saturating_sub(delivery.isr + woken))
        });
        spare.min().map_or(wanted, |least| least.min(wanted))
    }

    /// The longest turn under a scheduler that takes turns.
    pub(super) fn quantum(&mut self, scheduler: Scheduler) -> Duration {
        if !scheduler.takes_turns() {
            return Duration::ZERO;
        }
        let quantum = self.scale.draw_short(&mut self.random, 100);
        self.units(quantum)
    }
}
