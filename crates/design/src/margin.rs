//! Margins: how far each parameter may move until a requirement is no longer proven.
//!
//! **Model.** One parameter moves, the rest stays. Of each requirement that is proven: the execution time of
//! its task, all execution times by one factor, the budget and the period of the server that its task is
//! in, the rate of all interrupts, and what a switch takes. A value is found with which the requirement is
//! proven, and the next one, in the steps of that parameter, with which it is not: doubling away from
//! what it is now, then bisection.
//!
//! **Assumptions.** 1. What is said of both values was seen. That nothing between what a parameter is now
//! and the former fails was not looked at; for execution times it follows from the analysis, whose
//! bounds never fall when work grows.
//!
//! **Cost.** Some twenty analyses for each parameter and requirement; those of parameters that several
//! requirements share are made once. Limited in number.
//!
//! **Does not cover** the other requirements: a value may refute one of them.

use crate::judge::holds_each;
use crate::steps::{Spent, Steps};
use std::collections::BTreeMap;
use vorrang_analysis::interrupt::credit;
use vorrang_model::System;
use vorrang_model::system::{
    Activation, InterruptId, RequirementKind, ServerKind, SupplyId, TaskId,
};
use vorrang_time::Duration;

/// A parameter that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parameter {
    /// The execution time of a task, upwards.
    Wcet(TaskId),
    /// All execution times by one factor, upwards.
    AllWcets,
    /// The budget of a server, downwards.
    Budget(SupplyId),
    /// The period of a server with its budget as it is, upwards.
    Period(SupplyId),
    /// How often all interrupts come, by one factor, upwards.
    InterruptRate,
    /// What a switch takes, upwards.
    ContextSwitch,
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// A time.
    Time(Duration),
    /// A factor, in thousandths.
    Factor(u64),
}

/// How far one parameter may move for one requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margin {
    /// Which.
    pub parameter: Parameter,
    /// What it is now.
    pub now: Amount,
    /// With this the requirement is proven.
    pub proven: Amount,
    /// With this, the next, it is not; `None`: as far as was looked, it is proven.
    pub not_proven: Option<Amount>,
}

/// The margins of one requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margins {
    /// By place in the order of declaration.
    pub requirement: usize,
    /// `None`: it is not proven as it is, or the analyses were used up before.
    pub of: Option<Vec<Margin>>,
    /// Whether it is proven as it is.
    pub is_proven: bool,
}

/// The largest factor that is tried.
const MOST: u64 = 1_000_000;
/// One, in thousandths.
const ONE: u64 = 1_000;

/// The margins of some requirements, with at most so many analyses; and how many were made.
pub fn margins(system: &System, requirements: &[usize], most: u64) -> (Vec<Margins>, u64) {
    let mut steps = Steps::new(most);
    let mut search = Search { system, seen: BTreeMap::new() };
    let now = holds_each(system);
    let of = |&requirement: &usize| {
        let is_proven = now[requirement];
        let of = is_proven.then(|| search.all(requirement, &mut steps).ok()).flatten();
        Margins { requirement, of, is_proven }
    };
    let all = requirements.iter().map(of).collect();
    (all, steps.taken)
}

struct Search<'s> {
    system: &'s System,
    /// What each value of each parameter proves.
    seen: BTreeMap<(Parameter, u64), Vec<bool>>,
}

impl Search<'_> {
    fn all(&mut self, requirement: usize, steps: &mut Steps) -> Result<Vec<Margin>, Spent> {
        parameters(self.system, requirement)
            .into_iter()
            .map(|parameter| self.margin(requirement, parameter, steps))
            .collect()
    }

    fn margin(
        &mut self,
        requirement: usize,
        parameter: Parameter,
        steps: &mut Steps,
    ) -> Result<Margin, Spent> {
        let now = value(self.system, parameter);
        let downwards = matches!(parameter, Parameter::Budget(_));
        let most = if downwards { now - 1 } else { farthest(parameter, now) - now };
        let at = |distance: u64| if downwards { now - distance } else { now + distance };
        let (mut proven, mut width, mut not_proven) = (0, 1, None);
        while not_proven.is_none() && proven < most {
            let next = (proven + width).min(most);
            if self.holds(parameter, at(next), requirement, steps)? {
                (proven, width) = (next, width * 2);
            } else {
                not_proven = Some(next);
            }
        }
        if let Some(not_proven) = &mut not_proven {
            while *not_proven - proven > 1 {
                let middle = proven + (*not_proven - proven) / 2;
                if self.holds(parameter, at(middle), requirement, steps)? {
                    proven = middle;
                } else {
                    *not_proven = middle;
                }
            }
        }
        let amount = |value| amount(parameter, value);
        Ok(Margin {
            parameter,
            now: amount(now),
            proven: amount(at(proven)),
            not_proven: not_proven.map(|distance| amount(at(distance))),
        })
    }

    fn holds(
        &mut self,
        parameter: Parameter,
        value: u64,
        requirement: usize,
        steps: &mut Steps,
    ) -> Result<bool, Spent> {
        if let Some(seen) = self.seen.get(&(parameter, value)) {
            return Ok(seen[requirement]);
        }
        steps.take()?;
        let changed = changed(self.system, parameter, value);
        let seen = if can_pay(&changed) {
            holds_each(&changed)
        } else {
            vec![false; changed.requirements.len()]
        };
        let holds = seen[requirement];
        self.seen.insert((parameter, value), seen);
        Ok(holds)
    }
}

/// Those that have to do with a requirement.
fn parameters(system: &System, requirement: usize) -> Vec<Parameter> {
    let required = &system.requirements[requirement];
    let core = system.core_of_requirement(required);
    let task = match required.kind {
        RequirementKind::Deadline(task) => Some(task),
        RequirementKind::HandledWithin(interrupt) => system.interrupt(interrupt).wakes,
    };
    let task = task.filter(|&id| system.task(id).execution.is_empty());
    let mut all: Vec<Parameter> = task.map(Parameter::Wcet).into_iter().collect();
    all.extend(task.map(|_| Parameter::AllWcets));
    let server = task.map(|id| system.task(id).on).filter(|&on| {
        let server = system.supply(on).server.as_ref();
        server.is_some_and(|server| server.kind != ServerKind::Share)
    });
    if let Some(server) = server {
        all.push(Parameter::Budget(server));
        let is_slot = |id: SupplyId| {
            system.supply(id).server.as_ref().is_some_and(|of| of.kind == ServerKind::Slot)
        };
        // The other slots of the core have no place for another period.
        if !is_slot(server) {
            all.push(Parameter::Period(server));
        }
    }
    if system.interrupts_on(core).next().is_some() {
        all.push(Parameter::InterruptRate);
    }
    let contexts = system.supply(core).members.len() > 1;
    if contexts {
        all.push(Parameter::ContextSwitch);
    }
    all
}

fn value(system: &System, parameter: Parameter) -> u64 {
    let server = |id: SupplyId| system.supply(id).server.as_ref().expect("it has one");
    match parameter {
        Parameter::Wcet(task) => system.task(task).wcet.as_ns(),
        Parameter::AllWcets | Parameter::InterruptRate => ONE,
        Parameter::Budget(id) => server(id).budget.as_ns(),
        Parameter::Period(id) => server(id).period.as_ns(),
        Parameter::ContextSwitch => system.costs.context_switch.as_ns(),
    }
}

fn amount(parameter: Parameter, value: u64) -> Amount {
    match parameter {
        Parameter::AllWcets | Parameter::InterruptRate => Amount::Factor(value),
        _ => Amount::Time(Duration::from_ns(value)),
    }
}

/// Nothing beyond it is looked at.
fn farthest(parameter: Parameter, now: u64) -> u64 {
    match parameter {
        Parameter::AllWcets | Parameter::InterruptRate => MOST,
        Parameter::ContextSwitch => now.max(1_000_000_000),
        _ => now.saturating_mul(MOST / ONE).min(Duration::MAX_STATED.as_ns()).max(now),
    }
}

/// The system with another value.
fn changed(system: &System, parameter: Parameter, value: u64) -> System {
    let mut system = system.clone();
    let time = Duration::from_ns(value);
    let most = Duration::MAX_STATED;
    match parameter {
        Parameter::Wcet(task) => system.tasks[task.0].wcet = time,
        Parameter::AllWcets => {
            for task in &mut system.tasks {
                task.wcet = scaled(task.wcet, value).min(most);
                for (time, _) in &mut task.execution {
                    *time = scaled(*time, value).min(most);
                }
            }
        }
        Parameter::Budget(id) | Parameter::Period(id) => {
            let server = system.supplies[id.0].server.as_mut().expect("it has one");
            if matches!(parameter, Parameter::Budget(_)) {
                server.budget = time;
            } else {
                server.period = time;
            }
        }
        Parameter::InterruptRate => {
            let faster = |time: Duration| Duration::from_ns((time.as_ns() * ONE / value).max(1));
            let of_timers: Vec<bool> =
                system.interrupts.iter().map(|interrupt| interrupt.timer.is_some()).collect();
            for interrupt in system.interrupts.iter_mut().filter(|own| own.timer.is_none()) {
                interrupt.min_interarrival = faster(interrupt.min_interarrival);
                let storm = interrupt.storm;
                interrupt.storm = storm.map(|storm| storm.min(interrupt.min_interarrival));
            }
            for task in &mut system.tasks {
                if let Activation::Interrupt(id) = task.activation
                    && !of_timers[id.0]
                {
                    task.min_interarrival = faster(task.min_interarrival);
                }
            }
        }
        Parameter::ContextSwitch => system.costs.context_switch = time,
    }
    system
}

/// Whether every pseudo-VCPU can pay for one of its interrupts; no description says otherwise, so no analysis
/// is asked.
fn can_pay(system: &System) -> bool {
    system.interrupts.iter().enumerate().all(|(id, interrupt)| {
        let paid = interrupt.delivery.as_ref().and_then(|own| own.pseudo_vcpu.as_ref());
        paid.is_none_or(|paid| paid.budget >= credit(system, InterruptId(id)))
    })
}

/// A time by a factor, rounded up.
fn scaled(time: Duration, factor: u64) -> Duration {
    let product = u128::from(time.as_ns()) * u128::from(factor);
    let scaled = product.div_ceil(u128::from(ONE));
    Duration::from_ns(u64::try_from(scaled).unwrap_or(u64::MAX))
}
