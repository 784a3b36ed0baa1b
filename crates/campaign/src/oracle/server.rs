//! What a server remembers from tick to tick.

use super::Place;
use vorrang_model::system::{Server, ServerKind};

/// The state of one server. What a kind does not use stays as it is.
pub(super) struct ServerState {
    pub(super) kind: ServerKind,
    pub(super) full: u64,
    pub(super) period: u64,
    /// First replenishment of a periodic or deferrable server.
    pub(super) phase: u64,
    pub(super) budget: u64,
    /// Budget was above zero before this instant and is not any more.
    pub(super) exhausted_now: bool,
    /// Something came back at this instant.
    pub(super) replenished_now: bool,
    /// End of the current period, or the deadline of a CBS.
    pub(super) deadline: u64,
    /// The guest had something ready after all events of the last instant.
    pub(super) guest_ready: bool,
    pub(super) place: Place,
    /// The open activation of a sporadic server.
    pub(super) activation: Option<Activation>,
    /// What comes back to a sporadic server: when, how much.
    pub(super) returns: Vec<(u64, u64)>,
}

/// An activation of a sporadic server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activation {
    pub(super) opened: u64,
    pub(super) consumed: u64,
}

impl ServerState {
    pub(super) fn new(server: &Server, phase: u64) -> Self {
        let (full, period) = (server.budget.as_ns(), server.period.as_ns());
        let phase = if server.kind == ServerKind::Slot { server.offset.as_ns() } else { phase };
        let deadline = if server.kind == ServerKind::CbsHard { 0 } else { phase };
        // In mid-period a periodic server has what an undisturbed run since `phase - T` has left.
        let budget = match server.kind {
            ServerKind::Periodic if phase > 0 => full.saturating_sub(period - phase),
            _ => full,
        };
        Self {
            kind: server.kind,
            full,
            period,
            phase,
            budget,
            exhausted_now: false,
            replenished_now: false,
            deadline,
            guest_ready: false,
            place: Place::default(),
            activation: None,
            returns: Vec::new(),
        }
    }

    /// Whether it has time to give now, apart from its guest.
    pub(super) fn has_budget(&self, now: u64) -> bool {
        match self.kind {
            ServerKind::Slot => (now + self.period - self.phase) % self.period < self.full,
            _ => self.budget > 0,
        }
    }

    /// The open activation ends; what it consumed comes back one period after it opened.
    pub(super) fn close_activation(&mut self) {
        if let Some(activation) = self.activation.take() {
            self.returns.push((activation.opened + self.period, activation.consumed));
        }
    }
}
