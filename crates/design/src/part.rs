//! Some of the nodes of one core, as a system of their own, with what is chosen for them.

use crate::aim::Aim;
use crate::bare::{Trust, bare, free};
use crate::cost::Cost;
use crate::judge::{Seen, Theorems, differ};
use crate::layout::{self, Node, Value, chain};
use crate::order::{Entrant, Order, Priorities, Ranked, orders};
use crate::steps::{Spent, Steps};
use vorrang_model::system::{Member, Priority, Scheduler, ServerKind, Supply, SupplyId};
use vorrang_model::{Chosen, Open, System};
use vorrang_time::Duration;

/// What the machine takes in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    /// What is stated.
    Stated,
    /// No costs and no cold caches.
    Free,
    /// Nothing ([`bare`]).
    Bare,
}

/// A description with some nodes, and a budget and a period for each.
pub(crate) struct Part {
    open: Open,
    pub(crate) nodes: Vec<Node>,
    /// Those of which the order is not fixed.
    pub(crate) orders: Vec<Order>,
    /// Of each of them, whether Audsley's algorithm decides it.
    pub(crate) is_decided: Vec<bool>,
    /// Of each supply, it and everything that it stands on.
    insides: Vec<Vec<SupplyId>>,
    trust: Trust,
    chosen: Vec<Chosen>,
    /// Of each of its values, the index in the whole description.
    origin: Vec<usize>,
    machine: Machine,
    pub(crate) theorems: Theorems,
    aim: Aim,
}

impl Part {
    /// What stays of `open` when only these supplies are kept; `fixed` is what is chosen for places and
    /// kinds, by index in `open`.
    pub(crate) fn new(
        open: &Open,
        fixed: &[Option<Chosen>],
        aim: &Aim,
        is_kept: &dyn Fn(&str) -> bool,
        machine: Machine,
    ) -> Option<Self> {
        let (mut open, origin) = open.part(is_kept);
        let fixed: Vec<_> = origin.iter().map(|&at| fixed[at].clone()).collect();
        let chosen = layout::provisional(&open, &fixed);
        let system = open.resolve(&chosen)?;
        let nodes = layout::nodes(&open, &system, aim);
        let is_settled = |order: &Order| {
            let mut open = order.members.iter().flat_map(|member| &member.at);
            open.all(|&at| fixed[at].is_none())
        };
        let orders = orders(&open, &system).into_iter().filter(is_settled).collect();
        let orders: Vec<Order> = orders;
        let trusts: Vec<Trust> = orders.iter().map(|order| order.trust(&system)).collect();
        let is_decided = trusts.iter().map(|trust| *trust == Trust::Core).collect();
        let trust = trusts.into_iter().min().unwrap_or(Trust::Core);
        let insides = system.supply_ids().map(|id| chain(&system, id)).collect();
        Some(Self {
            open,
            nodes,
            orders,
            is_decided,
            insides,
            trust,
            chosen,
            origin,
            machine,
            theorems: Theorems::Monotonic,
            aim: aim.clone(),
        })
    }

    /// What the analysis says with all values as they are; `None`: they do not fit together.
    pub(crate) fn analysed(&mut self, steps: &mut Steps) -> Result<Option<Seen>, Spent> {
        steps.take()?;
        let theorems = self.theorems;
        Ok(self.system().map(|system| {
            let (seen, terms) = Seen::of(system, theorems);
            steps.evaluated(terms);
            seen
        }))
    }

    /// With all values as they are; `None`: they do not fit together.
    fn system(&mut self) -> Option<System> {
        let system = self.aim.applied(self.open.resolve(&self.chosen)?);
        Some(match self.machine {
            Machine::Stated => system,
            Machine::Free => free(system),
            Machine::Bare => bare(system),
        })
    }

    /// Whether it has a chain with all its tasks.
    pub(crate) fn has_chains(&mut self) -> bool {
        self.system().is_some_and(|system| !system.chains.is_empty())
    }

    /// Whether all theorems may say more of it than the monotonic ones.
    pub(crate) fn differs(&mut self) -> bool {
        let Some(system) = self.system() else { return true };
        system.cores().any(|core| differ(&self.open, &system, core))
    }

    pub(crate) fn period(&self, node: usize) -> Duration {
        self.value(&self.nodes[node].period)
    }

    pub(crate) fn budget(&self, node: usize) -> Duration {
        self.value(&self.nodes[node].budget)
    }

    fn value(&self, value: &Value) -> Duration {
        match value {
            Value::Stated(time) => *time,
            Value::Open(at, _) => match self.chosen[*at] {
                Chosen::Time(time) => time,
                ref other => panic!("{other:?} is no time"),
            },
        }
    }

    pub(crate) fn set_period(&mut self, node: usize, time: Duration) {
        if let Value::Open(at, _) = self.nodes[node].period {
            self.chosen[at] = Chosen::Time(time);
        }
    }

    pub(crate) fn set_budget(&mut self, node: usize, time: Duration) {
        if let Value::Open(at, _) = self.nodes[node].budget {
            self.chosen[at] = Chosen::Time(time);
        }
    }

    pub(crate) fn priority(&self, of: &Ranked) -> Priority {
        match of.at.first().map(|&at| &self.chosen[at]) {
            Some(Chosen::Priority(priority)) => *priority,
            other => panic!("{other:?} is no priority"),
        }
    }

    pub(crate) fn set_priority(&mut self, of: &Ranked, priority: Priority) {
        for &at in &of.at {
            self.chosen[at] = Chosen::Priority(priority);
        }
    }

    pub(crate) fn set_priorities(&mut self, all: &Priorities) {
        for &(at, priority) in all {
            self.chosen[at] = Chosen::Priority(priority);
        }
    }

    /// What may be concluded where some of its orders are not found.
    pub(crate) fn trust(&self) -> Trust {
        self.trust
    }

    /// Whether the supply of an order is a member, or stands in it.
    pub(crate) fn stands_in(&self, order: usize, member: &Entrant) -> bool {
        let Entrant::Member(Member::Server(server)) = member else { return false };
        self.insides[self.orders[order].supply.0].contains(server)
    }

    /// What a node takes, with what switching to those in it takes.
    pub(crate) fn cost(&self, node: usize) -> Cost {
        self.cost_with(node, self.budget(node), self.period(node))
    }

    /// The same with another budget and period.
    pub(crate) fn cost_with(&self, node: usize, budget: Duration, period: Duration) -> Cost {
        let Node { is_outermost, switching, weight, .. } = self.nodes[node];
        let budget = if is_outermost { budget } else { Duration::ZERO };
        Cost::weighted(budget + switching, period, weight)
    }

    /// Whether something in it may need more budget of several nodes at once.
    pub(crate) fn needs_several(&mut self) -> bool {
        self.has_chains() || self.nodes.iter().any(|node| node.pays)
    }

    /// Whether its only node needs no smaller budget with a longer period for what is in it.
    ///
    /// So it is where priority decides on the core, of servers whose budget counts from the beginning of a period,
    /// and beside servers with deadlines alone, whose deadlines are their periods: these are in time, or not
    /// guaranteed. A task beside them might make them late, the more the shorter their period.
    pub(crate) fn longer_periods_need_no_less(&mut self) -> bool {
        use ServerKind::{CbsHard, Deferrable, Periodic, Polling, SchedDeadline, Sporadic};
        let [node] = &self.nodes[..] else { return false };
        let name = node.name.clone();
        let Some(system) = self.system() else { return false };
        let own = system.supplies.iter().find(|supply| supply.name == name);
        let Some(server) = own.and_then(Supply::server) else { return false };
        let core = system.supply(server.on);
        let by_period = matches!(server.kind(), Periodic | Polling | Deferrable | Sporadic);
        let in_time = |member: &Member| {
            let Member::Server(id) = member else { return false };
            let of = system.supply(*id).server();
            of.is_some_and(|of| {
                of.deadline().is_none() && matches!(of.kind(), CbsHard | SchedDeadline)
            })
        };
        let is_known = match core.scheduler {
            Scheduler::FixedPriority => by_period,
            Scheduler::Edf | Scheduler::Linux => core.members.iter().all(in_time),
            _ => false,
        };
        core.is_core() && is_known
    }

    pub(crate) fn cost_of_all(&self) -> Cost {
        (0..self.nodes.len()).map(|node| self.cost(node)).fold(Cost::ZERO, Cost::plus)
    }

    /// Takes over what is chosen, by index in the whole description.
    pub(crate) fn choose(&mut self, chosen: &[(usize, Chosen)]) {
        for (own, at) in self.chosen.iter_mut().zip(&self.origin) {
            if let Some((_, other)) = chosen.iter().find(|(of, _)| of == at) {
                *own = other.clone();
            }
        }
    }

    /// What is chosen, by index in the whole description.
    pub(crate) fn all_chosen(&self) -> Vec<(usize, Chosen)> {
        self.origin.iter().copied().zip(self.chosen.iter().cloned()).collect()
    }
}
