//! Options that a project gives to each of its commands: `vorrang.toml`.
//!
//! ```toml
//! allow = ["W0001"]        # of every command that has this option
//!
//! [check]
//! steps = 100000000
//! ```
//!
//! **Model.** The file is the nearest one upwards from the file that a command is given first, or from the current folder
//! where it is given none. Keys are long options without their hyphens. What is typed goes first, then the table of the
//! command, then what is above all tables. What the file adds is read as if it were typed.
//!
//! **Assumptions.** A file that is written, and a change, is asked for where the command is typed.
//!
//! **Not covered.** The language server, the workbench and the Python package: no command is typed there.

mod added;
mod file;

use crate::exit::Failure;
use added::Added;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, Parser};
use file::Defaults;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use vorrang_quote::name::shown;

/// What the file is called.
pub const NAME: &str = "vorrang.toml";
/// The option without which it is looked for.
const IGNORED: &str = "no_defaults";

/// Why there are no arguments.
#[derive(Debug)]
pub enum Refusal {
    /// What was typed is wrong, or asks for help.
    Typed(clap::Error),
    /// The file is wrong, or cannot be read.
    File(Failure),
}

impl From<clap::Error> for Refusal {
    fn from(error: clap::Error) -> Self {
        Self::Typed(error)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::File(failure)
    }
}

/// The arguments that are typed, with what the nearest file adds; and what that is, in a line for people.
///
/// # Errors
/// What is typed is wrong, or the file is.
pub fn parse<A: Parser>(mut words: Vec<OsString>) -> Result<(A, Option<String>), Refusal> {
    let mut all = A::command();
    all.build();
    let typed = all.try_get_matches_from_mut(&words)?;
    let (path, own) = innermost(&typed);
    let command = path.iter().try_fold(&all, |of, name| of.find_subcommand(name)).unwrap_or(&all);
    let Some(file) = looked_for(own).then(|| nearest(first_named(command, own))).flatten() else {
        return Ok((A::from_arg_matches(&typed)?, None));
    };
    let defaults = Defaults::read(&file)?;
    defaults.known_to(&all)?;
    let mut shown_words = String::new();
    for one in defaults.of(&path, command)? {
        if own.value_source(one.id.as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        let with = with(&words, &one);
        match all.clone().try_get_matches_from(&with) {
            Ok(_) => {
                shown_words.extend(one.words.iter().map(|word| format!(" {}", shown(word))));
                words = with;
            }
            Err(why) if why.kind() == ErrorKind::ArgumentConflict => {}
            Err(why) => return Err(defaults.refused(&one, &why).into()),
        }
    }
    let note = format!("{}:{shown_words}\n", shown(&file));
    let arguments = A::try_parse_from(words)?;
    Ok((arguments, Some(note).filter(|_| !shown_words.is_empty())))
}

/// The names of the command inside the program, and what was typed for it.
fn innermost(all: &ArgMatches) -> (Vec<String>, &ArgMatches) {
    let (mut path, mut own) = (Vec::new(), all);
    while let Some((name, inside)) = own.subcommand() {
        path.push(name.to_owned());
        own = inside;
    }
    (path, own)
}

/// Whether a program has such a file, and it is wanted.
fn looked_for(typed: &ArgMatches) -> bool {
    matches!(typed.try_get_one::<bool>(IGNORED), Ok(Some(false)))
}

/// The first file or folder that a command is given.
fn first_named(command: &Command, typed: &ArgMatches) -> Option<PathBuf> {
    let mut given = command.get_positionals().filter_map(|of| typed.get_raw(of.get_id().as_str()));
    let first = given.next()?.next()?;
    Some(PathBuf::from(first)).filter(|path| path.exists())
}

/// The nearest file of defaults; one that is itself what the command is given is none.
fn nearest(named: Option<PathBuf>) -> Option<PathBuf> {
    let is_given = named.as_deref().and_then(Path::file_name).is_some_and(|name| name == NAME);
    let from = match named {
        Some(_) if is_given => return None,
        Some(path) if path.is_dir() => path,
        Some(path) => path.parent()?.to_owned(),
        None => PathBuf::new(),
    };
    let here = env::current_dir().ok()?;
    let from = here.join(from);
    let found = from.ancestors().map(|folder| folder.join(NAME)).find(|file| file.is_file())?;
    // As it was typed where that is shorter.
    Some(found.strip_prefix(&here).map(Path::to_owned).unwrap_or(found))
}

/// The words with an option more, before what `--` ends.
fn with(words: &[OsString], added: &Added) -> Vec<OsString> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (before, after) = words.split_at(end);
    let new = added.words.iter().map(OsString::from);
    before.iter().cloned().chain(new).chain(after.iter().cloned()).collect()
}
