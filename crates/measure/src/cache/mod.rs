//! The cost of cold caches after a switch: the measurement of K08, from user space.
//!
//! **Model.** For each point (a working set, an order, an access, and the state that the caches were
//! put into) runs are taken in rounds: every round takes one run of each point, so that a drift of the
//! machine is in the spread of every number, and not in the difference between two.
//!
//! **Assumptions.** 1. A flood of twice the last cache displaces everything, whatever the cache
//! replaces first. 2. A flood leaves translations cold, a flush leaves them warm; the names of the states say
//! so. 3. Nothing else of the program is large enough to matter beside the working set.
//!
//! **Cost.** Per run a flood (some milliseconds) and some passes over the set. Memory: four times the
//! last cache for the floods, and twice the largest set.
//!
//! **Does not cover** instructions, branch predictors and translations by themselves.

pub mod plan;

pub use plan::{KINDS, Kind, Plan, Point, State};

use crate::curve::{Curve, Run};
use crate::fit::{Fit, exponential, flood};
use crate::machine::conditions::{self, Interrupted, Steal};
use crate::machine::counter::Counter;
use crate::machine::memory::{Flood, LINE_BYTES, Line, ring};
use crate::machine::place::Pinned;
use crate::machine::{Unable, flush, walk};
use crate::statistics::Spread;
use std::time::Instant;

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
    /// Least squares.
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
/// rounds so far, returns false; a round that has begun is finished, the first one always.
///
/// # Errors
/// This process may not stay on the CPU of the plan.
pub fn measure(plan: &Plan, mut go_on: impl FnMut(f64, usize) -> bool) -> Result<Measured, Unable> {
    let place = Pinned::to(plan.cpu)?;
    let mut conditions = conditions::of(place.cpu);
    let bench = Bench::of(plan);
    let steal = Steal::watch(place.cpu);
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); plan.points.len()];
    let since = Instant::now();
    let mut rounds = 0;
    loop {
        for (point, runs) in plan.points.iter().zip(&mut runs) {
            runs.push(bench.run(point));
            let part = since.elapsed().as_secs_f64() / plan.time.as_secs_f64();
            if !go_on(part.min(1.0), rounds) && rounds > 0 {
                break;
            }
        }
        rounds += 1;
        // Another round must fit into the time that is left.
        let next = since.elapsed().mul_f64(1.0 + 1.0 / rounds as f64);
        if next > plan.time || !go_on(1.0, rounds) {
            break;
        }
    }
    conditions.extend([
        ("seed", plan.seed.to_string()),
        ("rounds", rounds.to_string()),
        ("counter", bench.counter.text()),
        ("flood-bytes", plan.flood_bytes.to_string()),
    ]);
    let outcomes: Vec<Option<Outcome>> =
        plan.points.iter().zip(&runs).map(|(point, runs)| Outcome::of(*point, runs)).collect();
    let mut remarks = conditions::remarks(&conditions, steal.part(), Interrupted::LeftOut);
    remarks.extend(interrupted(&plan.points, &outcomes));
    if !flush::EXISTS {
        remarks.push(
            "No flush from user space is known for this processor: that state is missing.".into(),
        );
    }
    Ok(Measured { outcomes: outcomes.into_iter().flatten().collect(), rounds, conditions, remarks })
}

/// Names the points that could not be measured.
fn interrupted(points: &[Point], outcomes: &[Option<Outcome>]) -> Option<String> {
    let missing = points.iter().zip(outcomes).filter(|(_, outcome)| outcome.is_none());
    let names: Vec<String> = missing.map(|(point, _)| point.name()).collect();
    (!names.is_empty()).then(|| {
        format!("Every run was interrupted, so that there is no number: {}.", names.join(", "))
    })
}

/// The memory of a measurement.
struct Bench {
    counter: Counter,
    flood: Flood,
    /// In the order of their sizes.
    sets: Vec<Vec<Line>>,
}

impl Bench {
    fn of(plan: &Plan) -> Self {
        let sets = plan.sets().into_iter().map(|bytes| ring(bytes, plan.seed));
        Self {
            counter: Counter::calibrate(),
            flood: Flood::of(plan.flood_bytes),
            sets: sets.collect(),
        }
    }

    fn run(&self, point: &Point) -> Run {
        let has_size = |lines: &&Vec<Line>| lines.len() * LINE_BYTES == point.set_bytes;
        let lines = self.sets.iter().find(has_size).expect("every set of the plan is there");
        let Kind { order, access } = point.kind;
        match point.state {
            State::Dirty => self.flood.with_dirty_lines(),
            State::Clean => self.flood.with_clean_lines(),
            State::Flushed => flush::flush(lines),
            State::Warm => drop(walk::run(lines, order, access, &self.counter)),
        }
        walk::run(lines, order, access, &self.counter)
    }
}

#[cfg(test)]
mod tests;
