//! Lanes of chains: a slice for each value that was handed on, and in it one for each task along the path.
//!
//! ```text
//!   reaction time   brake ├───────────────────────────────┤       from the reading before the event to the output
//!                             wheel ├─┤   slip ├───┤ drive ├─┤   each from its reading to its write
//! ```
//!
//! Between them the value waits for the next reading. A job that is woken before the one that wakes it has written is shown
//! from that write on. Values that overlap stand on lanes of their own.

use std::io::Write;
use vorrang_model::System;
use vorrang_model::system::TaskId;
use vorrang_observe::comparison::What;
use vorrang_observe::observation::{Handed, Handing, Kind, Limits, Observation};
use vorrang_time::Instant;
use vorrang_trace::{HostRow, HostTrace, Label};

/// Values of one kind of a chain, none of which overlap.
pub(super) struct Lane {
    /// Its row, that of its chain, and those of the tasks.
    row: usize,
    chain: usize,
    tasks: Vec<usize>,
    values: Vec<Handing>,
    bound: u64,
}

/// Rows for the chains that were seen, behind those of their tasks.
pub(super) fn add(
    rows: &mut Vec<HostRow>,
    system: &System,
    limits: &Limits,
    observation: &Observation,
) -> Vec<Lane> {
    let mut lanes = Vec::new();
    let seen = observation.rows.iter().filter(|row| row.kind == Kind::Chain);
    for (place, seen) in seen.enumerate() {
        let Some(handed) = seen.seen.as_ref().ok().and_then(|seen| seen.handed.as_ref()) else {
            continue;
        };
        let Handed { reaction, age } = handed;
        let row_of = |id: &TaskId| rows.iter().position(|row| row.name == system.task(*id).name);
        let tasks: Option<Vec<usize>> = system.chains[place].path.iter().map(row_of).collect();
        // Each task of a chain that was seen has one.
        let tasks = tasks.expect("a row for each task");
        let bound = limits.chains[place].as_ref().map_or(u64::MAX, |bound| bound.as_ns());
        let chain = rows.len();
        rows.push(HostRow { name: seen.name.clone(), under: None });
        for (what, of) in [(What::Reaction, reaction), (What::Age, age)] {
            for values in apart(&of.all) {
                let row = rows.len();
                rows.push(HostRow { name: what.phrase().to_owned(), under: Some(chain) });
                lanes.push(Lane { row, chain, tasks: tasks.clone(), values, bound });
            }
        }
    }
    lanes
}

/// As few lanes as they need.
fn apart(values: &[Handing]) -> Vec<Vec<Handing>> {
    let mut lanes: Vec<Vec<Handing>> = Vec::new();
    let mut values: Vec<&Handing> = values.iter().collect();
    values.sort_by_key(|value| value.window);
    for value in values {
        let is_free = |lane: &&mut Vec<Handing>| {
            lane.last().is_none_or(|last| last.window.1 <= value.window.0)
        };
        match lanes.iter_mut().find(is_free) {
            Some(lane) => lane.push(value.clone()),
            None => lanes.push(vec![value.clone()]),
        }
    }
    lanes
}

impl Lane {
    pub(super) fn write(&self, trace: &mut HostTrace<impl Write>) {
        let at = Instant::from_ns;
        for Handing { window: (begin, end), way } in &self.values {
            trace.begin(self.row, Label::Of(self.chain), at(*begin));
            let mut last = *begin;
            for (&task, &(read, write)) in self.tasks.iter().zip(way) {
                let (from, until) = (read.clamp(last, *end), write.clamp(last, *end));
                trace.begin(self.row, Label::Of(task), at(from));
                trace.end(self.row, at(until.max(from)));
                last = until.max(from);
            }
            trace.end(self.row, at(*end));
            if end - begin > self.bound {
                trace.mark(self.row, Label::Above, at(*end));
            }
        }
    }
}
