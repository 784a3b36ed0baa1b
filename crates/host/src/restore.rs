//! `vorrang-host restore`: what a run left, undone.

use crate::place::Place;
use crate::running::{self, Running};
use std::fmt::Write as _;
use vorrang::exit::{Failure, Output};
use vorrang_enforce::{Linux, Restored};
use vorrang_quote::name::shown;

/// Undo what `run` changed, and end it if it runs
///
/// Loans are ended first, then the processes that made them, then every change in the journal is undone, the last one
/// first; also if `run` or this command were killed in between. Done twice it does no harm.
///
/// Exit codes: 0 everything is undone or there was nothing, 4 something could not be.
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
        let ended = Running::end(&Linux, &running::beside(path))
            .map_err(|why| Failure::host(format!("error: what runs cannot be ended: {why}\n")))?;
        let mut text = String::new();
        if ended > 0 {
            let _ = writeln!(text, "{ended} processes are ended, and their loans.");
        }
        text += &undo(&self.place)?;
        Ok(Output::success(text))
    }
}

/// Undoes what is in the journal; what is said about it.
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
