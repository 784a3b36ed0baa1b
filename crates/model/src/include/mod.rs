//! Files that a description includes: their tables, as if they stood behind its own.
//!
//! **Model.** All texts lie in one row of bytes, each where the one before ends, so that every place of every file is a
//! number and everything behind the tree exists once. What is reported is put back into the file where it stands.
//!
//! **Assumptions.**
//! 1. A path is relative to the file that names it. `a/../b.toml` and `b.toml` are one file.
//! 2. A file is read once, however often it is named, unless it includes itself on the way.
//!
//! **Does not cover** values left open in what is included: a choice is written into the description itself.

mod merged;
mod moved;
mod texts;

pub(crate) use texts::Texts;

use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span, excerpt};
use crate::keys::Noun;
use crate::text::{self, Entry, Node, Value};
use crate::{Format, limits};
use merged::{put, twice};
use moved::{paths_from, plain, shift, shift_all};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the bytes of a file are found, or in a few words why there are none; the path is relative to the description.
pub(crate) type Find<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// The key that names files.
const INCLUDE: &str = "include";

/// The tree of a description with all that it includes; without `find` nothing can be included.
pub(crate) fn parse(
    source: &[u8],
    format: Format,
    find: Option<Find<'_>>,
    errors: &mut Errors,
) -> (Option<Node>, Texts) {
    parse_since(source, format, None, find, errors)
}

/// The same, after a text that was read before.
pub(crate) fn parse_since(
    source: &[u8],
    format: Format,
    before: Option<text::Kept>,
    find: Option<Find<'_>>,
    errors: &mut Errors,
) -> (Option<Node>, Texts) {
    let mut texts = Texts::none();
    texts.begin(None, source.len());
    let tree = text::parse_since(source, format, before, errors);
    let Some(mut tree) = tree else { return (None, texts) };
    if errors.is_empty() && named(&tree).is_empty() {
        return (Some(tree), texts);
    }
    let mut whole = Whole { source, texts, find, way: Vec::new(), names: BTreeMap::new(), errors };
    whole.names_of(&tree);
    let included = whole.all(Path::new(""), &tree);
    if let Value::Table(entries) = &mut tree.value {
        for entry in included {
            put(entries, entry, whole.errors);
        }
    }
    (Some(tree), whole.texts)
}

/// The files that a text includes, as they are written there.
///
/// ```
/// use vorrang_model::{Format, included};
/// assert_eq!(included("include = [\"machine.toml\"]\n", Format::Toml), ["machine.toml"]);
/// ```
pub fn included(source: impl AsRef<[u8]>, format: Format) -> Vec<String> {
    let tree = text::parse(source.as_ref(), format, &mut Errors::default());
    let named = tree.as_ref().map(named).unwrap_or_default();
    named.into_iter().map(|(file, _)| file.to_owned()).collect()
}

/// The files that a tree names; what is no text is an error of its reader.
fn named(tree: &Node) -> Vec<(&str, &Span)> {
    let Value::Table(entries) = &tree.value else { return Vec::new() };
    let lists = entries.iter().filter(|entry| entry.key == INCLUDE);
    let files = lists.filter_map(|entry| match &entry.node.value {
        Value::Array(files) => Some(files),
        _ => None,
    });
    let text = |file: &Node| matches!(&file.value, Value::Text(text) if !text.is_empty());
    let texts = files.flatten().filter(|file| text(file));
    texts
        .filter_map(|file| match &file.value {
            Value::Text(text) => Some((text.as_str(), &file.span)),
            _ => None,
        })
        .collect()
}

/// A description while its files are put together.
struct Whole<'a, 'b> {
    /// The text of the description itself, whose name is not known here.
    source: &'a [u8],
    texts: Texts,
    find: Option<Find<'b>>,
    /// From the description to the file that is being read.
    way: Vec<PathBuf>,
    /// Where everything so far is declared.
    names: BTreeMap<(String, String), Span>,
    errors: &'a mut Errors,
}

impl Whole<'_, '_> {
    /// The entries of everything that a tree includes, of the inner files first.
    fn all(&mut self, folder: &Path, tree: &Node) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (file, span) in named(tree) {
            entries.extend(self.one(&folder.join(file), file, span).unwrap_or_default());
        }
        entries
    }

    /// Those of one file; `None`: it adds nothing, or that has been reported.
    fn one(&mut self, path: &Path, written: &str, span: &Span) -> Option<Vec<Entry>> {
        let path = plain(path);
        if self.way.contains(&path) {
            self.refuse_circle(written, span);
            return None;
        }
        let name: Arc<str> = path.to_string_lossy().into();
        if self.texts.has(&name) {
            return None;
        }
        let message = format!("{} cannot be included", excerpt(written));
        if self.texts.count() > limits::INCLUDED {
            let why = format!("a description includes at most {} files", limits::INCLUDED);
            self.refuse(span, message, &why);
            return None;
        }
        let bytes = match &mut self.find {
            Some(find) => find(&name),
            None => Err("there are no files here".to_owned()),
        };
        let bytes = bytes.map_err(|why| self.refuse(span, message, &why)).ok()?;
        if bytes == self.source {
            self.refuse_circle(written, span);
            return None;
        }
        self.read(path, name, &bytes)
    }

    fn read(&mut self, path: PathBuf, name: Arc<str>, bytes: &[u8]) -> Option<Vec<Entry>> {
        let start = self.texts.begin(Some(name), bytes.len());
        if self.texts.length() > limits::BYTES {
            let message = format!(
                "the description is with what it includes longer than {} bytes",
                limits::BYTES
            );
            self.errors.push(Diagnostic::new(Code::FileTooLong, start..start, message));
            self.texts.is_broken = true;
            return None;
        }
        let mut own = Errors::default();
        let tree = text::parse(bytes, Format::of_path(&path), &mut own);
        for mut error in own.finish() {
            shift(&mut error.span, start);
            error.others.iter_mut().for_each(|label| shift(&mut label.span, start));
            self.errors.push(error);
        }
        let Some(mut tree) = tree else {
            self.texts.is_broken = true;
            return None;
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        shift_all(&mut tree, start);
        paths_from(&folder, &mut tree);
        self.has_version(&tree);
        self.names_of(&tree);
        self.way.push(path);
        let inner = self.all(&folder, &tree);
        self.way.pop();
        let Value::Table(mut entries) = tree.value else { return Some(inner) };
        entries.extend(inner);
        Some(entries)
    }

    fn refuse_circle(&mut self, written: &str, span: &Span) {
        let message = format!("{} includes itself", excerpt(written));
        self.refuse(span, message, "here it is included again");
    }

    fn refuse(&mut self, span: &Span, message: String, why: &str) {
        self.texts.is_broken = true;
        let error = Diagnostic::new(Code::IncludeUnusable, span.clone(), message);
        self.errors.push(error.label(why));
    }

    /// Every file says of which version it is.
    fn has_version(&mut self, tree: &Node) {
        let start = tree.span.start..tree.span.start;
        match &tree.value {
            Value::Table(entries) if entries.iter().any(|entry| entry.key == "version") => {}
            Value::Table(_) => self.errors.push(
                Diagnostic::new(Code::MissingKey, start, "`version` is missing")
                    .help("what is included begins as every description: `version = 1`"),
            ),
            other => {
                let message = format!("what is included is a table, not {}", other.kind());
                self.errors.push(Diagnostic::new(Code::WrongType, start, message));
            }
        }
    }

    /// Notes everything that a tree declares; what is declared already is an error.
    fn names_of(&mut self, tree: &Node) {
        let Value::Table(entries) = &tree.value else { return };
        for entry in entries {
            let Value::Table(named) = &entry.node.value else { continue };
            if Noun::of_word(&entry.key).is_none() {
                continue;
            }
            for own in named {
                let name = (entry.key.clone(), own.key.clone());
                match self.names.get(&name) {
                    None => drop(self.names.insert(name, own.span.clone())),
                    Some(first) => {
                        self.texts.is_broken = true;
                        let name = format!("{}.{}", entry.key, own.key);
                        self.errors.push(twice(&name, &own.span, first));
                    }
                }
            }
        }
    }
}
