//! Profiles as files: read, and written with new results beside the existing ones.

use crate::content::Content;
use crate::destination::{Destinations, Draft};
use std::path::{Path, PathBuf};
use vorrang_command::exit::Failure;
use vorrang_command::input;
use vorrang_measure::profile::{Malformed, Profile};
use vorrang_model::limits;
use vorrang_quote::name::shown;
use vorrang_verdict::identity::TOOL;

/// The profile in a file.
pub(crate) fn profile(path: &Path) -> Result<Profile, Failure> {
    parsed(&text(path)?).map_err(|why| wrong(path, &why))
}

fn parsed(text: &str) -> Result<Profile, String> {
    text.parse().map_err(|why: Malformed| why.to_string())
}

/// The text of a file, as long as a profile may be.
fn text(path: &Path) -> Result<String, Failure> {
    let bytes = input::file(path).map_err(|why| wrong(path, &input::explained(&why)))?;
    if bytes.len() > limits::BYTES {
        let why = format!("it is longer than the {} bytes of a profile", limits::BYTES);
        return Err(wrong(path, &why));
    }
    String::from_utf8(bytes).map_err(|why| wrong(path, &format!("it is not valid UTF-8: {why}")))
}

pub(super) fn wrong(path: &Path, why: &str) -> Failure {
    Failure::bad_input(format!("error: {}: {why}\n", shown(path)))
}

/// A profile that will be written. Its content is read again at that time: another measurement may
/// have changed it meanwhile.
pub(super) struct Merge {
    path: PathBuf,
    draft: Draft,
    /// Whether the existing file is no profile, and is replaced.
    anew: bool,
}

impl Merge {
    /// Before the measurement: an existing file must be a profile, or may be replaced.
    pub(super) fn begin(files: &mut Destinations, path: &Path) -> Result<Self, Failure> {
        let there = existing(path).and_then(|text| parsed(&text).map_err(|why| wrong(path, &why)));
        let anew = there.is_err();
        if !files.may_replace_anything() {
            there?;
        }
        let draft = files.begin(path, Content::Profile)?;
        Ok(Self { path: path.to_owned(), draft, anew })
    }

    /// Writes it, with what was measured.
    pub(super) fn finish(self, measured: impl FnOnce(&mut Profile)) -> Result<(), Failure> {
        let Self { path, draft, anew } = self;
        let there = if anew { EMPTY.to_owned() } else { existing(&path)? };
        let mut profile = parsed(&there).map_err(|why| wrong(&path, &why))?;
        measured(&mut profile);
        let text = profile.within(&there).map_err(|why| wrong(&path, &why.to_string()))?;
        draft.write_whole(signed(&text).as_bytes())
    }
}

/// A profile without a number.
const EMPTY: &str = "version = 1\n";

/// The text of the profile that is there, or of an empty one.
fn existing(path: &Path) -> Result<String, Failure> {
    let there = std::fs::metadata(path).is_ok_and(|there| there.is_file() && there.len() > 0);
    if there && path != Path::new("-") { text(path) } else { Ok(EMPTY.to_owned()) }
}

/// With the tool that measured last in the first line.
fn signed(text: &str) -> String {
    let rest = match text.strip_prefix("# Measured by vorrang ") {
        Some(signed) => signed.split_once('\n').map_or("", |(_, rest)| rest),
        None => text,
    };
    format!("# Measured by {TOOL}.\n{rest}")
}
