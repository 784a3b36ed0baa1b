//! The costs of a virtual machine: VM exits, injecting interrupts, and their ends.
//!
//! **Model.** A guest of a page of machine code (`guest.rs`), without firmware or system, repeats the same
//! round:
//!
//! ```text
//!   guest   out │        out │       store │  timestamps   out │            handler: out │ end of interrupt
//!   ────────────┘            └─────────────┘  and cpuid ───────┘                         └──
//!   host        ├─ program ──┤├─ memory ───┤                   ├ send, enter ────────────┤
//! ```
//!
//! | number | is |
//! |---|---|
//! | `program` | from entering the guest, which writes to a port, until the host handles that |
//! | `memory` | the same where the guest writes to unmapped memory; with decoding |
//! | `kernel` | an exit that the kernel handles: `cpuid`, by the guest's counter, less the timestamps |
//! | `inject` | sending a message interrupt and entering, until its handler runs, less `program` of that round |
//! | `end` | the end-of-interrupt write to the guest's interrupt controller, in the kernel or the processor; by the guest's counter, less the timestamps |
//!
//! **Assumptions.** 1. Guest and host count at one rate ([`Measured::counters_agree`] says whether the
//! kernel promises it). 2. Rounds in which something took much longer than in the others were
//! interrupted, and are left out. 3. Differences may be zero or below.
//!
//! **Cost.** Some ten microseconds for a round; a hundred times that where virtual machines are nested.
//!
//! **Does not cover** exits for reasons of their own (a page that is missing, a processor that is sent
//! elsewhere), and hosts other than Linux on x86-64.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod bench;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod guest;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere {
    use super::{Measured, Plan};
    use crate::machine::Unable;

    /// There is no guest for this machine.
    ///
    /// # Errors
    /// Always.
    pub fn measure(_plan: &Plan, _go_on: impl FnMut(f64) -> bool) -> Result<Measured, Unable> {
        Err(Unable("exits are measured on Linux on x86-64 only".to_owned()))
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use bench::measure;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use elsewhere::measure;

use crate::interruption::undisturbed;
use crate::machine::conditions::Condition;
use crate::statistics::Sorted;
use std::time::Duration;

/// The processor and the duration.
#[derive(Clone, Debug)]
pub struct Plan {
    /// On which processor; the last permitted one if `None`.
    pub cpu: Option<usize>,
    /// The real-time priority, if there is to be one.
    pub priority: Option<u32>,
    /// For how long.
    pub time: Duration,
}

/// The times of one round, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From entering the guest until its write to a port is handled.
    pub program_ns: f64,
    /// The same with unmapped memory.
    pub memory_ns: f64,
    /// From sending an interrupt until its handler's write to a port is handled.
    pub handled_ns: f64,
    /// By the guest: one timestamp after the other.
    pub stamps_ns: f64,
    /// By the guest: an exit to the kernel between two.
    pub kernel_ns: f64,
    /// By the guest: an end of interrupt between two.
    pub end_ns: f64,
}

/// The numbers, each in order.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Omitted rounds.
    pub interrupted: usize,
    /// An exit to this program and back.
    pub program: Sorted,
    /// The same for memory.
    pub memory: Sorted,
    /// An exit to the kernel and back.
    pub kernel: Sorted,
    /// Injecting an interrupt.
    pub inject: Sorted,
    /// An end of interrupt.
    pub end: Sorted,
}

impl Outcome {
    /// The result of these rounds; `None` if all were interrupted.
    pub fn of(samples: &[Sample]) -> Option<Self> {
        let parts = |of: &Sample| {
            let by_guest = [of.stamps_ns, of.kernel_ns, of.end_ns];
            [[of.program_ns, of.memory_ns, of.handled_ns], by_guest].concat()
        };
        let parts: Vec<Vec<f64>> = samples.iter().map(parts).collect();
        let rows: Vec<&[f64]> = parts.iter().map(Vec::as_slice).collect();
        let whole: Vec<&Sample> = undisturbed(&rows).into_iter().map(|at| &samples[at]).collect();
        let all = |number: fn(&Sample) -> f64| Sorted::of(whole.iter().copied().map(number));
        Some(Self {
            interrupted: samples.len() - whole.len(),
            program: all(|of| of.program_ns)?,
            memory: all(|of| of.memory_ns)?,
            kernel: all(|of| of.kernel_ns - of.stamps_ns)?,
            inject: all(|of| of.handled_ns - of.program_ns)?,
            end: all(|of| of.end_ns - of.stamps_ns)?,
        })
    }

    /// All of them by name.
    pub fn named(&self) -> [(&'static str, &Sorted); 5] {
        [
            ("program", &self.program),
            ("memory", &self.memory),
            ("kernel", &self.kernel),
            ("inject", &self.inject),
            ("end", &self.end),
        ]
    }
}

/// The result of a measurement.
#[derive(Clone, Debug)]
pub struct Measured {
    /// `None` if every round was interrupted.
    pub outcome: Option<Outcome>,
    /// Whether the guest's counter runs at the rate of the host's.
    pub counters_agree: bool,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Their effect on the numbers.
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests;
