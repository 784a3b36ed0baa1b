//! The slots of a core, less what interrupts take of them.

use super::{Fold, Node};
use crate::coverage::ServerMember;
use crate::demand::Interference;
use crate::demand::Loads;
use crate::finding::Form;
use crate::ground::Effort;
use crate::ground::Source;
use crate::supply::{Residual, Supply, Table};

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
            let of = Source::Server(id);
            let places = Table::new(of, &self.system.supply(id).places(), server.period);
            let form = if places.is_slot() { Form::FixedSlot } else { Form::Table };
            let after = Residual::new(&places, loads, effort).blocked(before.blocking);
            let provided: &dyn Supply = if node.bare_core { &places } else { &after };
            self.members_of(node, id, provided, form, effort);
        }
    }
}
