//! Open values, what may stand there, and what is chosen.

use crate::diagnostic::Span;
use crate::system::{Priority, ServerKind};
use core::fmt;
use vorrang_time::Duration;

/// Which key of a server, a task or a pseudo-VCPU is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpenKey {
    /// `on` of a server or a task.
    On,
    /// `server`.
    Kind,
    /// `budget`.
    Budget,
    /// `period`.
    Period,
    /// `priority`.
    Priority,
}

impl OpenKey {
    const ALL: [(&'static str, Self); 5] = [
        ("on", Self::On),
        ("server", Self::Kind),
        ("budget", Self::Budget),
        ("period", Self::Period),
        ("priority", Self::Priority),
    ];

    pub(crate) fn of_name(name: &str) -> Self {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.expect("the key tables mark no other").1
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, key)| *key == self).expect("all are there").0
    }
}

/// What may stand at an open value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Anything that the key holds.
    Any,
    /// `from`, and every `step` after it up to `to`.
    Grid {
        /// The shortest.
        from: Duration,
        /// Nothing beyond it.
        to: Duration,
        /// Above zero.
        step: Duration,
    },
    /// One of these, increasing.
    Times(Vec<Duration>),
    /// One of these.
    Kinds(Vec<ServerKind>),
    /// One of these, increasing.
    Priorities(Vec<Priority>),
    /// One of the supplies with these full names; where each is named.
    Supplies(Vec<(String, Span)>),
}

/// A value that is left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenValue {
    /// The full name of the server or task; of a pseudo-VCPU that of its table
    /// (`interrupt.net.virtual.pseudo-vcpu`).
    pub of: String,
    /// Which of its keys.
    pub key: OpenKey,
    /// Where it stands.
    pub span: Span,
    /// What may stand there.
    pub allowed: Allowed,
    /// Where each of several kinds stands.
    pub kinds_at: Vec<Span>,
    /// No budget may be below it: the resolution, and of a pseudo-VCPU what one interrupt takes in the guest.
    pub least: Duration,
}

impl OpenValue {
    /// The least of what may stand there, where that is a budget; what is below all of it if nothing may.
    pub fn least_budget(&self) -> Duration {
        match &self.allowed {
            Allowed::Grid { from, step, .. } => {
                *from + *step * self.least.saturating_sub(*from).div_ceil(*step)
            }
            Allowed::Times(times) => {
                let fits = times.iter().find(|time| **time >= self.least);
                *fits.unwrap_or(&times[0])
            }
            _ => self.least,
        }
    }
}

/// What is chosen for an open value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chosen {
    /// For [`OpenKey::Budget`] and [`OpenKey::Period`].
    Time(Duration),
    /// For [`OpenKey::Kind`].
    Kind(ServerKind),
    /// For [`OpenKey::On`].
    On(String),
    /// For [`OpenKey::Priority`].
    Priority(Priority),
}

impl fmt::Display for Chosen {
    /// As it stands in a description, in either format.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "\"{time}\""),
            Self::Kind(kind) => write!(f, "\"{}\"", kind.word()),
            Self::On(name) => write!(f, "\"{name}\""),
            Self::Priority(priority) => write!(f, "{}", priority.0),
        }
    }
}
