//! A description that was understood, or everything that is wrong with it.
//!
//! **Model.** A description is bytes, and so are the profiles of machine and kernel that it may name, which
//! the caller reads. All errors in them are reported at once, ready to print.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_model::{Code, Colour, Diagnostic, Format, Open, Profile, Read, System};
use vorrang_quote::name::shown;

/// A diagnostic with its line and column.
pub type Placed = (Diagnostic, (usize, usize));

/// How a description is given to a command.
#[derive(Clone, Debug)]
pub struct Given {
    /// The file, or `-`.
    pub file: PathBuf,
    /// How it is written, where that was said: `toml` or `json`.
    pub format: Option<&'static str>,
    /// The file that a shell gave as standard input, where that is read and the file is known.
    pub standard_input: Option<PathBuf>,
}

/// A description that was read without complaint.
pub struct Input {
    /// How it was given.
    pub given: Given,
    /// Its name in messages.
    pub name: String,
    /// What it says.
    pub system: System,
    /// The SHA-256 of its bytes, behind those of the profiles it names, in hexadecimal.
    pub sha256: String,
    /// What was read for it.
    pub files: Vec<PathBuf>,
    /// Warnings, with line and column.
    pub warnings: Vec<Placed>,
}

/// Why a description was not understood.
pub struct Refusal {
    /// What is wrong with it, with line and column; empty: it could not be read at all, or a profile
    /// that it names is wrong.
    pub diagnostics: Vec<Placed>,
    /// All of it, ready to print.
    pub message: String,
}

/// A description and its surroundings, to be read.
pub struct Reading<'a> {
    /// How it was given.
    pub given: Given,
    /// The description itself.
    pub bytes: &'a [u8],
    /// How that is written.
    pub format: Format,
    /// Suppressed warnings.
    pub allow: &'a [Code],
    /// The bytes of a profile, or why there are none.
    pub profile: &'a mut dyn FnMut(&Path) -> Result<Vec<u8>, String>,
    /// Of messages.
    pub colour: Colour,
}

impl Reading<'_> {
    /// A complete description.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn complete(self) -> Result<Input, Refusal> {
        let Self { given, bytes, format, allow, profile, colour } = self;
        let name = shown(&given.file);
        let mut profiles = Profiles::beside(&given.file, profile, colour);
        let read =
            vorrang_model::read_with_warnings(bytes, format, |file| profiles.read(Path::new(file)));
        let Read { system, mut warnings } =
            read.map_err(|diagnostics| profiles.refusal(&name, bytes, diagnostics))?;
        let sha256 = profiles.digest.chain_update(bytes).finalize();
        let sha256 = sha256.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let files = profiles.files.into_iter().chain([given.file.clone()]).collect();
        warnings.retain(|warning| !allow.contains(&warning.code));
        let positions = vorrang_model::positions(&warnings, bytes);
        let warnings = warnings.into_iter().zip(positions).collect();
        Ok(Input { given, name, system, sha256, files, warnings })
    }

    /// One with values left open.
    ///
    /// # Errors
    /// Everything that is wrong with it; that it leaves nothing open is.
    pub fn open(self) -> Result<Open, Refusal> {
        let Self { given, bytes, format, profile, colour, .. } = self;
        let mut profiles = Profiles::beside(&given.file, profile, colour);
        vorrang_model::read_open(bytes, format, |file| profiles.read(Path::new(file)))
            .map_err(|diagnostics| profiles.refusal(&shown(&given.file), bytes, diagnostics))
    }
}

/// The profiles that a description may name: of the machine, and of its kernel.
struct Profiles<'a> {
    /// Where the description is, beside which a profile is looked for.
    folder: &'a Path,
    bytes: &'a mut dyn FnMut(&Path) -> Result<Vec<u8>, String>,
    colour: Colour,
    /// Those that were read.
    files: Vec<PathBuf>,
    /// Their errors, ready to print.
    complaint: String,
    /// Of their bytes: what was read is part of the input.
    digest: Sha256,
}

impl<'a> Profiles<'a> {
    /// Relative to the folder of this file; to the current one for standard input.
    fn beside(
        file: &'a Path,
        bytes: &'a mut dyn FnMut(&Path) -> Result<Vec<u8>, String>,
        colour: Colour,
    ) -> Self {
        let folder = file.parent().unwrap_or(Path::new(""));
        let (files, complaint, digest) = (Vec::new(), String::new(), Sha256::new());
        Self { folder, bytes, colour, files, complaint, digest }
    }

    /// What is wrong with the profiles and the description.
    fn refusal(&mut self, name: &str, bytes: &[u8], found: Vec<Diagnostic>) -> Refusal {
        let of_profile = std::mem::take(&mut self.complaint);
        let message = of_profile + &complaint(name, bytes, &found, self.colour);
        let places = vorrang_model::positions(&found, bytes);
        Refusal { diagnostics: found.into_iter().zip(places).collect(), message }
    }

    fn read(&mut self, path: &Path) -> Result<Profile, String> {
        let path = self.folder.join(path);
        let bytes = (self.bytes)(&path)?;
        if !self.files.contains(&path) {
            self.digest.update(&bytes);
            self.files.push(path.clone());
        }
        vorrang_model::read_profile(&bytes, Format::of_path(&path)).map_err(|diagnostics| {
            self.complaint += &complaint(&shown(&path), &bytes, &diagnostics, self.colour);
            "it has errors of its own".to_owned()
        })
    }
}

/// All diagnostics with the lines they point at, and a closing count.
pub fn complaint(name: &str, bytes: &[u8], diagnostics: &[Diagnostic], colour: Colour) -> String {
    let count = diagnostics.len();
    let errors = if count == 1 { "error" } else { "errors" };
    let pages = vorrang_model::render(diagnostics, name, bytes, colour);
    format!("{pages}{name}: {count} {errors}; `vorrang explain CODE` says more about a code.\n")
}

#[cfg(test)]
impl Input {
    /// A system as if it had been read from a file of this name.
    pub(crate) fn named(name: &str, system: System) -> Self {
        let given = Given { file: name.into(), format: None, standard_input: None };
        let (name, sha256) = (name.to_owned(), "0123".to_owned());
        Self { given, name, system, sha256, files: Vec::new(), warnings: Vec::new() }
    }
}
