//! `vorrang fmt`: one layout for descriptions in TOML.

use crate::edited;
use crate::folder;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input;
use vorrang_model::Format;
use vorrang_quote::name::shown;

/// Write descriptions in one layout: the same keys, values and comments, spaced in one way
///
///     $ vorrang fmt examples --check
///
/// One space around `=`, no indentation, an empty line before each table and one at most elsewhere. Comments
/// stay as they are, and so does the order of everything. An array of several lines has an element in each.
///
/// Files are replaced whole or not at all, and only where the layout differs. A folder stands for the
/// descriptions in it and below. With `-` standard input is written to standard output. JSON has no comments
/// to keep: other programs format it.
///
/// --check writes nothing, and prints the names of files whose layout differs.
///
/// Exit codes: 0 all have the layout, 1 with --check one has not, 2 a text is no TOML, 4 a file cannot
/// be written.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Fmt {
    /// Descriptions or folders, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write nothing; print which files would change
    #[arg(long)]
    check: bool,
}

impl Fmt {
    /// # Errors
    /// A text is no TOML, or a file cannot be read or written.
    pub fn run(&self) -> Result<Output, Failure> {
        if self.files == [Path::new("-")] {
            return self.standard_input();
        }
        let files = folder::descriptions(&self.files)?;
        let is_json = |file: &&PathBuf| Format::of_path(file) == Format::Json;
        let named = self.files.iter().find(is_json);
        if let Some(file) = named {
            return Err(refused(file, "this is JSON, whose layout other programs write"));
        }
        // All are read before one is written.
        let laid_out = files.into_iter().filter(|file| !is_json(&file)).map(read);
        let all: Vec<(PathBuf, String, String)> = laid_out.collect::<Result<_, _>>()?;
        let changed = all.into_iter().filter(|(_, text, layout)| text != layout);
        let mut listed = String::new();
        for (file, _, layout) in changed {
            if !self.check {
                edited::replace(&file, &layout)?;
            }
            listed += &shown(&file);
            listed += "\n";
        }
        let is_refused = self.check && !listed.is_empty();
        Ok(Output { text: listed, exit: if is_refused { Exit::Refuted } else { Exit::Success } })
    }

    fn standard_input(&self) -> Result<Output, Failure> {
        let mut text = String::new();
        let file = Path::new("-");
        io::stdin().read_to_string(&mut text).map_err(|why| refused(file, &why.to_string()))?;
        let layout =
            vorrang_fmt::formatted(&text).map_err(|why| refused(file, &why.to_string()))?;
        if self.check && layout != text {
            return Ok(Output { text: "-\n".to_owned(), exit: Exit::Refuted });
        }
        Ok(Output::success(if self.check { String::new() } else { layout }))
    }
}

/// A file, its text, and its layout.
fn read(file: PathBuf) -> Result<(PathBuf, String, String), Failure> {
    let bytes = input::file(&file).map_err(|why| refused(&file, &input::explained(&why)))?;
    let text = String::from_utf8(bytes).map_err(|_| refused(&file, "it is no text in UTF-8"))?;
    match vorrang_fmt::formatted(&text) {
        Ok(layout) => Ok((file, text, layout)),
        Err(why) => Err(refused(&file, &why.to_string())),
    }
}

fn refused(file: &Path, why: &str) -> Failure {
    Failure::bad_input(format!("error: {}: {why}\n", shown(file)))
}
