//! Tables of windows: the bound of a lone task is its longest response, over all instants at which it can arrive; and none
//! is exceeded beside interrupts, other tables, costs and cold caches. Errors in windows are planted.

use crate::common::Longest;
use crate::common::drafted::{Attack, Draft};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId, Window};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

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

/// A task alone in a table beside another one.
fn draw_lone(random: &mut Random) -> System {
    let pieces = random.between(3, 8);
    let ([windows, others], period) = draw_windows(random, pieces, 6);
    let budget: u64 = windows.iter().map(|(_, length)| length).sum();
    let wcet = random.between(1, 3 * budget);
    let apart = 10 * period;
    let (own, other) = (table(&windows, period), table(&others, period));
    let mut text =
        format!("version = 1\n[core.0]\nscheduler = \"slots\"\n[vcpu.a]\non = \"core.0\"\n{own}\n");
    let _ = writeln!(text, "[vcpu.b]\non = \"core.0\"\n{other}");
    let _ =
        writeln!(text, "[task.t]\non = \"vcpu.a\"\nwcet = \"{wcet}ns\"\nperiod = \"{apart}ns\"");
    read(text.as_str(), Format::Toml).expect("it is right")
}

/// The longest response over all instants of a period at which the task arrives.
fn over_all_instants(system: &System) -> Duration {
    let mut longest = Longest::new(system);
    let mut simulator = Simulator::new(system, SupplyId(0)).expect("it is covered");
    let (apart, period) = (system.tasks[0].min_interarrival, period_of(system));
    for begin in period..2 * period {
        let mut history = History::quiet(system);
        history.tasks[0] = Arrivals::from(Instant::from_ns(begin));
        simulator.run(&history, Instant::ZERO + apart * 3, &mut longest);
    }
    longest.0[0]
}

fn period_of(system: &System) -> u64 {
    system.supply(SupplyId(1)).server().expect("a table").period.as_ns()
}

fn bound_of(system: &System) -> Duration {
    bounds(system).task(TaskId(0)).bound().expect("there is one")
}

#[test]
fn the_bound_of_a_lone_task_is_its_longest_response_over_all_instants() {
    let (mut random, mut waits) = (Random::new(77, 0), 0);
    for _ in 0..LONE {
        let system = draw_lone(&mut random);
        let bound = bound_of(&system);
        assert_eq!(over_all_instants(&system), bound, "{:?}", system.supply(SupplyId(1)));
        waits += u64::from(bound > system.tasks[0].wcet);
    }
    assert!(waits > LONE / 2, "{waits}");
}

/// Of how many lone tasks the bound of what `planted` makes of the windows is exceeded.
fn noticed(planted: impl Fn(&mut Vec<Window>, u64)) -> u64 {
    let mut random = Random::new(79, 0);
    let is_exceeded = |_| {
        let system = draw_lone(&mut random);
        let (mut wrong, period) = (system.clone(), period_of(&system));
        let windows = &mut wrong.supplies[1].windows;
        planted(windows, period);
        let budget = windows.iter().map(|own| own.length).sum();
        wrong.supplies[1].server_mut().expect("a table").budget = budget;
        u64::from(over_all_instants(&system) > bound_of(&wrong))
    };
    (0..LONE).map(is_exceeded).sum()
}

#[test]
fn planted_errors_are_noticed() {
    let ns = Duration::from_ns;
    let longer = noticed(|windows, period| {
        let last = windows.last_mut().expect("there is one");
        if (last.offset + last.length).as_ns() < period {
            last.length += ns(1);
        }
    });
    // The gap of the period before the first window is forgotten.
    let early = noticed(|windows, _| windows[0] = Window { offset: ns(0), ..windows[0] });
    // As if each window had its part of the period to itself.
    let even = noticed(|windows, period| {
        let count = windows.len() as u64;
        for (place, own) in (0..).zip(windows.iter_mut()) {
            own.offset = ns(place * period / count);
        }
        let ends: Vec<_> = windows.iter().skip(1).map(|own| own.offset).collect();
        for (own, end) in windows.iter_mut().zip(ends.into_iter().chain([ns(period)])) {
            own.length = own.length.min(end - own.offset);
        }
    });
    // Time of others between two windows is taken for the table's.
    let joined = noticed(|windows, _| {
        if let [first, second, ..] = windows[..] {
            let end = second.offset + second.length;
            windows.drain(..2);
            windows.insert(0, Window { offset: first.offset, length: end - first.offset });
        }
    });
    println!("longer {longer}, early {early}, even {even}, joined {joined}");
    assert!(longer > 20 && early > 10 && even > 20 && joined > 20);
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
