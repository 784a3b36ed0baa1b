//! Lanes of the chains of a history.

use std::io::Write;
use vorrang_design::Asked;
use vorrang_model::System;
use vorrang_observe::comparison::What;
use vorrang_sim::{Handed, Passage};
use vorrang_trace::{Label, NewRow, Trace, Value, Values};
use vorrang_verdict::simulation::chains::Values as Seen;

/// Writes them, below the tracks of the cores.
pub(super) fn write(trace: &mut Trace<'_, impl Write>, system: &System, chains: &[Seen]) {
    let names: Vec<String> = system.tasks.iter().map(|task| task.name.clone()).collect();
    let mut rows: Vec<NewRow> = Vec::new();
    let mut lanes = Vec::new();
    for of_chain in chains.chunk_by(|one, next| one.chain == next.chain) {
        let chain = &system.chains[of_chain[0].chain];
        let tasks: Vec<Label> = chain.path.iter().map(|id| Label::Named(id.0)).collect();
        lanes.extend(vorrang_trace::lanes(
            &mut rows,
            &chain.name,
            &tasks,
            of_chain.iter().map(values),
        ));
    }
    trace.lanes(&rows, &names, &lanes);
}

fn values(of: &Seen) -> Values {
    Values {
        // As `vorrang observe` calls them.
        name: match of.asked {
            Asked::Reaction => What::Reaction.phrase().to_owned(),
            Asked::Age => What::Age.phrase().to_owned(),
        },
        all: of.all.iter().map(value).collect(),
        most: of.limit.map(|limit| (limit, Label::AboveLimit)),
    }
}

fn value(Handed { from, until, way }: &Handed) -> Value {
    let both = |job: &Passage| (job.read, job.write);
    Value { window: (*from, *until), way: way.iter().map(both).collect() }
}
