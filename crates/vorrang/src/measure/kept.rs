//! Where a measurement goes: into a profile, and onto a page, if these are wanted.

use super::merge::Merge;
use super::sheet;
use crate::destination::Destinations;
use crate::paged::{Begun, Paged};
use std::path::Path;
use vorrang_command::exit::Failure;
use vorrang_figure::Figure;
use vorrang_measure::profile::Profile;

/// Both, begun before the measurement: what cannot be written is known at once.
pub(super) struct Kept {
    merge: Option<Merge>,
    page: Option<Begun>,
}

impl Kept {
    /// The profile is `out`.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub(super) fn begin(
        files: &mut Destinations,
        out: Option<&Path>,
        paged: &Paged,
    ) -> Result<Self, Failure> {
        let merge = out.map(|path| Merge::begin(files, path)).transpose()?;
        Ok(Self { merge, page: paged.begin(files)? })
    }

    /// Writes both: `put` puts what was measured into a profile, `seen` is what the page shows beyond it.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub(super) fn write(
        self,
        files: &mut Destinations,
        verb: &str,
        seen: impl FnOnce() -> Vec<Figure>,
        put: impl Fn(&mut Profile),
    ) -> Result<(), Failure> {
        if let Some(merge) = self.merge {
            merge.finish(&put)?;
        }
        let Some(begun) = self.page else { return Ok(()) };
        let made = sheet::of_measurement(verb, seen(), &begun.options, put);
        begun.write(files, &made)
    }
}
