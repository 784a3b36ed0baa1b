//! A description that was understood, or everything that is wrong with it.
//!
//! **Model.** A description is bytes, and so are the files that it may include and the profiles of machine and kernel
//! that it may name, which the caller reads. All errors in them are reported at once, ready to print.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_model::{
    Beside, Code, Colour, Diagnostic, Format, LastText, Open, Profile, Read, System, Text,
};
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
    /// The SHA-256 of its bytes, behind those of the files that it includes and the profiles it names, in hexadecimal.
    pub sha256: String,
    /// What was read for it.
    pub files: Vec<PathBuf>,
    /// What it includes.
    pub included: Vec<Included>,
    /// Warnings, with line and column.
    pub warnings: Vec<Placed>,
}

/// A file that a description includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// As it is named from the folder of the description, and in diagnostics.
    pub file: String,
    /// Where it is.
    pub path: PathBuf,
    /// As it was read.
    pub bytes: Vec<u8>,
}

/// Why a description was not understood.
pub struct Refusal {
    /// What is wrong with it, with line and column; empty: it could not be read at all, or a profile
    /// that it names is wrong.
    pub diagnostics: Vec<Placed>,
    /// What it includes, as far as that could be read.
    pub included: Vec<Included>,
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
    /// The bytes of a profile or of a file that is included, or why there are none.
    pub file: &'a mut dyn FnMut(&Path) -> Result<Vec<u8>, String>,
    /// Of messages.
    pub colour: Colour,
}

impl Reading<'_> {
    /// A complete description.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn complete(self) -> Result<Input, Refusal> {
        self.complete_since(&mut LastText::default())
    }

    /// The same, after another text of the same file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn complete_since(self, last: &mut LastText) -> Result<Input, Refusal> {
        let Self { given, bytes, format, allow, file, colour } = self;
        let name = shown(&given.file);
        let mut around = Around::of(&given.file, file, colour);
        let read = vorrang_model::read_beside_since(bytes, format, &mut around, last);
        let Read { system, mut warnings } =
            read.map_err(|diagnostics| around.refusal(&name, bytes, diagnostics))?;
        let sha256 = around.digest.chain_update(bytes).finalize();
        let sha256 = sha256.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let (included, read) = (around.included, around.files);
        let files = read.into_iter().chain([given.file.clone()]).collect();
        warnings.retain(|warning| !allow.contains(&warning.code));
        let warnings = placed(warnings, bytes, &included);
        Ok(Input { given, name, system, sha256, files, included, warnings })
    }

    /// One with values left open.
    ///
    /// # Errors
    /// Everything that is wrong with it; that it leaves nothing open is.
    pub fn open(self) -> Result<Open, Refusal> {
        let Self { given, bytes, format, file, colour, .. } = self;
        let mut around = Around::of(&given.file, file, colour);
        vorrang_model::read_open_beside(bytes, format, &mut around)
            .map_err(|diagnostics| around.refusal(&shown(&given.file), bytes, diagnostics))
    }
}

/// What stands around a description: files that it includes, profiles of the machine and of its kernel.
struct Around<'a> {
    /// Where the description is, beside which files are looked for.
    folder: &'a Path,
    bytes: &'a mut dyn FnMut(&Path) -> Result<Vec<u8>, String>,
    colour: Colour,
    /// Those that were read.
    files: Vec<PathBuf>,
    /// Those of them that are included.
    included: Vec<Included>,
    /// Errors of profiles, ready to print.
    complaint: String,
    /// Of their bytes: what was read is part of the input.
    digest: Sha256,
}

impl<'a> Around<'a> {
    /// Relative to the folder of this file; to the current one for standard input.
    fn of(
        file: &'a Path,
        bytes: &'a mut dyn FnMut(&Path) -> Result<Vec<u8>, String>,
        colour: Colour,
    ) -> Self {
        let folder = file.parent().unwrap_or(Path::new(""));
        let (files, complaint, digest) = (Vec::new(), String::new(), Sha256::new());
        Self { folder, bytes, colour, files, included: Vec::new(), complaint, digest }
    }

    /// What is wrong with the profiles and the description.
    fn refusal(&mut self, name: &str, bytes: &[u8], found: Vec<Diagnostic>) -> Refusal {
        let included = std::mem::take(&mut self.included);
        let of_profile = std::mem::take(&mut self.complaint);
        let message = of_profile + &complaint_of(name, bytes, &included, &found, self.colour);
        Refusal { diagnostics: placed(found, bytes, &included), included, message }
    }

    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let bytes = (self.bytes)(path)?;
        if !self.files.iter().any(|known| known == path) {
            self.digest.update(&bytes);
            self.files.push(path.to_owned());
        }
        Ok(bytes)
    }
}

impl Beside for Around<'_> {
    fn profile(&mut self, file: &str) -> Result<Profile, String> {
        let path = self.folder.join(file);
        let bytes = self.read(&path)?;
        vorrang_model::read_profile(&bytes, Format::of_path(&path)).map_err(|diagnostics| {
            self.complaint += &complaint(&shown(&path), &bytes, &diagnostics, self.colour);
            "it has errors of its own".to_owned()
        })
    }

    fn included(&mut self, file: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join(file);
        let bytes = self.read(&path)?;
        self.included.push(Included { file: file.to_owned(), path, bytes: bytes.clone() });
        Ok(bytes)
    }
}

/// Each diagnostic with its line and column in its file.
fn placed(found: Vec<Diagnostic>, bytes: &[u8], included: &[Included]) -> Vec<Placed> {
    let mut places = vorrang_model::positions(&found, bytes);
    for of in included {
        let own = vorrang_model::positions(&found, &of.bytes);
        for (at, diagnostic) in found.iter().enumerate() {
            if diagnostic.file.as_deref() == Some(&of.file) {
                places[at] = own[at];
            }
        }
    }
    found.into_iter().zip(places).collect()
}

/// The diagnostics of a description and of what it includes, with the lines they point at.
pub fn pages(
    name: &str,
    bytes: &[u8],
    included: &[Included],
    diagnostics: &[Diagnostic],
    colour: Colour,
) -> String {
    let names: Vec<String> = included.iter().map(|of| shown(&of.path)).collect();
    let own = Text { file: None, name, bytes };
    let others = included.iter().zip(&names).map(|(of, name)| Text {
        file: Some(&of.file),
        name,
        bytes: &of.bytes,
    });
    let texts: Vec<Text<'_>> = std::iter::once(own).chain(others).collect();
    vorrang_model::render_all(diagnostics, &texts, colour)
}

/// All diagnostics with the lines they point at, and a closing count.
pub fn complaint(name: &str, bytes: &[u8], diagnostics: &[Diagnostic], colour: Colour) -> String {
    complaint_of(name, bytes, &[], diagnostics, colour)
}

fn complaint_of(
    name: &str,
    bytes: &[u8],
    included: &[Included],
    diagnostics: &[Diagnostic],
    colour: Colour,
) -> String {
    let count = diagnostics.len();
    let errors = if count == 1 { "error" } else { "errors" };
    let pages = pages(name, bytes, included, diagnostics, colour);
    format!("{pages}{name}: {count} {errors}; `vorrang explain CODE` says more about a code.\n")
}

#[cfg(test)]
impl Input {
    /// A system as if it had been read from a file of this name.
    pub(crate) fn named(name: &str, system: System) -> Self {
        let given = Given { file: name.into(), format: None, standard_input: None };
        let (name, sha256) = (name.to_owned(), "0123".to_owned());
        let (files, included, warnings) = (Vec::new(), Vec::new(), Vec::new());
        Self { given, name, system, sha256, files, included, warnings }
    }
}
