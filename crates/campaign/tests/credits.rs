//! Pseudo-VCPUs beside calls, switches and a shield of timers, and with the task in a server of the guest, by brute
//! force: small systems, and many offsets of each.
//!
//! Drawn systems seldom have all of this and a bound. What matters is when the interrupt comes: while the
//! virtual processor has no budget, while the server in the guest has none, while a section is under way.

use crate::common::Longest;
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

/// Steps of a history.
const END: Instant = Instant::from_ns(1_500);

/// A system, and what kind of it.
struct Drawn {
    text: String,
    is_nested: bool,
    has_calls: bool,
    is_shielded: bool,
}

fn draw(random: &mut Random) -> Drawn {
    let linux = random.chance(1, 2);
    let has_calls = random.chance(2, 3);
    let is_shielded = !has_calls && random.chance(1, 2);
    let is_nested = random.chance(1, 2);
    let mut text = "version = 1\n[core.0]\n".to_owned();
    text += if linux {
        "scheduler = \"linux\"\nfair-server = \"none\"\n"
    } else {
        "scheduler = \"fixed-priority\"\n"
    };
    text += if is_shielded { "timers = \"timershield\"\n" } else { "" };
    let mut line = |number: u64, what: &str| {
        writeln!(text, "{}", what.replace('#', &number.to_string())).expect("a string takes it");
    };
    line(random.below(2), "[costs]\ntimer-expiry = \"#ns\"");
    if has_calls {
        line(random.below(2), "scheduler-call = \"#ns\"");
        line(random.between(0, 2), "context-switch = \"#ns\"");
    }
    let period = random.between(20, 60);
    let kind = random.one_of(&["deferrable", "periodic", "polling"]);
    line(period, &format!("[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\nperiod = \"#ns\""));
    line(random.between(period / 4, period / 2), "budget = \"#ns\"");
    line(random.one_of(&[1, 3]), "priority = #\nscheduler = \"fixed-priority\"");
    line(random.between(1, 8), "[task.low]\non = \"core.0\"\npriority = 2\nwcet = \"#ns\"");
    if !is_shielded {
        line(random.between(40, 90), "period = \"#ns\"");
    }
    line(
        random.between(90, 200),
        "[task.in-guest]\non = \"vcpu.v\"\npriority = 1\nperiod = \"#ns\"",
    );
    line(random.between(1, 9), "wcet = \"#ns\"");
    if is_nested {
        line(
            random.between(10, 30),
            "[server.inner]\non = \"vcpu.v\"\nserver = \"deferrable\"\nperiod = \"#ns\"",
        );
        line(random.between(2, 5), "budget = \"#ns\"\npriority = 9");
        line(
            random.between(1, 5),
            "[task.before]\non = \"server.inner\"\npriority = 2\nwcet = \"#ns\"",
        );
        line(random.between(60, 120), "period = \"#ns\"");
    }
    let on = if is_nested { "server.inner" } else { "vcpu.v" };
    let distance = random.between(12, 160);
    line(distance, &format!("[task.handler]\non = \"{on}\"\npriority = 9\nperiod = \"#ns\""));
    let wcet = random.between(1, 4);
    line(wcet, "wcet = \"#ns\"\ndeadline = \"none\"");
    line(distance, "[interrupt.i]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"#ns\"");
    let rule = random.weighted(&[(4, "arrival"), (1, "deferrable"), (1, "released")]);
    let own = random.one_of(&["", "priority = 5, ", "priority = 1, "]);
    let paid = format!(
        "virtual = {{ vcpu = \"vcpu.v\", isr = \"1ns\", wakes = \"task.handler\", pseudo-vcpu = {{ {own}rule = \"{rule}\", budget = \"#ns\", period = \"{distance}ns\" }} }}"
    );
    line(wcet + 1 + random.below(3), &paid);
    if is_shielded {
        let timer = "[timer.x]\narmed-by = \"task.low\"\nwakes = true\nperiod = \"#ns\"";
        line(random.between(30, 90), timer);
    }
    Drawn { text, is_nested, has_calls, is_shielded }
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    let mut at = |until: u64| Arrivals::from(Instant::from_ns(random.below(until)));
    history.interrupts[0] = at(200);
    for task in &mut history.tasks {
        *task = at(200);
    }
    for timer in &mut history.timers {
        *timer = at(90);
    }
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    let paid = system.interrupts[0].delivery.as_ref().and_then(|own| own.pseudo_vcpu.as_ref());
    let period = paid.expect("it has one").period.as_ns();
    history.pseudo_vcpu_phases[0] = Duration::from_ns(random.below(period));
    history
}

#[test]
fn no_bound_is_exceeded() {
    let (mut nested, mut calls, mut shielded) = (0, 0, 0);
    let mut exceeded = Vec::new();
    for index in 0..SYSTEMS {
        let mut random = Random::new(23, index);
        let drawn = draw(&mut random);
        let system = read(&drawn.text, Format::Toml)
            .unwrap_or_else(|errors| panic!("{errors:?} in\n{}", drawn.text));
        let known = bounds(&system);
        let limits: Vec<Option<Duration>> =
            system.task_ids().map(|id| known.task(id).bound()).collect();
        if limits.iter().all(Option::is_none) {
            continue;
        }
        nested += u64::from(drawn.is_nested);
        calls += u64::from(drawn.has_calls);
        shielded += u64::from(drawn.is_shielded);
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for round in 0..60 {
            let mut longest = Longest::new(&system);
            let history = history(&system, &mut random);
            simulator.run(&history, END, &mut longest);
            for (id, limit) in limits.iter().enumerate() {
                let seen = longest.0[id];
                if limit.is_some_and(|limit| seen > limit) {
                    let name = &system.tasks[id].name;
                    exceeded.push(format!(
                        "system {index}, history {round}: {name} took {seen} of {limit:?}\n{}",
                        drawn.text
                    ));
                }
            }
        }
    }
    assert!(exceeded.is_empty(), "{} exceeded, the first: {}", exceeded.len(), exceeded[0]);
    println!("with a bound: {nested} nested, {calls} with calls, {shielded} shielded");
    assert!(nested.min(calls).min(shielded) > 12, "{nested}, {calls}, {shielded}");
}

/// Enough to meet every kind.
const SYSTEMS: u64 = 1_800;
