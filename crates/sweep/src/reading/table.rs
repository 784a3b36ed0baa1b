//! One table of a study against its keys.

use crate::axis;
use std::collections::BTreeMap;
use vorrang_model::keys::{Key, Kind, Presence};
use vorrang_model::tree::{self, Entry, Errors, Node, Value, excerpt};
use vorrang_model::{Code, Diagnostic, Span};
use vorrang_time::Duration;

/// A table that is read. What is wrong is noted; a value that is, or is missing, is replaced by one
/// that nothing else complains about.
pub(super) struct Table<'a> {
    pub(super) name: String,
    pub(super) span: Span,
    keys: &'static [Key],
    values: BTreeMap<&'static str, &'a Node>,
    pub(super) errors: &'a mut Errors,
}

impl<'a> Table<'a> {
    /// The table called `name`, which is named at `span`.
    pub(super) fn new(
        name: &str,
        span: &Span,
        keys: &'static [Key],
        entries: impl IntoIterator<Item = &'a Entry>,
        errors: &'a mut Errors,
    ) -> Self {
        let mut values = BTreeMap::new();
        for entry in entries {
            match keys.iter().find(|key| key.name == entry.key) {
                Some(key) => {
                    values.insert(key.name, &entry.node);
                }
                None => tree::unknown_key(name, keys, entry, errors),
            }
        }
        for key in keys {
            let needed = matches!(key.presence, Presence::Required);
            if needed && !values.contains_key(key.name) {
                let message = format!("`{}` of {name} is missing", key.name);
                errors.push(
                    Diagnostic::new(Code::MissingKey, span.clone(), message)
                        .label(format!("has no `{}`", key.name))
                        .help(key.doc),
                );
            }
        }
        Self { name: name.to_owned(), span: span.clone(), keys, values, errors }
    }

    /// The keys beside the tables.
    pub(super) fn of_file(
        keys: &'static [Key],
        entries: &[&'a Entry],
        tree: &Node,
        errors: &'a mut Errors,
    ) -> Self {
        let start = tree.span.start..tree.span.start;
        let tables = super::keys::TABLES.iter().map(|(name, ..)| *name);
        let mut known = Vec::new();
        for entry in entries {
            if keys.iter().any(|key| key.name == entry.key) {
                known.push(*entry);
                continue;
            }
            let own = keys.iter().map(|key| key.name);
            let nearest = errors.nearest(&entry.key, tables.clone().chain(own));
            let message = format!("a study has no `{}`", excerpt(&entry.key));
            let diagnostic = Diagnostic::new(Code::UnknownTable, entry.span.clone(), message);
            let listed: Vec<&str> = tables.clone().collect();
            errors.push(match nearest {
                Some(_) => diagnostic.label("unknown table").suggest(nearest),
                None => diagnostic
                    .label("unknown table")
                    .help(format!("its tables are {}", listed.join(", "))),
            });
        }
        Self::new("the study", &start, keys, known, errors)
    }

    fn key(&self, name: &str) -> &'static Key {
        self.keys.iter().find(|key| key.name == name).expect("a key of the table")
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Where a value stands, or else the table.
    pub(super) fn place(&self, name: &str) -> Span {
        self.values.get(name).map_or_else(|| self.span.clone(), |node| node.span.clone())
    }

    pub(super) fn whole(&mut self, name: &str, range: (u64, u64), default: u64) -> u64 {
        let key = self.key(name);
        let node = self.values.get(name);
        node.and_then(|node| tree::whole(key, node, range, self.errors)).unwrap_or(default)
    }

    /// By the range that its key has.
    pub(super) fn count(&mut self, name: &str) -> usize {
        let Kind::Number(least, most) = self.key(name).kind else { unreachable!("a number") };
        usize::try_from(self.whole(name, (least, most), least)).expect("in range")
    }

    pub(super) fn duration(&mut self, name: &str, default: Duration) -> Duration {
        let key = self.key(name);
        let node = self.values.get(name);
        node.and_then(|node| tree::duration(key, node, self.errors)).unwrap_or(default)
    }

    /// Millionths of a percentage.
    pub(super) fn part(&mut self, name: &str, default: u64) -> u64 {
        let Some(node) = self.values.get(name) else { return default };
        let diagnostic = match &node.value {
            Value::Text(text) => {
                if let Some(part) = axis::ppm(text) {
                    return part;
                }
                let message = format!("`{name}` cannot be \"{}\"", excerpt(text));
                let label = "a percentage from 0% to 1000% with at most four decimal places";
                Diagnostic::new(Code::NotAPart, node.span.clone(), message)
                    .label(label)
                    .help("write \"9%\" for nine hundredths")
            }
            Value::Number(_, written) => {
                let meant = format!("{written}%");
                let message = format!("`{name}` is a number");
                Diagnostic::new(Code::WrongType, node.span.clone(), message)
                    .label("expected a percentage in a string, such as \"9%\"")
                    .suggest(axis::ppm(&meant).map(|_| meant.as_str()))
            }
            _ => return self.wrong_type(name, node, default),
        };
        self.errors.push(diagnostic);
        default
    }

    /// The same, or several with commas in between.
    pub(super) fn parts(&mut self, name: &str, default: u64) -> Vec<u64> {
        match self.values.get(name).map(|node| &node.value) {
            Some(Value::Text(text)) if text.contains(',') => {
                let parts: Option<Vec<u64>> =
                    text.split(',').map(|part| axis::ppm(part.trim())).collect();
                // What is wrong with one of them is said of the whole.
                parts.unwrap_or_else(|| vec![self.part(name, default)])
            }
            _ => vec![self.part(name, default)],
        }
    }

    fn wrong_type<T>(&mut self, name: &str, node: &Node, default: T) -> T {
        tree::wrong_type(self.key(name), node, self.errors);
        default
    }

    pub(super) fn flag(&mut self, name: &str) -> Option<bool> {
        let node = *self.values.get(name)?;
        match node.value {
            Value::Boolean(flag) => Some(flag),
            _ => self.wrong_type(name, node, None),
        }
    }

    /// The text of a key, if it is one.
    pub(super) fn is_text(&self, name: &str, expected: &str) -> bool {
        matches!(self.values.get(name), Some(Node { value: Value::Text(text), .. }) if text == expected)
    }

    /// One of these words.
    pub(super) fn word(&mut self, name: &str, words: &[&'static str]) -> Option<&'static str> {
        let node = *self.values.get(name)?;
        let Value::Text(text) = &node.value else { return self.wrong_type(name, node, None) };
        if let Some(word) = words.iter().find(|word| *word == text) {
            return Some(word);
        }
        let nearest = self.errors.nearest(text, words.iter().copied());
        let listed: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let message = format!("`{name}` cannot be \"{}\"", excerpt(text));
        self.errors.push(
            Diagnostic::new(Code::UnknownWord, node.span.clone(), message)
                .label(format!("one of {}", listed.join(", ")))
                .suggest(nearest),
        );
        None
    }

    /// A key that has no effect beside the others.
    pub(super) fn has_no_effect(&mut self, name: &str, why: &str) {
        if self.has(name) {
            let message = format!("`{name}` of {} has no effect", self.name);
            let place = self.place(name);
            self.errors.push(Diagnostic::new(Code::NoEffect, place, message).label(why));
        }
    }

    /// A key that the others make necessary.
    pub(super) fn needs(&mut self, name: &str, why: &str) {
        if !self.has(name) {
            let message = format!("`{name}` of {} is missing", self.name);
            let diagnostic = Diagnostic::new(Code::NeededHere, self.span.clone(), message);
            self.errors.push(diagnostic.label(why).help(self.key(name).doc));
        }
    }

    pub(super) fn refuse(
        &mut self,
        name: &str,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        let place = self.place(name);
        self.errors.push(Diagnostic::new(Code::OutOfRange, place, message).label(label));
    }
}
