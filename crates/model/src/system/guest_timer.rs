//! Timers that guests take: interrupts of the guest that callbacks of the host deliver.
//!
//! **Model.** The local timer of a virtual processor is a timer of the host, whose callback stands for
//! the routine of the core that delivers any other interrupt to a guest.

use super::{
    Activation, Delivery, Interrupt, InterruptId, PseudoVcpu, SupplyId, System, Timer, TimerId,
};
use vorrang_time::Duration;

impl System {
    /// Makes a timer of a task in a guest one of the guest: what its callback ends with is an
    /// interrupt in the virtual processor that the task runs in, with a routine there that takes
    /// `isr` and wakes the task if the timer did; a pseudo-VCPU may pay for it. That interrupt comes after everything
    /// that is there.
    ///
    /// # Panics
    /// If the task runs on the host.
    pub fn deliver_timer(&mut self, id: TimerId, isr: Duration, pseudo_vcpu: Option<PseudoVcpu>) {
        let interrupt = InterruptId(self.interrupts.len());
        let Timer { name, armed_by, period, wakes } = self.timer(id).clone();
        let vcpu = self.guest_around(self.task(armed_by).on).expect("its task is in a guest");
        if wakes {
            self.timers[id.0].wakes = false;
            self.tasks[armed_by.0].activation = Activation::Interrupt(interrupt);
        }
        self.interrupts.push(Interrupt {
            name: format!("{name}/interrupt"),
            on: self.core_of(vcpu),
            isr: Duration::ZERO,
            min_interarrival: period,
            wakes: wakes.then_some(armed_by),
            delivery: Some(Delivery { vcpu, isr, pseudo_vcpu }),
            timer: Some(id),
            ..Interrupt::default()
        });
    }

    /// The interrupt that the callback of a timer delivers to the guest of its task, if it does.
    pub fn delivered_by(&self, id: TimerId) -> Option<InterruptId> {
        let place = self.interrupts.iter().position(|interrupt| interrupt.timer == Some(id));
        place.map(InterruptId)
    }

    /// The innermost virtual processor that a supply is, or is on; `None` on the host.
    pub fn guest_around(&self, supply: SupplyId) -> Option<SupplyId> {
        let parent = |id: &SupplyId| self.supply(*id).on();
        core::iter::successors(Some(supply), parent).find(|&id| self.supply(id).vm.is_some())
    }
}
