//! All errors of one reading, or all warnings, in the order of the text, limited in number.

use super::code::Code;
use super::suggest::Suggestions;
use super::{Diagnostic, Span};
use crate::limits;

/// Collects errors.
#[derive(Default)]
pub struct Errors {
    list: Vec<Diagnostic>,
    beyond_limit: usize,
    last: Span,
    suggestions: Suggestions,
}

impl Errors {
    /// Notes one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.beyond_limit += 1;
            self.last = diagnostic.span;
        } else {
            self.list.push(diagnostic);
        }
    }

    /// Whether further errors are only counted, so that details about them are lost work.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= limits::DIAGNOSTICS
    }

    /// The candidate that `written` was probably meant to be; limited in what all of them cost.
    pub fn nearest<'a>(
        &mut self,
        written: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.is_full() { None } else { self.suggestions.nearest(written, candidates) }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The errors in the order of the text; those at one place in the order they were found.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| diagnostic.span.start);
        if self.beyond_limit > 0 {
            let (code, what) = if self.list.iter().all(|listed| listed.code.is_warning()) {
                (Code::MoreWarnings, "warnings")
            } else {
                (Code::MoreErrors, "errors")
            };
            let message = format!("{} more {what} are not listed", self.beyond_limit);
            self.list.push(Diagnostic::new(code, self.last, message));
        }
        self.list
    }
}
