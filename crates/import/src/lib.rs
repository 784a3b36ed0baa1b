//! Descriptions from what configures a machine already.
//!
//! **Model.** A machine is configured in places that know nothing of each other: domains of libvirt, units of systemd,
//! the command line of the kernel, affinities of interrupts, profiles of tuned, and running threads. Each has a reader,
//! which says what it found and what it could not carry over. What two of them say of the same is compared. One
//! description is written: what is known, `"?"` where nothing is, and the rest as comments.
//!
//! **Assumptions.** 1. Nothing is guessed: execution times and arrivals are in none of these places. 2. What is read is
//! from elsewhere: a text that is none of these is an error with its line, never a panic.
//!
//! **Not covered.** Machines with control groups v1, and settings that programs make while they run, unless they run.

mod amalthea;
mod contradictions;
mod description;
mod file;
mod found;
mod json;
mod libvirt;
mod microkit;
mod refused;
mod root;
mod rt_app;
mod rtds;
mod written;
mod xl;
mod xml;
mod xtratum;

pub use file::{Form, of_file, of_files};
pub use found::{Contradiction, Import};
pub use refused::Refused;
pub use root::{Reported, Tick, of_root, release, reported, tick};
