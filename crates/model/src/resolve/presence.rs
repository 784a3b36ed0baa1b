//! Keys that other keys ask for, or make pointless.

use crate::description::Field;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};

/// One key of one declaration.
pub(super) struct KeyOf<'a> {
    /// The full name of the declaration.
    pub(super) name: &'a str,
    /// Where that stands.
    pub(super) span: &'a Span,
    pub(super) key: &'static str,
}

impl KeyOf<'_> {
    /// Reports that the key was left out; `help` says what asks for it, and what to write.
    pub(super) fn needed<T>(&self, field: &Field<T>, help: &str, errors: &mut Errors) {
        if field.is_absent() {
            let message = format!("`{}` of {} is missing", self.key, self.name);
            errors.push(
                Diagnostic::new(Code::NeededHere, self.span.clone(), message)
                    .label(format!("has no `{}`", self.key))
                    .help(help),
            );
        }
    }

    /// Reports that the key is there; `why` says what makes it pointless.
    pub(super) fn pointless<T>(&self, field: &Field<T>, why: &str, errors: &mut Errors) {
        if let Field::Is(at) = field {
            let message = format!("`{}` of {} has no effect", self.key, self.name);
            errors.push(
                Diagnostic::new(Code::NoEffect, at.span.clone(), message)
                    .label(why)
                    .help("leave it out"),
            );
        }
    }
}
