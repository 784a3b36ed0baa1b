//! Conformance: the simulator and kernels do the same.
//!
//! **For.** *bound ≥ simulation ≥ kernel.* The campaign holds the simulator against the bounds; here
//! it is held against the kernels that people run.
//!
//! **Model.** A [case](case::Case) is a description and a script of releases. [One body](body)
//! runs it in the simulator and in a kernel, turns both into a [course](course::Course), holds each
//! against what is drawn by hand, and compares the two event by event.
//!
//! **Assumptions.** 1. In the lab one instruction is one nanosecond, so that what a kernel takes for ticks,
//! interrupts and switches is a number of its [profile](shipped), which descriptions of the cases state and against
//! which every boot is [held](calibration). 2. Cases keep instants at which something else would happen a microsecond later
//! apart by a millisecond.

pub mod admission;
pub mod body;
pub mod calibration;
pub mod case;
pub mod cases;
pub mod charged;
pub mod compare;
pub mod course;
pub mod interrupt;
pub mod machine;
mod seen;
pub mod shipped;
pub mod simulated;
pub mod tightness;
