//! What is wrong with a description, where, and what to write instead.

pub mod code;
pub(crate) mod collect;
mod line;
pub mod render;
pub(crate) mod suggest;

pub use code::explain;

use code::Code;
use std::fmt;
use std::sync::Arc;

/// Bytes of the source, from the first to before the last.
pub type Span = std::ops::Range<usize>;

/// A place in the source and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The file that is included, where it is in one.
    pub file: Option<Arc<str>>,
    /// The part of the text.
    pub span: Span,
    /// What; may be empty.
    pub text: String,
}

/// One error in a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of error; `vorrang explain CODE` says more.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The file that the description includes, where it is in one; the path is relative to the description.
    pub file: Option<Arc<str>>,
    /// Where, in bytes of the source, or of that file.
    pub span: Span,
    /// What is said about that place; may be empty.
    pub label: String,
    /// Other places that have to do with it.
    pub others: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Nothing but what and where.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            message,
            file: None,
            span,
            label: String::new(),
            others: Vec::new(),
            help: None,
        }
    }

    /// Says something about the place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Names another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.others.push(Label { file: None, span, text: text.into() });
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds `did you mean "…"?` if there is something to suggest.
    #[must_use]
    pub fn suggest(self, suggestion: Option<&str>) -> Self {
        match suggestion {
            Some(text) => self.help(format!("{}{text}{}", MEANT.0, MEANT.1)),
            None => self,
        }
    }

    /// What was probably meant instead of what stands there, without quotes.
    pub fn meant(&self) -> Option<&str> {
        self.help.as_ref()?.strip_prefix(MEANT.0)?.strip_suffix(MEANT.1)
    }
}

/// What stands around what was probably meant.
const MEANT: (&str, &str) = ("did you mean \"", "\"?");

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// Text of the source as it may stand in a message: short, and without control characters.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push_str("...");
    }
    shown
}
