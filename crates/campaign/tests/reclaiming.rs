//! Servers that reclaim beside everything that their bounds allow: small systems, and very many histories of each.
//!
//! **Model.** A lone reservation, drawn as without `reclaim`, and cores under Linux or EDF with several members that have deadlines. Of these some
//! servers reclaim, of other kinds are some, and of a core under EDF some are tasks; below them are tasks by priority, and interrupts come
//! before all. Guests want a little of a budget, or more than that.

use crate::common::light::{Draw, all, number};
use crate::lone_reservations;
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{ServerRule, SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, simulate};
use vorrang_time::Instant;

/// Every reservation of Linux reclaims.
fn reclaiming(mut system: System) -> System {
    for supply in &mut system.supplies {
        if let Some(server) = supply.server_mut()
            && let ServerRule::SchedDeadline { reclaims, .. } = &mut server.rule
        {
            *reclaims = true;
        }
    }
    system
}

fn lone(random: &mut Random, held: &mut Random) -> System {
    reclaiming(lone_reservations::system(random, held))
}

fn task(
    text: &mut String,
    random: &mut Random,
    (name, on): (&str, &str),
    (period, wcet): (u64, u64),
) {
    let jitter = if random.chance(1, 4) { random.between(1, period / 2) } else { 0 };
    let priority = if on == "core.0" { 9 } else { random.between(2, 4) };
    write!(
        text,
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         deadline = \"{}ns\"\npriority = {priority}\n",
        random.between(wcet, 2 * period)
    )
    .expect("a string takes it");
}

/// A server and its guest, which asks for one budget in `rare` of its periods.
fn server(text: &mut String, random: &mut Random, (name, is_linux): (&str, bool)) {
    let period = random.between(6, 30);
    let budget = random.between(1, period * 2 / 3);
    let kind = match random.below(if is_linux { 4 } else { 6 }) {
        0 => "server = \"sched-deadline\"\n",
        4 => "server = \"cbs-hard\"\n",
        5 => "server = \"deferrable\"\n",
        _ => "server = \"sched-deadline\"\nreclaim = true\n",
    };
    write!(
        text,
        "[server.{name}]\non = \"core.0\"\n{kind}budget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         scheduler = \"fixed-priority\"\n"
    )
    .expect("a string takes it");
    let rare = random.between(2, 8);
    for place in 0..random.one_of(&[1, 1, 2]) {
        let most = random.one_of(&[1, budget, budget + 1]);
        let wcet = random.between(1, most);
        let apart = (rare * period * wcet).div_ceil(budget).max(2 * wcet);
        let (own, on) = (format!("{name}-{place}"), format!("server.{name}"));
        task(text, random, (&own, &on), (apart, wcet));
    }
}

fn several(random: &mut Random, _: &mut Random) -> System {
    let is_linux = random.chance(1, 2);
    let scheduler = if is_linux { "linux" } else { "edf" };
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n");
    if is_linux {
        text += "fair-server = \"none\"\n";
    }
    for name in ["a", "b", "c"].into_iter().take(random.one_of(&[2, 2, 3])) {
        server(&mut text, random, (name, is_linux));
    }
    for name in ["one", "other"] {
        if random.chance(1, 2) {
            let wcet = random.between(1, 3);
            let apart = random.between(20, 60);
            task(&mut text, random, (name, "core.0"), (apart, wcet));
        }
    }
    if random.chance(1, 2) {
        let every = random.between(8, 60);
        write!(
            text,
            "[interrupt.i]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{every}ns\"\n"
        )
        .expect("a string takes it");
    }
    let text = if is_linux { text } else { text.replace("priority = 9\n", "") };
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

const LONE: Draw = (467, lone);
const SEVERAL: Draw = (479, several);

#[test]
fn no_history_of_a_lone_reservation_that_reclaims_exceeds_its_bound() {
    let systems = number("VORRANG_SYSTEMS", 400);
    let found = all(LONE, 0..systems, number("VORRANG_HISTORIES", 100));
    assert!(found.bounded > 300 && found.lasting > 100, "{found:?}");
}

#[test]
fn no_history_beside_servers_that_reclaim_exceeds_its_bound() {
    let systems = number("VORRANG_SYSTEMS", 400);
    let found = all(SEVERAL, 0..systems, number("VORRANG_HISTORIES", 100));
    assert!(found.bounded > 200, "{found:?}");
}

/// A reservation that does not reclaim takes longer beside one that does than its bound beside one that does not: so it has none.
#[test]
fn a_late_reservation_exceeds_its_bound_without() {
    let mut text = "version = 1\n[core.0]\nscheduler = \"linux\"\ninterrupt-time = \"apart\"\nfair-server = \"none\"\n\
                    [interrupt.i]\non = \"core.0\"\nisr = \"4ms\"\nmin-interarrival = \"100ms\"\n"
        .to_owned();
    for (name, budget, wcet, reclaim) in
        [("a", 12, 12, ""), ("b", 1, 12, "reclaim = true\n"), ("c", 1, 1, "")]
    {
        write!(
            text,
            "[server.{name}]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"{budget}ms\"\nperiod = \"16ms\"\n{reclaim}\
             [task.{name}]\non = \"server.{name}\"\nwcet = \"{wcet}ms\"\nperiod = \"400ms\"\n"
        )
        .expect("a string takes it");
    }
    let read = |text: &str| read(text, Format::Toml).expect("a description");
    let (with, without) = (read(&text), read(&text.replace("reclaim = true\n", "")));
    let last = with.task_ids().next_back().expect("three tasks");
    let history = History {
        tasks: vec![Arrivals::from(Instant::ZERO); 3],
        interrupts: vec![Arrivals::from(Instant::ZERO)],
        ..History::quiet(&with)
    };
    let longest = |system: &System| {
        let mut longest = crate::common::Longest::new(system);
        simulate(system, SupplyId(0), &history, Instant::from_ns(100_000_000), &mut longest)
            .expect("it is covered");
        longest.0[last.0].as_ns()
    };
    let bound = bounds(&without).task(last).bound().expect("a bound").as_ns();
    assert_eq!((longest(&without), bound), (18_000_000, 18_000_000));
    assert_eq!((longest(&with), bounds(&with).task(last).bound()), (25_000_000, None));
}
