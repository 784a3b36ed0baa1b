//! What a context switch between two threads on one processor costs, directly and indirectly.
//!
//! **Model.** Two threads stay on one processor and hand over to each other. The first one, after it
//! was handed the turn, does this; the other one only walks over its own set:
//!
//! ```text
//!   handed over │ walk     │ calls  │ walk │ walk   │ hand over, wait
//!   handover    │ after    │ alone  │      │ hot    │
//! ```
//!
//! *direct* = handover − calls: waking, waiting and switching, without the system calls that do the
//! same where nobody waits. *indirect* = walk after − hot walk: what the other thread displaced. Both
//! are differences of times of the same round, so a drift of the machine is in neither.
//!
//! **Assumptions.** 1. The second walk leaves everything where it stays, so the third is hot. A set
//! that is larger than the caches is never hot; its differences are around zero, on both sides, and
//! stay what they are. 2. What interrupts is found by what a part of a round takes, never by the sign
//! or the size of a difference. 3. The threads share memory: no switch of address spaces.
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

/// What one round showed, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// From the other's handing over until this thread runs.
    pub handover_ns: f64,
    /// The same calls where nobody waits.
    pub calls_ns: f64,
    /// The first walk after the switch.
    pub after_ns: f64,
    /// The same walk when it is hot.
    pub hot_ns: f64,
}

/// What one point showed.
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
    /// What the walk after a switch takes longer than a hot one.
    pub indirect: Sorted,
}

impl Outcome {
    /// What these rounds show; `None` if all of them were interrupted.
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

/// Everything that a measurement showed.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How the turn was passed: `futex` or `pipe`.
    pub means: &'static str,
    /// How the sets were walked over.
    pub kind: Kind,
    /// One for each point of which a round is left, in the order of the plan.
    pub outcomes: Vec<Outcome>,
    /// What the machine was like.
    pub conditions: Vec<Condition>,
    /// What that does to the numbers.
    pub remarks: Vec<String>,
}

#[cfg(test)]
mod tests;
