//! What moves in a margin or a remedy: a parameter of a system, its value, and the system with another one.
//!
//! **Assumptions.** 1. A changed system says what its description does: it is written down and read again
//! ([`described`]).

use crate::arrivals;
use crate::asked::Asked;
use crate::taken::{least_budget, longest};
use vorrang_model::system::{
    Activation, Distance, Distances, InterruptId, Member, PseudoVcpu, RequirementKind,
    RtThrottling, SupplyId, TaskId,
};
use vorrang_model::{Format, System, read, write_toml};
use vorrang_time::Duration;

/// A parameter that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parameter {
    /// The execution time of a task, upwards.
    Wcet(TaskId),
    /// The execution times of all tasks by one factor, upwards; those of service routines stay.
    AllWcets,
    /// The budget of a server, downwards.
    Budget(SupplyId),
    /// The period of a server with its budget as it is, upwards.
    Period(SupplyId),
    /// The least time between two arrivals of a task; with the longest where it arrives exactly that far apart.
    TaskPeriod(TaskId, Way),
    /// The longest time between two arrivals of a task, upwards.
    Latest(TaskId),
    /// When a task arrives by the clock, within a period.
    Offset(TaskId, Way),
    /// How often all interrupts come, by one factor, upwards.
    InterruptRate,
    /// What a switch takes, upwards.
    ContextSwitch,
    /// The limit of a requirement, by place in the order of declaration.
    Limit(usize),
    /// What a chain allows, by its place.
    ChainLimit(usize, Asked),
    /// The budget of the pseudo-VCPU of an interrupt, upwards.
    Credit(InterruptId),
    /// What a supply under Linux keeps for `SCHED_OTHER`: it is there (1), or not (0).
    FairServer(SupplyId),
    /// The limit of the real-time threads of a core under Linux: it is there (1), or not (0).
    Throttling(SupplyId),
}

/// Where a parameter moves that may be harder either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// To larger values.
    Up,
    /// To smaller ones.
    Down,
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// A time.
    Time(Duration),
    /// A factor, in thousandths.
    Factor(u64),
    /// Something is there, or not.
    There(bool),
}

/// The largest factor that is tried.
const MOST: u64 = 1_000_000;
/// One, in thousandths.
const ONE: u64 = 1_000;

fn stated_at_most(now: u64) -> u64 {
    now.saturating_mul(MOST / ONE).min(Duration::MAX_STATED.as_ns())
}

impl Parameter {
    /// Whether less of it is the harder case.
    pub(crate) fn falls(self) -> bool {
        matches!(
            self,
            Self::Budget(_) | Self::TaskPeriod(_, Way::Down) | Self::Offset(_, Way::Down)
        )
    }

    /// What it is in a system, in its steps.
    pub(crate) fn value(self, system: &System) -> u64 {
        let server = |id: SupplyId| system.supply(id).server().expect("it has one");
        let stated = |time: Option<Duration>| time.expect("it is stated").as_ns();
        match self {
            Self::Wcet(task) => system.task(task).wcet.as_ns(),
            Self::AllWcets | Self::InterruptRate => ONE,
            Self::Budget(id) => server(id).budget.as_ns(),
            Self::Period(id) => server(id).period.as_ns(),
            Self::TaskPeriod(id, _) => system.task(id).min_interarrival.as_ns(),
            Self::Latest(id) => stated(system.task(id).latest_interarrival),
            Self::Offset(id, _) => stated(system.task(id).offset),
            Self::ContextSwitch => system.costs.context_switch.as_ns(),
            Self::Limit(place) => system.requirements[place].limit.as_ns(),
            Self::ChainLimit(place, of) => stated(of.limit(&system.chains[place])),
            Self::Credit(id) => pseudo_vcpu(system, id).expect("it has one").budget.as_ns(),
            Self::FairServer(id) => u64::from(system.fair_server(id).is_some()),
            Self::Throttling(id) => u64::from(system.supply(id).rt_throttling.limit().is_some()),
        }
    }

    /// A value as people are told it.
    pub(crate) fn amount(self, value: u64) -> Amount {
        match self {
            Self::AllWcets | Self::InterruptRate => Amount::Factor(value),
            Self::FairServer(_) | Self::Throttling(_) => Amount::There(value > 0),
            _ => Amount::Time(Duration::from_ns(value)),
        }
    }

    /// Nothing beyond it is looked at.
    pub(crate) fn farthest(self, system: &System, now: u64) -> u64 {
        match self {
            Self::Budget(id) => least_budget(system, id).min(now),
            Self::Period(id) => stated_at_most(now).min(longest(system, id).as_ns()).max(now),
            Self::AllWcets | Self::InterruptRate => MOST,
            Self::TaskPeriod(_, Way::Down) => 1,
            // A period later its arrivals are the same but for the first one.
            Self::Offset(id, Way::Up) => now + (system.task(id).min_interarrival.as_ns() - 1),
            Self::Offset(_, Way::Down) => 0,
            Self::ContextSwitch => now.max(1_000_000_000),
            _ => stated_at_most(now).max(now),
        }
    }
}

/// The system with another value.
fn changed(system: &System, parameter: Parameter, value: u64) -> System {
    let mut system = system.clone();
    let time = Duration::from_ns(value);
    let most = Duration::MAX_STATED;
    match parameter {
        Parameter::Wcet(task) => {
            let task = &mut system.tasks[task.0];
            (task.wcet, task.bcet) = (time, task.bcet.min(time));
        }
        Parameter::AllWcets => {
            for task in system.tasks.iter_mut().filter(|task| !task.polls) {
                task.wcet = scaled(task.wcet, value).min(most);
                for (time, _) in &mut task.execution {
                    *time = scaled(*time, value).min(most);
                }
                let first = task.execution.first().map(|(time, _)| *time);
                task.bcet = first.unwrap_or_else(|| task.bcet.min(task.wcet));
            }
        }
        Parameter::Budget(id) | Parameter::Period(id) => {
            let server = system.supplies[id.0].server_mut().expect("it has one");
            if matches!(parameter, Parameter::Budget(_)) {
                server.budget = time;
            } else {
                server.period = time;
            }
        }
        Parameter::TaskPeriod(id, _) => arrivals::set_period(&mut system.tasks[id.0], time),
        Parameter::Latest(id) => system.tasks[id.0].latest_interarrival = Some(time),
        Parameter::Offset(id, _) => system.tasks[id.0].offset = Some(time),
        Parameter::InterruptRate => hasten(&mut system, value),
        Parameter::ContextSwitch => system.costs.context_switch = time,
        Parameter::Credit(id) => {
            let delivery = system.interrupts[id.0].delivery.as_mut();
            let credit = delivery.and_then(|own| own.pseudo_vcpu.as_mut()).expect("it has one");
            credit.budget = time;
        }
        Parameter::FairServer(id) => {
            let is_fair = |member: &Member| matches!(*member, Member::Server(of) if system.supply(of).serves_other);
            let mut members = system.supply(id).members.clone();
            members.retain(|member| value > 0 || !is_fair(member));
            system.supplies[id.0].members = members;
        }
        Parameter::Throttling(id) => {
            if value == 0 {
                system.supplies[id.0].rt_throttling = RtThrottling::Never;
            }
        }
        Parameter::ChainLimit(at, of) => *of.limit_mut(&mut system.chains[at]) = Some(time),
        Parameter::Limit(place) => {
            let required = &mut system.requirements[place];
            required.limit = time;
            if let RequirementKind::Deadline(task) = required.kind {
                system.tasks[task.0].deadline = Some(time);
            }
        }
    }
    system
}

fn hasten_all(distances: &mut Option<Distances>, faster: &impl Fn(Duration) -> Duration) {
    let each = |own: &Distance| Distance { least: faster(own.least), ..*own };
    let stated = distances.as_ref().map(|own| own.stated().iter().map(each).collect());
    *distances = stated.and_then(|stated: Vec<Distance>| Distances::some(&stated));
}

/// All interrupts but those of timers come so much more often, and what they wake, directly or over tasks.
fn hasten(system: &mut System, value: u64) {
    let faster = |time: Duration| Duration::from_ns((time.as_ns() * ONE / value).max(1));
    let of_timers: Vec<bool> =
        system.interrupts.iter().map(|interrupt| interrupt.timer.is_some()).collect();
    for interrupt in system.interrupts.iter_mut().filter(|own| own.timer.is_none()) {
        interrupt.min_interarrival = faster(interrupt.min_interarrival);
        hasten_all(&mut interrupt.distances, &faster);
        let storm = interrupt.storm;
        interrupt.storm = storm.map(|storm| storm.min(interrupt.min_interarrival));
    }
    let sources: Vec<Activation> = system.task_ids().map(|id| system.source_of(id)).collect();
    for (task, source) in system.tasks.iter_mut().zip(sources) {
        if let Activation::Interrupt(id) = source
            && !of_timers[id.0]
        {
            task.min_interarrival = faster(task.min_interarrival);
            hasten_all(&mut task.distances, &faster);
        }
    }
}

/// The reservation that an interrupt is charged to.
pub(crate) fn pseudo_vcpu(system: &System, id: InterruptId) -> Option<&PseudoVcpu> {
    system.interrupt(id).delivery.as_ref()?.pseudo_vcpu.as_ref()
}

/// The same as it is read from a description.
///
/// # Errors
/// Why there is none that says it.
pub(crate) fn described(
    system: &System,
    parameter: Parameter,
    value: u64,
) -> Result<System, String> {
    let changed = changed(system, parameter, value);
    let described = read(write_toml(&changed), Format::Toml);
    // What is not represented is not written.
    described
        .map(|described| System { unsupported: changed.unsupported, ..described })
        .map_err(|errors| errors[0].message.clone())
}

/// A time by a factor, rounded up.
fn scaled(time: Duration, factor: u64) -> Duration {
    let product = u128::from(time.as_ns()) * u128::from(factor);
    let scaled = product.div_ceil(u128::from(ONE));
    Duration::from_ns(u64::try_from(scaled).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
