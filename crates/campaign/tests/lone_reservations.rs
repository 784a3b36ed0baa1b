//! The only server with a deadline of a core, whose guest uses little of it: small systems, and very many histories of each.
//!
//! **Model.** A core under Linux, where runtimes may end late and routines are charged, or under EDF, with one server and tasks below it.
//! The guest goes by priority or by deadline, and has tasks that come about once in a period of the budget, perhaps a server of its own,
//! a section that holds up a task or a server, or a routine that wakes a task. The machine takes time for calls, switches and cold caches, or nothing. Each history has jobs of its
//! own: gaps of the least distance or a little more, releases up to the jitter late, and short jobs.

use crate::common::light::{Draw, all, held_up, number};
use std::fmt::Write as _;
use vorrang_campaign::random::Random;
use vorrang_model::system::System;
use vorrang_model::{Format, read};

/// A task with at most so many thousandths of time, at least so far apart.
fn task(
    text: &mut String,
    random: &mut Random,
    (name, on, is_by_priority): (&str, &str, bool),
    (least, share): (u64, u64),
) {
    let period = random.between(least, 2 * least);
    let wcet = random.between(1, (period * share / 1_000).max(1));
    let jitter = if random.chance(1, 3) { random.between(1, period / 2 + 1) } else { 0 };
    let priority = random.between(2, 6);
    let priority = if is_by_priority { format!("priority = {priority}\n") } else { String::new() };
    write!(
        text,
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         deadline = \"{}ns\"\n{priority}",
        3 * period
    )
    .expect("a string takes it");
}

/// What is in the server, which has such a budget and period.
fn guest(text: &mut String, random: &mut Random, (budget, period): (u64, u64), scheduler: &str) {
    let is_by_priority = scheduler == "fixed-priority";
    let share = 1_000 * budget / period;
    let share = random.one_of(&[share / 4, share / 2, share, 2 * share]);
    for number in 0..random.one_of(&[1, 1, 1, 2, 3]) {
        let name = format!("own-{number}");
        let least = random.one_of(&[period, period, period / 2 + 1, 2 * period]);
        task(text, random, (&name, "vcpu.a", is_by_priority), (least, share));
    }
    if random.chance(1, 5) && is_by_priority {
        let kind = random.one_of(&["deferrable", "sporadic", "polling", "periodic"]);
        let (budget, period) = (random.between(1, 3), random.between(9, 30));
        write!(
            text,
            "[server.in]\non = \"vcpu.a\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\npriority = {}\n",
            random.between(2, 6)
        )
        .expect("a string takes it");
        task(text, random, ("inner", "server.in", true), (period, 60));
    }
    if random.chance(1, 4) {
        let every = random.between(period, 3 * period);
        let priority = if is_by_priority { "priority = 4\n" } else { "" };
        write!(
            text,
            "[interrupt.g]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{every}ns\"\n\
             virtual = {{ vcpu = \"vcpu.a\", isr = \"1ns\", wakes = \"task.woken\" }}\n\
             [task.woken]\non = \"vcpu.a\"\nwcet = \"1ns\"\ndeadline = \"{every}ns\"\n{priority}"
        )
        .expect("a string takes it");
    }
}

pub(crate) fn system(random: &mut Random, held: &mut Random) -> System {
    let is_linux = random.chance(3, 4);
    let mut text = "version = 1\n[core.0]\n".to_owned();
    if is_linux {
        let pays = random.one_of(&["charged", "charged", "apart"]);
        let late = random.one_of(&[0, 1, 2, 9]);
        let sections = random.one_of(&[0, 0, 0, 1]);
        write!(
            text,
            "scheduler = \"linux\"\nfair-server = \"none\"\ninterrupt-time = \"{pays}\"\noverrun = \"{late}ns\"\nsections = \"{sections}ns\"\n"
        )
        .expect("a string takes it");
    } else {
        text += "scheduler = \"edf\"\n";
    }
    let has_costs = random.chance(1, 3);
    if has_costs {
        let (call, switch) = (random.below(2), random.below(2));
        write!(
            text,
            "[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
             [cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"1ns\"\n"
        )
        .expect("a string takes it");
    }
    let period = random.between(10, 40);
    let budget = random.between(2, period - 1);
    let scheduler = random.one_of(&["fixed-priority", "fixed-priority", "edf"]);
    let kind =
        if is_linux { "sched-deadline" } else { random.one_of(&["cbs-hard", "sched-deadline"]) };
    let cache = if has_costs && random.chance(1, 2) { "cache = \"cache.c\"\n" } else { "" };
    write!(
        text,
        "[vcpu.a]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         scheduler = \"{scheduler}\"\n{cache}"
    )
    .expect("a string takes it");
    guest(&mut text, random, (budget, period), scheduler);
    if scheduler == "fixed-priority" {
        held_up(&mut text, held, ("a", "vcpu.a"), period);
    }
    for name in ["one", "other"] {
        if is_linux && random.chance(1, 2) {
            task(&mut text, random, (name, "core.0", true), (20, 150));
        }
    }
    if random.chance(1, 2) {
        let every = random.between(8, 3 * period);
        write!(
            text,
            "[interrupt.i]\non = \"core.0\"\nisr = \"{}ns\"\nmin-interarrival = \"{every}ns\"\n",
            random.between(1, 2)
        )
        .expect("a string takes it");
    }
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

const LONE: Draw = (443, system);

#[test]
fn no_history_of_a_lone_reservation_exceeds_its_bound() {
    let systems = number("VORRANG_SYSTEMS", 400);
    let found = all(LONE, 0..systems, number("VORRANG_HISTORIES", 100));
    assert!(found.lasting > 100 && found.reached > 30, "{found:?}");
}
