//! A sample as a description, as one question sees it.

use crate::draw::{Interrupt, Sample};
use crate::point::{Budget, Guests, Point};
use crate::question::Ask;
use std::fmt::Write as _;
use vorrang_time::Duration;

/// The text. What is written is what `vorrang check` reads.
pub(crate) fn text(point: &Point, ask: &Ask, sample: &Sample) -> String {
    let mut text = "version = 1\n".to_owned();
    if ask.costs && !point.costs.is_empty() {
        text += "\n[costs]\n";
        for (name, cost) in &point.costs {
            let _ = writeln!(text, "{name} = \"{cost}\"");
        }
    }
    let scheduler = ask.scheduler.as_ref().unwrap_or(&point.scheduler);
    // Servers have no deadlines of their own: where tasks go by theirs, servers go by their periods.
    let on_core = match (&point.guests, scheduler.as_str()) {
        (Some(_), "deadline-monotonic") => "rate-monotonic",
        (_, scheduler) => scheduler,
    };
    let _ = write!(text, "\n[core.0]\nscheduler = \"{on_core}\"\n");
    if let Some(guests) = &point.guests {
        for number in 0..guests.count {
            text += &vcpu(point, guests, ask, sample, number);
        }
    }
    for (number, task) in sample.tasks.iter().enumerate() {
        let on = match &point.guests {
            Some(_) => format!("vcpu.{}", number / point.tasks.count),
            None => "core.0".to_owned(),
        };
        let _ = write!(
            text,
            "\n[task.{number}]\non = \"{on}\"\nwcet = \"{}\"\nperiod = \"{}\"\ndeadline = \"{}\"\n",
            task.wcet, task.period, task.deadline
        );
    }
    for (number, drawn) in sample.interrupts.iter().enumerate() {
        text += &interrupt(point, ask, drawn, number);
    }
    text
}

fn vcpu(point: &Point, guests: &Guests, ask: &Ask, sample: &Sample, number: usize) -> String {
    let server = ask.server.as_ref().unwrap_or(&guests.server);
    let budget = match guests.budget {
        Budget::Designed => "?".to_owned(),
        Budget::OfDemand(ppm) => budget(point, guests.period, ppm, sample, number).to_string(),
    };
    format!(
        "\n[vcpu.{number}]\non = \"core.0\"\nserver = \"{server}\"\nbudget = \"{budget}\"\nperiod = \"{}\"\nscheduler = \"{}\"\n",
        guests.period, guests.scheduler
    )
}

/// This many millionths of what the tasks of a virtual machine use, rounded up; the whole period at most.
fn budget(point: &Point, period: Duration, ppm: u64, sample: &Sample, number: usize) -> Duration {
    let tasks = sample.tasks.chunks(point.tasks.count).nth(number).unwrap_or_default();
    let used: u128 = tasks
        .iter()
        .map(|task| {
            let work = u128::from(task.wcet.as_ns()) * u128::from(period.as_ns());
            work.div_ceil(u128::from(task.period.as_ns()))
        })
        .sum();
    let budget = (used * u128::from(ppm)).div_ceil(1_000_000);
    let budget = u64::try_from(budget).unwrap_or(u64::MAX);
    Duration::from_ns(budget.clamp(1, period.as_ns()))
}

fn interrupt(point: &Point, ask: &Ask, drawn: &Interrupt, number: usize) -> String {
    let Interrupt { isr, guest_isr, period } = drawn;
    let mut text = format!(
        "\n[interrupt.{number}]\non = \"core.0\"\nmin-interarrival = \"{period}\"\nisr = \"{isr}\"\n"
    );
    let settings = point.interrupts.as_ref().expect("drawn by them");
    if point.guests.is_some() {
        let _ = write!(text, "virtual = {{ vcpu = \"vcpu.0\", isr = \"{guest_isr}\"");
        if ask.pseudo_vcpu.unwrap_or(settings.pseudo_vcpu) {
            // What one interrupt takes in the guest: its routine, and saying that it is done.
            let exit = point.costs.iter().find(|(name, _)| ask.costs && *name == "vm-exit");
            let budget = *guest_isr + exit.map_or(Duration::ZERO, |(_, cost)| *cost);
            let _ =
                write!(text, ", pseudo-vcpu = {{ budget = \"{budget}\", period = \"{period}\" }}");
        }
        text += " }\n";
    }
    text
}
