//! The text form of patterns.
//!
//! An explicit history names what differs from the plain one, in which every server has phase
//! zero and everything arrives from the start as often as it may:
//!
//! ```text
//! explicit:vcpu.a=3ms;task.x=1ms,late;task.y=never;seed=7;execution=random;blocking=task.x@5ms
//! ```
//!
//! | part | meaning |
//! |---|---|
//! | `SERVER=TIME` | its phase |
//! | `,overrun=TIME` | its runtimes end this late |
//! | `TASK=TIME`, `INTERRUPT=TIME`, `TIMER=TIME`, `DEVICE=TIME` | its first arrival, or `never` |
//! | `TASK=0s` with one of the following | of a task with an `offset`, which arrives as that says |
//! | `,late` | the first job uses all of its jitter, the others none |
//! | `,delayed` | every job uses a random part of its jitter |
//! | `,spread=TIME` | arrivals are further apart by up to this much, at random |
//! | `,storm` | the interrupt is in a storm |
//! | `,pseudo-vcpu=TIME` | the phase of the interrupt's pseudo-VCPU |
//! | `seed=N` | the seed of all that is random; otherwise zero |
//! | `execution=drawn` | the jobs of tasks that state an `execution` draw from it |
//! | `execution=random` | jobs execute for a random time from the shortest to the longest |
//! | `sections=TIME` | non-preemptible sections of the kernel have this length |
//! | `blocking=MEMBER@TIME` | less urgent sections block a task or server, from then on |

use super::error::ParsePatternError;
use super::form::Form;
use super::plain::{PLAIN, plain};
use crate::choice::{Arrivals, Delay, Execution, Spacing};
use crate::history::{Blocker, History};
use std::collections::BTreeSet;
use std::sync::Arc;
use vorrang_model::system::{
    DeviceId, InterruptId, Member, Supply, SupplyId, System, TaskId, TimerId,
};
use vorrang_time::{Duration, Instant};

type Parsed<T> = Result<T, ParsePatternError>;

pub(super) fn parse(text: &str, system: &System) -> Parsed<Form> {
    let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
    match (kind, rest) {
        ("synchronous", None) => Ok(Form::Synchronous),
        ("exhausted", Some(rest)) => {
            let (task, variant) = task_and_variant(system, rest)?;
            Ok(Form::Exhausted { task, variant: variant.unwrap_or(0) })
        }
        ("blocked", Some(rest)) => {
            let (task, variant) = task_and_variant(system, rest)?;
            Ok(Form::Blocked { task, variant })
        }
        ("last", Some(name)) => match interrupt(system, name) {
            Some(interrupt) => Ok(Form::Last { interrupt }),
            None => Err(unknown(name)),
        },
        ("charged", Some(name)) => match server(system, name) {
            Some(server) => Ok(Form::Charged { server }),
            None => Err(unknown(name)),
        },
        ("random", Some(seed)) => Ok(Form::Random { seed: number(seed)? }),
        ("periodic", Some(seed)) => Ok(Form::Periodic { seed: number(seed)? }),
        ("storm", Some(rest)) => parse_storm(system, rest),
        ("explicit", Some(parts)) => Ok(Form::Explicit(Arc::new(parse_history(system, parts)?))),
        _ => Err(ParsePatternError::UnknownKind { word: kind.to_owned() }),
    }
}

/// `TASK` or `TASK:N`.
fn task_and_variant(system: &System, text: &str) -> Parsed<(TaskId, Option<u32>)> {
    if let Some(task) = task(system, text) {
        return Ok((task, None));
    }
    let (name, variant) = text.rsplit_once(':').ok_or_else(|| unknown(text))?;
    let task = task(system, name).ok_or_else(|| unknown(name))?;
    let variant = variant.parse().map_err(|_| malformed(variant))?;
    Ok((task, Some(variant)))
}

/// `INTERRUPT` or `INTERRUPT:SEED`.
fn parse_storm(system: &System, text: &str) -> Parsed<Form> {
    if let Some(interrupt) = interrupt(system, text) {
        return Ok(Form::Storm { interrupt, seed: None });
    }
    let (name, seed) = text.rsplit_once(':').ok_or_else(|| unknown(text))?;
    let interrupt = interrupt(system, name).ok_or_else(|| unknown(name))?;
    Ok(Form::Storm { interrupt, seed: Some(number(seed)?) })
}

fn parse_history(system: &System, parts: &str) -> Parsed<History> {
    let mut history = plain(system);
    let mut said = BTreeSet::new();
    for part in parts.split(';').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| malformed(part))?;
        if !said.insert(name) {
            return Err(ParsePatternError::Twice { name: name.to_owned() });
        }
        if let Some(task) = task(system, name) {
            let arrivals = parse_arrivals(value)?;
            let is_moved = arrivals != Arrivals { delay: arrivals.delay, ..PLAIN };
            if is_moved && system.task(task).offset.is_some() {
                return Err(ParsePatternError::Fixed { name: name.to_owned() });
            }
            history.tasks[task.0] = arrivals;
        } else if let Some(interrupt) = interrupt(system, name) {
            parse_requests(&mut history, interrupt, value)?;
        } else if let Some(timer) = timer(system, name) {
            history.timers[timer.0] = parse_arrivals(value)?;
        } else if let Some(device) = device(system, name) {
            history.devices[device.0] = parse_arrivals(value)?.first;
        } else if let Some(server) = system.supplies.iter().position(|own| own.name == name) {
            let (phase, overrun) = match value.split_once(",overrun=") {
                Some((phase, overrun)) => (phase, duration(overrun)?),
                None => (value, Duration::ZERO),
            };
            history.phases[server] = duration(phase)?;
            history.overruns[server] = overrun;
        } else {
            match (name, value) {
                ("seed", seed) => history.seed = number(seed)?,
                ("execution", "drawn") => history.execution = Execution::Drawn,
                ("execution", "random") => history.execution = Execution::Random,
                ("sections", length) => history.sections = duration(length)?,
                ("blocking", value) => history.blocker = Some(parse_blocker(system, value)?),
                ("execution", _) => return Err(malformed(part)),
                _ => return Err(unknown(name)),
            }
        }
    }
    Ok(history)
}

fn parse_arrivals(value: &str) -> Parsed<Arrivals> {
    if value == "never" {
        return Ok(Arrivals::NEVER);
    }
    let mut parts = value.split(',');
    let first = instant(parts.next().unwrap_or_default())?;
    let mut arrivals = Arrivals::from(first);
    for part in parts {
        match part.split_once('=') {
            None if part == "late" => arrivals.delay = Delay::FirstLate,
            None if part == "delayed" => arrivals.delay = Delay::Random,
            Some(("spread", time)) => {
                arrivals.spacing = Spacing::Random { up_to: duration(time)? };
            }
            _ => return Err(malformed(part)),
        }
    }
    Ok(arrivals)
}

/// Arrivals with the other options of an interrupt.
fn parse_requests(history: &mut History, of: InterruptId, value: &str) -> Parsed<()> {
    let mut own = Vec::new();
    for part in value.split(',') {
        match part.split_once('=') {
            None if part == "storm" => history.storms[of.0] = true,
            Some(("pseudo-vcpu", phase)) => history.pseudo_vcpu_phases[of.0] = duration(phase)?,
            _ => own.push(part),
        }
    }
    history.interrupts[of.0] = parse_arrivals(&own.join(","))?;
    Ok(())
}

fn parse_blocker(system: &System, value: &str) -> Parsed<Blocker> {
    let (name, at) = value.rsplit_once('@').ok_or_else(|| malformed(value))?;
    let server = || {
        let is_named = |supply: &Supply| supply.name == name && !supply.is_core();
        system.supplies.iter().position(is_named).map(|id| Member::Server(SupplyId(id)))
    };
    let member = task(system, name).map(Member::Task).or_else(server);
    let member = member.ok_or_else(|| unknown(name))?;
    Ok(Blocker { member, from: instant(at)? })
}

fn task(system: &System, name: &str) -> Option<TaskId> {
    system.tasks.iter().position(|task| task.name == name).map(TaskId)
}

fn interrupt(system: &System, name: &str) -> Option<InterruptId> {
    system.interrupts.iter().position(|interrupt| interrupt.name == name).map(InterruptId)
}

fn server(system: &System, name: &str) -> Option<SupplyId> {
    system.supply_ids().find(|&id| {
        let supply = system.supply(id);
        supply.name == name && supply.server().is_some()
    })
}

fn timer(system: &System, name: &str) -> Option<TimerId> {
    system.timers.iter().position(|timer| timer.name == name).map(TimerId)
}

fn device(system: &System, name: &str) -> Option<DeviceId> {
    system.devices.iter().position(|device| device.name == name).map(DeviceId)
}

fn number(text: &str) -> Parsed<u64> {
    text.parse().map_err(|_| malformed(text))
}

fn duration(text: &str) -> Parsed<Duration> {
    text.parse().map_err(|_| malformed(text))
}

fn instant(text: &str) -> Parsed<Instant> {
    Ok(Instant::ZERO + duration(text)?)
}

fn malformed(part: &str) -> ParsePatternError {
    ParsePatternError::Malformed { part: part.to_owned() }
}

fn unknown(name: &str) -> ParsePatternError {
    ParsePatternError::UnknownName { name: name.to_owned() }
}
