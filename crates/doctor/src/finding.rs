//! What is found about one cause.

use serde::Serialize;

/// What a cause does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The kernel answers with an error.
    Stops,
    /// It takes time that no bound has, or delays.
    Costs,
    /// It cannot be seen.
    Unknown,
    /// It is absent.
    Absent,
}

impl State {
    /// As it is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stops => "stops",
            Self::Costs => "costs",
            Self::Unknown => "unknown",
            Self::Absent => "absent",
        }
    }
}

/// A file, or what else was asked, with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The file.
    pub from: String,
    /// What it says, as far as it matters.
    pub value: String,
}

/// What is found about one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The name of the cause.
    pub cause: &'static str,
    /// What it does.
    pub state: State,
    /// The same as a sentence.
    pub says: String,
    /// What helps; empty where nothing has to.
    pub remedy: String,
    /// Where that stands.
    pub read: Vec<Read>,
}

/// A finding without its name.
pub(crate) struct Said {
    state: State,
    says: String,
    remedy: String,
}

impl Said {
    pub(crate) fn about(self, cause: &'static str, read: Vec<Read>) -> Finding {
        let Self { state, says, remedy } = self;
        Finding { cause, state, says, remedy, read }
    }
}

pub(crate) fn absent(says: impl Into<String>) -> Said {
    Said { state: State::Absent, says: says.into(), remedy: String::new() }
}

pub(crate) fn stops(says: impl Into<String>, remedy: impl Into<String>) -> Said {
    Said { state: State::Stops, says: says.into(), remedy: remedy.into() }
}

pub(crate) fn costs(says: impl Into<String>, remedy: impl Into<String>) -> Said {
    Said { state: State::Costs, says: says.into(), remedy: remedy.into() }
}

pub(crate) fn unknown(says: impl Into<String>, remedy: impl Into<String>) -> Said {
    Said { state: State::Unknown, says: says.into(), remedy: remedy.into() }
}
