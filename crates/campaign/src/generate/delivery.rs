//! Interrupts of guests, and their reservations.

use super::{Draft, Manner};
use vorrang_model::system::{
    Activation, Delivery, InterruptId, InterruptOrder, Priority, PseudoVcpu, PseudoVcpuRule,
    Scheduler, SupplyId, TaskId,
};
use vorrang_time::Duration;

impl Draft {
    /// The order of service routines, with priorities where they count, and storms.
    pub(super) fn interrupt_order(&mut self, core: SupplyId) {
        let order = self.random.weighted(&[
            (2, InterruptOrder::FirstCome),
            (1, InterruptOrder::Priority),
            (1, InterruptOrder::Nested),
        ]);
        let interrupts: Vec<InterruptId> = self.system.interrupts_on(core).collect();
        for &id in &interrupts {
            let period = self.system.interrupt(id).min_interarrival;
            let ranked = order != InterruptOrder::FirstCome && interrupts.len() > 1;
            let priority = if ranked { self.random.between(1, 3) } else { 0 };
            let storms = self.random.chance(1, if self.manner.is_of_guests() { 8 } else { 4 });
            let storm = storms.then(|| {
                let units = period.div_floor(self.scale.unit());
                // Half of them leave something to others.
                let least = if self.random.chance(1, 2) { units.div_ceil(2) } else { 1 };
                let storm = self.random.between(least, units);
                self.units(storm)
            });
            let interrupt = &mut self.system.interrupts[id.0];
            interrupt.priority = Priority(u32::try_from(priority).expect("small"));
            interrupt.storm = storm;
        }
        self.system.supplies[core.0].interrupt_order = order;
    }

    /// Some interrupts of the core are delivered to its virtual processors.
    pub(super) fn deliveries(&mut self, core: SupplyId) {
        let vcpus = self.system.supply_ids();
        let vcpus = vcpus.filter(|&id| self.system.supply(id).vm.is_some());
        let vcpus: Vec<_> = vcpus.filter(|&id| self.system.core_of(id) == core).collect();
        let interrupts: Vec<InterruptId> = self.system.interrupts_on(core).collect();
        for id in interrupts {
            if !vcpus.is_empty() && self.random.chance(3, 4) {
                // Those that share a guest wait for each other.
                let shared = self.manner.is_of_guests() && self.random.chance(2, 3);
                let vcpu = if shared { vcpus[0] } else { self.random.one_of(&vcpus) };
                self.deliver(id, vcpu);
            }
        }
    }

    fn deliver(&mut self, id: InterruptId, vcpu: SupplyId) {
        let isr = self.scale.draw_short(&mut self.random, 2);
        let isr = self.units(isr);
        let core = self.system.core_of(vcpu);
        let mut tasks = self.sporadic_tasks(core);
        tasks.retain(|&task| self.is_below(self.system.task(task).on, vcpu));
        let part = if self.manner == Manner::Credits { 1 } else { 6 };
        let wakes = !tasks.is_empty() && self.random.chance(part, 8);
        if wakes {
            let task = self.random.one_of(&tasks);
            let period = self.system.interrupt(id).min_interarrival;
            self.system.interrupts[id.0].wakes = Some(task);
            self.activate(task, Activation::Interrupt(id), period);
            if self.manner.is_of_guests() {
                let short = period.div_floor(self.scale.unit()).div_ceil(8);
                let wcet = self.random.between(1, short);
                self.system.tasks[task.0].wcet = self.units(wcet);
            }
        }
        let woken = self.system.interrupt(id).wakes;
        let pseudo_vcpu = self.pseudo_vcpu(id, vcpu, isr, woken);
        self.system.interrupts[id.0].delivery = Some(Delivery { vcpu, isr, pseudo_vcpu });
    }

    pub(super) fn is_below(&self, mut supply: SupplyId, above: SupplyId) -> bool {
        loop {
            if supply == above {
                return true;
            }
            match self.system.supply(supply).on() {
                Some(on) => supply = on,
                None => return false,
            }
        }
    }

    fn pseudo_vcpu(
        &mut self,
        id: InterruptId,
        vcpu: SupplyId,
        isr: Duration,
        woken: Option<TaskId>,
    ) -> Option<PseudoVcpu> {
        let parent = self.system.supply(vcpu).on()?;
        let scheduler = self.system.supply(parent).scheduler;
        if self.manner == Manner::Charged
            || self.system.supply(vcpu).level().is_some()
            || !matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux | Scheduler::Edf)
            || self.manner != Manner::Credits && !self.random.chance(3, 4)
        {
            return None;
        }
        let credit = isr + woken.map_or(Duration::ZERO, |task| self.system.task(task).wcet);
        let credits = self.random.weighted(&[(4, 1), (2, 2), (1, 3)]);
        // For those of the guest without one, which may precede it.
        let more = if self.random.chance(1, 3) { self.random.between(1, 6) } else { 0 };
        let more = self.units(more);
        let budget = credit * credits + more;
        let usual = self.system.interrupt(id).min_interarrival;
        let period = budget.max(self.pseudo_period(usual, credits));
        let mut rule = self.random.one_of(&[
            PseudoVcpuRule::Arrival,
            PseudoVcpuRule::Arrival,
            PseudoVcpuRule::Deferrable,
            PseudoVcpuRule::Released,
        ]);
        if self.manner == Manner::Credits {
            rule = PseudoVcpuRule::Arrival;
        }
        let inside = woken.is_some_and(|task| self.system.task(task).on != vcpu);
        if inside && self.manner.is_covered() {
            rule = PseudoVcpuRule::Deferrable;
        }
        let priority = self.priority_of_pseudo_vcpu(vcpu);
        Some(PseudoVcpu { budget, period, priority, rule })
    }

    /// Mostly a stated one; that of another one of the guest, where credits of one priority are drawn.
    fn priority_of_pseudo_vcpu(&mut self, vcpu: SupplyId) -> Option<Priority> {
        let of_guest = self.system.interrupts.iter().filter_map(|one| one.delivery.as_ref());
        let of_guest = of_guest.filter(|own| own.vcpu == vcpu);
        let other = of_guest.filter_map(|own| own.pseudo_vcpu.as_ref()?.priority).next_back();
        if let Some(other) = other
            && self.manner == Manner::Credits
            && self.random.chance(5, 6)
        {
            return Some(other);
        }
        let stated = self.random.chance(2, 3);
        stated.then(|| Priority(u32::try_from(self.random.between(1, 4)).expect("small")))
    }

    /// The period of credits for an interrupt that comes at most every `usual`: mostly enough of
    /// them, in bursts or one at a time, at times too few.
    fn pseudo_period(&mut self, usual: Duration, credits: u64) -> Duration {
        let all = usual * credits;
        match self.random.below(8) {
            0..=2 => usual,
            3..=4 => all,
            5 => usual * self.random.between(1, credits),
            // More often than need be.
            6 => self.up_to(all),
            _ => all + self.up_to(usual),
        }
    }

    /// From one unit to `longest`.
    fn up_to(&mut self, longest: Duration) -> Duration {
        let units = longest.div_floor(self.scale.unit()).max(1);
        let drawn = self.random.between(1, units);
        self.units(drawn)
    }
}
