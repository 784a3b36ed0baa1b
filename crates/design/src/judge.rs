//! What the analysis says of a system in which servers are being designed.

use crate::layout::{Node, chain, is_of, supply_of};
use crate::order::Entrant;
use crate::payer;
use vorrang_analysis::{Bounds, Known, bounds, chain_bound, counted_bounds, counted_bounds_since};
use vorrang_model::system::{
    Chain, InterruptId, Member, Priority, Requirement, RequirementKind, Scheduler, ServerKind,
    SupplyId,
};
use vorrang_model::{Allowed, Open, OpenKey, OpenValue, System};
use vorrang_time::Duration;

/// Which theorems of the analysis a search rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theorems {
    /// Those with which more of its own budget harms no server, and more of another's helps none.
    Monotonic,
    /// All: nothing takes more that way, and nothing is said of other budgets.
    All,
}

/// Whether all theorems may bound something on a core by less than the monotonic ones: servers take no more than
/// the work in them, for what is beside and below them; windows begin when a guest is idle, in those
/// that keep their budget; budgets come by their response time, of those with deadlines that keep them; and
/// members of equal priority are served first come, first served.
pub(crate) fn differ(open: &Open, system: &System, core: SupplyId) -> bool {
    use Scheduler::{Edf, FixedPriority, Linux};
    use ServerKind::{
        CbsHard, CbsSoft, Deferrable, Level, Periodic, Polling, PosixSporadic, RefillQueue,
        SchedDeadline, Share, Slot, Sporadic, Table,
    };
    let on_core = system.supply_ids().filter(|&id| system.core_of(id) == core);
    let is_known =
        |id: &SupplyId| matches!(system.supply(*id).scheduler, Edf | FixedPriority | Linux);
    on_core.filter(is_known).any(|id| {
        let members = &system.supply(id).members;
        let by_deadline = system.supply(id).scheduler == Edf;
        let has_equals = !by_deadline && may_have_equals(open, system, id);
        has_equals
            || members.iter().any(|member| {
                let Member::Server(server) = member else { return false };
                let kind = system.supply(*server).server_kind();
                match kind {
                    Some(Deferrable | Sporadic | CbsHard | CbsSoft | SchedDeadline) => true,
                    Some(Periodic | Share | Level) | None => false,
                    Some(Polling | Slot | Table | PosixSporadic | RefillQueue) => {
                        !by_deadline && members.len() > 1
                    }
                }
            })
    })
}

/// Whether a task may have the priority of another member, or of a pseudo-VCPU.
fn may_have_equals(open: &Open, system: &System, supply: SupplyId) -> bool {
    let allowed = |name: &str, stated: Priority| {
        let is_own = |value: &&OpenValue| value.key == OpenKey::Priority && value.of == name;
        match open.values().iter().find(is_own).map(|value| &value.allowed) {
            None => vec![stated],
            Some(Allowed::Priorities(all)) => all.clone(),
            // One that no other has.
            Some(_) => Vec::new(),
        }
    };
    let members = system.supply(supply).members.iter().map(|&member| match member {
        Member::Task(id) => (true, allowed(&system.task(id).name, system.task(id).priority)),
        Member::Server(id) => {
            (false, allowed(&system.supply(id).name, system.supply(id).priority()))
        }
    });
    let pseudo_vcpus = system.interrupts.iter().filter(|interrupt| interrupt.on == supply);
    let pseudo_vcpus = pseudo_vcpus.filter_map(|interrupt| {
        let own = interrupt.delivery.as_ref()?.pseudo_vcpu.as_ref()?;
        Some((false, vec![own.priority?]))
    });
    let all: Vec<(bool, Vec<Priority>)> = members.chain(pseudo_vcpus).collect();
    let meet = |one: &[Priority], other: &[Priority]| one.iter().any(|own| other.contains(own));
    all.iter().enumerate().any(|(place, (is_task, own))| {
        let mut later = all[place + 1..].iter();
        later.any(|(is_other_task, other)| (*is_task || *is_other_task) && meet(own, other))
    })
}

/// Of each node, whether what is in it is accepted, and whether its own budget is guaranteed.
pub(crate) struct Judgement {
    /// Requirements in it and in no node in it, and budgets of servers in it that are no nodes.
    pub(crate) content: Vec<bool>,
    pub(crate) reserved: Vec<bool>,
    /// Everything that is in no node.
    pub(crate) outside: bool,
}

/// A system with what the analysis finds in it.
pub(crate) struct Seen {
    system: System,
    found: Bounds,
}

impl Judgement {
    /// Whether everything is accepted.
    pub(crate) fn holds(&self) -> bool {
        self.outside && self.content.iter().chain(&self.reserved).all(|holds| *holds)
    }
}

impl Seen {
    /// With how many terms of equations that took.
    pub(crate) fn of(system: System, theorems: Theorems) -> (Self, u64) {
        let (found, terms) = counted_bounds(&system, theorems == Theorems::Monotonic);
        (Self { system, found }, terms)
    }

    pub(crate) fn judgement(&self, nodes: &[Node]) -> Judgement {
        judgement(&self.system, &self.found, nodes)
    }

    /// Whether what has a place in an order is accepted, with everything in it.
    pub(crate) fn holds(&self, entrant: &Entrant) -> bool {
        let Self { system, found } = self;
        let &member = match entrant {
            Entrant::Member(member) => member,
            Entrant::PseudoVcpus(all) => {
                let mut required = system
                    .requirements
                    .iter()
                    .filter(|of| all.iter().any(|&id| payer::pays_for(system, id, of.kind)));
                return required.all(|required| holds(system, found, required));
            }
        };
        let required = system.requirements.iter().filter(|of| is_of(system, of.kind, member));
        let is_in = |id: SupplyId| match member {
            Member::Server(server) => chain(system, id).contains(&server),
            Member::Task(_) => false,
        };
        required.into_iter().all(|required| holds(system, found, required))
            && declared(system).filter(|&id| is_in(id)).all(|id| is_guaranteed(system, found, id))
    }
}

fn judgement(system: &System, found: &Bounds, nodes: &[Node]) -> Judgement {
    let index = |id: &SupplyId| nodes.iter().position(|node| node.name == system.supply(*id).name);
    let around = |supply: SupplyId| chain(system, supply).iter().find_map(index);
    let mut judgement = Judgement {
        content: vec![true; nodes.len()],
        reserved: vec![true; nodes.len()],
        outside: true,
    };
    let mut note = |node: Option<usize>, holds: bool| match node {
        Some(node) => judgement.content[node] &= holds,
        None => judgement.outside &= holds,
    };
    for required in &system.requirements {
        let paid = payer_of(system, nodes, required.kind);
        let own = paid.or_else(|| around(supply_of(system, required.kind)));
        note(own, holds(system, found, required));
    }
    for id in declared(system) {
        let guaranteed = is_guaranteed(system, found, id);
        match index(&id) {
            Some(own) => judgement.reserved[own] = guaranteed,
            None => note(around(id), guaranteed),
        }
    }
    judgement.outside &= keeps_chains(system, found);
    judgement
}

/// The node of the pseudo-VCPU that pays for what a requirement is of.
fn payer_of(system: &System, nodes: &[Node], required: RequirementKind) -> Option<usize> {
    let is_paid = |&id: &InterruptId| {
        payer::of_interrupt(system, id).is_some() && payer::pays_for(system, id, required)
    };
    let name = system.pseudo_vcpu_name(system.interrupt_ids().find(is_paid)?);
    nodes.iter().position(|node| node.name == name)
}

/// Whether every chain is within what it requires.
fn keeps_chains(system: &System, found: &Bounds) -> bool {
    system.chains.iter().all(|chain| keeps_chain(system, found, chain))
}

fn keeps_chain(system: &System, found: &Bounds, chain: &Chain) -> bool {
    let limit = chain.reaction.into_iter().chain(chain.age).min();
    limit.is_none_or(|limit| is_within(system, found, chain, limit))
}

fn is_within(system: &System, found: &Bounds, chain: &Chain, limit: Duration) -> bool {
    chain_bound(system, found, chain).found.is_ok_and(|bound| bound <= limit)
}

/// Whether what is required of a chain is proven.
pub(crate) fn holds_along(
    system: &System,
    found: &Bounds,
    (chain, limit): (&Chain, Duration),
) -> bool {
    let mut cores = chain.path.iter().map(|&id| system.core_of(system.task(id).on));
    cores.all(|core| is_represented(system, core)) && is_within(system, found, chain, limit)
}

/// Whether the analysis proves every requirement and guarantees every budget.
pub fn accepts(system: &System) -> bool {
    let found = bounds(system);
    !(system.requirements.is_empty() && system.chains.is_empty())
        && keeps_chains(system, &found)
        && system.requirements.iter().all(|required| holds(system, &found, required))
        && declared(system).all(|id| is_guaranteed(system, &found, id))
}

/// The bounds of a system, and how many terms of equations they took.
pub(crate) fn counted(system: &System) -> (Bounds, u64) {
    counted_bounds(system, false)
}

/// Of each requirement, whether it is proven after a change, and how many terms of equations that took.
pub(crate) fn counted_each(changed: &System, before: (&System, &Bounds)) -> (Vec<bool>, u64) {
    let known = Known::of(changed, before.0, before.1);
    let (found, terms) = counted_bounds_since(changed, &known);
    (each(changed, &found), terms)
}

/// Of each requirement, whether it is proven, and then of each chain.
pub(crate) fn each(system: &System, found: &Bounds) -> Vec<bool> {
    let chains = system.chains.iter().map(|chain| {
        let limits = chain.reaction.into_iter().chain(chain.age);
        limits.min().is_none_or(|limit| holds_along(system, found, (chain, limit)))
    });
    let required = system.requirements.iter().map(|required| holds(system, found, required));
    required.chain(chains).collect()
}

fn is_represented(system: &System, core: SupplyId) -> bool {
    !system.unsupported.iter().any(|feature| feature.core.is_none_or(|of| of == core))
}

pub(crate) fn declared(system: &System) -> impl Iterator<Item = SupplyId> + '_ {
    system.supply_ids().filter(|&id| !system.supply(id).serves_other)
}

pub(crate) fn is_guaranteed(system: &System, found: &Bounds, id: SupplyId) -> bool {
    found.reservation(system, id).is_none_or(|reservation| reservation.is_ok())
        && system.is_admitted(id)
}

/// Whether a requirement is proven: in every history, or as probably as it asks.
pub(crate) fn holds(system: &System, found: &Bounds, required: &Requirement) -> bool {
    const WHOLE: u64 = 1_000_000_000_000;
    let core = system.core_of_requirement(required);
    if !is_represented(system, core) {
        return false;
    }
    if found.requirement(required).bound().is_some_and(|bound| bound <= required.limit) {
        return true;
    }
    required.probability.is_some_and(|probability| {
        let allowed = WHOLE - probability.per_trillion;
        found.chance(system, required).bound().is_some_and(|later| later.is_at_most(allowed))
    })
}
