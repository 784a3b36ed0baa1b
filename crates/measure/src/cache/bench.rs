//! One run of a point: the caches put into its state, then a walk over its set.

use super::plan::{Kind, Plan, Point, State};
use crate::curve::Run;
use crate::machine::counter::Counter;
use crate::machine::memory::{Flood, LINE_BYTES, Line, ring};
use crate::machine::{flush, walk};
use std::collections::BTreeMap;

/// The memory of a measurement.
pub(super) struct Bench {
    pub(super) counter: Counter,
    flood: Flood,
    seed: u64,
    /// By their bytes: this context's, and another one's.
    sets: BTreeMap<usize, [Vec<Line>; 2]>,
}

impl Bench {
    pub(super) fn of(plan: &Plan) -> Self {
        Self {
            counter: Counter::calibrate(),
            flood: Flood::of(plan.flood_bytes),
            seed: plan.seed,
            sets: BTreeMap::new(),
        }
    }

    /// From now on there are sets of so many bytes.
    pub(super) fn add(&mut self, bytes: usize) {
        assert!(bytes.is_multiple_of(LINE_BYTES) && bytes > 0);
        let seeds = [self.seed, self.seed.wrapping_add(1)];
        self.sets.entry(bytes).or_insert_with(|| seeds.map(|seed| ring(bytes, seed)));
    }

    pub(super) fn run(&self, point: &Point) -> Run {
        let [lines, others] = self.sets.get(&point.set_bytes).expect("its set was added");
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
