//! Servers: every kind that its parent's scheduler allows, and what is inside.

use super::Draft;
use vorrang_model::system::{Priority, Scheduler, Server, ServerKind, SupplyId};

impl Draft {
    /// A server with `share` of the core's time on a supply with fixed priority or EDF.
    pub(super) fn server(&mut self, on: SupplyId, depth: usize, share: u64) {
        let kinds: &[ServerKind] = match self.system.supply(on).scheduler {
            Scheduler::Edf => &[ServerKind::Periodic, ServerKind::Deferrable, ServerKind::CbsHard],
            _ => &[ServerKind::Periodic, ServerKind::Deferrable, ServerKind::Sporadic],
        };
        let kind = self.random.one_of(kinds);
        let outer = self.period_of(on);
        let period = self.scale.draw_server_period(&mut self.random, outer);
        let budget = self.scale.part(&mut self.random, share, period).min(period);
        self.with_guest(
            Server {
                on,
                kind,
                budget: self.units(budget),
                period: self.units(period),
                ..plain(on)
            },
            depth,
        );
    }

    /// A slot of a core.
    pub(super) fn slot(&mut self, on: SupplyId, period: u64, offset: u64, length: u64) {
        let (budget, period, offset) = (self.units(length), self.units(period), self.units(offset));
        self.with_guest(Server { budget, period, offset, ..plain(on) }, 0);
    }

    fn with_guest(&mut self, server: Server, depth: usize) {
        let name = format!("server.s{}", self.system.supplies.len());
        let scheduler = self.random.weighted(&[(3, Scheduler::FixedPriority), (2, Scheduler::Edf)]);
        let whole = self.scale.whole();
        let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
        let share = u64::try_from(u128::from(whole) * u128::from(budget) / u128::from(period))
            .expect("at most the whole");
        // Mostly less than the server has: what is asked for at once has to wait for budget.
        let percent = match self.random.below(12) {
            0 => 100,
            1 => self.random.between(100, 130),
            2 => self.random.between(70, 100),
            _ => self.random.between(10, 70),
        };
        let id = self.add_supply(name, Some(server), scheduler);
        self.fill(id, depth + 1, (share * percent / 100).max(1));
    }

    /// The period of a server in units; zero for a core.
    pub(super) fn period_of(&self, supply: SupplyId) -> u64 {
        let server = self.system.supply(supply).server.as_ref();
        server.map_or(0, |server| server.period.div_floor(self.scale.unit()))
    }
}

/// A slot without a length: what the kinds have in common.
fn plain(on: SupplyId) -> Server {
    let zero = vorrang_time::Duration::ZERO;
    Server {
        on,
        kind: ServerKind::Slot,
        budget: zero,
        period: zero,
        offset: zero,
        priority: Priority::default(),
        ..Server::default()
    }
}
