//! Servers: every kind that the parent's scheduler allows, and their members.

use super::{Draft, Manner};
use vorrang_model::system::{
    FairServer, Level, Member, Priority, RtLimit, RtThrottling, Scheduler, Server, ServerKind,
    ServerRule, Share, SupplyId, SupplyKind, Window,
};
use vorrang_time::Duration;

impl Draft {
    /// A server with `share` of the core's time on a supply with fixed priority or EDF.
    pub(super) fn server(&mut self, on: SupplyId, depth: usize, share: u64) {
        let kinds = self.manner.kinds_on(self.system.supply(on).scheduler, depth);
        let kind = self.random.one_of(kinds);
        let outer = self.period_of(on);
        let longer = self.has_pieces(kind) && self.random.chance(1, 2);
        let period = if self.manner == Manner::Inner && outer > 3 && self.random.chance(1, 2) {
            self.random.between(2, outer)
        } else {
            self.times() * self.scale.draw_server_period(&mut self.random, outer)
        };
        // Room for more pieces than the queue holds.
        let period = if longer { 4 * period } else { period };
        let budget = self.scale.part(&mut self.random, share, period).min(period);
        let guests = self.manner.is_of_guests();
        let budget = if guests { budget.max(period.div_ceil(4)) } else { budget };
        let Some(rule) = self.rule(kind, budget, period) else {
            let kind = self.without_budget(on, kind, period);
            return self.with_guest(kind, depth, share);
        };
        let blocking = self.blocking_of_server(on, kind, period);
        let (budget, period) = (self.units(budget), self.units(period));
        let server = Server { on, rule, budget, period, blocking, ..Server::default() };
        self.with_guest(SupplyKind::Server(server), depth, share);
    }

    /// A share where turns are taken, a priority elsewhere.
    fn without_budget(&mut self, on: SupplyId, kind: ServerKind, period: u64) -> SupplyKind {
        if kind == ServerKind::Level {
            let blocking = self.blocking_of_server(on, kind, period);
            return SupplyKind::Level(Level { on, priority: Priority::default(), blocking });
        }
        SupplyKind::Share(Share { on, weight: self.share(on) })
    }

    /// The blocking of a server that is scheduled by priority.
    fn blocking_of_server(&mut self, on: SupplyId, kind: ServerKind, period: u64) -> Duration {
        let scheduler = self.system.supply(on).scheduler;
        let by_priority = matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux)
            && kind != ServerKind::SchedDeadline;
        let blocks = by_priority && self.random.chance(3, 20);
        let blocking = if blocks { self.random.between(1, (period / 4).max(1)) } else { 0 };
        self.units(blocking)
    }

    /// Whether budget returns in pieces whose number matters.
    fn has_pieces(&self, kind: ServerKind) -> bool {
        kind == ServerKind::RefillQueue
            || (kind == ServerKind::Sporadic && self.manner == Manner::Charged)
    }

    /// The server of `SCHED_OTHER` of supplies under Linux, or none where it is turned off.
    pub(super) fn fair_servers(&mut self) {
        let supplies = self.system.supply_ids();
        let linux = supplies.filter(|&id| self.system.supply(id).scheduler == Scheduler::Linux);
        for on in linux.collect::<Vec<_>>() {
            if self.random.chance(1, 3) {
                continue;
            }
            let percent = self.random.between(2, 25);
            let period = if self.random.chance(1, 2) {
                self.scale.draw_server_period(&mut self.random, 0)
            } else {
                self.scale.draw_period(&mut self.random, 0)
            };
            let share = self.scale.whole() * percent / 100;
            let budget = self.scale.part(&mut self.random, share, period).min(period);
            let (budget, period) = (self.units(budget), self.units(period));
            self.system.add_fair_server(on, FairServer { budget, period });
        }
    }

    /// By how much runtimes of cores under Linux end late: of two in three, mostly by less than any
    /// budget there, as with a timer, sometimes by more, as with a tick.
    pub(super) fn overruns(&mut self) {
        let Self { random, system, .. } = self;
        for core in system.supply_ids() {
            let supply = system.supply(core);
            if !supply.is_core() || supply.scheduler != Scheduler::Linux {
                continue;
            }
            let budgets = supply.members.iter().filter_map(|&member| match member {
                Member::Server(id) => Some(system.supply(id).server()?.budget),
                Member::Task(_) => None,
            });
            let least = budgets.min().unwrap_or(Duration::RESOLUTION);
            let parts = random.weighted(&[(4, 0), (3, 1), (3, 4), (2, 10)]);
            let overrun = Duration::from_ns(least.as_ns() * parts / 4);
            system.supplies[core.0].overrun = overrun;
        }
    }

    /// For how long the kernel of cores under Linux goes on with less urgent work: of one in two, mostly
    /// for a short time.
    pub(super) fn sections(&mut self) {
        for core in self.system.supply_ids() {
            let supply = self.system.supply(core);
            if !supply.is_core() || supply.scheduler != Scheduler::Linux {
                continue;
            }
            if self.random.chance(1, 2) {
                let most = self.random.weighted(&[(5, 1), (2, 10)]);
                let length = self.scale.draw_short(&mut self.random, most);
                self.system.supplies[core.0].sections = self.units(length);
            }
        }
    }

    /// After how much time cores under Linux stop what has no server with a deadline: of one in three, mostly at once.
    pub(super) fn throttling(&mut self) {
        for core in self.system.supply_ids() {
            let supply = self.system.supply(core);
            if !supply.is_core() || supply.scheduler != Scheduler::Linux {
                continue;
            }
            let period = self.scale.draw_period(&mut self.random, 0);
            if period < 2 || !self.random.chance(1, 3) {
                continue;
            }
            let percent = self.random.between(30, 98);
            let budget = (period * percent / 100).clamp(1, period - 1);
            let late = if self.random.chance(1, 3) {
                self.scale.draw_short(&mut self.random, 3)
            } else {
                0
            };
            let (budget, period) = (self.units(budget), self.units(period));
            let limit = RtLimit { budget, period, late: self.units(late) };
            self.system.supplies[core.0].rt_throttling = RtThrottling::After(limit);
            // Whether those are stopped is not defined.
            if self.system.is_throttled_beside_pseudo_vcpus(core) {
                self.system.supplies[core.0].rt_throttling = RtThrottling::NotStated;
            }
        }
    }

    /// A slot of a core.
    pub(super) fn slot(&mut self, on: SupplyId, period: u64, offset: u64, length: u64) {
        let (budget, period, offset) = (self.units(length), self.units(period), self.units(offset));
        let rule = ServerRule::Slot { offset };
        let server = Server { on, rule, budget, period, ..Server::default() };
        self.with_guest(SupplyKind::Server(server), 0, 0);
    }

    /// A table of a core with two windows.
    pub(super) fn table(&mut self, on: SupplyId, period: u64, mut windows: [(u64, u64); 2]) {
        windows.sort_unstable();
        let windows = windows.map(|(start, length)| Window {
            offset: self.units(start),
            length: self.units(length),
        });
        let (budget, period) = (windows[0].length + windows[1].length, self.units(period));
        let server = Server { on, rule: ServerRule::Table, budget, period, ..Server::default() };
        let id = self.system.supplies.len();
        self.with_guest(SupplyKind::Server(server), 0, 0);
        self.system.supplies[id].windows = windows.to_vec();
    }

    /// A rule of this kind; `None`: a share or a level has none.
    fn rule(&mut self, kind: ServerKind, budget: u64, period: u64) -> Option<ServerRule> {
        Some(match kind.rule()? {
            ServerRule::SchedDeadline { .. } => {
                let deadline =
                    self.random.chance(1, 2).then(|| self.random.between(budget, period));
                let reclaims = self.manner == Manner::Everything && self.random.chance(1, 2);
                let deadline = deadline.map(|deadline| self.units(deadline));
                ServerRule::SchedDeadline { deadline, reclaims }
            }
            ServerRule::RefillQueue { .. } => {
                let refills = self.random.weighted(&[(2, 2), (2, 3), (1, 4), (2, 8)]);
                let refills = u32::try_from(refills).expect("small");
                ServerRule::RefillQueue { refills, min_budget: self.least_budget(budget) }
            }
            plain => plain,
        })
    }

    /// None, one that counts for nothing, a small one, a large one, or the whole budget.
    fn least_budget(&mut self, budget: u64) -> Option<Duration> {
        let least = match self.random.below(8) {
            0..=2 => return None,
            3 => self.random.between(0, 1.min(budget)),
            4 | 5 => self.random.between(1, budget.div_ceil(3)),
            6 => self.random.between(1, budget),
            _ => budget,
        };
        Some(self.units(least))
    }

    /// A weight where turns are taken.
    pub(super) fn share(&mut self, on: SupplyId) -> u32 {
        let drawn = self.random.weighted(&[(3, 1), (2, 2), (2, 3), (1, 5)]);
        let is_weighted = self.system.supply(on).scheduler.has_shares();
        if is_weighted { u32::try_from(drawn).expect("small") } else { 1 }
    }

    fn with_guest(&mut self, kind: SupplyKind, depth: usize, asked: u64) {
        let guests = self.manner.is_of_guests();
        // Calls are not bounded in all reservations of the host.
        let (vcpus, of) = if self.manner == Manner::Shielded { (4, 5) } else { (1, 2) };
        let is_vcpu = guests || self.random.chance(vcpus, of);
        let noun = if is_vcpu { "vcpu" } else { "server" };
        let name = format!("{noun}.s{}", self.system.supplies.len());
        let scheduler = self.manner.guest_scheduler(&mut self.random);
        let shared = self.random.chance(1, 2);
        let vm = is_vcpu.then(|| if shared { "vm.shared".to_owned() } else { name.clone() });
        let whole = self.scale.whole();
        let share = kind.server().map_or(asked, |server| {
            let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
            u64::try_from(u128::from(whole) * u128::from(budget) / u128::from(period))
                .expect("at most the whole")
        });
        // Mostly less than the server's share: bursts have to wait for budget.
        let percent = match self.random.below(12) {
            _ if guests => self.random.between(10, 50),
            2..=3 if self.manner == Manner::Inner => self.random.between(100, 400),
            0 => 100,
            1 => self.random.between(100, 130),
            2 => self.random.between(70, 100),
            _ => self.random.between(10, 70),
        };
        let id = self.add_supply(name, kind, scheduler);
        self.system.supplies[id.0].vm = vm;
        if kind.word().is_some_and(|kind| self.has_pieces(kind)) && self.random.chance(1, 2) {
            self.fragmenting_task(id);
        }
        self.fill(id, depth + 1, (share * percent / 100).max(1));
    }

    /// The period of a server in units; zero for a core.
    pub(super) fn period_of(&self, supply: SupplyId) -> u64 {
        let server = self.system.supply(supply).server();
        server.map_or(0, |server| server.period.div_floor(self.scale.unit()))
    }
}
