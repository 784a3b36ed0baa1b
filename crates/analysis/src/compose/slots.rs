//! The slots of a core, less what interrupts take of them.

use super::{Fold, Node};
use crate::coverage::ServerMember;
use crate::demand::Interference;
use crate::demand::Loads;
use crate::finding::Form;
use crate::ground::Effort;
use crate::ground::Source;
use crate::supply::{FixedSlot, Residual, Supply};

impl Fold<'_> {
    pub(super) fn slots(
        &mut self,
        node: Node<'_>,
        servers: &[ServerMember<'_>],
        before: &Interference<'_>,
        effort: &Effort,
    ) {
        let loads = Loads::new(node.routines.loads).after(&before.loads);
        for &ServerMember { id, server } in servers {
            let slot = FixedSlot::new(Source::Server(id), server.budget, server.period);
            let after = Residual::new(&slot, loads, effort).blocked(before.blocking);
            let provided: &dyn Supply = if node.bare_core { &slot } else { &after };
            self.members_of(node, id, provided, Form::FixedSlot, effort);
        }
    }
}
