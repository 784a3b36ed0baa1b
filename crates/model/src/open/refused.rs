//! What is said of values that are open where they may not be, and where none is.

use crate::diagnostic::code::Code;
use crate::diagnostic::{Diagnostic, Span};

/// That a command cannot do with what is open.
pub(crate) fn left_open(of: &str, key: &str, span: &Span) -> Diagnostic {
    Diagnostic::new(Code::OpenValue, span.clone(), format!("`{key}` of {of} is left open"))
        .label("nothing is chosen here")
        .help("`vorrang design FILE` chooses what is left open; `--out` writes it down")
}

/// That a choice is not written into a file that others include, too.
pub(super) fn elsewhere(of: &str, key: &str, span: &Span) -> Diagnostic {
    let message = format!("`{key}` of {of} is left open in a file that is included");
    Diagnostic::new(Code::OpenValue, span.clone(), message)
        .label("nothing is chosen here")
        .help("leave values open in the description itself, or design this file by itself")
}

/// That there is nothing to choose.
pub(super) fn nothing_open() -> Diagnostic {
    Diagnostic::new(Code::NothingOpen, 0..0, "nothing is left open").help(
        "write \"?\" where a budget, a period or a priority of a server or a pseudo-VCPU, a priority of a task, or \
         `on` of a server or a task is to be chosen; `vorrang check` judges a description that is complete",
    )
}
