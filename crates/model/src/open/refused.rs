//! What is said of values that are open where they may not be, and where none is.

use super::OpenValue;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;

impl OpenValue {
    /// That a command cannot do with it.
    pub(crate) fn refused(&self) -> Diagnostic {
        let Self { of, key, span, .. } = self;
        let message = format!("`{}` of {of} is left open", key.name());
        Diagnostic::new(Code::OpenValue, span.clone(), message)
            .label("nothing is chosen here")
            .help("`vorrang design FILE` chooses what is left open; `--out` writes it down")
    }

    /// That a choice is not written into a file that others include, too.
    pub(super) fn elsewhere(&self) -> Diagnostic {
        let Self { of, key, span, .. } = self;
        let message = format!("`{}` of {of} is left open in a file that is included", key.name());
        Diagnostic::new(Code::OpenValue, span.clone(), message)
            .label("nothing is chosen here")
            .help("leave values open in the description itself, or design this file by itself")
    }
}

/// That there is nothing to choose.
pub(super) fn nothing_open() -> Diagnostic {
    Diagnostic::new(Code::NothingOpen, 0..0, "nothing is left open").help(
        "write \"?\" where a budget or a period of a server, or a priority or `on` of a server or a \
         task is to be chosen; `vorrang check` judges a description that is complete",
    )
}
