//! What a description says of the pseudo-VCPU of an interrupt.

use crate::ground::deliveries;
use vorrang_model::system::{Delivery, InterruptId, PseudoVcpu, PseudoVcpuRule, SupplyId, System};
use vorrang_time::Duration;

/// An interrupt with a pseudo-VCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reserved {
    pub(crate) interrupt: InterruptId,
    /// The virtual processor that it is delivered to.
    pub(crate) vcpu: SupplyId,
    /// What pays for it there.
    pub(crate) by: PseudoVcpu,
}

impl Reserved {
    /// The interrupt with this id, if it has one.
    pub(crate) fn of(system: &System, interrupt: InterruptId) -> Option<Self> {
        let Delivery { vcpu, pseudo_vcpu, .. } = system.interrupt(interrupt).delivery.as_ref()?;
        Some(Self { interrupt, vcpu: *vcpu, by: (*pseudo_vcpu)? })
    }
}

/// Whether pseudo-VCPUs run the guest of a server, too.
pub(crate) fn has_pseudo_vcpu(system: &System, id: SupplyId) -> bool {
    deliveries(system, id).any(|(_, delivery)| delivery.pseudo_vcpu.is_some())
}

/// The interrupts of a core whose pseudo-VCPUs are beside its members.
pub(crate) fn of_members(system: &System, core: SupplyId) -> impl Iterator<Item = Reserved> {
    let reserved = system.interrupts_of(core).filter_map(|id| Reserved::of(system, id));
    reserved.filter(move |own| system.supply(own.vcpu).on() == Some(core))
}

/// Besides its interrupts: after what period a pseudo-VCPU has or loses budget, and the guest with which it becomes
/// ready; by *arrival* it is ready from the delivery on, as long as its task is directly in the guest.
pub(crate) fn wakes_with_guest(
    system: &System,
    own: Reserved,
) -> (Option<Duration>, Option<SupplyId>) {
    match own.by.rule {
        PseudoVcpuRule::Arrival => {
            (None, keeps_until_handled(system, own.interrupt).map(|_| own.vcpu))
        }
        _ => (Some(own.by.period), Some(own.vcpu)),
    }
}

/// For how long a pseudo-VCPU by *arrival* may keep a credit, where the task that its interrupt wakes is in a server
/// of the guest: while that has no budget the guest may have nothing ready. If each interrupt is handled before the
/// next arrives, what is left is dropped by then.
pub(crate) fn keeps_until_handled(system: &System, id: InterruptId) -> Option<Duration> {
    let interrupt = system.interrupt(id);
    let Delivery { vcpu, pseudo_vcpu, .. } = interrupt.delivery.as_ref()?;
    let by_arrival = pseudo_vcpu.as_ref()?.rule == PseudoVcpuRule::Arrival;
    let inside = interrupt.wakes.is_some_and(|task| system.task(task).on != *vcpu);
    (by_arrival && inside).then_some(interrupt.min_interarrival)
}
