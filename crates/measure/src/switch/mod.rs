//! The cost of a context switch between two threads on one processor, direct and indirect.
//!
//! **Model.** Two threads stay on one processor and hand over to each other. The first one does this after
//! each handover; the other one only traverses its own set:
//!
//! ```text
//!   handed over │ walk     │ calls  │ walk │ walk   │ hand over, wait
//!   handover    │ after    │ alone  │      │ hot    │
//! ```
//!
//! *direct* = handover − calls: waking, waiting and switching, without the same system calls where no thread
//! waits. *indirect* = walk after − hot walk: the effect of displaced lines. Both are differences of times
//! of the same round, so a drift of the machine is in neither.
//!
//! **Assumptions.** 1. After the second walk the caches are in the sustained state, so the third is hot. A
//! set that is larger than the caches is never hot; its differences are around zero, on both sides, and are
//! kept. 2. Interruptions are found by the duration of a part of a round, never by the sign or the size of a
//! difference. 3. The threads share memory: no switch of address spaces.
//!
//! **Cost.** A round takes four walks over each set and two switches.
//!
//! **Reference.** `lmbench` (1996, USENIX), whose `lat_ctx` prints the mean of the
//! differences and nothing where it is not above zero.

mod bench;

pub use crate::machine::handover::Means;
pub use bench::{Plan, measure};

use crate::cache::{Kind, plan::size};
use crate::interruption::undisturbed;
use crate::machine::conditions::Condition;
use crate::statistics::Sorted;

/// Two working sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Bytes of the set of the thread that is measured.
    pub own_bytes: usize,
    /// Bytes of the set of the other one.
    pub other_bytes: usize,
}

/// The times of one round, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From the other's handing over until this thread runs.
    pub handover_ns: f64,
    /// The same calls where no thread waits.
    pub calls_ns: f64,
    /// The first walk after the switch.
    pub after_ns: f64,
    /// The same walk when it is hot.
    pub hot_ns: f64,
}

/// The result of one point.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The sets.
    pub point: Point,
    /// Rounds that were left out because something interrupted them.
    pub interrupted: usize,
    /// From handing over until the other runs.
    pub handover: Sorted,
    /// The same calls without a switch.
    pub calls: Sorted,
    /// Handover without the calls.
    pub direct: Sorted,
    /// A hot walk.
    pub hot: Sorted,
    /// The excess of the walk after a switch over a hot one.
    pub indirect: Sorted,
}

impl Outcome {
    /// The result of these rounds; `None` if all of them were interrupted.
    pub fn of(point: Point, samples: &[Sample]) -> Option<Self> {
        let parts: Vec<[f64; 4]> = samples
            .iter()
            .map(|of| [of.handover_ns, of.calls_ns, of.after_ns, of.hot_ns])
            .collect();
        let rows: Vec<&[f64]> = parts.iter().map(<[f64; 4]>::as_slice).collect();
        let whole: Vec<&Sample> = undisturbed(&rows).into_iter().map(|at| &samples[at]).collect();
        let all = |number: fn(&Sample) -> f64| Sorted::of(whole.iter().copied().map(number));
        Some(Self {
            point,
            interrupted: samples.len() - whole.len(),
            handover: all(|of| of.handover_ns)?,
            calls: all(|of| of.calls_ns)?,
            direct: all(|of| of.handover_ns - of.calls_ns)?,
            hot: all(|of| of.hot_ns)?,
            indirect: all(|of| of.after_ns - of.hot_ns)?,
        })
    }
}

impl Point {
    /// `64k`, or `64k-after-256k` where the other set has another size.
    pub fn name(&self) -> String {
        if self.own_bytes == self.other_bytes {
            size(self.own_bytes)
        } else {
            format!("{}-after-{}", size(self.own_bytes), size(self.other_bytes))
        }
    }
}

/// The result of a measurement.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How the turn was passed: `futex` or `pipe`.
    pub means: &'static str,
    /// How the sets were walked over.
    pub kind: Kind,
    /// One for each point of which a round is left, in the order of the plan.
    pub outcomes: Vec<Outcome>,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Their effect on the numbers.
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests;
