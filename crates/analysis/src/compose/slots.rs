//! The slots of a core, less what interrupts take of them.

use super::{Fold, Node};
use crate::coverage::ServerMember;
use crate::demand::Interference;
use crate::demand::Loads;
use crate::finding::Form;
use crate::ground::Effort;
use crate::ground::Source;
use crate::kind::{Provides, Sheet};
use crate::supply::{FixedSlot, Residual, Supply, Table};

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
            let windows = &self.system.supply(id).windows;
            let (slot, table);
            let is_table = Sheet::of_server(server).provides == Provides::Places;
            let (place, form): (&dyn Supply, Form) = if is_table {
                table = Table::new(of, windows, server.period);
                (&table, Form::Table)
            } else {
                slot = FixedSlot::new(of, server.budget, server.period);
                (&slot, Form::FixedSlot)
            };
            let after = Residual::new(place, loads, effort).blocked(before.blocking);
            let provided = if node.bare_core { place } else { &after };
            self.members_of(node, id, provided, form, effort);
        }
    }
}
