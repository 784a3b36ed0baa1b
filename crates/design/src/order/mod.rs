//! The members of a supply that priorities order, and the priorities to choose from.
//!
//! Priorities matter by comparison only. So of the numbers that may be chosen only those are kept
//! that compare differently: the *breaks* (priorities that are stated, and where what may be chosen begins
//! and ends) and as many between two of them as there are members. Where nothing is said, a member
//! gets a number that no other one has. Of pseudo-VCPUs those of one guest get the same: of different priorities one may be
//! charged for the interrupt of another (docs/theory/pseudo-vcpu.md).
//!
//! An order is *contested* if the budget of something in it is to be chosen: a less urgent member needs more
//! there. Then each order is searched for by itself (`enumeration.rs`). Else any order will do with which everything holds ([`crate::audsley`]).

mod payers;
mod ranked;

pub(crate) use ranked::{Entrant, Priorities, Ranked};

use crate::layout::{chain, is_of, shortest};
use crate::payer;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_model::system::{Member, Priority, Scheduler, SupplyId, System};
use vorrang_model::{Allowed, Open, OpenKey, OpenValue, limits};

/// The members of one supply.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) supply: SupplyId,
    pub(crate) members: Vec<Ranked>,
    /// Whether there are numbers for every order of those that have one of their own.
    pub(crate) is_ample: bool,
}

/// The orders of which something is open, outer supplies before inner ones.
pub(crate) fn orders(open: &Open, system: &System) -> Vec<Order> {
    let by_priority = |id: SupplyId| {
        matches!(system.supply(id).scheduler, Scheduler::FixedPriority | Scheduler::Linux)
    };
    let open_values: BTreeMap<&str, usize> = (0..)
        .zip(open.values())
        .filter(|(_, value)| value.key == OpenKey::Priority)
        .map(|(at, value)| (&*value.of, at))
        .collect();
    if open_values.is_empty() {
        return Vec::new();
    }
    let order = |supply: SupplyId| {
        // Where deadlines decide, pseudo-VCPUs are before all of them, and have an order among each other.
        let members = system.supply(supply).members.iter().filter(|_| by_priority(supply));
        let members = members.filter_map(|&member| ranked(open, system, &open_values, member));
        let mut members: Vec<Ranked> = members.collect();
        members.extend(payers::ranked(open, system, &open_values, supply));
        members.iter().any(Ranked::is_open).then(|| with_choices(open, supply, members))
    };
    system.supply_ids().filter_map(order).collect()
}

fn ranked(
    open: &Open,
    system: &System,
    open_values: &BTreeMap<&str, usize>,
    member: Member,
) -> Option<Ranked> {
    let (name, priority, shortest) = match member {
        Member::Task(id) => {
            let task = system.task(id);
            let required = system.requirements.iter().filter(|of| is_of(system, of.kind, member));
            let required = required.map(|of| of.limit).min();
            (&task.name, task.priority, required.unwrap_or(task.cycle().1))
        }
        Member::Server(id) => {
            let server = system.supply(id).server()?;
            let by_deadline = server.kind().is_of_linux();
            if by_deadline && system.supply(server.on).scheduler == Scheduler::Linux {
                return None;
            }
            (&system.supply(id).name, server.priority, shortest(system, id))
        }
    };
    let at: Vec<usize> = open_values.get(&**name).copied().into_iter().collect();
    let has_own = at.first().is_some_and(|&at| open.values()[at].allowed == Allowed::Any);
    let member = Entrant::Member(member);
    Some(Ranked { member, at, choices: vec![priority], has_own, shortest })
}

/// Fills in what may be chosen.
fn with_choices(open: &Open, supply: SupplyId, mut members: Vec<Ranked>) -> Order {
    let count = u32::try_from(members.len()).unwrap_or(limits::PRIORITY);
    let listed = |member: &Ranked| match member.at.first().map(|&at| &open.values()[at].allowed) {
        Some(Allowed::Priorities(all)) => all.clone(),
        Some(_) if member.has_own => Vec::new(),
        _ => member.choices.clone(),
    };
    let mut breaks: BTreeSet<u32> = BTreeSet::new();
    for member in &members {
        let all = listed(member);
        let is_range = matches!((all.first(), all.last()), (Some(first), Some(last))
            if (last.0 - first.0) as usize + 1 == all.len());
        let ends = if is_range {
            [all.first(), all.last()].into_iter().flatten()
        } else {
            [None, None].into_iter().flatten()
        };
        breaks.extend(ends.map(|priority| priority.0));
        if !is_range {
            breaks.extend(all.iter().map(|priority| priority.0));
        }
    }
    let is_kept = |number: u32| {
        let below = breaks.range(..=number).next_back();
        below.is_none_or(|below| number - below <= count)
    };
    let (first, last) = match (breaks.first(), breaks.last()) {
        (Some(first), Some(last)) => {
            (first.saturating_sub(count), last.saturating_add(count).min(limits::PRIORITY))
        }
        _ => (1, count),
    };
    let mut own: Vec<u32> = Vec::new();
    let mut start = first;
    for stop in breaks.iter().copied().chain([last + 1]) {
        own.extend((start..stop).take(count as usize));
        start = stop + 1;
    }
    let mut starts = breaks.iter().map(|number| number + 1).collect::<Vec<u32>>();
    starts.insert(0, 0);
    let stops = breaks.iter().copied().chain([limits::PRIORITY + 1]);
    let gaps = starts.into_iter().zip(stops);
    let scarce = gaps.into_iter().any(|(start, stop)| stop.saturating_sub(start) < count);
    let is_ample = !scarce || members.iter().all(|member| !member.has_own);
    for member in &mut members {
        if member.has_own {
            member.choices = own.iter().copied().map(Priority).collect();
        } else if member.is_open() {
            member.choices = listed(member).into_iter().filter(|own| is_kept(own.0)).collect();
        }
    }
    Order { supply, members, is_ample }
}

impl Order {
    /// Whether the budget of something in it is to be chosen.
    pub(crate) fn is_contested(&self, open: &Open, system: &System) -> bool {
        let budgets = open.values().iter().filter(|value| value.key == OpenKey::Budget);
        let ids = budgets
            .filter_map(|value| system.supply_ids().find(|&id| system.supply(id).name == value.of));
        let mut budgets = open.values().iter().filter(|value| value.key == OpenKey::Budget);
        let is_paid_here = |value: &OpenValue| {
            let id = payer::by_name(system, &value.of);
            let paid = id.and_then(|id| payer::of_interrupt(system, id));
            paid.is_some_and(|(vcpu, _)| chain(system, vcpu)[1..].contains(&self.supply))
        };
        ids.into_iter().any(|id| id != self.supply && chain(system, id).contains(&self.supply))
            || budgets.any(is_paid_here)
    }

    /// Deadline monotonic: shorter is more urgent, of equals the first declared, as far as the choices
    /// allow for it.
    pub(crate) fn by_deadlines(&self) -> Priorities {
        let mut chosen: Priorities = Vec::new();
        let mut least = None;
        for place in self.longest_first() {
            let own = &self.members[place];
            let Ranked { choices, shortest, .. } = own;
            if !own.is_open() {
                continue;
            }
            let stated = self.members.iter().filter(|other| !other.is_open());
            let below = stated.filter(|other| other.shortest > *shortest);
            let below = below.map(|other| other.choices[0]).max().max(least);
            let next = choices.iter().find(|own| below.is_none_or(|below| **own > below));
            let priority = *next.or(choices.last()).expect("something may be chosen");
            least = Some(priority);
            chosen.extend(own.with(priority));
        }
        chosen
    }

    /// The places of the members, the longest time first, of equals the last declared.
    pub(crate) fn longest_first(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.members.len()).rev().collect();
        places.sort_by_key(|&place| std::cmp::Reverse(self.members[place].shortest));
        places
    }
}

#[cfg(test)]
mod tests;
