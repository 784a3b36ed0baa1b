//! Pseudo-VCPUs of which something is open: nodes beside servers.
//!
//! **Model.** One whose virtual processor is to be designed belongs to that, for what its interrupt waits for is in both:
//! it is settled anew for each budget of the virtual processor, as a server in it would be. Else it stands by itself, or in
//! the node around its virtual processor. Its interrupt, and the task that this wakes, are what is in it.
//!
//! **Assumptions.** 1. Of its least budget: what pays for less than one interrupt pays for none (E0604).
//!
//! **Does not cover** what an interrupt takes for its pseudo-VCPU to be switched to: that is the same for every budget, and no
//! part of what the design takes.

use vorrang_model::System;
use vorrang_model::system::{InterruptId, PseudoVcpu, RequirementKind, SupplyId};
use vorrang_time::Duration;

/// The pseudo-VCPU of an interrupt, with its virtual processor.
pub(crate) fn of_interrupt(system: &System, id: InterruptId) -> Option<(SupplyId, &PseudoVcpu)> {
    let delivery = system.interrupt(id).delivery.as_ref()?;
    Some((delivery.vcpu, delivery.pseudo_vcpu.as_ref()?))
}

/// The interrupt whose pseudo-VCPU has this name, if it has one.
pub(crate) fn by_name(system: &System, name: &str) -> Option<InterruptId> {
    let mut ids = system.interrupt_ids();
    ids.find(|&id| of_interrupt(system, id).is_some() && system.pseudo_vcpu_name(id) == name)
}

/// What one interrupt takes in the guest.
pub(crate) fn credit(system: &System, id: InterruptId) -> Duration {
    let interrupt = system.interrupt(id);
    let isr = interrupt.delivery.as_ref().map_or(Duration::ZERO, |delivery| delivery.isr);
    let woken = interrupt.wakes.map_or(Duration::ZERO, |task| system.task(task).wcet);
    isr + system.costs.vm_exit + woken
}

/// The periods that are considered for it: the least distance of its interrupts, and those of several where they are stated.
///
/// A shorter one has budget that nothing uses (W0006). In a multiple of that of interrupts that are evenly apart come as many
/// more of them, with as many credits at once.
pub(crate) fn periods(system: &System, id: InterruptId) -> Vec<Duration> {
    let interrupt = system.interrupt(id);
    let several = interrupt.distances.as_ref().map_or(&[][..], |distances| distances.stated());
    let mut all = vec![interrupt.min_interarrival];
    all.extend(several.iter().map(|distance| distance.least));
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a requirement is of an interrupt, or of the task that its routine in a guest wakes.
pub(crate) fn pays_for(system: &System, id: InterruptId, required: RequirementKind) -> bool {
    match required {
        RequirementKind::HandledWithin(of) => of == id,
        RequirementKind::Deadline(task) => system.interrupt(id).wakes == Some(task),
    }
}
