//! Patterns in [their text form](super::text), written.

use super::form::Form;
use super::plain::PLAIN;
use crate::choice::{Arrivals, Delay, Execution, Spacing};
use crate::history::{Blocker, History};
use vorrang_model::system::System;
use vorrang_time::{Duration, Instant};

pub(super) fn write(system: &System, form: &Form) -> String {
    match form {
        Form::Synchronous => "synchronous".to_owned(),
        Form::Exhausted { task, variant } => {
            format!("exhausted:{}:{variant}", system.task(*task).name)
        }
        Form::Blocked { task, variant: None } => format!("blocked:{}", system.task(*task).name),
        Form::Blocked { task, variant: Some(variant) } => {
            format!("blocked:{}:{variant}", system.task(*task).name)
        }
        Form::Last { interrupt } => format!("last:{}", system.interrupt(*interrupt).name),
        Form::Charged { server } => format!("charged:{}", system.supply(*server).name),
        Form::Random { seed } => format!("random:{seed}"),
        Form::Periodic { seed } => format!("periodic:{seed}"),
        Form::Storm { interrupt, seed: None } => {
            format!("storm:{}", system.interrupt(*interrupt).name)
        }
        Form::Storm { interrupt, seed: Some(seed) } => {
            format!("storm:{}:{seed}", system.interrupt(*interrupt).name)
        }
        Form::Explicit(history) => format!("explicit:{}", write_history(system, history)),
    }
}

fn write_history(system: &System, history: &History) -> String {
    let mut parts = Vec::new();
    for (index, (supply, phase)) in system.supplies.iter().zip(&history.phases).enumerate() {
        let overrun = history.overruns[index];
        if !overrun.is_zero() {
            parts.push(format!("{}={phase},overrun={overrun}", supply.name));
        } else if !phase.is_zero() {
            parts.push(format!("{}={phase}", supply.name));
        }
    }
    let of_tasks = system.tasks.iter().map(|task| &task.name).zip(&history.tasks);
    let of_timers = system.timers.iter().map(|timer| &timer.name).zip(&history.timers);
    for (name, arrivals) in of_tasks.chain(of_timers).filter(|(_, own)| **own != PLAIN) {
        parts.push(format!("{name}={}", write_arrivals(arrivals)));
    }
    let plain = write_arrivals(&PLAIN);
    for (index, interrupt) in system.interrupts.iter().enumerate() {
        let text = write_requests(history, index);
        if text != plain && interrupt.timer.is_none() {
            parts.push(format!("{}={text}", interrupt.name));
        }
    }
    for (device, first) in system.devices.iter().zip(&history.devices) {
        match first {
            None => parts.push(format!("{}=never", device.name)),
            Some(Instant::ZERO) => {}
            Some(first) => parts.push(format!("{}={first}", device.name)),
        }
    }
    if history.seed != 0 {
        parts.push(format!("seed={}", history.seed));
    }
    match history.execution {
        Execution::Full => {}
        Execution::Drawn => parts.push("execution=drawn".to_owned()),
        Execution::Random => parts.push("execution=random".to_owned()),
    }
    if !history.sections.is_zero() {
        parts.push(format!("sections={}", history.sections));
    }
    if let Some(Blocker { member, from }) = history.blocker {
        parts.push(format!("blocking={}@{from}", system.member_name(member)));
    }
    parts.join(";")
}

fn write_requests(history: &History, interrupt: usize) -> String {
    let arrivals = write_arrivals(&history.interrupts[interrupt]);
    let storm = if history.storms[interrupt] { ",storm" } else { "" };
    match history.pseudo_vcpu_phases[interrupt] {
        Duration::ZERO => format!("{arrivals}{storm}"),
        phase => format!("{arrivals}{storm},pseudo-vcpu={phase}"),
    }
}

fn write_arrivals(arrivals: &Arrivals) -> String {
    let Some(first) = arrivals.first else { return "never".to_owned() };
    let delay = match arrivals.delay {
        Delay::None => "",
        Delay::FirstLate => ",late",
        Delay::Random => ",delayed",
    };
    match arrivals.spacing {
        Spacing::Periodic => format!("{first}{delay}"),
        Spacing::Random { up_to } => format!("{first}{delay},spread={up_to}"),
    }
}
