//! One run of a point: the caches put into its state, then a walk over its set.

use super::plan::{Kind, Plan, Point, State};
use crate::curve::Run;
use crate::machine::counter::Counter;
use crate::machine::memory::{Flood, LINE_BYTES, Line, ring};
use crate::machine::{flush, walk};

/// The memory of a measurement.
pub(super) struct Bench {
    pub(super) counter: Counter,
    flood: Flood,
    /// In the order of their sizes: this context's, and another one's.
    sets: Vec<[Vec<Line>; 2]>,
}

impl Bench {
    pub(super) fn of(plan: &Plan) -> Self {
        let seeds = [plan.seed, plan.seed.wrapping_add(1)];
        let sets = plan.sets().into_iter().map(|bytes| seeds.map(|seed| ring(bytes, seed)));
        Self {
            counter: Counter::calibrate(),
            flood: Flood::of(plan.flood_bytes),
            sets: sets.collect(),
        }
    }

    pub(super) fn run(&self, point: &Point) -> Run {
        let has_size = |[own, _]: &&[Vec<Line>; 2]| own.len() * LINE_BYTES == point.set_bytes;
        let [lines, others] =
            self.sets.iter().find(has_size).expect("every set of the plan is there");
        let Kind { order, access } = point.kind;
        match point.state {
            State::Dirty => self.flood.with_dirty_lines(),
            State::Clean => self.flood.with_clean_lines(),
            State::Flushed => flush::flush(lines),
            State::Switched => {
                for context in [lines, others] {
                    drop(walk::run(context, order, access, &self.counter));
                }
            }
            State::Warm => drop(walk::run(lines, order, access, &self.counter)),
        }
        walk::run(lines, order, access, &self.counter)
    }
}
