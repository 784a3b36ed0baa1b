//! Access to the machine: its clock, its caches, its processors, and its properties.
//!
//! **Assumptions.** 1. `unsafe` is allowed in [`counter`], [`flush`], [`place`] and `policy` only, in functions of
//! a few lines that say why they are sound. 2. Every change (the processors on which this thread may run, its
//! priority, the number of its files) is undone when its value is dropped.

#[cfg(target_os = "linux")]
pub mod clock;
pub mod conditions;
pub mod counter;
#[cfg(target_os = "linux")]
pub mod files;
pub mod flush;
#[cfg(target_os = "linux")]
pub mod handover;
#[cfg(target_os = "linux")]
pub mod hwlat;
#[cfg(target_os = "linux")]
pub mod idle;
pub mod memory;
pub mod place;
#[cfg(target_os = "linux")]
pub mod policy;
pub mod restore;
pub mod tracefs;
pub mod walk;

/// Why the machine cannot do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unable(pub String);

impl std::fmt::Display for Unable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unable {}
