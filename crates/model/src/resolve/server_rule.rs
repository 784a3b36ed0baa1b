//! The rule of a server with what is stated for it.

use super::checked::{or, small, stated, value};
use crate::description::Server;
use crate::system::{ServerKind, ServerRule};

pub(super) fn server_rule(kind: ServerKind, server: &Server) -> ServerRule {
    match kind.into() {
        ServerRule::SchedDeadline { .. } => ServerRule::SchedDeadline {
            deadline: stated(&server.deadline),
            reclaims: or(&server.reclaim, false),
        },
        ServerRule::RefillQueue { refills, .. } => ServerRule::RefillQueue {
            refills: small(or(&server.refills, refills.into())),
            min_budget: stated(&server.min_budget),
        },
        ServerRule::Slot { .. } => ServerRule::Slot { offset: value(&server.offset) },
        ServerRule::Share { .. } => ServerRule::Share { weight: small(value(&server.share)) },
        plain => plain,
    }
}
