//! What a supply stands on, and what gives it time besides.

use vorrang_model::System;
use vorrang_model::system::SupplyId;

/// A supply and everything that it stands on.
pub(crate) fn chain(system: &System, mut supply: SupplyId) -> Vec<SupplyId> {
    let mut chain = vec![supply];
    while let Some(on) = system.supply(supply).on() {
        supply = on;
        chain.push(supply);
    }
    chain
}

/// Whether a pseudo-VCPU gives time to a virtual processor.
pub(crate) fn has_pseudo_vcpu(system: &System, id: SupplyId) -> bool {
    let delivered = system.interrupts.iter().filter_map(|own| own.delivery.as_ref());
    delivered.filter(|to| to.vcpu == id).any(|to| to.pseudo_vcpu.is_some())
}
