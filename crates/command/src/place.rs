//! Where a journal of changes is, and what is said of undoing them.

use crate::exit::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use vorrang_enforce::journal::{self, Described, Found};
use vorrang_enforce::{Kernel, Linux, Restored};
use vorrang_quote::name::shown;
use vorrang_quote::visible;

/// Where a journal is.
#[derive(Clone, Debug)]
pub struct Place(PathBuf);

impl<P: Into<OsString>> From<P> for Place {
    fn from(path: P) -> Self {
        Self(path.into().into())
    }
}

impl Place {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The place of a file of this name in the same folder.
    #[must_use]
    pub fn beside(&self, name: &str) -> Self {
        Self(self.0.with_file_name(name))
    }

    /// The journal at this place.
    ///
    /// # Errors
    /// It cannot be read, or is no journal.
    pub fn read(&self, kernel: &dyn Kernel) -> Result<Found, Failure> {
        journal::read(&self.0, kernel).map_err(|why| self.failure(&why))
    }

    /// Removes it.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn forget(&self) -> Result<(), Failure> {
        std::fs::remove_file(&self.0).map_err(|why| self.failure(&why))
    }

    /// Undoes the changes in it, and says so; `nothing` says that there are none, and `state` is what a description is no
    /// more after a boot.
    ///
    /// # Errors
    /// It cannot be read, or something cannot be undone.
    pub fn undo(&self, nothing: impl FnOnce() -> String, state: &str) -> Result<String, Failure> {
        let restored =
            vorrang_enforce::restore(&mut Linux, &self.0).map_err(|why| self.failure(&why))?;
        match restored {
            Restored::Nothing => Ok(nothing()),
            Restored::Void => Ok(void(state)),
            Restored::All(count) => Ok(format!("All {count} changes are undone.\n")),
            Restored::Partly(left) => Err(Failure::host(format!(
                "error: these changes could not be undone, the journal {} is kept:\n  {}\n",
                shown(&self.0),
                left.join("\n  ")
            ))),
        }
    }

    /// Something went wrong with it.
    pub fn failure(&self, why: &std::io::Error) -> Failure {
        Failure::host(format!("error: {}: {why}\n", shown(&self.0)))
    }
}

/// That a journal is of another boot.
pub fn void(state: &str) -> String {
    format!("The machine was started anew since: nothing is {state}.\n")
}

/// The description of a journal, in a line.
pub fn heading(described: &Described) -> String {
    let Described { description, sha256, verdict } = described;
    let [name, verdict, sha256] = [description, verdict, sha256].map(|text| visible(text));
    format!("{name}: {verdict}, sha256 {sha256}\n")
}
