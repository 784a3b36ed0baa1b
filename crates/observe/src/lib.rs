//! The behaviour of a kernel, from its trace, compared with bounds.
//!
//! **Purpose.** The last link of *bound ≥ simulation ≥ kernel*: the text of a kernel's trace becomes
//! a [schedule](schedule); that, with a description, the [history](history) of each thread and
//! interrupt of it; and that is [compared](comparison) with bounds.
//!
//! **Model and assumptions** are those of the modules. Observations do not cover everything that may happen:
//! a response above its bound refutes the bound or a statement of the description; one below proves nothing.
//!
//! **Does not cover** what happens inside a guest: a trace of the host does not show it.

pub mod comparison;
pub mod history;
pub mod matching;
pub mod observation;
pub mod passage;
pub mod pieces;
pub mod schedule;
pub mod usage;
pub mod witness;

pub use schedule::Schedule;
