//! What a pseudo-VCPU gives, and how that comes about.

use crate::derivation::Derivation;
use crate::fixed_priority::Gift;
use vorrang_time::Duration;

/// What a pseudo-VCPU gives to its interrupt.
#[derive(Clone, Debug)]
pub(crate) struct Paid {
    pub(crate) gift: Gift,
    /// Least time between two of its interrupts.
    pub(crate) period: Duration,
    /// How that comes about; empty if it was not asked for.
    pub(crate) derivation: Derivation,
}
