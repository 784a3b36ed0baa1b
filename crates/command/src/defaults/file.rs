//! The file itself: what it says, and what is wrong with it.

use super::added::{Added, added, only_typed, option, words};
use crate::exit::Failure;
use crate::screen;
use clap::Command;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml_edit::{Document, Item, TableLike};
use vorrang_model::{Code, Diagnostic};
use vorrang_quote::name::shown;

/// A file that is longer is another file.
const LONGEST: u64 = 1 << 20;

/// A file of defaults.
pub(super) struct Defaults {
    path: PathBuf,
    document: Document<String>,
}

impl Defaults {
    /// What stands in it.
    ///
    /// # Errors
    /// It cannot be read, or is not TOML.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let size = fs::metadata(path).map_or(0, |about| about.len());
        if size > LONGEST {
            let name = shown(path);
            return Err(Failure::bad_input(format!(
                "error: {name} has {size} bytes, and may have a MiB\n"
            )));
        }
        let text = fs::read_to_string(path).map_err(|why| {
            Failure::bad_input(format!("error: {} cannot be read: {why}\n", shown(path)))
        })?;
        let document = Document::parse(text.clone()).map_err(|why| {
            let span = why.span().unwrap_or_default();
            let problem = Diagnostic::new(Code::TomlSyntax, span, "this is not TOML");
            failure(path, &text, &problem.label(why.message().to_owned()))
        })?;
        Ok(Self { path: path.to_owned(), document })
    }

    /// Whether the program has all options in it.
    ///
    /// # Errors
    /// It has not, or they may not stand there.
    pub(super) fn known_to(&self, all: &Command) -> Result<(), Failure> {
        self.known_in(self.document.as_table(), all, true)
    }

    /// Every option of a table is one of the command, or of any command inside it.
    fn known_in(
        &self,
        table: &dyn TableLike,
        command: &Command,
        of_all: bool,
    ) -> Result<(), Failure> {
        for (name, item) in table.iter() {
            let span = table.key(name).and_then(toml_edit::Key::span).unwrap_or_default();
            if let (Some(inside), Some(own)) = (item.as_table_like(), command.find_subcommand(name))
            {
                self.known_in(inside, own, false)?;
                continue;
            }
            let everywhere =
                of_all.then(|| command.get_subcommands().find_map(|own| option(own, name)));
            let Some(arg) = option(command, name).or_else(|| everywhere.flatten()) else {
                return Err(self.unknown((name, span), command, item));
            };
            let wrong = only_typed(arg).map(str::to_owned).or_else(|| words(arg, item).err());
            if let Some(why) = wrong {
                let message = format!("`{name}` cannot stand here");
                return Err(self.failure(&Diagnostic::new(Code::BadText, span, message).label(why)));
            }
        }
        Ok(())
    }

    fn unknown(
        &self,
        (name, span): (&str, Range<usize>),
        command: &Command,
        item: &Item,
    ) -> Failure {
        let of = if command.get_name() == "vorrang" { "any command" } else { command.get_name() };
        let (code, message) = if item.is_table_like() {
            (Code::UnknownTable, format!("there is no command {}", shown(name)))
        } else {
            (Code::UnknownKey, format!("there is no option {} of {of}", shown(name)))
        };
        self.failure(&Diagnostic::new(code, span, message))
    }

    /// What it adds to a command, what goes before all tables last.
    ///
    /// # Errors
    /// A value is not one.
    pub(super) fn of(&self, path: &[String], command: &Command) -> Result<Vec<Added>, Failure> {
        let above: &dyn TableLike = self.document.as_table();
        let own = path.iter().try_fold(above, |table, name| table.get(name)?.as_table_like());
        let tables = own.into_iter().chain((!path.is_empty()).then_some(above));
        let mut found: Vec<Added> = Vec::new();
        for (name, item) in tables.flat_map(TableLike::iter) {
            let Some(arg) = option(command, name).filter(|_| !item.is_table_like()) else {
                continue;
            };
            let one = added(arg, item).map_err(|why| {
                let span = item.span().unwrap_or_default();
                self.failure(&Diagnostic::new(Code::BadText, span, why))
            })?;
            if !found.iter().any(|known| known.id == one.id) {
                found.push(one);
            }
        }
        Ok(found)
    }

    /// What the command line says of an option.
    pub(super) fn refused(&self, one: &Added, why: &clap::Error) -> Failure {
        let text = why.render().to_string();
        let first = text.lines().next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
        self.failure(&Diagnostic::new(Code::BadText, one.span.clone(), message))
    }

    fn failure(&self, diagnostic: &Diagnostic) -> Failure {
        failure(&self.path, self.document.raw(), diagnostic)
    }
}

fn failure(path: &Path, text: &str, diagnostic: &Diagnostic) -> Failure {
    let rendered = vorrang_model::render(
        std::slice::from_ref(diagnostic),
        &shown(path),
        text.as_bytes(),
        screen::of_diagnostics(),
    );
    Failure::bad_input(rendered)
}
