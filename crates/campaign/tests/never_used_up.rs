//! Servers whose guests use little of a budget: small systems, and very many histories of each.
//!
//! **Model.** A core by priority with something urgent, perhaps a task more than its budgets leave time for, and one server or two that
//! keep a budget. Guests go by priority or by deadline, and have tasks that come about once in a period of the budget, perhaps a server of
//! their own, a section that holds up a task or a server, or a routine that wakes a task. The machine takes time for calls, switches, cold caches and exits, or nothing. Each
//! history has jobs of its own: gaps of the least distance or a little more, releases up to the jitter late, and short jobs.

use crate::common::light::{Draw, all, held_up, number};
use std::fmt::Write as _;
use vorrang_campaign::random::Random;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

/// What a task is on, and whether that goes by priority.
type On<'a> = (&'a str, bool);

fn priority(random: &mut Random, is_by_priority: bool) -> String {
    let priority = random.between(2, 6);
    if is_by_priority { format!("priority = {priority}\n") } else { String::new() }
}

/// A task with at most so many thousandths of time, at least so far apart.
fn task(
    text: &mut String,
    random: &mut Random,
    (name, (on, is_by_priority)): (&str, On<'_>),
    (least, share): (u64, u64),
) {
    let period = random.between(least, 2 * least);
    let wcet = random.between(1, (period * share / 1_000).max(1));
    let jitter = if random.chance(1, 3) { random.between(1, period) } else { 0 };
    let priority = priority(random, is_by_priority);
    write!(
        text,
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         deadline = \"{}ns\"\n{priority}",
        3 * period
    )
    .expect("a string takes it");
}

/// A server that keeps its budget, with a guest that uses little of it.
fn server(
    text: &mut String,
    (random, held): (&mut Random, &mut Random),
    (name, on, urgency): (&str, &str, u64),
    has_costs: bool,
) {
    let kind = random.one_of(&["deferrable", "deferrable", "sporadic"]);
    let period = random.between(8, 40);
    let budget = random.between(1, (period * 3 / 4).max(1));
    let scheduler = random.one_of(&["fixed-priority", "fixed-priority", "edf"]);
    let cache = if has_costs && random.chance(1, 2) { "cache = \"cache.c\"\n" } else { "" };
    write!(
        text,
        "[vcpu.{name}]\non = \"{on}\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         priority = {urgency}\nscheduler = \"{scheduler}\"\n{cache}"
    )
    .expect("a string takes it");
    let own = format!("vcpu.{name}");
    let is_by_priority = scheduler == "fixed-priority";
    for number in 0..random.between(1, 3) {
        let name = format!("{name}-{number}");
        task(text, random, (&name, (&own, is_by_priority)), (period, 250 * budget / period));
    }
    if random.chance(1, 4) && is_by_priority {
        let inner = format!("server.{name}-in");
        let kind = random.one_of(&["deferrable", "sporadic", "polling", "periodic"]);
        let (budget, period) = (random.between(1, 3), random.between(9, 30));
        let priority = random.between(2, 6);
        write!(
            text,
            "[{inner}]\non = \"{own}\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\npriority = {priority}\n"
        )
        .expect("a string takes it");
        task(text, random, (&format!("{name}-inner"), (&inner, true)), (period, 60));
    }
    if is_by_priority {
        held_up(text, held, (name, &own), period);
    }
    if on == "core.0" && random.chance(1, 3) {
        let every = random.between(period, 3 * period);
        write!(
            text,
            "[interrupt.{name}]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{every}ns\"\n\
             virtual = {{ vcpu = \"{own}\", isr = \"1ns\", wakes = \"task.{name}-woken\" }}\n\
             [task.{name}-woken]\non = \"{own}\"\nwcet = \"1ns\"\ndeadline = \"{every}ns\"\n{}",
            priority(random, is_by_priority)
        )
        .expect("a string takes it");
    }
}

fn system(random: &mut Random, held: &mut Random) -> System {
    let scheduler = random.one_of(&["fixed-priority", "linux\"\nfair-server = \"none"]);
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n");
    let has_costs = random.chance(1, 3);
    if has_costs {
        let (call, switch, exit) = (random.below(2), random.below(2), random.below(2));
        write!(
            text,
            "[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\nvm-exit = \"{exit}ns\"\n\
             [cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"{}ns\"\n",
            random.between(1, 2)
        )
        .expect("a string takes it");
    }
    for name in ["one", "other"] {
        if random.chance(1, 2) {
            let share = random.one_of(&[100, 200, 450]);
            task(&mut text, random, (name, ("core.0", true)), (10, share));
        }
    }
    server(&mut text, (random, held), ("a", "core.0", 1), has_costs);
    if random.chance(1, 2) {
        let above = random.one_of(&[0, 7]);
        server(&mut text, (random, held), ("b", "core.0", above), has_costs);
    }
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

const LIGHT: Draw = (117, system);

#[test]
fn no_history_of_a_light_guest_exceeds_its_bound() {
    // Among them those in which histories show that losses (28) and responses (2147) count.
    let found = all(LIGHT, (0..200).chain(2_100..2_200), 150);
    assert!(found.lasting > 200 && found.reached > 60, "{found:?}");
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_history_of_a_light_guest_exceeds_its_bound_in_very_many() {
    all(LIGHT, 0..number("VORRANG_SYSTEMS", 20_000), number("VORRANG_HISTORIES", 500));
}
