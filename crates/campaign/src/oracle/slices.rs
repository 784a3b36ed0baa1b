//! Time slices of equals, tick by tick: what each member has had of its present one.

use super::choose::Chosen;
use super::{Core, Place};
use vorrang_model::system::{Member, SupplyId};
use vorrang_time::Duration;

impl Core<'_> {
    /// One tick of a member's slice, if it has slices and is not in the background.
    pub(super) fn use_slice(&mut self, supply: SupplyId, chosen: Chosen) {
        let member = match chosen {
            Chosen::Task(id) if self.system.keeps(id) => return,
            Chosen::Task(id) => Member::Task(id),
            Chosen::Server(id) => Member::Server(id),
            Chosen::Pseudo(_) => return,
        };
        let is_sliced = self.system.supply(supply).time_slice.is_some();
        if is_sliced && !self.is_linux_server(member) && !self.place(member).background {
            self.place_mut(member).had += 1;
        }
    }

    /// Step 2: who has had a whole slice goes behind the others of its priority.
    pub(super) fn end_slices(&mut self) {
        let system = self.system;
        for supply in system.supply_ids() {
            let slice = system.supply(supply).time_slice.filter(|_| self.on_core(supply));
            let Some(slice) = slice.map(Duration::as_ns) else { continue };
            for &member in &system.supply(supply).members {
                if self.place(member).had < slice {
                    continue;
                }
                let now = self.now;
                let place = self.place_mut(member);
                (place.had, place.since) = (0, now);
                let waits = self.an_equal_waits(supply, member);
                self.happens_if(waits, supply);
            }
        }
    }

    fn an_equal_waits(&self, supply: SupplyId, own: Member) -> bool {
        let priority = self.priority(own);
        let waits = |place: Place| place.ready && !place.background;
        let members = &self.system.supply(supply).members;
        members.iter().any(|&other| {
            other != own
                && !self.is_linux_server(other)
                && self.priority(other) == priority
                && waits(self.place(other))
        }) || self
            .pseudo_on(supply)
            .any(|id| self.pseudo_priority(id) == Some(priority) && self.pseudo_place(id).ready)
    }

    fn place_mut(&mut self, member: Member) -> &mut Place {
        match member {
            Member::Task(id) => &mut self.task_places[id.0],
            Member::Server(id) => &mut self.servers[id.0].as_mut().expect("it has a state").place,
        }
    }
}
