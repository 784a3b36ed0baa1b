//! `vorrang-host restore`: undoes what a run left.

use crate::background::JOURNAL;
use crate::running::{self, Running};
use std::fmt::Write as _;
use vorrang_command::exit::{Failure, Output};
use vorrang_command::place::Place;
use vorrang_enforce::Linux;

/// End a run, and undo its changes
///
/// Loans are ended first, then the processes that made them, then every change in the journal is undone, the last one
/// first; also if `run` or this command was killed in between. Running it twice does no harm.
///
/// Exit codes: 0 everything is undone or there was nothing to undo, 4 something could not be undone.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Restore {
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = JOURNAL)]
    journal: Place,
}

impl Restore {
    /// # Errors
    /// Something cannot be ended or undone.
    pub fn run(&self) -> Result<Output, Failure> {
        restore(&self.journal)
    }
}

/// Ends the run of a journal, and undoes its changes.
///
/// # Errors
/// Something cannot be ended or undone.
pub fn restore(place: &Place) -> Result<Output, Failure> {
    let ended = Running::end(&Linux, &running::beside(place.path())).map_err(|why| {
        Failure::host(format!("error: the running processes cannot be ended: {why}\n"))
    })?;
    let mut text = String::new();
    if ended > 0 {
        let _ = writeln!(text, "{ended} processes are ended, and their loans.");
    }
    text += &undo(place)?;
    Ok(Output::success(text))
}

/// Undoes the changes in the journal; returns the report.
///
/// # Errors
/// Something cannot be undone.
pub(crate) fn undo(place: &Place) -> Result<String, Failure> {
    place.undo(|| "Nothing is changed.\n".to_owned(), "changed")
}
