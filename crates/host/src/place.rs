//! Where the journal is.

use std::path::{Path, PathBuf};
use vorrang::exit::Failure;
use vorrang_quote::name::shown;

/// Beside that of `vorrang apply`, and gone with the boot like that.
const JOURNAL: &str = "/run/vorrang/host";

/// Where the journal is.
#[derive(Clone, Debug, clap::Args)]
pub struct Place {
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = JOURNAL)]
    journal: PathBuf,
}

impl Place {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.journal
    }

    /// An error of the journal.
    pub fn failure(&self, why: &std::io::Error) -> Failure {
        Failure::host(format!("error: {}: {why}\n", shown(&self.journal)))
    }
}
