//! A description from a file or standard input, with what it includes and the profiles of machine and kernel that it may
//! name, resolved, or everything that is wrong with it.
//!
//! Nothing is judged here: no more is read than the reader of descriptions accepts, and it refuses the
//! rest.

use crate::exit::Failure;
use crate::screen;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use vorrang_model::{Chosen, Code, Diagnostic, Format, LastText, Open, limits};
use vorrang_quote::name::shown;
use vorrang_verdict::input::{Given, Input, Reading, Refusal, pages};

/// Where the description is, as given on the command line.
#[derive(Clone, Debug, clap::Args)]
pub struct Source {
    /// The description, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the description is written [default: by the name of the file; toml for `-`]
    #[arg(long, value_enum)]
    pub format: Option<Written>,
    /// Suppress this warning, such as W0001; may be repeated
    #[arg(long, value_name = "CODE", value_parser = warning)]
    pub allow: Vec<Code>,
    /// The description itself, where a program has it; `file` then only names it, and profiles are looked
    /// for beside that
    #[arg(skip)]
    pub text: Option<Vec<u8>>,
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
    /// As given on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Json => "json",
        }
    }
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

/// Prints the warnings of a description on standard error; `bytes` are what it was read from.
pub fn tell_warnings(input: &Input, bytes: &[u8]) {
    let warnings: Vec<Diagnostic> =
        input.warnings.iter().map(|(warning, _)| warning.clone()).collect();
    let text = pages(&input.name, bytes, &input.included, &warnings, screen::of_diagnostics());
    eprint!("{text}");
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

    /// The same, after another text of the same file.
    ///
    /// # Errors
    /// As [`Source::examine()`].
    pub fn examine_since(&self, last: &mut LastText) -> Result<Input, Refusal> {
        self.reading(&self.examined()?, &mut beside).complete_since(last)
    }

    /// The same, with its bytes: none where it cannot be read.
    pub fn seen(&self, last: &mut LastText) -> (Vec<u8>, Result<Input, Refusal>) {
        match self.examined() {
            Ok(bytes) => {
                let input = self.reading(&bytes, &mut beside).complete_since(last);
                (bytes, input)
            }
            Err(refusal) => (Vec::new(), Err(refusal)),
        }
    }

    /// Reads a description with values left open.
    ///
    /// # Errors
    /// It cannot be read, or is wrong, or leaves nothing open.
    pub fn read_open(&self) -> Result<OpenInput, Refusal> {
        let bytes = self.examined()?;
        let open = self.reading(&bytes, &mut beside).open()?;
        Ok(OpenInput { source: self.clone(), open, bytes })
    }

    fn examined(&self) -> Result<Vec<u8>, Refusal> {
        let refusal = |Failure { message, .. }| Refusal {
            diagnostics: Vec::new(),
            included: Vec::new(),
            message,
        };
        self.read_bytes().map_err(refusal)
    }

    /// The bytes of the description.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read_bytes(&self) -> Result<Vec<u8>, Failure> {
        self.bytes().map_err(|problem| {
            let name = shown(&self.file);
            Failure::bad_input(format!("error: {name}: {}\n", explained(&problem)))
        })
    }

    /// What these bytes say, as if they had been read from the file; warnings go to standard error.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn told(&self, bytes: &[u8]) -> Result<Input, Failure> {
        let input = self.understood(bytes)?;
        tell_warnings(&input, bytes);
        Ok(input)
    }

    fn understood(&self, bytes: &[u8]) -> Result<Input, Refusal> {
        self.reading(bytes, &mut beside).complete()
    }

    fn reading<'a>(
        &'a self,
        bytes: &'a [u8],
        file: &'a mut dyn FnMut(&Path) -> Result<Vec<u8>, String>,
    ) -> Reading<'a> {
        let given = Given {
            file: self.file.clone(),
            format: self.format.map(Written::word),
            standard_input: self.standard_input(),
        };
        let (format, allow, colour) = (self.format(), &self.allow, screen::of_diagnostics());
        Reading { given, bytes, format, allow, file, colour }
    }

    /// The file that a shell opened as standard input, where the system reveals it.
    fn standard_input(&self) -> Option<PathBuf> {
        let place = Path::new("/proc/self/fd/0");
        let is_file = || std::fs::metadata(place).is_ok_and(|stdin| stdin.is_file());
        if self.is_standard_input() && is_file() { std::fs::read_link(place).ok() } else { None }
    }

    /// Whether it is read from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.file == Path::new("-")
    }

    /// How it is written.
    pub fn format(&self) -> Format {
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
///
/// # Errors
/// It cannot be read.
pub fn file(path: &Path) -> io::Result<Vec<u8>> {
    bounded(std::fs::File::open(path)?)
}

/// No more than a description may have: one byte more shows that it is too long.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(limits::BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes of a file that a description names.
fn beside(path: &Path) -> Result<Vec<u8>, String> {
    file(path).map_err(|problem| explained(&problem))
}

/// The problem in words for users rather than those of the system.
pub fn explained(problem: &io::Error) -> String {
    match problem.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory, not a description".to_owned(),
        io::ErrorKind::PermissionDenied => "reading this file is not permitted".to_owned(),
        _ => format!("cannot be read: {problem}"),
    }
}
