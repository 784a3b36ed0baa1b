//! A description that is open in the editor, and what is known of it.

use crate::judge::{Found, Remark};
use crate::place;
use lsp_types::{Range, Uri};
use std::collections::BTreeMap;
use std::ops::Range as Bytes;
use std::path::PathBuf;
use std::sync::Arc;
use vorrang_model::{Format, Place, is_meant_as_description};

/// A text, and the last verdict on it or on an earlier one.
pub(crate) struct Document {
    /// How the editor calls it.
    pub(crate) uri: Uri,
    /// The text of the editor, which need not be that of the file.
    pub(crate) text: String,
    /// Which text it is.
    pub(crate) version: i32,
    /// Whether it is meant as a description: other files in TOML have tables, but none of cores.
    pub(crate) is_description: bool,
    /// Where the last text that could be read declares what.
    pub(crate) places: BTreeMap<String, Place>,
    /// What is wrong with the text, or probably not meant.
    pub(crate) remarks: Vec<Remark>,
    /// The last verdict, and whether it is of this text.
    pub(crate) found: Option<(Arc<Found>, bool)>,
}

impl Document {
    pub(crate) fn new(uri: Uri, text: String, version: i32) -> Self {
        let (places, remarks) = (BTreeMap::new(), Vec::new());
        let mut new = Self {
            uri,
            text: String::new(),
            version,
            is_description: true,
            places,
            remarks,
            found: None,
        };
        new.change(text, version);
        new
    }

    /// The editor has another text.
    pub(crate) fn change(&mut self, text: String, version: i32) {
        self.text = text;
        self.version = version;
        let places = vorrang_model::places(&self.text, self.format());
        if is_meant_as_description(&self.text, self.format()) {
            self.is_description = true;
        } else if !places.is_empty() {
            self.is_description = false;
        }
        if !places.is_empty() {
            self.places = places;
        }
        if let Some((_, is_of_this)) = &mut self.found {
            *is_of_this = false;
        }
    }

    /// The file of the text; what is in no file is named as the editor does.
    pub(crate) fn file(&self) -> PathBuf {
        let text = self.uri.as_str();
        let path = text.strip_prefix("file://").unwrap_or(text);
        PathBuf::from(percent_encoding::percent_decode_str(path).decode_utf8_lossy().as_ref())
    }

    pub(crate) fn format(&self) -> Format {
        Format::of_path(&self.file())
    }

    /// Places of some bytes of the text.
    pub(crate) fn range(&self, bytes: Bytes<usize>) -> Range {
        place::range(&self.text, bytes)
    }

    /// The bytes of the name of what is declared, without its kind.
    pub(crate) fn declared(&self, name: &str) -> Option<Bytes<usize>> {
        let (line, column) = self.places.get(name)?;
        let own = name.split_once('.').map_or(name, |(_, own)| own);
        let start: usize = self.text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let rest = self.text.get(start..)?;
        let at = rest.char_indices().nth(column - 1)?.0;
        let found = rest[at..].find(own).filter(|ahead| *ahead <= 1)?;
        Some(start + at + found..start + at + found + own.len())
    }
}
