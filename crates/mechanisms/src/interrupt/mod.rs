//! What belongs to the interrupts of guests.

mod pseudo_vcpu;

pub use pseudo_vcpu::{PseudoVcpu, Rule};
