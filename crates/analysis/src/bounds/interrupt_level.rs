//! The service routines of a core: how long each takes, whatever the order they are taken in.

use super::Walk;
use crate::fixed_priority;
use crate::load::{Load, Loads};
use crate::supply::Dedicated;
use vorrang_model::system::{InterruptId, RequirementKind, SupplyId};
use vorrang_time::Duration;

impl Walk<'_> {
    /// Interrupts of one core delay each other, in whatever order they are taken.
    pub(super) fn service_routines(
        &mut self,
        core: SupplyId,
        ids: &[InterruptId],
        routines: &[Load<'_>],
    ) {
        for (index, &id) in ids.iter().enumerate() {
            let others = Loads::without(routines, index);
            let own = &routines[index];
            let found = fixed_priority::response_time(
                &Dedicated,
                own,
                Duration::ZERO,
                others,
                &self.effort,
            );
            self.effort.restart(ids.len());
            if self.target == Some(RequirementKind::HandledWithin(id))
                && let Ok(response) = &found
            {
                self.lines.busy_window(own, response);
                self.lines.terms(own.cost * (response.job + 1), others, response.window);
                self.lines.cite("fixed priority, Lehoczky 1990; all other service routines of the core come first");
            }
            let found =
                found.map(|response| response.bound).map_err(|why| self.no_bound(core, why));
            self.record_interrupt(id, found);
        }
    }
}
