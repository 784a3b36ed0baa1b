//! Conformance: the simulator and kernels do the same.
//!
//! **For.** *bound ≥ simulation ≥ kernel.* The campaign holds the simulator against the bounds; here
//! it is held against the kernels that people run.
//!
//! **Model.** A [case](case::Case) is a description and a script of releases. [One body](body)
//! runs it in the simulator and in a kernel, turns both into a [course](course::Course), holds each
//! against what is drawn by hand, and compares the two event by event.
//!
//! **Assumptions.** 1. In the lab one instruction is one nanosecond, so that what a kernel does for
//! itself is a few microseconds, less than the tolerance. 2. Cases keep instants at which
//! something else would happen a microsecond later apart by a millisecond.
//!
//! **Not covered.** What the kernel's own work costs: the descriptions state no costs.

pub mod admission;
pub mod body;
pub mod case;
pub mod cases;
pub mod compare;
pub mod course;
pub mod interrupt;
mod seen;
pub mod simulated;
