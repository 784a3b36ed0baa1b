//! Lanes of the chains that were seen in a trace.

use vorrang_model::System;
use vorrang_model::system::TaskId;
use vorrang_observe::comparison::What;
use vorrang_observe::observation::{Handed, Handing, Kind, Limits, Observation};
use vorrang_time::Instant;
use vorrang_trace::{Label, Lane, NewRow, Value, Values};

/// Rows for the chains that were seen, behind those of their tasks.
pub(super) fn add(
    rows: &mut Vec<NewRow>,
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
        let tasks = tasks.expect("a row for each task").into_iter().map(Label::Of);
        let most = limits.chains[place].as_ref().ok().map(|&bound| (bound, Label::AboveBound));
        let kinds = [(What::Reaction, reaction), (What::Age, age)].map(|(what, of)| Values {
            name: what.phrase().to_owned(),
            all: of.all.iter().map(value).collect(),
            most,
        });
        lanes.extend(vorrang_trace::lanes(rows, &seen.name, &tasks.collect::<Vec<_>>(), kinds));
    }
    lanes
}

fn value(Handing { window, way }: &Handing) -> Value {
    let at = |&(from, until): &(u64, u64)| (Instant::from_ns(from), Instant::from_ns(until));
    Value { window: at(window), way: way.iter().map(at).collect() }
}
