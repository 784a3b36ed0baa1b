//! The pseudo-VCPU of an interrupt, of which something may be open.

use crate::description::{Interrupt, PseudoVcpu};

/// The name by which a value of the pseudo-VCPU of an interrupt is open.
pub fn pseudo_vcpu_name(interrupt: &str) -> String {
    format!("{interrupt}.virtual.pseudo-vcpu")
}

impl Interrupt {
    /// The pseudo-VCPU that pays for it in the guest.
    pub(crate) fn pays(&self) -> Option<&PseudoVcpu> {
        self.delivery.as_ref()?.pseudo_vcpu.as_ref()
    }

    /// The same.
    pub(crate) fn pays_mut(&mut self) -> Option<&mut PseudoVcpu> {
        self.delivery.as_mut()?.pseudo_vcpu.as_mut()
    }
}
