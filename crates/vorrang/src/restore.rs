//! `vorrang restore`: undoes the changes of `vorrang apply`.

use crate::dispatched;
use crate::exit::{Failure, Output};
use crate::journal::Journal;
use vorrang_enforce::{Linux, Restored};
use vorrang_quote::name::shown;

/// Undo the changes of `vorrang apply`
///
/// Every change in the journal is undone, the last one first, and the journal is removed; also if
/// apply, or this command, was killed in between. Running it twice does no harm. Changes that could
/// not be undone are reported, and the journal is kept. A description that vorrang-host runs is ended
/// first.
///
/// Exit codes: 0 everything is undone or there was nothing to undo, 4 something could not be undone.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Restore {
    #[command(flatten)]
    journal: Journal,
}

impl Restore {
    /// # Errors
    /// The journal cannot be read, or the kernel refuses.
    pub fn run(&self) -> Result<Output, Failure> {
        if dispatched::is_run(&self.journal) {
            return dispatched::restore(&self.journal);
        }
        let place = self.journal.place();
        let restored = vorrang_enforce::restore(&mut Linux, place)
            .map_err(|why| self.journal.failure(&why))?;
        match restored {
            Restored::Nothing => Ok(Output::success(dispatched::nothing())),
            Restored::Void => {
                Ok(Output::success("The machine was started anew since: nothing is applied.\n"))
            }
            Restored::All(count) => {
                Ok(Output::success(format!("All {count} changes are undone.\n")))
            }
            Restored::Partly(left) => Err(Failure::host(format!(
                "error: these changes could not be undone, the journal {} is kept:\n  {}\n",
                shown(place),
                left.join("\n  ")
            ))),
        }
    }
}
