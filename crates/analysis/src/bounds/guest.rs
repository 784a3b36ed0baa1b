//! What a server provides to its members, less what cold caches lose of it.

use super::{Fold, Node};
use crate::demand::Loads;
use crate::feature::CostFeature;
use crate::finding::Form;
use crate::ground::Effort;
use crate::ground::Reason;
use crate::ground::Source;
use crate::overhead::{ColdStarts, loss_lines, loss_of_server};
use crate::supply::{ColdCache, Supply};
use vorrang_model::system::SupplyId;

impl Fold<'_> {
    /// The members of a server of `node`. Budget is time, so what a cold cache loses is taken off
    /// wherever there is work to do: of a virtual processor with a cache, and of every server in it.
    pub(super) fn members_of(
        &mut self,
        node: Node<'_>,
        id: SupplyId,
        provided: &dyn Supply,
        form: Form,
        effort: &Effort,
    ) {
        let loss = loss_of_server(self.system, id);
        let machine = node.machine.filter(|_| !loss.is_zero());
        if let Some(machine) = machine {
            let Some(cold) = machine.cold_starts(id, loss) else {
                let server = self.system.supply(id).name.clone();
                let what = CostFeature::ColdBesideLate { server };
                return self.give_up_below(id, form, &Reason::not_covered(what));
            };
            let ColdStarts { at_first, starts, inside } = cold;
            let supply =
                ColdCache::new(Source::Server(id), provided, at_first, Loads::new(&starts), effort);
            self.members(
                id,
                &self.in_short_runs(id, supply),
                form,
                Some((at_first, &inside)),
                effort,
            );
        } else if let Some((loss, starts)) = node.cold {
            let cold =
                ColdCache::new(Source::Server(id), provided, loss, Loads::new(starts), effort);
            self.members(id, &self.in_short_runs(id, cold), form, node.cold, effort);
        } else {
            self.members(id, provided, form, None, effort);
        }
    }

    /// What a member of a virtual processor with a cache has of the time of `node`, where that is counted as time.
    pub(super) fn in_cold_guest(
        &mut self,
        node: Node<'_>,
        effort: &Effort,
        then: impl FnOnce(&mut Self, Node<'_>),
    ) {
        let Some((loss, starts)) = node.cold else { return then(self, node) };
        let starts = Loads::new(starts);
        let cold = ColdCache::new(Source::Server(node.id), node.supply, loss, starts, effort);
        let supply = self.in_short_runs(node.id, cold);
        then(self, Node { supply: &supply, ..node });
    }

    /// The same where runs of the virtual processor may be too short to lose all.
    fn in_short_runs<'a>(&self, id: SupplyId, supply: ColdCache<'a>) -> ColdCache<'a> {
        match loss_lines(self.system, id) {
            None => supply,
            Some((each, lines)) => supply.along(each, &lines),
        }
    }
}
