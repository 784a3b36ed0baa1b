//! The texts of a description in one row of bytes, and back from there.

use crate::diagnostic::{Diagnostic, Label, Span};
use std::sync::Arc;

/// The texts of a description in their order, and where each begins.
pub(crate) struct Texts {
    /// Of each: its path, relative to the description; none of the description itself.
    files: Vec<(Option<Arc<str>>, usize)>,
    /// Where the next one begins.
    end: usize,
    /// Whether some file is missing or says again what another says, so that names are not looked up.
    pub(crate) is_broken: bool,
}

impl Texts {
    /// None yet.
    pub(super) const fn none() -> Self {
        Self { files: Vec::new(), end: 0, is_broken: false }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// Whether nothing is included.
    pub(crate) fn is_one(&self) -> bool {
        self.files.len() == 1
    }

    /// How many bytes there are.
    pub(super) const fn length(&self) -> usize {
        self.end
    }

    /// Whether a file is one of them.
    pub(super) fn has(&self, file: &str) -> bool {
        self.files.iter().any(|(own, _)| own.as_deref() == Some(file))
    }

    /// Where it begins.
    pub(super) fn begin(&mut self, file: Option<Arc<str>>, length: usize) -> usize {
        let start = self.end;
        self.files.push((file, start));
        // The end of a text is no place of the next one.
        self.end = start + length + 1;
        start
    }

    /// The diagnostics with the file of each place, and the bytes in it.
    pub(crate) fn localised(&self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if self.files.len() > 1 {
            for Diagnostic { file, span, others, .. } in &mut diagnostics {
                *file = self.localise(span);
                for Label { file, span, .. } in others {
                    *file = self.localise(span);
                }
            }
        }
        diagnostics
    }

    fn localise(&self, span: &mut Span) -> Option<Arc<str>> {
        let at = self.files.partition_point(|(_, start)| *start <= span.start) - 1;
        let (file, start) = &self.files[at];
        *span = span.start - start..span.end - start;
        file.clone()
    }

    /// Whether a place is in the description itself.
    pub(crate) fn is_own(&self, span: &Span) -> bool {
        self.files.get(1).is_none_or(|(_, start)| span.start < *start)
    }
}
