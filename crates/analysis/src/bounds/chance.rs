//! How often a requirement with a probability is not kept at most.
//!
//! A bound on all histories within the limit says: never. Else the task is to be alone in a
//! constant-bandwidth server whose budgets are guaranteed ([`Reservation`]), or scheduled by priority
//! (`thresholds.rs`); where both have a bound the lesser one counts. A task that states no
//! `execution` takes its longest time always.
//!
//! **Does not cover** cores of which a task wakes others or is woken by them, but for bounds on all histories.

use super::Fold;
use super::average::averages;
use super::found::{Alone, Bounds, task_of};
use crate::bounds::assumed::{about_costs, learnt, no_own_storm};
use crate::derivation::{Derivation, OfProbability};
use crate::finding::{Chance, Finding, Form, Local, Method};
use crate::ground::Assumption;
use crate::ground::{Reason, Unreserved};
use crate::overhead::pays_for_routines;
use crate::request::Card;
use crate::server_kind::Sheet;
use crate::stochastic::{Distribution, NoDistribution, Probability, Reservation};
use vorrang_model::system::{Activation, Costs, Member, Requirement, Server, System, Task, TaskId};
use vorrang_time::Duration;

impl Bounds {
    /// How often what a requirement is about takes longer than the requirement allows.
    pub fn chance(&self, system: &System, requirement: &Requirement) -> Chance {
        let always = self.requirement(requirement);
        if always.bound().is_some_and(|bound| bound <= requirement.limit) {
            let assumptions = always.assumptions().to_vec();
            return Finding::proven(Probability::ZERO, assumptions, always.method);
        }
        if is_beside_wakes(system, requirement) {
            let (what, why) = (requirement.name.clone(), Unreserved::BesideWakes);
            return Finding::none(METHOD, Reason::NoReservation { what, why });
        }
        let task = task_of(system, requirement.kind);
        let seldom = task.and_then(|task| {
            self.seldom[task.0].iter().find(|seldom| seldom.limit == requirement.limit)
        });
        let alone = task.and_then(|task| self.alone[task.0].as_ref());
        let by_backlog = match alone {
            Some(Ok((reservation, assumed))) => {
                let later = reservation.later_than(requirement.limit);
                Finding::proven(later, united(always.assumptions(), assumed), METHOD)
            }
            Some(Err(reason)) => Finding::none(METHOD, reason.clone()),
            None => {
                let (what, why) = (requirement.name.clone(), Unreserved::NoTask);
                Finding::none(METHOD, Reason::NoReservation { what, why })
            }
        };
        lesser(seldom.map(|seldom| seldom.finding.clone()), by_backlog)
    }
}

/// Whether tasks of its core wake others, or are woken by them: when these come depends on how long others take.
fn is_beside_wakes(system: &System, requirement: &Requirement) -> bool {
    let core = system.core_of_requirement(requirement);
    let takes_part = |task: &Task| task.activation.is_by_tasks() || !task.wakes.is_empty();
    system.tasks.iter().any(|task| takes_part(task) && system.core_of(task.on) == core)
}

/// The lesser of two bounds; where there is none, why there is no first one.
fn lesser(first: Option<Chance>, second: Chance) -> Chance {
    let bound = first.as_ref().and_then(Finding::bound);
    let is_less = second.bound().is_some_and(|own| bound.is_none_or(|bound| own < bound));
    match first {
        Some(first) if !is_less => first,
        _ => second,
    }
}

const METHOD: Method = Method { local: Local::Chance, form: Form::PeriodicResource };

/// What a bound for all histories takes for granted, and what a reservation does.
fn united(always: &[Assumption], alone: &[Assumption]) -> Vec<Assumption> {
    let mut both = [always, alone].concat();
    both.sort_unstable();
    both.dedup();
    both
}

impl Fold<'_> {
    /// The tasks with a probabilistic requirement, in their reservations.
    pub(super) fn alone(&self) -> Vec<Alone> {
        let mut alone = vec![None; self.system.tasks.len()];
        for requirement in &self.system.requirements {
            let task = task_of(self.system, requirement.kind);
            if let Some(task) = task.filter(|_| requirement.probability.is_some()) {
                let place: &mut Alone = &mut alone[task.0];
                place
                    .get_or_insert_with(|| Ok((self.reservation(task)?, self.assumed_alone(task))));
            }
        }
        alone
    }

    fn assumed_alone(&self, id: TaskId) -> Vec<Assumption> {
        let (system, task) = (self.system, self.system.task(id));
        let costs = about_costs(system, task.on);
        let mut assumed = vec![Assumption::Workload, costs, Assumption::Independence];
        assumed.extend(learnt(system));
        assumed.extend(averages(system, task.on, Some(id), true));
        if let Activation::Interrupt(interrupt) = task.activation {
            assumed.extend(no_own_storm(system, system.interrupt(interrupt)));
        }
        assumed
    }

    fn reservation(&self, id: TaskId) -> Result<Reservation, Reason> {
        let (system, task) = (self.system, self.system.task(id));
        let none = |why| Reason::NoReservation { what: task.name.clone(), why };
        let server = server_alone(system, id).map_err(none)?;
        let Some(late) = self.late[task.on.0] else {
            let reason = self.tasks[id.0].as_ref().and_then(|finding| finding.reason().cloned());
            return Err(reason.unwrap_or_else(|| none(Unreserved::LateBudget)));
        };
        let (distance, jitter) = match self.arrivals.woken(id) {
            None if task.activation == Activation::Sporadic => (task.min_interarrival, task.jitter),
            Some(Ok((_, requests))) if !requests.waits_for_ever => {
                (requests.calm.arrivals.period, requests.calm.arrivals.jitter)
            }
            _ => return Err(none(Unreserved::Wakes)),
        };
        let cost = cost(task, server).map_err(|_| none(Unreserved::TooDifferent))?;
        let effort = self.effort.another();
        effort.restart_for_all();
        Reservation::new(cost, distance, server.budget, server.period, &effort)
            // A budget that comes late delays all as a late release does.
            .map(|alone| alone.released_within(jitter + late.kept))
            .map_err(|why| self.why.no_bound(task.on, why))
    }
}

/// The constant-bandwidth server that a task is alone in, or what keeps it from that.
fn server_alone(system: &System, id: TaskId) -> Result<&Server, Unreserved> {
    let task = system.task(id);
    let supply = system.supply(task.on);
    let server = supply.server().ok_or(Unreserved::NotAlone)?;
    let is_constant = Sheet::of_server(server).may_be_late()
        && server.relative_deadline() == server.period
        && !server.reclaims();
    let delivered = |interrupt: &vorrang_model::system::Interrupt| {
        interrupt.delivery.as_ref().is_some_and(|delivery| delivery.vcpu == task.on)
    };
    if Card::polled_by(system, id).is_some() {
        Err(Unreserved::Packets)
    } else if !is_constant || supply.members[..] != [Member::Task(id)] {
        Err(Unreserved::NotAlone)
    } else if pays_for_routines(system, task.on) {
        Err(Unreserved::ChargedRoutines)
    } else if !system.supply(server.on).overrun.is_zero() {
        Err(Unreserved::LateRuntimes)
    } else if system.interrupts.iter().any(delivered) {
        Err(Unreserved::Delivery)
    } else if system.costs != Costs::default() || task.cache.or(supply.cache).is_some() {
        Err(Unreserved::Costs)
    } else {
        Ok(server)
    }
}

/// The time of a job, the section that may hold it up included.
fn cost(task: &Task, server: &Server) -> Result<Distribution, NoDistribution> {
    let longest = [(task.wcet, 1)];
    let stated = if task.execution.is_empty() { &longest[..] } else { &task.execution[..] };
    let times: Vec<_> =
        stated.iter().map(|&(time, weight)| (time + task.blocking, weight)).collect();
    Distribution::new(&times, Distribution::step_for(&times, server.budget))
}

impl Bounds {
    /// The derivation of the bound on the probability of a requirement.
    pub(crate) fn derivation_of_chance(
        &self,
        system: &System,
        requirement: &Requirement,
    ) -> Derivation {
        let chance = self.chance(system, requirement);
        match (task_of(system, requirement.kind), chance.found) {
            (_, Err(reason)) => Derivation::of(OfProbability::NoBound(reason)),
            (Some(_), Ok(_)) if chance.method.local == Local::Thresholds => chance.derivation,
            (Some(task), Ok(_)) if chance.method == METHOD => {
                match (&self.alone[task.0], server_alone(system, task)) {
                    (Some(Ok((alone, _))), Ok(server)) => {
                        derive((task, system.task(task)), server, alone)
                    }
                    _ => Derivation::default(),
                }
            }
            _ => Derivation::of(OfProbability::Never),
        }
    }
}

fn derive((id, task): (TaskId, &Task), server: &Server, alone: &Reservation) -> Derivation {
    let (apart, step) = (task.min_interarrival, alone.cost().step());
    let (backlog, counted) = alone.backlog();
    let Server { budget, period, .. } = *server;
    let mut to = Derivation::of(OfProbability::Alone { task: id, server: task.on, budget, period });
    to.indented(|to| {
        to.push(OfProbability::Times {
            mean: step * alone.cost().mean_steps_ceil(),
            longest: step * u64::from(alone.cost().longest()),
            step,
        });
        let between = step * backlog.served();
        to.push(OfProbability::Served { counted, apart, budget, period, between });
        to.push(OfProbability::Decay(backlog.decay()));
        to.push(OfProbability::AnyBacklog(backlog.at_least(1)));
    });
    for (limit, later) in table(alone, period) {
        to.push(OfProbability::Exceeds { limit, later });
    }
    to.cite(
        "Abeni, Buttazzo 1999: R <= ceil(v/Q) T, v = max(0, v' - served) + c; an upper bound on every job; docs/theory/backlog.md",
    );
    to
}

/// P{R > k T} for k = 1, 2, … until it is below 10^-12, at most a dozen lines.
fn table(alone: &Reservation, period: Duration) -> Vec<(Duration, Probability)> {
    const LINES: u64 = 12;
    let mut table = Vec::new();
    for k in 1..=LINES {
        let Some(limit) = period.checked_mul(k) else { break };
        let later = alone.later_than(limit);
        table.push((limit, later));
        if later.per_trillion_ceil() <= 1 {
            break;
        }
    }
    table
}
