//! What readers need beside the input.

use crate::corpus::Corpus;
use crate::exported::shell::Bench as Shells;
use clap::Parser as _;
use std::fs;
use std::io;
use tempfile::TempDir;
use vorrang::arguments::Arguments;
use vorrang_command::exit::Exit;

/// What readers need beside the input.
#[derive(Debug)]
pub struct Bench {
    /// Texts, systems and the profile.
    pub corpus: Corpus,
    pub(super) shells: Shells,
    folder: TempDir,
}

impl Bench {
    /// With a folder of its own.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new() -> io::Result<Self> {
        let folder = TempDir::with_prefix("vorrang-fuzz-")?;
        Ok(Self { corpus: Corpus::of_repository()?, shells: Shells::new()?, folder })
    }

    /// A file of this bench with a text.
    pub(super) fn file(&self, name: &str, text: &[u8]) -> Result<String, String> {
        let path = self.folder.path().join(name);
        fs::write(&path, text).map_err(|why| format!("no file: {why}"))?;
        Ok(path.display().to_string())
    }
}

/// Runs a command of `vorrang`; whether it did what it was asked to.
pub(super) fn run(words: &[&str]) -> Result<bool, String> {
    let line = Arguments::try_parse_from(std::iter::once(&"vorrang").chain(words))
        .map_err(|why| format!("{words:?}: {why}"))?;
    match line.run() {
        Ok(output) if output.exit == Exit::Bug => Err(format!("{words:?}: a bug")),
        Ok(_) => Ok(true),
        Err(failure) if failure.exit == Exit::Bug => Err(failure.message),
        Err(_) => Ok(false),
    }
}
