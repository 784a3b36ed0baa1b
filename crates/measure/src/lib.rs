//! Measured overheads of a machine.
//!
//! **Model.** Three parts, one way through:
//!
//! ```text
//!   machine/ ──▶ runs ──▶ curve, fit/, statistics ──▶ profile/ ──▶ machine.toml
//!   (clocks,     (times    (pure: no clock, no I/O,    (numbers, spreads,
//!    unsafe)      only)     tested on made machines)    conditions; text)
//! ```
//!
//! `cache/`, `switch/`, `timers/`, `exits/` and `kernel/` define the order of each measurement; only they use
//! both the machine and the pure part. Measurements that need the scheduler run on Linux only.
//!
//! **Assumptions.** 1. A measurement shows this machine now, with everything that runs beside; a profile
//! therefore has its spread and its conditions. 2. Numbers here are floats, in nanoseconds. Values for
//! descriptions are rounded to whole nanoseconds and millionths, away from optimism.
//!
//! **Does not cover** worst cases: a measurement shows what occurred, not what can occur.

pub mod cache;
pub mod curve;
pub mod dispatcher;
pub mod exits;
pub mod fit;
pub mod interruption;
#[cfg(target_os = "linux")]
pub mod kernel;
#[cfg(target_os = "linux")]
pub mod latency;
pub mod machine;
pub mod profile;
pub mod statistics;
#[cfg(target_os = "linux")]
pub mod switch;
#[cfg(target_os = "linux")]
pub mod timers;
