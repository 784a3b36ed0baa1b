//! Why a text is not a pattern.

use core::fmt;

/// Why a text is not a pattern of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsePatternError {
    /// It begins with an unknown word.
    UnknownKind {
        /// The word.
        word: String,
    },
    /// It names something that is not in the system.
    UnknownName {
        /// The name.
        name: String,
    },
    /// It says something twice.
    Twice {
        /// Of what.
        name: String,
    },
    /// It says when a task arrives whose offset says it.
    Fixed {
        /// The task.
        name: String,
    },
    /// A number, an instant or an option cannot be read.
    Malformed {
        /// The part that cannot be read.
        part: String,
    },
}

impl fmt::Display for ParsePatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKind { word } => write!(
                f,
                "{word:?} is no pattern; there are synchronous, exhausted:TASK:N, \
                 blocked:TASK[:N], last:INTERRUPT, charged:SERVER, random:SEED, periodic:SEED, \
                 storm:INTERRUPT[:SEED] and explicit:NAME=TIME;…"
            ),
            Self::UnknownName { name } => write!(f, "the system has no {name:?}"),
            Self::Twice { name } => write!(f, "it says twice what {name:?} is"),
            Self::Fixed { name } => write!(f, "{name:?} arrives when its `offset` says"),
            Self::Malformed { part } => write!(f, "{part:?} cannot be read"),
        }
    }
}

impl core::error::Error for ParsePatternError {}
