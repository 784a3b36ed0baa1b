//! `vorrang-host restore`: undoes what a run left.

use crate::place::Place;
use crate::running::{self, Running};
use std::fmt::Write as _;
use vorrang::exit::{Failure, Output};
use vorrang_enforce::{Linux, Restored};
use vorrang_quote::name::shown;

/// End a run, and undo its changes
///
/// Loans are ended first, then the processes that made them, then every change in the journal is undone, the last one
/// first; also if `run` or this command was killed in between. Running it twice does no harm.
///
/// Exit codes: 0 everything is undone or there was nothing to undo, 4 something could not be undone.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Restore {
    #[command(flatten)]
    place: Place,
}

impl Restore {
    /// # Errors
    /// Something cannot be ended or undone.
    pub fn run(&self) -> Result<Output, Failure> {
        let path = self.place.path();
        let ended = Running::end(&Linux, &running::beside(path)).map_err(|why| {
            Failure::host(format!("error: the running processes cannot be ended: {why}\n"))
        })?;
        let mut text = String::new();
        if ended > 0 {
            let _ = writeln!(text, "{ended} processes are ended, and their loans.");
        }
        text += &undo(&self.place)?;
        Ok(Output::success(text))
    }
}

/// Undoes the changes in the journal; returns the report.
///
/// # Errors
/// Something cannot be undone.
pub(crate) fn undo(place: &Place) -> Result<String, Failure> {
    let restored =
        vorrang_enforce::restore(&mut Linux, place.path()).map_err(|why| place.failure(&why))?;
    match restored {
        Restored::Nothing => Ok("Nothing is changed.\n".to_owned()),
        Restored::Void => {
            Ok("The machine was started anew since: nothing is changed.\n".to_owned())
        }
        Restored::All(count) => Ok(format!("All {count} changes are undone.\n")),
        Restored::Partly(left) => Err(Failure::host(format!(
            "error: these changes could not be undone, the journal {} is kept:\n  {}\n",
            shown(place.path()),
            left.join("\n  ")
        ))),
    }
}
