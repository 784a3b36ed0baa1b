//! Where things are declared in the text of a description.
//!
//! **Model.** A name stands where its table is opened, or at the first key that goes into it. A text that cannot
//! be read has none.

use crate::Format;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span, render};
use crate::text::{self, Value};
use std::collections::BTreeMap;

/// A place in a text: line and column, from 1.
pub type Place = (usize, usize);

/// The places of everything that a description declares, by its full name, such as `task.log`.
///
/// ```
/// use vorrang_model::{Format, places};
/// let source = "version = 1\n[core.0]\nscheduler = \"edf\"\n[task.log]\non = \"core.0\"\n";
/// assert_eq!(places(source, Format::Toml)["task.log"], (4, 7));
/// assert!(places("[task.log", Format::Toml).is_empty());
/// ```
pub fn places(source: impl AsRef<[u8]>, format: Format) -> BTreeMap<String, Place> {
    let source = source.as_ref();
    let declared = declared(source, format);
    let starts: Vec<usize> = declared.iter().map(|(_, span)| span.start).collect();
    let places = render::places(&starts, source);
    declared.into_iter().map(|(name, _)| name).zip(places).collect()
}

fn declared(source: &[u8], format: Format) -> Vec<(String, Span)> {
    let Some(root) = text::parse(source, format, &mut Errors::default()) else { return Vec::new() };
    let mut found = Vec::new();
    let Value::Table(tables) = root.value else { return found };
    for table in tables {
        let Value::Table(members) = table.node.value else { continue };
        let named = members.into_iter().map(|own| (format!("{}.{}", table.key, own.key), own.span));
        found.extend(named);
    }
    found
}

/// Where each diagnostic points.
pub fn positions(diagnostics: &[Diagnostic], source: &[u8]) -> Vec<Place> {
    let starts: Vec<usize> = diagnostics.iter().map(|diagnostic| diagnostic.span.start).collect();
    render::places(&starts, source)
}

/// Whether a file is meant to be a description: it has a table of cores, includes others or, where its text cannot be read, mentions
/// one.
///
/// ```
/// use vorrang_model::{Format, is_meant_as_description};
/// let is_meant = |text: &str| is_meant_as_description(text, Format::Toml);
/// assert!(is_meant("[core.0]\nscheduler = \"edf\"\n"));
/// assert!(is_meant("[core.0\n"));
/// assert!(!is_meant("[package]\nname = \"core\"\n"));
/// ```
pub fn is_meant_as_description(source: impl AsRef<[u8]>, format: Format) -> bool {
    let source = source.as_ref();
    let mut errors = Errors::default();
    match text::parse(source, format, &mut errors) {
        Some(root) if errors.is_empty() => {
            matches!(root.value, Value::Table(own) if own.iter().any(|own| matches!(own.key.as_str(), "core" | "include")))
        }
        _ => source.windows(4).any(|word| word == b"core"),
    }
}
