//! The servers to be designed on each core, once their places and kinds are chosen.
//!
//! **Model.** A *node* is a server whose budget or period is open. Nodes stand in each other; one that
//! stands in none makes a *unit* with all below it. Units of one core compete, and share nothing else.
//!
//! **Assumptions.**
//! 1. Of the least budget of a node ([`Node::least`]): a proven bound is true, and the description allows every required
//!    task a job at every period that takes its longest time, and the history of [`crate::needed`].

pub(crate) use crate::around::{chain, has_pseudo_vcpu};

use crate::aim::Aim;
use crate::cost::switching;
use crate::ladder::Ladder;
use crate::needed::Needed;
use crate::payer;
use std::collections::BTreeSet;
use vorrang_model::system::{Activation, InterruptId, Member, Priority, RequirementKind, SupplyId};
use vorrang_model::target::Limits;
use vorrang_model::{Allowed, Chosen, Open, OpenKey, System, limits};
use vorrang_time::Duration;

/// A server or a pseudo-VCPU to be designed.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    /// The node around it, or of the virtual processor that it pays for, by index in the same list.
    pub(crate) parent: Option<usize>,
    /// Whether its budget is taken of a core, and of no other node.
    pub(crate) is_outermost: bool,
    /// What its budget must hold, whatever is in it.
    floor: Duration,
    /// Whether it is a pseudo-VCPU.
    pub(crate) pays: bool,
    pub(crate) budget: Value,
    pub(crate) period: Value,
    /// What the budget may not exceed besides its period.
    pub(crate) deadline: Option<Duration>,
    pub(crate) periods: Ladder,
    /// What its kernel takes.
    limits: Option<Limits>,
    /// What the tasks inside that are required use.
    pub(crate) used: Vec<(Duration, Duration)>,
    needed: Needed,
    /// What switching takes in each period.
    pub(crate) switching: Duration,
    /// Larger is more urgent, where priority decides.
    pub(crate) urgency: Priority,
    /// What a share of its core counts.
    pub(crate) weight: u64,
}

/// A value that is stated, or the index of the one that is open.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Stated(Duration),
    Open(usize, Allowed),
}

impl Node {
    /// What the budget must hold in a period, whatever the analysis: the work that is required inside, in the
    /// long run, and what one history needs.
    pub(crate) fn least(&self, period: Duration) -> Duration {
        let times = |of: &(Duration, Duration)| {
            u128::from(of.0.as_ns()) * u128::from(period.as_ns()) / u128::from(of.1.as_ns())
        };
        let sum: u128 = self.used.iter().map(times).sum();
        let work = Duration::from_ns(u64::try_from(sum).unwrap_or(u64::MAX));
        work.max(self.needed.least(period)).max(self.floor)
    }

    /// The budgets that are considered in a period.
    pub(crate) fn budgets(&self, period: Duration) -> Ladder {
        let most = self.deadline.unwrap_or(period).min(period);
        match &self.budget {
            Value::Stated(budget) if *budget <= most => Ladder::List(vec![*budget]),
            Value::Stated(_) => Ladder::List(Vec::new()),
            Value::Open(_, allowed) => {
                let least = self.limits.map_or(self.floor, |limits| limits.least_budget);
                Ladder::of_budget(allowed, period, most, least)
            }
        }
    }
}

/// The nodes of a system, a parent before its children. Which periods are considered does not depend on
/// the aim.
pub(crate) fn nodes(open: &Open, system: &System, aim: &Aim) -> Vec<Node> {
    let aimed = aim.applied(system.clone());
    let names: BTreeSet<&str> = open
        .values()
        .iter()
        .filter(|value| matches!(value.key, OpenKey::Budget | OpenKey::Period))
        .map(|value| value.of.as_str())
        .collect();
    let mut nodes: Vec<Node> = Vec::new();
    for (id, supply) in system.supplies.iter().enumerate() {
        let Some(server) = supply.server().filter(|_| names.contains(&*supply.name)) else {
            continue;
        };
        let value = |key, stated| value(open, &supply.name, key, stated);
        let (budget, period) =
            (value(OpenKey::Budget, server.budget), value(OpenKey::Period, server.period));
        let limits = system.limits_of(SupplyId(id));
        let periods = match &period {
            Value::Stated(time) => Ladder::List(vec![*time]),
            Value::Open(_, allowed) => {
                Ladder::of_period(allowed, shortest(system, SupplyId(id)), limits)
            }
        };
        let inside = chain(system, server.on);
        let of_host = inside.iter().all(|&id| system.supply(id).vm.is_none());
        let parent = nodes
            .iter()
            .rposition(|node| inside.iter().any(|&id| system.supply(id).name == node.name));
        nodes.push(Node {
            name: supply.name.clone(),
            parent,
            is_outermost: parent.is_none(),
            floor: Duration::ZERO,
            pays: false,
            budget,
            period,
            deadline: server.deadline(),
            periods,
            limits,
            used: used(&aimed, SupplyId(id)),
            needed: Needed::new(open, &aimed, SupplyId(id)),
            switching: if of_host {
                switching(&system.costs, server.kind())
            } else {
                Duration::ZERO
            },
            urgency: server.priority,
            weight: aim.weights.of(&system.supply(system.core_of(SupplyId(id))).name),
        });
    }
    for id in system.interrupt_ids() {
        let is_open = |node: &Node| names.contains(&*node.name);
        let node = pseudo_vcpu(open, (system, &aimed), aim, &nodes, id).filter(is_open);
        nodes.extend(node);
    }
    nodes
}

/// The pseudo-VCPU of an interrupt, with the nodes of all servers.
fn pseudo_vcpu(
    open: &Open,
    (system, aimed): (&System, &System),
    aim: &Aim,
    nodes: &[Node],
    id: InterruptId,
) -> Option<Node> {
    let (vcpu, own) = payer::of_interrupt(system, id)?;
    let name = system.pseudo_vcpu_name(id);
    let value = |key, stated| value(open, &name, key, stated);
    let (budget, period) = (value(OpenKey::Budget, own.budget), value(OpenKey::Period, own.period));
    let periods = match &period {
        Value::Stated(time) => Ladder::List(vec![*time]),
        Value::Open(_, Allowed::Any) => Ladder::List(payer::periods(system, id)),
        Value::Open(_, allowed) => Ladder::of_period(allowed, Duration::RESOLUTION, None),
    };
    // It is settled with its virtual processor, if that is to be designed.
    let is = |id: SupplyId| nodes.iter().position(|node| node.name == system.supply(id).name);
    let with = is(vcpu);
    let parent = chain(system, vcpu).into_iter().find_map(is);
    Some(Node {
        parent,
        is_outermost: with.map_or(parent.is_none(), |with| nodes[with].is_outermost),
        floor: payer::credit(aimed, id),
        pays: true,
        budget,
        period,
        deadline: None,
        periods,
        limits: None,
        used: Vec::new(),
        needed: Needed::default(),
        switching: Duration::ZERO,
        urgency: own.priority.unwrap_or(Priority(limits::PRIORITY)),
        weight: aim.weights.of(&system.supply(system.core_of(vcpu)).name),
        name,
    })
}

/// A budget or a period as it is stated, or what may be chosen for it.
fn value(open: &Open, of: &str, key: OpenKey, stated: Duration) -> Value {
    let place = open.values().iter().position(|value| value.of == of && value.key == key);
    place.map_or(Value::Stated(stated), |at| Value::Open(at, open.values()[at].allowed.clone()))
}

/// The supply that decides a requirement.
pub(crate) fn supply_of(system: &System, kind: RequirementKind) -> SupplyId {
    match kind {
        RequirementKind::Deadline(task) => system.task(task).on,
        RequirementKind::HandledWithin(id) => {
            let interrupt = system.interrupt(id);
            let delivered = interrupt.delivery.as_ref().map(|delivery| delivery.vcpu);
            let woken = interrupt.wakes.map(|task| system.task(task).on);
            woken.or(delivered).unwrap_or(interrupt.on)
        }
    }
}

/// Whether something required is of a member, or of something in it.
pub(crate) fn is_of(system: &System, required: RequirementKind, member: Member) -> bool {
    let woken = match required {
        RequirementKind::Deadline(task) => Some(task),
        RequirementKind::HandledWithin(id) => system.interrupt(id).wakes,
    };
    match member {
        Member::Task(task) => woken == Some(task),
        Member::Server(server) => {
            let is_in = |on: SupplyId| chain(system, on).contains(&server);
            is_in(supply_of(system, required))
                || woken.is_some_and(|task| is_in(system.task(task).on))
        }
    }
}

/// The shortest time that is required of something in a server, but for interrupts that a pseudo-VCPU pays for; the shortest
/// period if nothing is.
pub(crate) fn shortest(system: &System, server: SupplyId) -> Duration {
    const NOTHING: Duration = Duration::from_ms(10);
    let inside = |supply: SupplyId| chain(system, supply).contains(&server);
    let is_paid = |kind: RequirementKind| match kind {
        RequirementKind::HandledWithin(id) => payer::of_interrupt(system, id).is_some(),
        RequirementKind::Deadline(_) => false,
    };
    let required = system.requirements.iter().filter(|of| !is_paid(of.kind));
    let required = required.filter(|of| inside(supply_of(system, of.kind))).map(|of| of.limit);
    let tasks = || system.tasks.iter().filter(|task| inside(task.on));
    required.min().or_else(|| tasks().map(|task| task.cycle().1).min()).unwrap_or(NOTHING)
}

/// Work and period of the tasks in a server whose every job must be complete in time, and which nothing but
/// the server gives time to: a pseudo-VCPU lets whatever its guest would run.
pub(crate) fn used(system: &System, server: SupplyId) -> Vec<(Duration, Duration)> {
    let required = system.requirements.iter().filter(|of| of.probability.is_none());
    let tasks = required.filter_map(|of| match of.kind {
        RequirementKind::Deadline(id) => Some(system.task(id)),
        RequirementKind::HandledWithin(_) => None,
    });
    tasks
        // What of a burst is needed in one window is not looked at.
        .filter(|task| task.activation == Activation::Sporadic && task.distances.is_none())
        .filter(|task| {
            let around = chain(system, task.on);
            around.contains(&server) && !around.iter().any(|id| has_pseudo_vcpu(system, *id))
        })
        .map(|task| (task.wcet, task.min_interarrival))
        .collect()
}

/// Something for each open value, to look at a system before the values are chosen: `fixed` where it is
/// said, else what conflicts with least.
pub(crate) fn provisional(open: &Open, fixed: &[Option<Chosen>]) -> Vec<Chosen> {
    let choose = |at: usize| {
        let value = &open.values()[at];
        fixed[at].clone().unwrap_or_else(|| match (&value.allowed, value.key) {
            (Allowed::Supplies(names), _) => Chosen::On(names[0].0.clone()),
            (Allowed::Kinds(kinds), _) => Chosen::Kind(kinds[0]),
            (Allowed::Priorities(priorities), _) => Chosen::Priority(priorities[0]),
            (Allowed::Any, OpenKey::Priority) => Chosen::Priority(Priority(1)),
            (_, OpenKey::Budget) => Chosen::Time(value.least_budget()),
            (Allowed::Grid { from, to, step }, _) => {
                Chosen::Time(*from + *step * to.saturating_sub(*from).div_floor(*step))
            }
            (Allowed::Times(times), _) => Chosen::Time(times[times.len() - 1]),
            (Allowed::Any, _) => Chosen::Time(Duration::MAX_STATED),
        })
    };
    (0..open.values().len()).map(choose).collect()
}
