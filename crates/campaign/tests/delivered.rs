//! Routines of guests that have one interrupt, without a pseudo-VCPU: systems of a few nanoseconds, attacked by many histories.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::check::{Effort, check};
use vorrang_campaign::random::Random;
use vorrang_campaign::tally::Tally;
use vorrang_model::system::{InterruptId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Search, search};

/// One priority each, all of them different but sometimes that of the guest.
fn priority(random: &mut Random) -> u64 {
    random.one_of(&[1, 3, 4, 4, 5, 5, 2])
}

fn task(text: &mut String, random: &mut Random, name: &str, on: &str, least: u64) {
    let period = random.between(least, least + 12);
    let wcet = random.between(1, (period / 4).clamp(1, 3));
    let jitter = if random.chance(1, 4) { random.below(period) } else { 0 };
    let deadline = if random.chance(1, 2) { "deadline = \"none\"\n" } else { "" };
    let priority = priority(random);
    let _ = write!(
        text,
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         {deadline}priority = {priority}\n"
    );
}

fn guest(text: &mut String, random: &mut Random, name: &str, priority: u64) {
    let kind = random.one_of(&["deferrable", "sporadic", "polling", "periodic"]);
    let period = random.between(4, 12);
    let budget = random.between(1, (period / 2).min(3));
    let _ = write!(
        text,
        "[vcpu.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         priority = {priority}\n"
    );
    if random.chance(1, 5) {
        let _ = writeln!(text, "blocking = \"{}ns\"", random.between(1, 3));
    }
    for number in 0..random.below(3) {
        let on = format!("vcpu.{name}");
        task(text, random, &format!("{name}-{number}"), &on, period * 2);
    }
}

fn interrupt(text: &mut String, random: &mut Random, name: &str, has_order: bool, guest: &str) {
    let period = random.between(8, 30);
    let jitter = if random.chance(1, 2) { random.between(1, 4) } else { 0 };
    let isr = random.between(1, 2);
    let _ = writeln!(
        text,
        "[interrupt.{name}]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{period}ns\"\njitter = \"{jitter}ns\""
    );
    if has_order {
        let _ = writeln!(text, "priority = {}", random.between(1, 3));
    }
    if !guest.is_empty() {
        let routine = random.between(1, 2);
        let _ = writeln!(text, "virtual = {{ vcpu = \"vcpu.{guest}\", isr = \"{routine}ns\" }}");
    }
}

fn system(random: &mut Random) -> System {
    let core = random.one_of(&["fixed-priority", "linux\"\nfair-server = \"none"]);
    let order = random.one_of(&["first-come", "priority", "nested"]);
    let mut text =
        format!("version = 1\n[core.0]\nscheduler = \"{core}\"\ninterrupts = \"{order}\"\n");
    for number in 0..random.below(3) {
        task(&mut text, random, &format!("core-{number}"), "core.0", 6);
    }
    guest(&mut text, random, "a", 2);
    let has_order = order != "first-come";
    if random.chance(1, 2) {
        let priority = random.one_of(&[1, 3, 6]);
        guest(&mut text, random, "b", priority);
        interrupt(&mut text, random, "of-b", has_order, "b");
    }
    if random.chance(1, 3) {
        interrupt(&mut text, random, "of-core", has_order, "");
    }
    interrupt(&mut text, random, "of-a", has_order, "a");
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn effort(drawn: u64) -> Effort {
    Effort {
        search: Search {
            runs: 16,
            variants: 4,
            climbs: 30,
            work: 60_000,
            ..Effort::quick().search
        },
        watched_one_in: 16,
        compared_one_in: 4,
        compared: 1,
        brute_one_in: 1,
        whole_grid: 0,
        drawn,
        text_one_in: 64,
        designed_one_in: u64::MAX,
        shielded_one_in: None,
        chained_one_in: None,
        bursts_one_in: None,
        distances_one_in: None,
        kept_one_in: None,
        forked_one_in: None,
        polls_one_in: None,
        offsets_one_in: None,
        paid_timers_one_in: None,
    }
}

/// How many routines of guests have a bound, and how many of these the search of the simulator reaches.
fn look(seed: u64, systems: u64, drawn: u64) -> (u64, u64) {
    let (mut found, mut reached, mut exceeded) = (0, 0, Vec::new());
    for index in 0..systems {
        let system = system(&mut Random::new(seed, index));
        let violations = check(&system, seed, index, &effort(drawn), &mut Tally::default());
        exceeded.extend(violations.into_iter().map(|violation| (index, violation)));
        let bounds = bounds(&system);
        let observed = search(&system, &effort(drawn).search);
        for id in (0..system.interrupts.len()).map(InterruptId) {
            let is_delivered = system.interrupt(id).delivery.is_some();
            let Some(bound) = bounds.interrupt(id).bound().filter(|_| is_delivered) else {
                continue;
            };
            found += 1;
            let longest = observed.interrupts[id.0].as_ref().map(|worst| worst.response);
            reached += u64::from(longest == Some(bound));
        }
    }
    assert!(exceeded.is_empty(), "{} violations, the first: {:?}", exceeded.len(), exceeded[0]);
    (found, reached)
}

#[test]
fn no_routine_of_a_guest_is_later_than_from_its_request_on() {
    let (found, reached) = look(31, 70, 60);
    assert!(found > 28 && reached > 9, "{reached} of {found}");
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_routine_of_a_guest_is_later_in_very_many_histories() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (found, reached) =
        look(32, number("VORRANG_SYSTEMS", 3000), number("VORRANG_HISTORIES", 400));
    eprintln!("{found} bounds of routines of guests, {reached} of them reached");
}
