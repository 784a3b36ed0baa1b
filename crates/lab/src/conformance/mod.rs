//! Conformance: simulator and kernels behave equally.
//!
//! **Purpose.** *bound ≥ simulation ≥ kernel.* The campaign compares the simulator with the bounds; here it
//! is compared with stock kernels.
//!
//! **Model.** A [case](case::Case) is a description and a script of releases. [One body](body)
//! runs it in the simulator and in a kernel, turns both into a [course](course::Course), compares each with
//! the drawing by hand, and the two event by event.
//!
//! **Assumptions.** 1. In the lab one instruction is one nanosecond, so that the costs of ticks, interrupts
//! and switches are numbers of its [profile](shipped), which descriptions of the cases state and with which
//! every boot is [compared](calibration). 2. Instants whose order matters are a millisecond apart.

pub mod admission;
pub mod body;
pub mod calibration;
pub mod case;
pub mod cases;
pub mod charged;
pub mod compare;
pub mod course;
mod drawing;
pub mod interrupt;
pub mod machine;
mod seen;
pub mod shipped;
pub mod simulated;
pub mod tightness;
