//! What pseudo-VCPUs pay for.

use super::{Interrupt, InterruptId, Priority, SupplyId, System};

impl System {
    /// Those of a core that a pseudo-VCPU pays for, by timers or not.
    pub fn paid_on(&self, core: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
        self.interrupts_of(core).filter(|&id| self.is_paid(id))
    }

    /// Whether a pseudo-VCPU pays for an interrupt.
    pub fn is_paid(&self, id: InterruptId) -> bool {
        self.interrupt(id).delivery.as_ref().is_some_and(|own| own.pseudo_vcpu.is_some())
    }

    /// Whether a core stops its real-time threads and interrupts on it have pseudo-VCPUs.
    pub fn is_throttled_beside_pseudo_vcpus(&self, core: SupplyId) -> bool {
        self.supply(core).rt_throttling.limit().is_some() && self.paid_on(core).next().is_some()
    }

    /// An interrupt whose pseudo-VCPU has the stated priority of a member with time slices on this supply: which of them
    /// comes first is not defined.
    pub fn pseudo_vcpu_beside_slices(&self, on: SupplyId) -> Option<&Interrupt> {
        let supply = self.supply(on);
        supply.time_slice?;
        let is_equal = |priority: Priority| {
            supply.members.iter().any(|&member| self.priority(member) == priority)
        };
        self.interrupts.iter().find(|interrupt| {
            let Some(delivery) = &interrupt.delivery else { return false };
            let stated = delivery.pseudo_vcpu.as_ref().and_then(|own| own.priority);
            self.supply(delivery.vcpu).on() == Some(on) && stated.is_some_and(is_equal)
        })
    }
}
