//! A description from a file or standard input, with the profiles of machine and kernel that it may name,
//! resolved, or everything that is wrong with it.
//!
//! Nothing is judged here: no more is read than the reader of descriptions takes, and that one
//! refuses the rest.

use crate::exit::Failure;
use crate::name::shown;
use crate::screen;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use vorrang_model::{Chosen, Code, Diagnostic, Format, Open, Profile, System, limits};

/// Where the description is, as given on the command line.
#[derive(Clone, Debug, clap::Args)]
pub struct Source {
    /// The description, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the description is written [default: by the name of the file; toml for `-`]
    #[arg(long, value_enum)]
    pub format: Option<Written>,
    /// Say nothing about this warning, such as W0001; may be repeated
    #[arg(long, value_name = "CODE", value_parser = warning)]
    pub allow: Vec<Code>,
    /// The description itself, where a program has it; `file` then only names it, and profiles are looked
    /// for beside that
    #[arg(skip)]
    pub text: Option<Vec<u8>>,
}

/// Why a description was not understood.
pub struct Refusal {
    /// What is wrong with it, with line and column; empty: it could not be read at all, or a profile
    /// that it names is wrong.
    pub diagnostics: Vec<(Diagnostic, (usize, usize))>,
    /// All of it, ready to print.
    pub message: String,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::bad_input(refusal.message)
    }
}

/// The code of a warning.
fn warning(text: &str) -> Result<Code, String> {
    let code = Code::of_text(text).filter(|code| code.is_warning());
    code.ok_or_else(|| "there is no such warning; `vorrang explain` lists all codes".to_owned())
}

/// How a description is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Written {
    /// TOML 1.0
    Toml,
    /// The same tables and keys in JSON
    Json,
}

impl Written {
    /// As it is given on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Json => "json",
        }
    }
}

/// A description that was read without complaint.
pub struct Input {
    /// Where it was, as given.
    pub source: Source,
    /// Its name in messages.
    pub name: String,
    /// What it says.
    pub system: System,
    /// The SHA-256 of its bytes, behind those of the profiles it names, in hexadecimal.
    pub sha256: String,
    /// What was read for it.
    pub files: Vec<PathBuf>,
    /// What is probably not meant in it, with line and column.
    pub warnings: Vec<(Diagnostic, (usize, usize))>,
}

/// A description with values left open, read without complaint.
pub struct OpenInput {
    /// Where it was, as given.
    pub source: Source,
    /// What it says, and what it leaves open.
    pub open: Open,
    /// As it was read.
    pub bytes: Vec<u8>,
}

impl OpenInput {
    /// The description with these values, read again from the text that has them; nothing is printed.
    ///
    /// # Errors
    /// It is wrong with them.
    pub fn completed(&self, chosen: &[Chosen]) -> Result<Input, Refusal> {
        self.source.understood(&self.open.written(chosen))
    }
}

impl Input {
    /// Prints its warnings on standard error; `bytes` are what it was read from.
    pub fn tell_warnings(&self, bytes: &[u8]) {
        let warnings: Vec<Diagnostic> =
            self.warnings.iter().map(|(warning, _)| warning.clone()).collect();
        let text = vorrang_model::render(&warnings, &self.name, bytes, screen::of_diagnostics());
        eprint!("{text}");
    }
}

#[cfg(test)]
impl Input {
    /// A system as if it had been read from a file of this name.
    pub(crate) fn named(name: &str, system: System) -> Self {
        let source = Source { file: name.into(), format: None, allow: Vec::new(), text: None };
        let (name, sha256) = (name.to_owned(), "0123".to_owned());
        Self { source, name, system, sha256, files: Vec::new(), warnings: Vec::new() }
    }
}

impl Source {
    /// Reads, resolves and identifies the description; warnings go to standard error.
    ///
    /// # Errors
    /// It cannot be read, or is wrong: everything that is wrong at once, ready to print.
    pub fn read(&self) -> Result<Input, Failure> {
        self.told(&self.read_bytes()?)
    }

    /// The same, for a program: nothing is printed.
    ///
    /// # Errors
    /// It cannot be read, or is wrong: everything that is wrong at once.
    pub fn examine(&self) -> Result<Input, Refusal> {
        self.understood(&self.examined()?)
    }

    /// Reads a description with values left open.
    ///
    /// # Errors
    /// It cannot be read, or is wrong, or leaves nothing open.
    pub fn read_open(&self) -> Result<OpenInput, Refusal> {
        let bytes = self.examined()?;
        let mut profile = MachineProfile::beside(&self.file);
        let read =
            vorrang_model::read_open(&bytes, self.format(), |file| profile.read(Path::new(file)));
        let open = read.map_err(|diagnostics| profile.refusal(self, &bytes, diagnostics))?;
        Ok(OpenInput { source: self.clone(), open, bytes })
    }

    fn examined(&self) -> Result<Vec<u8>, Refusal> {
        let refusal = |Failure { message, .. }| Refusal { diagnostics: Vec::new(), message };
        self.read_bytes().map_err(refusal)
    }

    fn read_bytes(&self) -> Result<Vec<u8>, Failure> {
        self.bytes().map_err(|problem| {
            let name = shown(&self.file);
            Failure::bad_input(format!("error: {name}: {}\n", explained(&problem)))
        })
    }

    /// What these bytes say, as if they had been read from the file; warnings go to standard error.
    fn told(&self, bytes: &[u8]) -> Result<Input, Failure> {
        let input = self.understood(bytes)?;
        input.tell_warnings(bytes);
        Ok(input)
    }

    fn understood(&self, bytes: &[u8]) -> Result<Input, Refusal> {
        let name = shown(&self.file);
        let mut profile = MachineProfile::beside(&self.file);
        let read = vorrang_model::read_with_warnings(bytes, self.format(), |file| {
            profile.read(Path::new(file))
        });
        let vorrang_model::Read { system, mut warnings } =
            read.map_err(|diagnostics| profile.refusal(self, bytes, diagnostics))?;
        let sha256 = profile.digest.chain_update(bytes).finalize();
        let sha256 = sha256.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let files = profile.files.into_iter().chain([self.file.clone()]).collect();
        warnings.retain(|warning| !self.allow.contains(&warning.code));
        let positions = vorrang_model::positions(&warnings, bytes);
        let warnings = warnings.into_iter().zip(positions).collect();
        Ok(Input { source: self.clone(), name, system, sha256, files, warnings })
    }

    /// Whether it is read from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.file == Path::new("-")
    }

    fn format(&self) -> Format {
        match self.format {
            Some(Written::Toml) => Format::Toml,
            Some(Written::Json) => Format::Json,
            None => Format::of_path(&self.file),
        }
    }

    fn bytes(&self) -> io::Result<Vec<u8>> {
        match &self.text {
            Some(text) => bounded(text.as_slice()),
            None if self.is_standard_input() => bounded(io::stdin().lock()),
            None => file(&self.file),
        }
    }
}

/// No more of a file than a description or a profile may have, and one byte.
pub(crate) fn file(path: &Path) -> io::Result<Vec<u8>> {
    bounded(std::fs::File::open(path)?)
}

/// No more than a description may have: one byte more shows that it is too long.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(limits::BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The profiles that a description may name: of the machine, and of its kernel.
struct MachineProfile<'a> {
    /// Where the description is, beside which the profile is looked for.
    folder: &'a Path,
    /// Those that were read.
    files: Vec<PathBuf>,
    /// What is wrong with them, ready to print.
    complaint: String,
    /// Of their bytes: what was read is part of the input.
    digest: Sha256,
}

impl<'a> MachineProfile<'a> {
    /// What is wrong with the profiles and the description.
    fn refusal(&mut self, source: &Source, bytes: &[u8], found: Vec<Diagnostic>) -> Refusal {
        let of_profile = std::mem::take(&mut self.complaint);
        let message = of_profile + &complaint(&shown(&source.file), bytes, &found);
        let places = vorrang_model::positions(&found, bytes);
        Refusal { diagnostics: found.into_iter().zip(places).collect(), message }
    }

    /// Relative to the folder of this file; to the current one for standard input.
    fn beside(file: &'a Path) -> Self {
        let folder = file.parent().unwrap_or(Path::new(""));
        Self { folder, files: Vec::new(), complaint: String::new(), digest: Sha256::new() }
    }

    fn read(&mut self, path: &Path) -> Result<Profile, String> {
        let path = self.folder.join(path);
        let bytes = file(&path).map_err(|problem| explained(&problem))?;
        if !self.files.contains(&path) {
            self.digest.update(&bytes);
            self.files.push(path.clone());
        }
        vorrang_model::read_profile(&bytes, Format::of_path(&path)).map_err(|diagnostics| {
            self.complaint += &complaint(&shown(&path), &bytes, &diagnostics);
            "it has errors of its own".to_owned()
        })
    }
}

/// The problem in a user's words rather than the system's.
pub(crate) fn explained(problem: &io::Error) -> String {
    match problem.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory, not a description".to_owned(),
        io::ErrorKind::PermissionDenied => "reading this file is not permitted".to_owned(),
        _ => format!("cannot be read: {problem}"),
    }
}

/// All diagnostics with the lines they point at, and a closing count.
fn complaint(name: &str, bytes: &[u8], diagnostics: &[Diagnostic]) -> String {
    let count = diagnostics.len();
    let errors = if count == 1 { "error" } else { "errors" };
    let pages = vorrang_model::render(diagnostics, name, bytes, screen::of_diagnostics());
    format!("{pages}{name}: {count} {errors}; `vorrang explain CODE` says more about a code.\n")
}
