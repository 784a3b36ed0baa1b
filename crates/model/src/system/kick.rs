//! Kicks: what an interrupt reaches on another core than its routine runs on.
//!
//! **Model.** The end of the routine requests an interrupt of the other core, without a routine of its own: it takes what
//! interrupts take there besides (entry, exit, leaving a guest). What follows from the routine follows from the kick.

use super::{Activation, Interrupt, InterruptId, Requirement, RequirementKind, SupplyId, System};
use vorrang_time::Duration;

impl System {
    /// Gives each interrupt that reaches another core its kick there, behind all interrupts that are there. It then
    /// wakes, and is delivered to, what the interrupt was, and is handled when that is.
    pub fn add_kicks(&mut self) {
        for id in self.interrupt_ids() {
            if let Some(on) = self.reached(id).filter(|&on| on != self.interrupt(id).on) {
                self.add_kick(id, on);
            }
        }
    }

    /// The core of what an interrupt reaches, if it reaches something.
    fn reached(&self, id: InterruptId) -> Option<SupplyId> {
        let Interrupt { delivery, wakes, .. } = self.interrupt(id);
        let vcpu = delivery.as_ref().map(|delivery| delivery.vcpu);
        let on = vcpu.or_else(|| wakes.map(|task| self.task(task).on))?;
        Some(self.core_of(on))
    }

    fn add_kick(&mut self, id: InterruptId, on: SupplyId) {
        let kick = InterruptId(self.interrupts.len());
        let source = &mut self.interrupts[id.0];
        let (wakes, delivery) = (source.wakes.take(), source.delivery.take());
        let added = Interrupt {
            name: format!("{}/kick", source.name),
            on,
            isr: Duration::ZERO,
            min_interarrival: source.min_interarrival,
            distances: source.distances.clone(),
            priority: source.priority,
            wakes,
            delivery,
            raised_by: Some(id),
            ..Interrupt::default()
        };
        self.interrupts.push(added);
        if let Some(task) = wakes {
            self.tasks[task.0].activation = Activation::Interrupt(kick);
        }
        for Requirement { kind, .. } in &mut self.requirements {
            if *kind == RequirementKind::HandledWithin(id) {
                *kind = RequirementKind::HandledWithin(kick);
            }
        }
    }

    /// The kick of an interrupt, if it has one.
    pub fn kick_of(&self, id: InterruptId) -> Option<InterruptId> {
        let place = self.interrupts.iter().position(|other| other.raised_by == Some(id));
        place.map(InterruptId)
    }

    /// The interrupt that comes from outside: of a kick the one that it is of.
    pub fn origin_of(&self, id: InterruptId) -> InterruptId {
        self.interrupt(id).raised_by.unwrap_or(id)
    }
}
