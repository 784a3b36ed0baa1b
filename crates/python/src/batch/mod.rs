//! Batches: columns of Arrow in, columns of Arrow out, without copies.
//!
//! **Model.** Whatever has the `PyCapsule` interface of Arrow is read where it is: integers of 64 bits, and
//! durations of any unit. Other integers are widened, which copies them.

mod columns;
mod input;
mod room;

use crate::attention::attended;
use columns::Columns;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use vorrang_batch::{Asked, Room, Scheduler, Stopped, answered};
use vorrang_command::interruption;

/// What the command line would say of bad input, and its exit code.
type Failed = (String, u8);

/// Sets with their verdicts and, if asked for, rows with their bounds; or why not.
type Found = (Option<(Columns, Option<Columns>)>, Option<Failed>);

/// Verdicts and bounds of all sets of a table, on so many threads; 0: on all processors.
///
/// # Errors
/// What has the table raised, or a signal came.
#[pyfunction]
pub(crate) fn batch(
    py: Python<'_>,
    table: AnyRecordBatch,
    scheduler: &str,
    bounds: bool,
    threads: usize,
) -> PyResult<Found> {
    let refused = |why: String| Ok((None, Some((format!("error: {why}\n"), 2))));
    let Some(scheduler) = Scheduler::ALL.into_iter().find(|known| known.word() == scheduler) else {
        let words = Scheduler::ALL.map(Scheduler::word).join(", ");
        return refused(format!(
            "no scheduler of a batch is called {scheduler}: there are {words}"
        ));
    };
    let (pieces, schema) = table.into_table()?.into_inner();
    let input = match input::Input::of(&schema, &pieces) {
        Ok(input) => input,
        Err(why) => return refused(why),
    };
    let work = move || {
        let pool = vorrang::sweep::pool(threads).map_err(|failure| failure.message)?;
        let asked = Asked { scheduler, bounds };
        let table = input.table();
        let room = if bounds { room::spare() } else { Room::default() };
        match pool.install(|| answered(&table, asked, room, interruption::is_wanted)) {
            Ok(answers) => Ok(columns::of(answers, bounds)),
            Err(Stopped::Interrupted) => Err("interrupted".to_owned()),
            Err(Stopped::Wrong(wrong)) => {
                Err(format!("column `{}`, row {}: {}", wrong.column, wrong.row, wrong.why))
            }
        }
    };
    match attended(py, work)? {
        Ok(found) => Ok((Some(found), None)),
        Err(why) => refused(why),
    }
}
