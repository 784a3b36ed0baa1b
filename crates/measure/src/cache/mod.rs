//! The cost of cold caches after a switch: the measurement of K08, from user space.
//!
//! **Model.** For each point (a working set, an order, an access, and the state that the caches were
//! put into) runs are taken in rounds: every round takes one run of each point, so that a drift of the
//! machine is in the spread of every number, and not in the difference between two. A spread needs several rounds: sets
//! that are too large for [`ROUNDS`] of them in the time of the plan are left out, and named.
//!
//! *After a switch* is measured as what it is: another context has used a working set of the same size, with the same
//! accesses, on the same processor. The average is fitted to that, the worst case to states in which everything is
//! displaced.
//!
//! **Assumptions.** 1. A flood of twice the last cache displaces everything, whatever the cache
//! replaces first. 2. A flood leaves translations cold, a flush leaves them warm; the names of the states say
//! so. 3. Nothing else of the program is large enough to matter beside the working set. 4. The other context of a switch
//! has as much to do as this one.
//!
//! **Cost.** Per run a flood (some milliseconds) and some passes over the set. Memory: four times the
//! last cache for the floods, and four times the largest set that there is time for.
//!
//! **Does not cover** instructions, branch predictors and translations by themselves.

mod bench;
pub mod plan;
mod rounds;

pub use plan::{KINDS, Kind, Plan, Point, State};
pub use rounds::ROUNDS;

use crate::curve::{Curve, Run};
use crate::fit::{Fit, exponential, flood};
use crate::machine::conditions::{self, Interrupted, Steal};
use crate::machine::memory::LINE_BYTES;
use crate::machine::place::Pinned;
use crate::machine::{Unable, flush, walk};
use crate::statistics::Spread;
use bench::Bench;
use rounds::Rounds;

/// The result of one point.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The point.
    pub point: Point,
    /// Its undisturbed runs.
    pub curve: Curve,
    /// The cost of a switch.
    pub loss: Spread,
    /// Never below the measurement.
    pub flood: Fit,
    /// Least squares of the means.
    pub exponential: Fit,
}

impl Outcome {
    /// The result of these runs; `None` if all of them were interrupted.
    pub fn of(point: Point, runs: &[Run]) -> Option<Self> {
        let curve = Curve::of(runs, walk::blocks_per_pass(point.set_bytes / LINE_BYTES))?;
        let (loss, flood, exponential) = (curve.loss(), flood(&curve), exponential(&curve));
        Some(Self { point, curve, loss, flood, exponential })
    }

    /// The time of an access at the sustained rate, in nanoseconds.
    pub fn sustained_access_ns(&self) -> f64 {
        let lines = self.point.set_bytes / LINE_BYTES;
        let blocks = walk::blocks_per_pass(lines);
        self.curve.block_ns / (lines / blocks) as f64
    }
}

/// The result of a measurement.
#[derive(Clone, Debug)]
pub struct Measured {
    /// One for each point of which a run is left, in the order of the plan.
    pub outcomes: Vec<Outcome>,
    /// How often every point was measured.
    pub rounds: usize,
    /// The conditions.
    pub conditions: Vec<conditions::Condition>,
    /// Their effect on the numbers.
    pub remarks: Vec<String>,
}

/// Measures in rounds until the time of the plan is over or `go_on`, which receives the finished part and the
/// rounds so far, returns false. The first round is always finished; unless they are ended there are at least [`ROUNDS`].
///
/// # Errors
/// This process may not stay on the CPU of the plan.
pub fn measure(plan: &Plan, go_on: impl FnMut(f64, usize) -> bool) -> Result<Measured, Unable> {
    let place = Pinned::to(plan.cpu)?;
    let mut conditions = conditions::of(place.cpu);
    let mut bench = Bench::of(plan);
    let steal = Steal::watch(place.cpu);
    let rounds = Rounds::of(plan, &mut bench, go_on);
    conditions.extend([
        ("seed", plan.seed.to_string()),
        ("rounds", rounds.count.to_string()),
        ("counter", bench.counter.text()),
        ("flood-bytes", plan.flood_bytes.to_string()),
    ]);
    let outcome = |(point, runs): (&Point, &Vec<Run>)| Outcome::of(*point, runs);
    let outcomes: Vec<_> = plan.points.iter().zip(&rounds.runs).map(outcome).collect();
    let mut remarks = conditions::remarks(&conditions, steal.part(), Interrupted::LeftOut);
    remarks.extend(interrupted(plan, &rounds, &outcomes));
    remarks.extend(rounds.without.map(|set| {
        let set = plan::size(set);
        format!(
            "Sets of {set} and more were left out: {ROUNDS} rounds of them need more time (--for)."
        )
    }));
    if !flush::EXISTS {
        remarks.push(
            "No flush from user space is known for this processor: that state is missing.".into(),
        );
    }
    let (outcomes, rounds) = (outcomes.into_iter().flatten().collect(), rounds.rounds());
    Ok(Measured { outcomes, rounds, conditions, remarks })
}

/// Names the points that could not be measured.
fn interrupted(plan: &Plan, rounds: &Rounds, outcomes: &[Option<Outcome>]) -> Option<String> {
    let points = plan.points.iter().zip(&rounds.runs).zip(outcomes);
    let missing = points.filter(|((_, runs), outcome)| !runs.is_empty() && outcome.is_none());
    let names: Vec<String> = missing.map(|((point, _), _)| point.name()).collect();
    (!names.is_empty()).then(|| {
        format!("Every run was interrupted, so that there is no number: {}.", names.join(", "))
    })
}

#[cfg(test)]
mod tests;
