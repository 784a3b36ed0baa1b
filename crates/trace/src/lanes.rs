//! Lanes of chains: a slice for each value that was handed on, and in it one for each task along the path.
//!
//! ```text
//!   reaction time   brake ├───────────────────────────────┤       from the reading before the event to the output
//!                             wheel ├─┤   slip ├───┤ drive ├─┤   each from its reading to its write
//! ```
//!
//! Between them the value waits for the next reading. A job that is woken before the one that wakes it has written is shown
//! from that write on. Values that overlap stand on lanes of their own.

use crate::rows::{Label, NewRow, Rows};
use crate::sink::Sink;
use std::io::Write;
use vorrang_time::{Duration, Instant};

/// A value that a chain handed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The reading from which it counts, and the write that ends it.
    pub window: (Instant, Instant),
    /// When the job of each task read and wrote, along the path.
    pub way: Vec<(Instant, Instant)>,
}

/// The values of one kind of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// What they are called.
    pub name: String,
    /// All of them.
    pub all: Vec<Value>,
    /// How long they may take, and what is above that.
    pub most: Option<(Duration, Label)>,
}

/// Values that do not overlap, on a row.
#[derive(Debug)]
pub struct Lane {
    row: usize,
    /// The row of the chain.
    chain: usize,
    /// What the slices of the tasks are called.
    tasks: Vec<Label>,
    values: Vec<Value>,
    most: Option<(Duration, Label)>,
}

/// Adds a row for a chain, and under it the lanes of its values.
pub fn lanes(
    rows: &mut Vec<NewRow>,
    chain: &str,
    tasks: &[Label],
    kinds: impl IntoIterator<Item = Values>,
) -> Vec<Lane> {
    let mut lanes = Vec::new();
    let chain_row = rows.len();
    rows.push(NewRow { name: chain.to_owned(), under: None });
    for Values { name, all, most } in kinds {
        for values in apart(all) {
            let row = rows.len();
            rows.push(NewRow { name: name.clone(), under: Some(chain_row) });
            lanes.push(Lane { row, chain: chain_row, tasks: tasks.to_vec(), values, most });
        }
    }
    lanes
}

/// As few lanes as they need.
fn apart(mut values: Vec<Value>) -> Vec<Vec<Value>> {
    let mut lanes: Vec<Vec<Value>> = Vec::new();
    values.sort_by_key(|value| value.window);
    for value in values {
        let is_free =
            |lane: &&mut Vec<Value>| lane.last().is_none_or(|last| last.window.1 <= value.window.0);
        match lanes.iter_mut().find(is_free) {
            Some(lane) => lane.push(value),
            None => lanes.push(vec![value]),
        }
    }
    lanes
}

impl Lane {
    pub(crate) fn write(&self, rows: &mut Rows, sink: &mut Sink<impl Write>) {
        for Value { window: (begin, end), way } in &self.values {
            rows.begin(sink, self.row, Label::Of(self.chain), *begin);
            let mut last = *begin;
            for (&task, &(read, write)) in self.tasks.iter().zip(way) {
                let from = read.clamp(last, *end);
                last = write.clamp(last, *end).max(from);
                rows.begin(sink, self.row, task, from);
                rows.end(sink, self.row, last);
            }
            rows.end(sink, self.row, *end);
            if let Some((most, above)) = self.most
                && *end - *begin > most
            {
                rows.mark(sink, self.row, above, *end);
            }
        }
    }
}
