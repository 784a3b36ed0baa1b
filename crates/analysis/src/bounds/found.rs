//! What was found for a system: bounds by task and interrupt, and what reservations promise.

use super::assumed::of_reservation;
use super::average::averages;
use crate::derivation::Derivation;
use crate::edf::Late;
use crate::finding::{Chance, Finding};
use crate::ground::Assumption;
use crate::ground::Reason;
use crate::stochastic::Reservation;
use vorrang_model::system::{InterruptId, Requirement, RequirementKind, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// What was found for each task and interrupt of a system.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub(super) tasks: Vec<Finding>,
    pub(super) interrupts: Vec<Finding>,
    /// By task: its reservation, where a requirement states a probability.
    pub(super) alone: Vec<Alone>,
    /// By task, how often it takes longer than a limit that it must keep with a probability.
    pub(super) seldom: Vec<Vec<Seldom>>,
    /// By supply: how late a constant-bandwidth server delivers what is asked of its budget, if
    /// that is known.
    pub(super) late: Vec<Option<Late>>,
    /// By supply: whether a server is guaranteed its budget, or why not.
    pub(super) guaranteed: Vec<Option<Result<Rests, Reason>>>,
    /// By supply: what is wanted beside the budget of a server that is not guaranteed it; empty unless derived.
    pub(super) wanted: Vec<Derivation>,
}

/// What the guarantee of a budget rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rests {
    /// On the budgets of other servers.
    OnBudgets,
    /// On the work in other servers.
    OnWork,
}

impl Bounds {
    /// The response time of a task.
    pub fn task(&self, id: TaskId) -> &Finding {
        &self.tasks[id.0]
    }

    /// The time until an interrupt is handled.
    pub fn interrupt(&self, id: InterruptId) -> &Finding {
        &self.interrupts[id.0]
    }

    /// How long after the end of a period a constant-bandwidth server may deliver its budget.
    pub(crate) fn behind(&self, system: &System, id: SupplyId) -> Duration {
        let (Some(server), Some(late)) = (system.supply(id).server(), self.late[id.0]) else {
            return Duration::ZERO;
        };
        (server.relative_deadline() + late.behind(server)).saturating_sub(server.period)
    }

    /// How long after the end of a period a server may receive its budget at most, or why that is not
    /// known; `None` for a core and for a server without a budget.
    pub fn reservation(&self, system: &System, id: SupplyId) -> Option<Result<Duration, &Reason>> {
        system.supply(id).server()?;
        let found = self.guaranteed[id.0].as_ref().unwrap_or(&Err(Reason::Interrupted));
        Some(found.as_ref().map(|_| self.behind(system, id)))
    }

    /// What the guarantee of the budget of a server takes for granted; nothing where there is none.
    pub fn assumed_of_reservation(&self, system: &System, id: SupplyId) -> Vec<Assumption> {
        let Some(Ok(rests)) = self.guaranteed[id.0] else { return Vec::new() };
        let mut assumed = of_reservation(system, id);
        if rests == Rests::OnWork {
            assumed.push(Assumption::WorkInServers);
        }
        let on = system.supply(id).on();
        assumed.extend(on.and_then(|on| averages(system, on, None, rests == Rests::OnWork)));
        assumed.sort_unstable();
        assumed
    }

    /// What is wanted beside the budget of a server that is not guaranteed it; empty of others, and unless derived.
    pub(crate) fn wanted(&self, id: SupplyId) -> &Derivation {
        &self.wanted[id.0]
    }

    /// The server nearest to the core, on the way of a requirement there, that is not guaranteed its budget.
    pub(crate) fn unguaranteed(&self, system: &System, kind: RequirementKind) -> Option<SupplyId> {
        let on = match kind {
            RequirementKind::Deadline(task) => system.task(task).on,
            RequirementKind::HandledWithin(id) => {
                let interrupt = system.interrupt(id);
                interrupt.delivery.as_ref().map_or(interrupt.on, |own| own.vcpu)
            }
        };
        let way = core::iter::successors(Some(on), |&id| system.supply(id).on());
        way.filter(|&id| !self.wanted(id).steps().is_empty()).last()
    }

    /// The response time that a requirement limits.
    pub fn requirement(&self, requirement: &Requirement) -> &Finding {
        self.of(requirement.kind)
    }

    /// What was found for a requirement of this kind.
    pub(crate) fn of(&self, kind: RequirementKind) -> &Finding {
        match kind {
            RequirementKind::Deadline(task) => self.task(task),
            RequirementKind::HandledWithin(interrupt) => self.interrupt(interrupt),
        }
    }
}

/// How often a task takes longer than a limit, at most.
#[derive(Clone, Debug)]
pub(super) struct Seldom {
    pub(super) limit: Duration,
    pub(super) finding: Chance,
}

/// A task alone in a reservation, and what that takes for granted; `None` for tasks of which no
/// requirement asks.
pub(super) type Alone = Option<Result<(Reservation, Vec<Assumption>), Reason>>;

/// Which task that the requirement of a probability is about.
pub(super) fn task_of(system: &System, kind: RequirementKind) -> Option<TaskId> {
    match kind {
        RequirementKind::Deadline(task) => Some(task),
        RequirementKind::HandledWithin(id) => system.interrupt(id).wakes,
    }
}
