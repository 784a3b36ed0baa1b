//! Which changes are looked at for a requirement that is not proven, or a budget that is not guaranteed, how far, and
//! what each costs.
//!
//! **Assumptions.** 1. A share that a server in another one takes is one of that, and counts in full.

use crate::layout::{chain, supply_of};
use crate::parameter::{Parameter, pseudo_vcpu};
use crate::taken::{largest, least_budget, longest, shortest};
use vorrang_analysis::Bandwidth;
use vorrang_analysis::utilisation::occupied;
use vorrang_model::System;
use vorrang_model::system::{Member, RequirementKind, Server, SupplyId};
use vorrang_time::Duration;

/// A parameter, and how far it may move one way.
pub(crate) struct Candidate {
    pub(crate) parameter: Parameter,
    pub(crate) now: u64,
    pub(crate) is_upwards: bool,
    /// Away from now, the nearest first; the values between them are not looked at before one of them does.
    pub(crate) distances: Vec<u64>,
}

/// The groups of candidates for a requirement, the cheaper first (`remedy/mod.rs`). Of servers that are not guaranteed
/// their budgets less may help, too.
pub(crate) fn of_requirement(
    system: &System,
    requirement: usize,
    bound: Option<Duration>,
    is_guaranteed: impl Fn(SupplyId) -> bool,
) -> [Vec<Candidate>; 4] {
    let required = &system.requirements[requirement];
    let task = match required.kind {
        RequirementKind::Deadline(task) => Some(task),
        RequirementKind::HandledWithin(id) => system.interrupt(id).wakes,
    };
    let around = chain(system, supply_of(system, required.kind));
    let reserving = around.iter().flat_map(|&id| more_around(system, id)).collect();
    let mut easing: Vec<Parameter> = task.map(Parameter::Wcet).into_iter().collect();
    let others = beside(system, &around).filter(|of| task.map(Parameter::Wcet) != Some(*of));
    easing.extend(others);
    let own = around.iter().filter(|&&id| has_budget(system, id) && !is_guaranteed(id));
    easing.extend(own.map(|&id| Parameter::Budget(id)));
    let further = bound.and_then(|bound| bound.as_ns().checked_sub(required.limit.as_ns()));
    let granting = further.filter(|more| *more > 0).map(|more| {
        let parameter = Parameter::Limit(requirement);
        let now = parameter.value(system);
        Candidate { parameter, now, is_upwards: true, distances: vec![more] }
    });
    let left_out = without_kept(system, &around);
    let eased = eased(system, &[system.core_of(around[0])], easing);
    [reserving, left_out, eased, granting.into_iter().collect()]
}

/// The groups of candidates for the guarantee of a budget, the cheaper first: what is reserved around the server,
/// and then what eases it, a longer period with its budget as it is among that.
pub(crate) fn of_budget(system: &System, server: SupplyId) -> [Vec<Candidate>; 3] {
    let with_own = chain(system, server);
    let around = &with_own[1..];
    let reserving = around.iter().flat_map(|&id| reserving(system, id)).collect();
    let others = beside(system, around).filter(|of| *of != Parameter::Budget(server));
    let easing = [Parameter::Budget(server)].into_iter().chain(others).collect();
    let mut easing = eased(system, &[system.core_of(server)], easing);
    easing.extend(longer(system, server));
    [reserving, without_kept(system, around), easing]
}

/// What gives a supply more: more of a server, and of the pseudo-VCPUs of interrupts that it takes.
pub(crate) fn more_around(system: &System, id: SupplyId) -> Vec<Candidate> {
    let mut all = reserving(system, id);
    all.extend(system.interrupt_ids().filter_map(|interrupt| {
        let is_own =
            system.interrupt(interrupt).delivery.as_ref().is_some_and(|own| own.vcpu == id);
        let own = pseudo_vcpu(system, interrupt).filter(|_| is_own)?;
        let (parameter, now) = (Parameter::Credit(interrupt), own.budget.as_ns());
        let distances = doubled(now, own.period.saturating_sub(own.budget).as_ns(), 64);
        Some(Candidate { parameter, now, is_upwards: true, distances })
    }));
    all
}

/// What is kept for `SCHED_OTHER` beside what stands on these supplies, and the limit of the real-time threads, left out.
pub(crate) fn without_kept(system: &System, around: &[SupplyId]) -> Vec<Candidate> {
    let fair = around.iter().filter(|&&id| system.fair_server(id).is_some());
    let limited = around.iter().filter(|&&id| system.supply(id).rt_throttling.limit().is_some());
    let kept = fair.map(|&id| Parameter::FairServer(id));
    let kept = kept.chain(limited.map(|&id| Parameter::Throttling(id)));
    let candidate =
        |parameter| Candidate { parameter, now: 1, is_upwards: false, distances: vec![1] };
    kept.map(candidate).collect()
}

/// What is on these supplies, each of which stands on the next one: work and budgets, but for the budgets of
/// these themselves.
pub(crate) fn beside<'s>(
    system: &'s System,
    around: &'s [SupplyId],
) -> impl Iterator<Item = Parameter> + use<'s> {
    let members = around.iter().flat_map(|&supply| &system.supply(supply).members);
    members.filter_map(move |&member| match member {
        Member::Task(id) => Some(Parameter::Wcet(id)),
        Member::Server(id) => {
            (!around.contains(&id) && has_budget(system, id)).then_some(Parameter::Budget(id))
        }
    })
}

/// Candidates to be less, with what everything on these cores has in common.
pub(crate) fn eased(
    system: &System,
    cores: &[SupplyId],
    mut easing: Vec<Parameter>,
) -> Vec<Candidate> {
    easing.extend([Parameter::AllWcets, Parameter::InterruptRate, Parameter::ContextSwitch]);
    let is_there = |parameter: &Parameter| match *parameter {
        Parameter::Wcet(id) => system.task(id).execution.is_empty(),
        Parameter::InterruptRate => {
            cores.iter().any(|&core| system.requests_on(core).next().is_some())
        }
        _ => parameter.value(system) > 1,
    };
    easing.into_iter().filter(is_there).map(|of| Candidate::easing(system, of)).collect()
}

/// A longer period of a server, up to twice what it is.
fn longer(system: &System, id: SupplyId) -> Option<Candidate> {
    let server = system.supply(id).server()?;
    // The other slots of the core have no place for another period.
    if server.kind().has_place() {
        return None;
    }
    let parameter = Parameter::Period(id);
    let now = parameter.value(system);
    let most = now.min(longest(system, id).as_ns().saturating_sub(now));
    Some(Candidate { parameter, now, is_upwards: true, distances: doubled(now, most, 16) })
}

pub(crate) fn has_budget(system: &System, id: SupplyId) -> bool {
    system.supply(id).server().is_some()
}

/// What gives a server more: a larger budget, a shorter period.
fn reserving(system: &System, id: SupplyId) -> Vec<Candidate> {
    let Some(server) = system.supply(id).server() else { return Vec::new() };
    let Server { budget, period, .. } = *server;
    let most = server.relative_deadline().min(largest(system, id, period));
    let mut more = doubled(budget.as_ns(), most.as_ns().saturating_sub(budget.as_ns()), 64);
    // All that is left where it stands is looked at, too.
    let left = left(system, server);
    if let Err(place) = more.binary_search(&left)
        && place < more.len()
        && left > 0
    {
        more.insert(place, left);
    }
    let (of_budget, of_period) = (Parameter::Budget(id), Parameter::Period(id));
    let shorter = doubled(period.as_ns(), (period - shortest(system, id, budget)).as_ns(), 64);
    let budget = Candidate {
        parameter: of_budget,
        now: of_budget.value(system),
        is_upwards: true,
        distances: more,
    };
    // The other slots of the core have no place for another period.
    if server.kind().has_place() {
        return vec![budget];
    }
    let now = of_period.value(system);
    let period = Candidate { parameter: of_period, now, is_upwards: false, distances: shorter };
    vec![budget, period]
}

/// The time in each period of a server that its supply has left, rounded down.
fn left(system: &System, server: &Server) -> u64 {
    let share = occupied(system)[server.on.0].left().map_or(0, Bandwidth::hundredths_floor);
    let share = u128::try_from(share).unwrap_or(0);
    let left = u128::from(server.period.as_ns()) * share / 10_000;
    u64::try_from(left).unwrap_or(0)
}

/// Distances from a part of what something is, doubled, up to the most.
fn doubled(now: u64, most: u64, part: u64) -> Vec<u64> {
    let first = now.div_ceil(part).max(1);
    let doubled = std::iter::successors(Some(first), |distance| distance.checked_mul(2));
    let mut all: Vec<u64> = doubled.take_while(|distance| *distance < most).collect();
    all.extend(Some(most).filter(|most| *most > 0));
    all
}

impl Candidate {
    fn easing(system: &System, parameter: Parameter) -> Self {
        let now = parameter.value(system);
        let most = match parameter {
            Parameter::ContextSwitch => now,
            Parameter::Budget(id) => (now / 2).min(now.saturating_sub(least_budget(system, id))),
            // No less than the least distance.
            Parameter::Latest(id) => {
                (now / 2).min(now.saturating_sub(system.task(id).min_interarrival.as_ns()))
            }
            _ => now / 2,
        };
        // More work of others never helps; of a budget and a rate nothing says so.
        let is_monotonic = matches!(
            parameter,
            Parameter::Wcet(_) | Parameter::AllWcets | Parameter::ContextSwitch
        );
        let distances = if is_monotonic { vec![most] } else { doubled(now, most, 16) };
        Self { parameter, now, is_upwards: false, distances }
    }

    /// Distances of values with few digits that are no nearer than this one, and move the value by no more than a
    /// fiftieth: those with the fewest digits first, itself last.
    pub(crate) fn written(&self, distance: u64) -> Vec<u64> {
        const LEAST_DIGITS: u32 = 2;
        let value = self.at(distance);
        let digits = value.checked_ilog10().map_or(1, |power| power + 1);
        let farthest = self.distances.last().copied().unwrap_or(0);
        let steps = (0..=digits.saturating_sub(LEAST_DIGITS)).rev().map(|power| 10_u64.pow(power));
        let rounded = steps.map(|step| {
            let below = value / step * step;
            if self.is_upwards && below < value { below + step } else { below }
        });
        let near = rounded.filter(|rounded| rounded.abs_diff(value) <= value / 50);
        let mut all: Vec<u64> = near.map(|rounded| rounded.abs_diff(self.now)).collect();
        all.retain(|other| *other <= farthest);
        all.dedup();
        all
    }

    pub(crate) fn at(&self, distance: u64) -> u64 {
        if self.is_upwards { self.now + distance } else { self.now - distance }
    }

    /// What a value costs, in units of 2^-62: comparable with others of the same group.
    pub(crate) fn price(&self, system: &System, value: u64) -> u128 {
        let share = |over: u64, under: u64| (u128::from(over) << 62).div_ceil(u128::from(under));
        let server = |id: SupplyId| system.supply(id).server().expect("it has one");
        match self.parameter {
            Parameter::Budget(id) if self.is_upwards => {
                share(value - self.now, server(id).period.as_ns())
            }
            Parameter::Credit(id) => {
                let period = pseudo_vcpu(system, id).expect("it has one").period;
                share(value - self.now, period.as_ns())
            }
            Parameter::Period(id) if !self.is_upwards => {
                let budget = server(id).budget.as_ns();
                share(budget, value).saturating_sub(share(budget, self.now))
            }
            _ => share(value.abs_diff(self.now), self.now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(now: u64, is_upwards: bool, farthest: u64) -> Candidate {
        Candidate { parameter: Parameter::AllWcets, now, is_upwards, distances: vec![farthest] }
    }

    #[test]
    fn values_have_as_few_digits_as_a_fiftieth_allows_and_are_no_nearer() {
        let written = |of: Candidate, distance: u64| -> Vec<u64> {
            of.written(distance).into_iter().map(|distance| of.at(distance)).collect()
        };
        let period = written(candidate(20_000_000, false, 15_000_000), 20_000_000 - 16_154_285);
        assert_eq!((period[0], period[1]), (16_000_000, 16_100_000));
        assert_eq!(period.last(), Some(&16_154_285));
        let budget = written(candidate(500_000, true, 500_000), 32_214);
        assert_eq!(budget, [540_000, 533_000, 532_300, 532_220, 532_214]);
        // 140 is more than a fiftieth away, and nothing is looked at beyond the farthest.
        assert_eq!(written(candidate(50_000, true, 90_000), 83_000), [133_000]);
        assert_eq!(written(candidate(500_000, true, 33_000), 32_214)[0], 533_000);
        assert_eq!(written(candidate(1_000, false, 500), 189), [810, 811]);
    }
}
