//! What moves in a margin or a remedy: a parameter of a system, its value, and the system with another one.
//!
//! **Assumptions.** 1. A changed system says what its description does: it is written down and read again
//! ([`described`]).

use crate::taken::{least_budget, longest};
use vorrang_model::system::{Activation, RequirementKind, ServerKind, SupplyId, TaskId};
use vorrang_model::{Format, System, read, write_toml};
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
    /// The limit of a requirement, by place in the order of declaration.
    Limit(usize),
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// A time.
    Time(Duration),
    /// A factor, in thousandths.
    Factor(u64),
}

/// The largest factor that is tried.
const MOST: u64 = 1_000_000;
/// One, in thousandths.
const ONE: u64 = 1_000;

/// Those that have to do with a requirement.
pub(crate) fn parameters(system: &System, requirement: usize) -> Vec<Parameter> {
    let required = &system.requirements[requirement];
    let core = system.core_of_requirement(required);
    let task = match required.kind {
        RequirementKind::Deadline(task) => Some(task),
        RequirementKind::HandledWithin(interrupt) => system.interrupt(interrupt).wakes,
    };
    let task = task.filter(|&id| system.task(id).execution.is_empty());
    let mut all: Vec<Parameter> = task.map(Parameter::Wcet).into_iter().collect();
    all.extend(task.map(|_| Parameter::AllWcets));
    let server = task.map(|id| system.task(id).on);
    let server = server.filter(|&on| system.supply(on).server().is_some());
    if let Some(server) = server {
        all.push(Parameter::Budget(server));
        let is_slot = |id: SupplyId| system.supply(id).server_kind() == Some(ServerKind::Slot);
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

fn stated_at_most(now: u64) -> u64 {
    now.saturating_mul(MOST / ONE).min(Duration::MAX_STATED.as_ns())
}

impl Parameter {
    /// Whether less of it is the harder case.
    pub(crate) fn falls(self) -> bool {
        matches!(self, Self::Budget(_))
    }

    /// What it is in a system, in its steps.
    pub(crate) fn value(self, system: &System) -> u64 {
        let server = |id: SupplyId| system.supply(id).server().expect("it has one");
        match self {
            Self::Wcet(task) => system.task(task).wcet.as_ns(),
            Self::AllWcets | Self::InterruptRate => ONE,
            Self::Budget(id) => server(id).budget.as_ns(),
            Self::Period(id) => server(id).period.as_ns(),
            Self::ContextSwitch => system.costs.context_switch.as_ns(),
            Self::Limit(place) => system.requirements[place].limit.as_ns(),
        }
    }

    /// A value as people are told it.
    pub(crate) fn amount(self, value: u64) -> Amount {
        match self {
            Self::AllWcets | Self::InterruptRate => Amount::Factor(value),
            _ => Amount::Time(Duration::from_ns(value)),
        }
    }

    /// Nothing beyond it is looked at.
    pub(crate) fn farthest(self, system: &System, now: u64) -> u64 {
        match self {
            Self::Budget(id) => least_budget(system, id).min(now),
            Self::Period(id) => stated_at_most(now).min(longest(system, id).as_ns()).max(now),
            Self::AllWcets | Self::InterruptRate => MOST,
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
            for task in &mut system.tasks {
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
mod tests {
    use super::*;
    use vorrang_model::system::InterruptId;

    fn system(text: &str) -> System {
        let text = format!("version = 1\n{text}");
        read(&*text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
    }

    const CORE: &str = "[core.0]\nscheduler = \"fixed-priority\"\n";
    const OTHER: &str = "[core.1]\nscheduler = \"fixed-priority\"\n[interrupt.far]\non = \"core.1\"\n\
                         isr = \"1us\"\nmin-interarrival = \"1ms\"\n";
    const TASK: &str =
        "[task.t]\non = \"core.0\"\nwcet = \"1ms\"\nbcet = \"600us\"\nperiod = \"10ms\"\n";

    #[test]
    fn only_what_has_to_do_with_a_requirement_moves() {
        use Parameter::{AllWcets, Budget, ContextSwitch, InterruptRate, Period, Wcet};
        let of = |text: &str| parameters(&system(text), 0);
        let (wcet, server) = (Wcet(TaskId(0)), SupplyId(1));
        assert_eq!(of(&format!("{CORE}{TASK}")), [wcet, AllWcets]);
        // An interrupt of another core is no matter; one of this core, and a second member, are.
        assert_eq!(of(&format!("{CORE}{TASK}{OTHER}")), [wcet, AllWcets]);
        let near = OTHER.replace("core.1", "core.0").replace(CORE, "");
        let second = TASK.replace("task.t", "task.u");
        let both = format!("{CORE}{TASK}priority = 2\n{second}priority = 1\n{near}");
        assert_eq!(of(&both), [wcet, AllWcets, InterruptRate, ContextSwitch]);
        // The other slots of a core leave no place for another period; a share has neither.
        let inside = TASK.replace("core.0", "server.s");
        let within =
            |core: &str, keys: &str| format!("{core}[server.s]\non = \"core.0\"\n{keys}\n{inside}");
        let times = "budget = \"2ms\"\nperiod = \"5ms\"";
        let deferrable = within(CORE, &format!("server = \"deferrable\"\n{times}"));
        assert_eq!(of(&deferrable), [wcet, AllWcets, Budget(server), Period(server)]);
        let slots = CORE.replace("fixed-priority", "slots");
        let slot = within(&slots, &format!("server = \"slot\"\noffset = \"0s\"\n{times}"));
        assert_eq!(of(&slot), [wcet, AllWcets, Budget(server)]);
        let turns = CORE.replace("\"fixed-priority\"", "\"round-robin\"\nquantum = \"1ms\"");
        let share = within(&turns, "server = \"share\"\nshare = 1");
        assert_eq!(of(&share), [wcet, AllWcets]);
        // Times that are chosen by chance have no longest one to move.
        let chance =
            TASK.replace("wcet = \"1ms\"\nbcet = \"600us\"", "execution = { \"1ms\" = 1 }");
        assert_eq!(of(&format!("{CORE}{chance}")), []);
    }

    #[test]
    fn shortest_times_stay_as_far_as_they_are_not_above_the_longest() {
        let chance = TASK.replace("task.t", "task.u").replace(
            "wcet = \"1ms\"\nbcet = \"600us\"",
            "execution = { \"1ms\" = 2, \"3ms\" = 1 }\npriority = 1",
        );
        let system = system(&format!("{CORE}{TASK}priority = 2\n{chance}"));
        let times = |parameter: Parameter, value: u64| {
            let of = described(&system, parameter, value).expect("it can be written");
            let us = |time: Duration| time.as_ns() / 1_000;
            let execution: Vec<u64> = of.tasks[1].execution.iter().map(|own| us(own.0)).collect();
            (of.tasks.iter().map(|own| [us(own.bcet), us(own.wcet)]).collect::<Vec<_>>(), execution)
        };
        let stays = vec![1_000, 3_000];
        let wcet = Parameter::Wcet(TaskId(0));
        assert_eq!(times(wcet, 2_000_000), (vec![[600, 2_000], [1_000, 3_000]], stays.clone()));
        assert_eq!(times(wcet, 500_000), (vec![[500, 500], [1_000, 3_000]], stays));
        let (less, more) = (vec![500, 1_500], vec![2_000, 6_000]);
        let all = Parameter::AllWcets;
        assert_eq!(times(all, 500), (vec![[500, 500], [500, 1_500]], less));
        assert_eq!(times(all, 2_000), (vec![[600, 2_000], [2_000, 6_000]], more));
    }

    /// A storm is no slower than what comes without; what a timer delivers comes as often as that.
    #[test]
    fn interrupts_come_more_often_and_timers_do_not() {
        let text = format!(
            "{CORE}[interrupt.card]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\nstorm = \"100us\"\n\
             wakes = \"task.woken\"\n[task.woken]\non = \"core.0\"\nwcet = \"10us\"\npriority = 3\n\
             [vcpu.v]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"2ms\"\nperiod = \"5ms\"\npriority = 2\n\
             [task.armed]\non = \"vcpu.v\"\nwcet = \"10us\"\nperiod = \"8ms\"\n\
             [timer.own]\narmed-by = \"task.armed\"\nperiod = \"8ms\"\nisr = \"1us\"\nwakes = true\n"
        );
        let system = system(&text);
        let rate = |value: u64| {
            let of =
                described(&system, Parameter::InterruptRate, value).expect("it can be written");
            let card = of.interrupt(InterruptId(0)).clone();
            let others = of.interrupts[1..].iter().map(|own| own.min_interarrival.as_ns());
            let woken = of.tasks.iter().map(|own| own.min_interarrival.as_ns()).collect::<Vec<_>>();
            let storm = card.storm.expect("it has one").as_ns();
            ([card.min_interarrival.as_ns(), storm], others.collect::<Vec<u64>>(), woken)
        };
        let armed = 8_000_000;
        let (_, others, _) = rate(1_000);
        assert!(!others.is_empty() && others.iter().all(|own| *own == armed), "{others:?}");
        let same = others;
        assert_eq!(rate(2_000), ([500_000, 100_000], same.clone(), vec![500_000, armed]));
        assert_eq!(rate(20_000), ([50_000, 50_000], same.clone(), vec![50_000, armed]));
        // No more often than every nanosecond.
        let often = text.replace("\"1ms\"", "\"100ns\"").replace("\"100us\"", "\"100ns\"");
        let often = changed(&self::system(&often), Parameter::InterruptRate, MOST);
        assert_eq!(often.interrupts[0].min_interarrival, Duration::RESOLUTION);
    }
}
