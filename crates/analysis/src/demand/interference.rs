//! What comes before one member of a core besides the other members: a value, added up of its parts.

use crate::demand::Load;
use vorrang_time::Duration;

/// What comes before one member of a core, besides service routines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interference<'a> {
    pub(crate) loads: Vec<Load<'a>>,
    /// What may hold it up once in each busy window.
    pub(crate) blocking: Duration,
}

impl Interference<'_> {
    /// The interference of both together.
    pub(crate) fn and(mut self, other: Option<Self>) -> Self {
        if let Some(Self { loads, blocking }) = other {
            self.loads.extend(loads);
            self.blocking += blocking;
        }
        self
    }
}
