//! `vorrang restore`: undoes the changes of `vorrang apply`.

use crate::dispatched;
use vorrang_command::exit::{Failure, Output};
use vorrang_command::place::Place;
use vorrang_enforce::journal;

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
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = journal::PLACE)]
    journal: Place,
}

impl Restore {
    /// # Errors
    /// The journal cannot be read, or the kernel refuses.
    pub fn run(&self) -> Result<Output, Failure> {
        if dispatched::is_run(&self.journal) {
            return vorrang_host::restore::restore(&dispatched::beside(&self.journal));
        }
        Ok(Output::success(self.journal.undo(dispatched::nothing, "applied")?))
    }
}
