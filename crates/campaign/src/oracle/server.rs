//! What a server remembers from tick to tick.

use super::Place;
use vorrang_model::system::{Server, ServerKind};

/// The state of one server. What a kind does not use stays as it is.
pub(super) struct ServerState {
    pub(super) kind: ServerKind,
    pub(super) full: u64,
    pub(super) period: u64,
    /// First replenishment of a periodic or deferrable server, start of a slot.
    pub(super) phase: u64,
    pub(super) budget: u64,
    /// Budget was above zero before this instant and is not any more.
    pub(super) exhausted_now: bool,
    /// End of the current period, or the deadline of a CBS.
    pub(super) deadline: u64,
    /// The guest had something ready after all events of the last instant.
    pub(super) guest_ready: bool,
    pub(super) place: Place,
    /// The level of a sporadic server was active at the last instant.
    pub(super) level_active: bool,
    /// The refills of a sporadic server. Their amounts sum to `full`.
    pub(super) refills: Vec<Refill>,
}

/// A part of the budget of a sporadic server and the instant from which it can be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refill {
    pub(super) time: u64,
    pub(super) amount: u64,
}

impl ServerState {
    pub(super) fn new(server: &Server, phase: u64) -> Self {
        let (full, period) = (server.budget.as_ns(), server.period.as_ns());
        let phase = if server.kind == ServerKind::Slot { server.offset.as_ns() } else { phase };
        let deadline = if server.kind == ServerKind::CbsHard { 0 } else { phase };
        // A periodic server has its first budget when it is started.
        let waits = server.kind == ServerKind::Periodic && phase > 0;
        let budget = if waits { 0 } else { full };
        Self {
            kind: server.kind,
            full,
            period,
            phase,
            budget,
            exhausted_now: false,
            deadline,
            guest_ready: false,
            place: Place::default(),
            level_active: false,
            refills: vec![Refill { time: 0, amount: full }],
        }
    }

    /// Whether it has time to give now, apart from its guest.
    pub(super) fn has_budget(&self, now: u64) -> bool {
        match self.kind {
            ServerKind::Slot => (now + self.period - self.phase) % self.period < self.full,
            _ => self.budget > 0,
        }
    }
}
