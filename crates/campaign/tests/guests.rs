//! Guests that share pseudo-VCPUs and budgets: systems of a few nanoseconds, drawn so that most
//! have bounds, and attacked harder than those of the campaign.

use std::fmt::Write as _;
use vorrang_campaign::check::{Effort, check};
use vorrang_campaign::random::Random;
use vorrang_campaign::tally::Tally;
use vorrang_campaign::tightness::Tightness;
use vorrang_model::{Format, System, read};
use vorrang_sim::Search;
use vorrang_time::Duration;

const SYSTEMS: u64 = 36;

/// A virtual processor with up to three interrupts, one beside it, and two tasks in it.
fn text(random: &mut Random) -> String {
    let order = random.one_of(&["first-come", "first-come", "priority", "nested"]);
    let mut text = format!(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\ninterrupts = \"{order}\"\n"
    );
    for name in ["a", "b"] {
        let kind = random.one_of(&["deferrable", "sporadic", "polling", "periodic"]);
        let budget = random.between(2, 4);
        let period = random.between(5 * budget, 30);
        let _ = writeln!(
            text,
            "[vcpu.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\npriority = {}",
            random.between(1, 3)
        );
    }
    let mut wcets = Vec::new();
    for (name, guest) in [("x", "a"), ("y", "a"), ("z", "b")] {
        let (wcet, period) = (random.between(1, 3), random.between(60, 100));
        wcets.push(wcet);
        let _ = writeln!(
            text,
            "[task.{name}]\non = \"vcpu.{guest}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\npriority = {}",
            random.between(1, 3)
        );
    }
    let mut wakes = random.chance(2, 3);
    for (number, guest) in ["a", "a", "b"].into_iter().enumerate() {
        if number == 1 && random.chance(1, 4) {
            continue;
        }
        let period = random.between(50, 100);
        let some = random.below(period);
        let jitter = random.one_of(&[0, 0, some, 2 * period]);
        let woken = core::mem::take(&mut wakes);
        let routine = random.between(1, 2);
        let credit = routine + if woken { wcets[0] } else { 0 };
        let _ = writeln!(
            text,
            "[interrupt.i{number}]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{period}ns\"\njitter = \"{jitter}ns\""
        );
        if order != "first-come" {
            let _ = writeln!(text, "priority = {}", random.between(1, 3));
        }
        if random.chance(1, 5) {
            let _ = writeln!(text, "storm = \"{}ns\"", random.between(period / 2, period));
        }
        let wakes = if woken { "wakes = \"task.x\", " } else { "" };
        let credits = random.weighted(&[(3, 1), (1, 2)]);
        let rule =
            random.one_of(&["arrival", "arrival", "arrival", "arrival", "deferrable", "released"]);
        let stated = if random.chance(1, 2) {
            format!(", priority = {}", random.between(1, 4))
        } else {
            String::new()
        };
        let paid = format!(
            "pseudo-vcpu = {{ budget = \"{}ns\", period = \"{}ns\", rule = \"{rule}\"{stated} }}",
            credit * credits,
            random.between(period / 2, period * credits).max(credit * credits),
        );
        let paid = if random.chance(5, 6) { format!(", {paid}") } else { String::new() };
        let _ = writeln!(
            text,
            "virtual = {{ vcpu = \"vcpu.{guest}\", {wakes}isr = \"{routine}ns\"{paid} }}"
        );
    }
    text
}

#[test]
fn no_history_exceeds_the_bounds_of_guests() {
    let effort = Effort {
        search: Search {
            runs: 16,
            variants: 4,
            climbs: 30,
            work: 60_000,
            ..Effort::quick().search
        },
        watched_one_in: 1,
        compared_one_in: 1,
        compared: 1,
        brute_one_in: 1,
        whole_grid: 0,
        drawn: 60,
        text_one_in: 8,
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
    };
    let mut tally = Tally::default();
    let mut exceeded = Vec::new();
    for index in 0..SYSTEMS {
        let text = text(&mut Random::new(11, index));
        let system = read(&text, Format::Toml).unwrap_or_else(|e| panic!("{e:#?}\n{text}"));
        let found = check(&system, 11, index, &effort, &mut tally);
        exceeded.extend(found.into_iter().map(|violation| (index, violation)));
    }

    assert_eq!(exceeded, []);
    // Most have bounds, and some are reached.
    let (bounded, all) = (tally.bounded_interrupts, tally.interrupts);
    assert!(bounded * 2 > all, "{bounded} of {all}: {:?}", tally.reasons);
    let reached: u64 = tally.tightness.values().map(Tightness::exact).sum();
    assert!(reached > SYSTEMS / 4, "{reached}");
}

/// A short search finds a longer response of this system than a long one: what is open in the end is therefore
/// searched once more as shortly as for a margin.
#[test]
fn a_search_sees_what_a_shorter_one_sees() {
    let text = include_str!("searched/longer-in-few-steps.toml");
    let system = read(text, Format::Toml).unwrap();
    let responses = |system: &System, search: &Search| -> Vec<Duration> {
        let seen = vorrang_sim::search(system, search);
        let all = seen.tasks.iter().chain(&seen.interrupts);
        all.map(|worst| worst.as_ref().map_or(Duration::ZERO, |worst| worst.response)).collect()
    };
    let exceeds = |a: &[Duration], b: &[Duration]| a.iter().zip(b).any(|(a, b)| a > b);
    let short = responses(&system, &Search::short());
    let without = System { requirements: Vec::new(), ..system.clone() };
    assert!(exceeds(&short, &responses(&without, &Search::default())));
    assert!(!exceeds(&short, &responses(&system, &Search::default())));
}
