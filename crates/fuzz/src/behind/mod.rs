//! Each reader with what stands behind it.

mod description;
mod journal;
mod names;
mod profile;
mod text;
mod trace;

use crate::corpus::Corpus;
use crate::exported::shell::Bench as Shells;
use crate::input::Input;
use crate::planted;
use crate::reader::Reader;
use clap::Parser as _;
use std::fs;
use std::io;
use tempfile::TempDir;
use vorrang::arguments::Arguments;
use vorrang::exit::Exit;
use vorrang_model::Format;

/// What readers need beside the input.
#[derive(Debug)]
pub struct Bench {
    /// Texts, systems and the profile.
    pub corpus: Corpus,
    shells: Shells,
    folder: TempDir,
}

impl Bench {
    /// With a folder of its own.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new() -> io::Result<Self> {
        let folder = TempDir::with_prefix("vorrang-fuzz-")?;
        Ok(Self { corpus: Corpus::of_repository(), shells: Shells::new()?, folder })
    }

    /// Gives an input to its reader and further; whether it was accepted.
    ///
    /// # Errors
    /// It came out otherwise than is promised.
    pub fn take(&mut self, input: &Input) -> Result<bool, String> {
        let Input { reader, depth, text } = input;
        match reader {
            Reader::Toml => description::take(self, text, Format::Toml, *depth),
            Reader::Json => description::take(self, text, Format::Json, *depth),
            Reader::Profile => profile::take(text),
            Reader::Trace => trace::take(self, text, *depth),
            Reader::Journal => journal::take(self, text, *depth),
            Reader::Pattern => text::pattern(&self.corpus, text, *depth),
            Reader::Value => Ok(text::value(text)),
            Reader::Output => Ok(text::output(text)),
            Reader::Names => names::take(&self.shells, text, *depth),
            Reader::Planted => planted::commit(text),
        }
    }

    /// A file of this bench with a text.
    fn file(&self, name: &str, text: &[u8]) -> Result<String, String> {
        let path = self.folder.path().join(name);
        fs::write(&path, text).map_err(|why| format!("no file: {why}"))?;
        Ok(path.display().to_string())
    }
}

/// Runs a command of `vorrang`; whether it did what it was asked to.
fn run(words: &[&str]) -> Result<bool, String> {
    let line = Arguments::try_parse_from(std::iter::once(&"vorrang").chain(words))
        .map_err(|why| format!("{words:?}: {why}"))?;
    match line.run() {
        Ok(output) if output.exit == Exit::Bug => Err(format!("{words:?}: a bug")),
        Ok(_) => Ok(true),
        Err(failure) if failure.exit == Exit::Bug => Err(failure.message),
        Err(_) => Ok(false),
    }
}
