//! One layout for TOML: the same keys, values and comments in the same order, spaced in one way.
//!
//! **Model.** What is between keys, values and signs is decoration, which `toml_edit` keeps; here it is written anew:
//!
//! ```text
//! # comments as they are, without the spaces around them
//! key = "value"      # a gap before a comment on the same line stays, so that columns of them do
//!                    <- one empty line at most, and one before each table
//! [table.name]
//! list = ["a", "b"]
//! pairs = { a = 1, b = 2 }
//! ```
//!
//! An array of several lines has an element in each. A table in braces of several lines stays as it is.
//!
//! **Guaranteed.** The values are the same, which is looked at each time; what is formatted stays as it is.
//!
//! **Does not cover** how strings and numbers are written, nor the order of anything.

mod gap;
mod values;

use gap::{above, behind};
use std::fmt;
use toml_edit::{DocumentMut, Item, Table};
use values::value;

/// Why a text has no layout: it is no TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotToml(String);

impl fmt::Display for NotToml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text in its layout.
///
/// # Errors
/// It is no TOML.
///
/// ```
/// let text = "version=1\n\n\n[core.0]   # the first\n  scheduler   = 'edf'\n";
/// let layout = "version = 1\n\n[core.0]   # the first\nscheduler = 'edf'\n";
/// assert_eq!(vorrang_fmt::formatted(text).as_deref(), Ok(layout));
/// assert_eq!(vorrang_fmt::formatted(layout).as_deref(), Ok(layout));
/// ```
pub fn formatted(text: &str) -> Result<String, NotToml> {
    let refused = |why: String| NotToml(why.trim_end().to_owned());
    let before: toml::Table =
        text.parse().map_err(|why: toml::de::Error| refused(why.to_string()))?;
    let mut document: DocumentMut =
        text.parse().map_err(|why: toml_edit::TomlError| refused(why.to_string()))?;
    table(document.as_table_mut());
    // The last line of a text may lack its end.
    let trailing = format!("{}\n", document.trailing().as_str().unwrap_or_default());
    document.set_trailing(above(&trailing));
    let written = document.to_string();
    let written = match written.trim() {
        "" => String::new(),
        text => format!("{text}\n"),
    };
    let after = written.parse().map(|after: toml::Table| format!("{after:?}"));
    // As text: there is a number that is not itself.
    assert!(
        after.is_ok_and(|after| after == format!("{before:?}")),
        "a layout has the same values"
    );
    Ok(written)
}

/// The members of a table, and of those in it.
fn table(of: &mut Table) {
    for (mut key, item) in of.iter_mut() {
        key.dotted_decor_mut().clear();
        let leaf = key.leaf_decor_mut();
        match item {
            Item::Value(own) => {
                let prefix = leaf.prefix().and_then(|own| own.as_str()).unwrap_or_default();
                let prefix = above(prefix);
                *leaf = toml_edit::Decor::new(prefix, " ");
                let suffix = own.decor().suffix().and_then(|own| own.as_str());
                let suffix = behind(suffix.unwrap_or_default());
                value(own, 0);
                *own.decor_mut() = toml_edit::Decor::new(" ", suffix);
            }
            Item::Table(own) => {
                leaf.clear();
                head(own);
                table(own);
            }
            Item::ArrayOfTables(all) => {
                leaf.clear();
                for own in all.iter_mut() {
                    head(own);
                    table(own);
                }
            }
            Item::None => {}
        }
    }
}

/// An empty line before a table and what is said above it.
fn head(of: &mut Table) {
    if of.is_dotted() {
        return;
    }
    let text = |raw: Option<&toml_edit::RawString>| {
        raw.and_then(toml_edit::RawString::as_str).unwrap_or_default().to_owned()
    };
    let (prefix, suffix) = (text(of.decor().prefix()), text(of.decor().suffix()));
    let prefix = format!("\n{}", above(&prefix).trim_start_matches('\n'));
    *of.decor_mut() = toml_edit::Decor::new(prefix, behind(&suffix));
}
