//! What `bounds/pseudo_vcpu.rs` found of a pseudo-VCPU, and its derivation.

use crate::derivation::Derivation;
use crate::fixed_priority::Gift;
use crate::request::reserved::Reserved;
use vorrang_time::Duration;

/// What a pseudo-VCPU gives to its interrupt.
#[derive(Clone, Debug)]
pub(crate) struct Paid {
    pub(crate) of: Reserved,
    pub(crate) gift: Gift,
    /// By when its own work is done, from the arrival on, if the credit goes to nothing else; `None`: it may not suffice.
    pub(crate) handled: Option<Duration>,
    /// Least time between two of its interrupts.
    pub(crate) period: Duration,
    /// Its derivation; empty if not requested.
    pub(crate) derivation: Derivation,
}
