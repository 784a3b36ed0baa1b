//! Tables of windows: the bound of a lone task is its longest response, over all instants at which it can arrive; and none
//! is exceeded beside interrupts, other tables, costs and cold caches.

use crate::common::Longest;
use crate::common::drafted::{Attack, Draft};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::Instant;

const LONE: u64 = 150;
const BESIDE: u64 = 250;

/// A period cut into pieces, some of which are nobody's; each is one of two tables'.
fn draw_windows(random: &mut Random, pieces: u64, longest: u64) -> ([Vec<(u64, u64)>; 2], u64) {
    let (mut all, mut at) = ([Vec::new(), Vec::new()], random.below(longest));
    for piece in 0..pieces {
        let length = random.between(1, longest);
        let whose = if piece < 2 { piece } else { random.below(2) };
        all[usize::from(whose > 0)].push((at, length));
        at += length + if random.chance(1, 2) { random.below(longest) } else { 0 };
    }
    (all, at + random.below(longest))
}

/// The keys of a table.
fn table(windows: &[(u64, u64)], period: u64) -> String {
    let one = |(start, length): &(u64, u64)| format!("\"{start}ns\" = \"{length}ns\"");
    let all: Vec<String> = windows.iter().map(one).collect();
    let all = all.join(", ");
    format!("server = \"table\"\nwindows = {{ {all} }}\nperiod = \"{period}ns\"")
}

#[test]
fn the_bound_of_a_lone_task_is_its_longest_response_over_all_instants() {
    let (mut random, mut waits) = (Random::new(77, 0), 0);
    for _ in 0..LONE {
        let pieces = random.between(3, 8);
        let ([windows, others], period) = draw_windows(&mut random, pieces, 6);
        let budget: u64 = windows.iter().map(|(_, length)| length).sum();
        let wcet = random.between(1, 3 * budget);
        let apart = 10 * period;
        let (own, other) = (table(&windows, period), table(&others, period));
        let mut text = format!(
            "version = 1\n[core.0]\nscheduler = \"slots\"\n[vcpu.a]\non = \"core.0\"\n{own}\n"
        );
        let _ = writeln!(text, "[vcpu.b]\non = \"core.0\"\n{other}");
        let _ = writeln!(
            text,
            "[task.t]\non = \"vcpu.a\"\nwcet = \"{wcet}ns\"\nperiod = \"{apart}ns\""
        );
        let system = read(text.as_str(), Format::Toml).expect("it is right");
        let bound = bounds(&system).task(TaskId(0)).bound().expect("there is one");
        let mut longest = Longest::new(&system);
        let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
        for begin in period..2 * period {
            let mut history = History::quiet(&system);
            history.tasks[0] = Arrivals::from(Instant::from_ns(begin));
            simulator.run(&history, Instant::from_ns(3 * apart), &mut longest);
        }
        assert_eq!(longest.0[0], bound, "{text}");
        waits += u64::from(bound.as_ns() > wcet);
    }
    assert!(waits > LONE / 2, "{waits}");
}

fn beside(random: &mut Random) -> String {
    let mut draft = Draft { text: String::new(), random, number: 0 };
    let costs = [draft.random.below(2) * 20, draft.random.below(2) * 30];
    let pieces = draft.random.between(3, 7);
    let (all, period) = draw_windows(draft.random, pieces, 4_000);
    draft.add("version = 1\n[costs]");
    draft.add(&format!("scheduler-call = \"{}ns\"\ncontext-switch = \"{}ns\"", costs[0], costs[1]));
    draft.add("[core.0]\nscheduler = \"slots\"");
    let is_cold = draft.random.chance(1, 2);
    if is_cold {
        let sustained = draft.random.between(10, 400);
        draft.add(&format!(
            "[cache.c]\nmodel = \"flood\"\nuseful = \"40%\"\nsustained = \"{sustained}ns\""
        ));
    }
    for (name, windows) in ["a", "b"].into_iter().zip(&all) {
        draft.add(&format!("[vcpu.{name}]\non = \"core.0\"\n{}", table(windows, period)));
        if is_cold {
            draft.add("cache = \"cache.c\"");
        }
        let budget: u64 = windows.iter().map(|(_, length)| length).sum();
        for priority in 0..draft.random.between(1, 2) {
            let wcet = draft.random.between(1, budget);
            let apart = period * draft.random.between(4, 12);
            draft.add(&format!("[task.{name}{priority}]\non = \"vcpu.{name}\"\nwcet = \"{wcet}ns\"\nperiod = \"{apart}ns\"\ndeadline = \"1s\"\npriority = {priority}"));
        }
    }
    if draft.random.chance(1, 2) {
        let (isr, apart) = (draft.random.between(1, 300), draft.random.between(3_000, 30_000));
        draft.add(&format!(
            "[interrupt.i]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{apart}ns\""
        ));
    }
    draft.text
}

#[test]
fn no_bound_beside_interrupts_costs_and_cold_caches_is_exceeded() {
    let end = Instant::from_ns(2_000_000);
    let near = [1, 2_000, 20_000, 60_000];
    let attack = Attack { seed: 78, draw: beside, near, histories: 25, end };
    let (mut bounded, mut closest) = (0, 0);
    for index in 0..BESIDE {
        let (_, found) = attack.on(index);
        for (seen, bound) in found {
            bounded += 1;
            closest = closest.max(seen.as_ns() * 1_000 / bound.as_ns());
        }
    }
    println!("{bounded} bounds, the closest at {closest} thousandths");
    assert!(bounded > BESIDE && closest > 900, "{bounded} {closest}");
}
