//! Where the journal of `vorrang apply` is.

use crate::exit::Failure;
use std::path::{Path, PathBuf};
use vorrang_enforce::Kernel;
use vorrang_enforce::journal::{self, Found};
use vorrang_quote::name::shown;

/// Where the journal is.
#[derive(Clone, Debug, clap::Args)]
pub struct Journal {
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = journal::PLACE)]
    journal: PathBuf,
}

impl Journal {
    /// Its place.
    pub fn place(&self) -> &Path {
        &self.journal
    }

    /// The journal at this place.
    ///
    /// # Errors
    /// It cannot be read, or is no journal.
    pub fn read(&self, kernel: &dyn Kernel) -> Result<Found, Failure> {
        journal::read(&self.journal, kernel).map_err(|why| self.failure(&why))
    }

    /// Removes it.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn forget(&self) -> Result<(), Failure> {
        std::fs::remove_file(&self.journal).map_err(|why| self.failure(&why))
    }

    /// Something went wrong with it.
    pub fn failure(&self, why: &std::io::Error) -> Failure {
        Failure::host(format!("error: {}: {why}\n", shown(&self.journal)))
    }
}
