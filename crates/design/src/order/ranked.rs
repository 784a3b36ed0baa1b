//! What has a place in an order.

use vorrang_model::system::{InterruptId, Member, Priority};
use vorrang_time::Duration;

/// What has one place in an order.
#[derive(Clone, Debug)]
pub(crate) enum Entrant {
    Member(Member),
    /// Those of the interrupts of one guest that have one priority.
    PseudoVcpus(Vec<InterruptId>),
}

/// What has one place in an order, with its priority.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) member: Entrant,
    /// The indices of its open values, which get the same; none: its priority is stated.
    pub(crate) at: Vec<usize>,
    /// From the least urgent on.
    pub(crate) choices: Vec<Priority>,
    /// Whether no other member may have the same.
    pub(crate) has_own: bool,
    /// The shortest time that is required of it, or of something in it.
    pub(super) shortest: Duration,
}

impl Ranked {
    pub(crate) fn is_open(&self) -> bool {
        !self.at.is_empty()
    }

    pub(crate) fn priority(&self, chosen: &Priorities) -> Priority {
        let own = chosen.iter().find(|(of, _)| self.at.first() == Some(of));
        own.map_or(self.choices[0], |(_, priority)| *priority)
    }

    /// Its open values with a priority.
    pub(crate) fn with(&self, priority: Priority) -> impl Iterator<Item = (usize, Priority)> + '_ {
        self.at.iter().map(move |&at| (at, priority))
    }
}

/// Priorities, each with the index of its open value.
pub(crate) type Priorities = Vec<(usize, Priority)>;
