//! The nearest change that proves a requirement: one parameter of one server or task.
//!
//! **Model.** For a requirement on a task (or on an interrupt that wakes one) that is not proven: the least
//! budget of the task's own server, at the same period, with which its bound is within the limit; if none
//! is, or it takes from what was proven, the largest execution time of the task, if that is at least half
//! of what it has now; else the bound as its limit. Budgets and execution times by bisection, in steps
//! of about a thousandth of the period or execution time. What is said was seen: the analysis was run on the
//! changed system, found this requirement proven, and every requirement proven that was so before.
//!
//! **Cost.** At most [`RUNS`] analyses and [`TERMS`] terms of their equations in all, for the first
//! requirements in the order of declaration, and none on systems of more than [`ENTITIES`]. So the result
//! does not depend on the speed of the machine.
//!
//! **Does not cover** changes of two parameters, of priorities and periods, and requirements with a
//! probability. Bounds need not be monotonic in a budget: a lesser one than the one found may do as well.

use crate::cause::Cause;
use crate::unit::Unit;
use crate::verdict::Ruling;
use vorrang_analysis::utilisation::occupied;
use vorrang_analysis::{Bandwidth, Bounds, bounds_within};
use vorrang_model::System;
use vorrang_model::system::{RequirementKind, ServerKind, SupplyId, TaskId};
use vorrang_time::Duration;

/// Analyses in all.
const RUNS: u32 = 40;
/// Terms of equations in all: some tenth of a second.
const TERMS: u64 = 10_000_000;
/// Tasks, servers and interrupts of a system of which one analysis takes milliseconds.
const ENTITIES: usize = 50;

/// Says of each requirement that is not proven what would help.
pub fn seek(system: &System, found: &Bounds, rulings: &mut [Ruling]) {
    let mut search = Search { system, proven: proven(system, found), runs: RUNS, terms: TERMS };
    for (place, ruling) in rulings.iter_mut().enumerate() {
        let Some(cause) = ruling.cause() else { continue };
        let help = match search.nearest(place, cause, ruling) {
            Ok(Some(change)) => format!("would be proven with {change}"),
            Ok(None) => cause.help().to_owned(),
            Err(why) => format!("{} (the nearest change is not sought: {why})", cause.help()),
        };
        ruling.help = Some(help);
    }
}

/// Of each requirement, whether its bound is within its limit.
fn proven(system: &System, found: &Bounds) -> Vec<bool> {
    let within = |required: &vorrang_model::system::Requirement| {
        found.requirement(required).bound.is_some_and(|bound| bound <= required.limit)
    };
    system.requirements.iter().map(within).collect()
}

struct Search<'s> {
    system: &'s System,
    proven: Vec<bool>,
    /// Analyses that are left.
    runs: u32,
    /// Terms of their equations that are left.
    terms: u64,
}

/// One parameter with another value.
#[derive(Clone, Copy)]
enum Change {
    Budget(SupplyId, Duration),
    Wcet(TaskId, Duration),
    Limit(RequirementKind, Duration),
}

/// What an analysis of a changed system says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    NotProven,
    /// But something else no longer is.
    Lost,
    Proven,
}

impl Search<'_> {
    fn nearest(
        &mut self,
        place: usize,
        cause: Cause,
        ruling: &Ruling,
    ) -> Result<Option<String>, &'static str> {
        let no_parameter = matches!(
            cause,
            Cause::Unrepresented | Cause::NotCovered | Cause::HeldBack | Cause::Interrupted
        );
        let task = match ruling.kind {
            RequirementKind::Deadline(task) => Some(task),
            RequirementKind::HandledWithin(id) => self.system.interrupt(id).wakes,
        };
        let Some(task) = task.filter(|_| !no_parameter && ruling.chance.is_none()) else {
            return Ok(None);
        };
        let System { supplies, tasks, interrupts, timers, .. } = self.system;
        if supplies.len() + tasks.len() + interrupts.len() + timers.len() > ENTITIES {
            return Err("the system is large");
        }
        let mut change = self.budget(place, task)?;
        if change.is_none() {
            change = self.wcet(place, task)?;
        }
        if let (None, Some(bound)) = (change, ruling.bound) {
            change = self.verified(place, Change::Limit(ruling.kind, bound))?;
        }
        Ok(change.map(|change| self.said(change)))
    }

    /// The least budget of the task's own server.
    fn budget(&mut self, place: usize, task: TaskId) -> Result<Option<Change>, &'static str> {
        let id = self.system.task(task).on;
        let Some(server) = &self.system.supply(id).server else { return Ok(None) };
        if matches!(server.kind, ServerKind::Share | ServerKind::Slot) {
            return Ok(None);
        }
        let left = occupied(self.system)[server.on.0].left();
        let Some(left) = left.map(Bandwidth::hundredths_floor) else { return Ok(None) };
        let step = step(server.period);
        let Ok(left) = u64::try_from(left) else { return Ok(None) };
        let more = u128::from(server.period.as_ns()) * u128::from(left) / 10_000;
        let more = u64::try_from(more).unwrap_or(0);
        let most = server.deadline.unwrap_or(server.period).as_ns();
        let most = most.min(server.budget.as_ns().saturating_add(more)) / step;
        let least = server.budget.as_ns() / step;
        let change = |steps: u64| Change::Budget(id, Duration::from_ns(steps * step));
        if most <= least || self.run(place, change(most))? == Outcome::NotProven {
            return Ok(None);
        }
        let (mut below, mut enough) = (least, most);
        while enough - below > 1 {
            let middle = below + (enough - below) / 2;
            if self.run(place, change(middle))? == Outcome::NotProven {
                below = middle;
            } else {
                enough = middle;
            }
        }
        self.verified(place, change(enough))
    }

    /// The longest execution time of the task, from half of it on.
    fn wcet(&mut self, place: usize, task: TaskId) -> Result<Option<Change>, &'static str> {
        let own = self.system.task(task);
        if !own.execution.is_empty() {
            return Ok(None);
        }
        let step = step(own.wcet);
        let change = |steps: u64| Change::Wcet(task, Duration::from_ns(steps * step));
        let most = own.wcet.as_ns().div_ceil(step);
        let half = most / 2;
        if half == 0 || self.run(place, change(half))? == Outcome::NotProven {
            return Ok(None);
        }
        let (mut enough, mut above) = (half, most);
        while above - enough > 1 {
            let middle = enough + (above - enough) / 2;
            if self.run(place, change(middle))? == Outcome::NotProven {
                above = middle;
            } else {
                enough = middle;
            }
        }
        self.verified(place, change(enough))
    }

    fn verified(&mut self, place: usize, change: Change) -> Result<Option<Change>, &'static str> {
        Ok((self.run(place, change)? == Outcome::Proven).then_some(change))
    }

    /// One analysis of the changed system.
    fn run(&mut self, place: usize, change: Change) -> Result<Outcome, &'static str> {
        let used_up = "what may be tried was tried";
        self.runs = self.runs.checked_sub(1).ok_or(used_up)?;
        let mut system = self.system.clone();
        match change {
            Change::Budget(id, budget) => {
                system.supplies[id.0].server.as_mut().expect("it has one").budget = budget;
            }
            Change::Wcet(id, wcet) => {
                let task = &mut system.tasks[id.0];
                (task.wcet, task.bcet) = (wcet, task.bcet.min(wcet));
            }
            Change::Limit(kind, limit) => {
                system.requirements[place].limit = limit;
                if let RequirementKind::Deadline(id) = kind {
                    system.tasks[id.0].deadline = Some(limit);
                }
            }
        }
        let (now, left) = bounds_within(&system, self.terms);
        self.terms = left;
        if left == 0 {
            return Err(used_up);
        }
        let now = proven(&system, &now);
        let lost = self.proven.iter().zip(&now).any(|(before, now)| *before && !now);
        Ok(match (now[place], lost) {
            (false, _) => Outcome::NotProven,
            (true, true) => Outcome::Lost,
            (true, false) => Outcome::Proven,
        })
    }

    fn said(&self, change: Change) -> String {
        let text = |time: Duration| Unit::of(time).text(time);
        match change {
            Change::Budget(id, budget) => {
                let supply = self.system.supply(id);
                let server = supply.server.as_ref().expect("it has one");
                let (name, now) = (&supply.name, text(server.budget));
                format!("budget = \"{}\" of {name} (now {now})", text(budget))
            }
            Change::Wcet(id, wcet) => {
                let task = self.system.task(id);
                let (name, now) = (&task.name, text(task.wcet));
                format!("wcet = \"{}\" of {name} (now {now})", text(wcet))
            }
            Change::Limit(RequirementKind::Deadline(id), limit) => {
                format!("deadline = \"{}\" of {}", text(limit), self.system.task(id).name)
            }
            Change::Limit(RequirementKind::HandledWithin(id), limit) => {
                format!("{} allowed for {}", text(limit), self.system.interrupt(id).name)
            }
        }
    }
}

/// A power of ten, about a thousandth of a time.
fn step(time: Duration) -> u64 {
    10_u64.pow((time.as_ns() / 1_000).checked_ilog10().unwrap_or(0))
}
