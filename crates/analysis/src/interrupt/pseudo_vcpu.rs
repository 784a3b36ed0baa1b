//! What a description says of the pseudo-VCPU of an interrupt.

use crate::tree::server_of;
use vorrang_model::system::{Delivery, InterruptId, PseudoVcpu, PseudoVcpuRule, SupplyId, System};
use vorrang_time::Duration;

/// The pseudo-VCPU of an interrupt, if it has one.
pub(crate) fn described(system: &System, id: InterruptId) -> Option<&PseudoVcpu> {
    system.interrupt(id).delivery.as_ref()?.pseudo_vcpu.as_ref()
}

/// The interrupts of a core whose pseudo-VCPUs are beside its members.
pub(crate) fn of_members(system: &System, core: SupplyId) -> impl Iterator<Item = InterruptId> {
    system.interrupts_on(core).filter(move |&id| {
        let delivery = system.interrupt(id).delivery.as_ref();
        let paid = delivery.filter(|delivery| delivery.pseudo_vcpu.is_some());
        paid.is_some_and(|delivery| server_of(system, delivery.vcpu).on == core)
    })
}

/// Besides its interrupts: after what period a pseudo-VCPU has or loses budget, and the guest with which it becomes
/// ready; by *arrival* it is ready from the delivery on, as long as its task is directly in the guest.
pub(crate) fn wakes_with_guest(
    system: &System,
    id: InterruptId,
) -> (Option<Duration>, Option<SupplyId>) {
    let delivery = system.interrupt(id).delivery.as_ref().expect("it is delivered");
    let own = described(system, id).expect("it has one");
    match own.rule {
        PseudoVcpuRule::Arrival => (None, keeps_until_handled(system, id).map(|_| delivery.vcpu)),
        _ => (Some(own.period), Some(delivery.vcpu)),
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
