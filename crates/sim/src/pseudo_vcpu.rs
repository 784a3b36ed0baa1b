//! The mechanism of a pseudo-VCPU.

use crate::history::History;
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_model::system::{InterruptId, PseudoVcpu as Described, PseudoVcpuRule, System};
use vorrang_time::Duration;

pub(crate) fn described(system: &System, id: InterruptId) -> &Described {
    let delivery = system.interrupt(id).delivery.as_ref();
    let described = delivery.and_then(|delivery| delivery.pseudo_vcpu.as_ref());
    described.expect("it has a pseudo-VCPU")
}

/// The time of one interrupt in its guest.
fn handling(system: &System, id: InterruptId) -> Duration {
    let interrupt = system.interrupt(id);
    let delivery = interrupt.delivery.as_ref().expect("it is delivered to a guest");
    let woken = interrupt.wakes.map_or(Duration::ZERO, |task| system.task(task).wcet);
    delivery.isr + system.costs.vm_exit + woken
}

/// The credit of one interrupt under the rule *arrival*: its time in the guest; its share of the budget if
/// another interrupt of its guest has no pseudo-VCPU, and may precede it, or if a cold cache makes its time longer.
fn credit(system: &System, id: InterruptId) -> Duration {
    let described = described(system, id);
    let own = handling(system, id);
    let vcpu = |id: InterruptId| system.interrupt(id).delivery.as_ref().map(|own| own.vcpu);
    let is_beside = system.interrupt_ids().any(|other| {
        let delivery = system.interrupt(other).delivery.as_ref();
        vcpu(other) == vcpu(id) && delivery.is_some_and(|own| own.pseudo_vcpu.is_none())
    });
    let is_cold = vcpu(id).is_some_and(|vcpu| system.supply(vcpu).cache.is_some());
    if !is_beside && !is_cold {
        return own;
    }
    let usual = described.period.div_ceil(system.interrupt(id).min_interarrival);
    let paid_for = usual.min(described.budget.div_floor(own));
    Duration::from_ns(described.budget.as_ns() / paid_for)
}

/// The mechanism at the start of a history.
pub(crate) fn mechanism(system: &System, history: &History, id: InterruptId) -> PseudoVcpu {
    let described = described(system, id);
    let (rule, credit) = match described.rule {
        PseudoVcpuRule::Arrival => (Rule::Arrival, credit(system, id)),
        PseudoVcpuRule::Deferrable => (Rule::Deferrable, handling(system, id)),
        PseudoVcpuRule::Released => (Rule::Released, handling(system, id)),
    };
    let phase = history.pseudo_vcpu_phases[id.0].modulo(described.period);
    PseudoVcpu::new(rule, described.budget, described.period, credit, phase)
}
