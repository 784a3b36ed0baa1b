//! Step 5: readiness, and its consequences for servers.

use super::fraction::Fraction;
use super::{Core, Place};
use vorrang_model::system::{Member, Priority, ServerKind, SupplyId};

impl Core<'_> {
    pub(super) fn ready_tasks(&mut self, completed: &[bool]) {
        for (id, queue) in self.tasks.iter().enumerate() {
            // A task with another job released before this instant never stopped being ready.
            let backlog = self.now > 0 && queue.pending(self.now - 1).is_some();
            let slept = completed[id] && !backlog;
            self.task_places[id].update(queue.pending(self.now).is_some(), slept, self.now);
        }
    }

    /// From the innermost out: whether guests have work and servers are ready, the turns, then the levels.
    pub(super) fn settle(&mut self) {
        for id in (0..self.servers.len()).rev().map(SupplyId) {
            if !self.on_core(id) {
                continue;
            }
            self.settle_turns(id);
            self.settle_server(id);
            self.settle_pseudo(id);
        }
        self.levels();
        self.rates();
    }

    fn settle_server(&mut self, id: SupplyId) {
        let guest_ready = self.guest_ready(id);
        let now = self.now;
        let Some(server) = &mut self.servers[id.0] else { return };
        let changed = guest_ready != server.guest_ready;
        server.settle_guest(guest_ready, now);
        let background = server.in_background();
        let moved = background != server.place.background;
        server.place.background = background;
        let was_ready = server.place.ready;
        let wants = guest_ready || server.kind.has_place() || server.kind == ServerKind::Periodic;
        let slept = server.exhausted_now || moved;
        server.place.update(wants && server.has_budget(now), slept, now);
        let becomes_ready = server.place.ready && !was_ready;
        server.exhausted_now = false;
        if becomes_ready {
            self.block_server(id);
        }
        self.happens_if(changed, self.parent(id));
    }

    pub(super) fn guest_ready(&self, supply: SupplyId) -> bool {
        let members = &self.system.supply(supply).members;
        members.iter().any(|&member| self.place(member).ready)
            || !self.guests[supply.0].is_empty()
            || self.pseudo_on(supply).any(|id| self.pseudo_place(id).ready)
    }

    fn settle_turns(&mut self, id: SupplyId) {
        let members = &self.system.supply(id).members;
        let places: Vec<Place> = members.iter().map(|&member| self.place(member)).collect();
        let ready: Vec<_> = places.iter().map(|place| (place.ready, place.again)).collect();
        if let Some(turns) = &mut self.turns[id.0] {
            turns.settle(&ready);
        }
    }

    pub(super) fn levels(&mut self) {
        for id in 0..self.servers.len() {
            if self.servers[id].as_ref().is_some_and(|server| server.kind == ServerKind::Sporadic) {
                self.level(id);
            }
        }
    }

    fn level(&mut self, id: usize) {
        let server = self.system.supplies[id].server().expect("it has a state");
        let active = self.level_is_active(server.on, server.priority);
        let now = self.now;
        let state = self.servers[id].as_mut().expect("it has a state");
        if active && !state.sporadic.level_active {
            for refill in &mut state.sporadic.refills {
                refill.time = refill.time.max(now);
            }
        }
        state.sporadic.level_active = active;
    }

    /// Something at least this urgent is ready on the supply, or a routine comes before it.
    fn level_is_active(&self, supply: SupplyId, priority: Priority) -> bool {
        (supply == self.id && self.is_interrupted())
            || !self.guests[supply.0].is_empty()
            || self.pseudo_at_least(supply, priority)
            || self.system.supply(supply).members.iter().any(|&member| {
                let urgent = !priority.is_more_urgent_than(self.priority(member));
                self.place(member).ready
                    && !self.place(member).background
                    && (urgent || self.is_linux_server(member))
            })
    }

    /// The rate of reclaiming servers.
    fn rates(&mut self) {
        for parent in (0..self.servers.len()).map(SupplyId) {
            if !self.on_core(parent) {
                continue;
            }
            let on_parent: Vec<usize> = self
                .system
                .supply(parent)
                .members
                .iter()
                .filter_map(|member| match member {
                    Member::Server(id) if self.is_linux_server(*member) => Some(id.0),
                    _ => None,
                })
                .collect();
            let active = on_parent.iter().filter_map(|&id| self.servers[id].as_ref());
            let active = active.filter(|server| server.linux.is_active(self.now));
            let sum = active.fold(Fraction::ZERO, |sum, server| sum + server.linux.utilisation());
            for id in on_parent {
                if let Some(server) = &mut self.servers[id] {
                    server.linux.set_rate(sum);
                }
            }
        }
    }

    pub(super) fn place(&self, member: Member) -> Place {
        match member {
            Member::Task(id) => self.task_places[id.0],
            Member::Server(id) => self.server(id).place,
        }
    }

    pub(super) fn priority(&self, member: Member) -> Priority {
        match member {
            Member::Task(id) => self.system.task(id).priority,
            Member::Server(id) => self.system.supply(id).priority(),
        }
    }
}
