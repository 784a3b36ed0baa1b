//! The rule of a server with what is stated for it.

use super::checked::{or, small, stated, value};
use crate::description::Server;
use crate::system::{ServerRule, Window};

pub(super) fn server_rule(plain: ServerRule, server: &Server) -> ServerRule {
    match plain {
        ServerRule::SchedDeadline { .. } => ServerRule::SchedDeadline {
            deadline: stated(&server.deadline),
            reclaims: or(&server.reclaim, false),
        },
        ServerRule::RefillQueue { refills, .. } => ServerRule::RefillQueue {
            refills: small(or(&server.refills, refills.into())),
            min_budget: stated(&server.min_budget),
        },
        ServerRule::Slot { .. } => ServerRule::Slot { offset: value(&server.offset) },
        plain => plain,
    }
}

/// The windows that are stated for a server.
pub(super) fn windows(server: &Server) -> Vec<Window> {
    server.windows.get().map(|at| at.value.clone()).unwrap_or_default()
}
