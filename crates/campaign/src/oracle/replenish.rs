//! Budgets: exhaustion, replenishment, and the levels of sporadic servers.

use super::Core;
use super::server::ServerState;
use vorrang_model::system::{Member, Priority, ServerKind, SupplyId};

impl Core<'_> {
    /// Step 2: budgets that have reached zero.
    pub(super) fn exhaust(&mut self) {
        for server in self.servers.iter_mut().flatten() {
            server.exhausted_now = server.place.ready && server.budget == 0;
        }
    }

    /// Step 3: what is due now.
    pub(super) fn replenish(&mut self) {
        let now = self.now;
        for server in self.servers.iter_mut().flatten() {
            match server.kind {
                ServerKind::Periodic | ServerKind::Deferrable => server.start_period(now),
                ServerKind::CbsHard => server.postpone(now),
                ServerKind::Sporadic => server.count_usable(now),
                _ => {}
            }
        }
    }

    /// Step 5 for servers: from the innermost out, whether the guest has work and the server is
    /// ready.
    pub(super) fn ready_servers(&mut self) {
        for id in (0..self.servers.len()).rev() {
            let guest_ready = self.guest_ready(SupplyId(id));
            let now = self.now;
            if let Some(server) = &mut self.servers[id] {
                if guest_ready && !server.guest_ready {
                    server.wake(now);
                }
                server.guest_ready = guest_ready;
                let wants =
                    guest_ready || matches!(server.kind, ServerKind::Periodic | ServerKind::Slot);
                server.place.update(wants && server.has_budget(now), server.exhausted_now, now);
            }
        }
    }

    fn guest_ready(&self, supply: SupplyId) -> bool {
        if self.servers[supply.0].is_none() {
            return false;
        }
        let members = &self.system.supply(supply).members;
        members.iter().any(|&member| self.place(member).ready)
    }

    /// Step 5 for sporadic servers: their levels.
    pub(super) fn levels(&mut self) {
        for id in 0..self.servers.len() {
            if self.servers[id].as_ref().is_some_and(|server| server.kind == ServerKind::Sporadic) {
                self.level(id);
            }
        }
    }

    fn level(&mut self, id: usize) {
        let server = self.system.supplies[id].server.as_ref().expect("it has a state");
        let active = self.level_is_active(server.on, server.priority);
        let now = self.now;
        let state = self.servers[id].as_mut().expect("it has a state");
        if active && !state.level_active {
            for refill in &mut state.refills {
                refill.time = refill.time.max(now);
            }
        }
        state.level_active = active;
    }

    /// Something at least this urgent is ready on the supply, or a service routine on a core.
    fn level_is_active(&self, supply: SupplyId, priority: Priority) -> bool {
        let interrupted = supply == self.id
            && self.interrupts.iter().any(|queue| queue.pending(self.now).is_some());
        interrupted
            || self.system.supply(supply).members.iter().any(|&member| {
                self.place(member).ready && !priority.is_more_urgent_than(self.priority(member))
            })
    }

    pub(super) fn priority(&self, member: Member) -> Priority {
        match member {
            Member::Task(id) => self.system.task(id).priority,
            Member::Server(id) => {
                self.system.supply(id).server.as_ref().expect("a member is no core").priority
            }
        }
    }
}

impl ServerState {
    fn start_period(&mut self, now: u64) {
        if now >= self.phase && (now - self.phase).is_multiple_of(self.period) {
            self.budget = self.full;
            self.deadline = now + self.period;
        }
    }

    /// CBS: out of budget, it waits for its deadline.
    fn postpone(&mut self, now: u64) {
        if self.budget == 0 && self.deadline <= now {
            self.budget = self.full;
            self.deadline += self.period;
        }
    }

    /// CBS: its guest has work after it had none.
    fn wake(&mut self, now: u64) {
        if self.kind != ServerKind::CbsHard {
            return;
        }
        let worn = self.deadline <= now
            || u128::from(self.budget) * u128::from(self.period)
                >= u128::from(self.deadline - now) * u128::from(self.full);
        if worn {
            self.deadline = now + self.period;
            self.budget = self.full;
        }
    }

    /// Sporadic: the budget is what can be used by now.
    fn count_usable(&mut self, now: u64) {
        let usable = self.refills.iter().filter(|refill| refill.time <= now);
        self.budget = usable.map(|refill| refill.amount).sum();
    }
}
