//! Mechanisms of the interrupts of guests.

mod pseudo_vcpu;

pub use pseudo_vcpu::{PseudoVcpu, Rule};
