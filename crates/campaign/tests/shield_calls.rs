//! Calls of the scheduler before the first decision beside a shield of timers, by brute force: small systems, and every offset.
//!
//! **Model.** An urgent task that an interrupt wakes or that comes by itself, a longer one for which less urgent timers
//! wait, and one that is less urgent still. The interrupt is requested while the call at the end of the longer task
//! is under way, so that this decides for something less urgent and lets timers through. Then the routine wakes the
//! urgent task, and there is a second call before it. Calls, switches and entries take as long as jobs. Offsets: when
//! the longer task ends, the first expiries, the first arrival of what is less urgent, all near the request.

use crate::common::Longest;
use crate::common::drafted::Near;
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::Instant;

/// When the interrupt is requested.
const AT: u64 = 500;

/// A system, and what the offsets go over.
struct Small {
    text: String,
    long: u64,
    call: u64,
    periods: Vec<u64>,
}

/// When something comes first.
struct Firsts {
    long: u64,
    low: u64,
    urgent: u64,
    timers: [u64; 2],
}

fn draw(random: &mut Random) -> Small {
    let (call, switch) = (random.between(1, 8), random.below(4));
    let [entry, exit] = [random.below(4), random.below(4)];
    let callback = random.below(4);
    let (urgent, isr, long) = (random.between(1, 6), random.between(1, 6), random.between(1, 40));
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
         timer-expiry = \"{callback}ns\"\ninterrupt-entry = \"{entry}ns\"\ninterrupt-exit = \"{exit}ns\"\n\
         [core.0]\nscheduler = \"fixed-priority\"\ntimers = \"timershield\"\n"
    );
    let wakes = if random.chance(3, 4) { "wakes = \"task.urgent\"\n" } else { "" };
    let period = if wakes.is_empty() { "period = \"2us\"\n" } else { "" };
    let around = entry + callback + exit;
    let _ = write!(
        text,
        "[interrupt.i]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"2us\"\n{wakes}\
         [task.urgent]\non = \"core.0\"\nwcet = \"{urgent}ns\"\n{period}priority = 9\n\
         [task.long]\non = \"core.0\"\nwcet = \"{long}ns\"\nperiod = \"2us\"\npriority = 5\n\
         [task.low]\non = \"core.0\"\nwcet = \"2ns\"\nperiod = \"5us\"\npriority = 1\n"
    );
    let mut periods = Vec::new();
    for number in 0..random.between(1, 2) {
        let by = random.one_of(&["low", "low", "low", "long", "urgent"]);
        let every = random.between(3 * around + 2, 3 * around + 30);
        let _ =
            write!(text, "[timer.t{number}]\narmed-by = \"task.{by}\"\nperiod = \"{every}ns\"\n");
        periods.push(every);
    }
    Small { text, long, call, periods }
}

fn history(system: &System, firsts: &Firsts) -> History {
    let mut history = History::quiet(system);
    for (task, arrivals) in system.tasks.iter().zip(&mut history.tasks) {
        let at = match task.name.as_str() {
            "task.long" => firsts.long,
            "task.urgent" => firsts.urgent,
            _ => firsts.low,
        };
        *arrivals = Arrivals::from(Instant::from_ns(at));
    }
    for (arrivals, phase) in history.timers.iter_mut().zip(firsts.timers) {
        *arrivals = Arrivals::from(Instant::from_ns(phase));
    }
    for arrivals in &mut history.interrupts {
        *arrivals = Arrivals::from(Instant::from_ns(AT));
    }
    history
}

/// Nearly all offsets of a system; returns how near, in percent, the urgent task comes to its bound.
fn look(small: &Small, random: &mut Random, near: &mut Near) -> u64 {
    let Small { text, long, call, periods } = small;
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    let known = bounds(&system);
    let mut longest = Longest::new(&system);
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    let second = periods.get(1).copied().unwrap_or(1);
    for end in AT - 3 * call - 4..AT + 2 {
        for low in [100, end - 3, end + 2, AT - 1, AT + 1] {
            for phase in 0..periods[0] * second {
                if second > 1 && !random.chance(1, 16) {
                    continue;
                }
                let timers = [phase % periods[0], phase / periods[0]].map(|own| AT - 300 + own);
                let urgent = AT + random.below(2 * call + 12) - call;
                let history = history(&system, &Firsts { long: end - long, low, urgent, timers });
                simulator.run(&history, Instant::from_ns(AT + 300), &mut longest);
            }
        }
    }
    let mut found = Vec::new();
    for (id, &seen) in longest.0.iter().enumerate() {
        let Some(bound) = known.task(TaskId(id)).bound() else { continue };
        assert!(seen <= bound, "{} took {seen} of {bound}\n{text}", system.tasks[id].name);
        found.push((seen, bound));
    }
    near.add(&found);
    let urgent = known.task(TaskId(0)).bound();
    urgent.map_or(0, |bound| longest.0[0].as_ns() * 100 / bound.as_ns())
}

#[test]
fn no_first_decision_comes_later_than_after_two_calls() {
    let mut random = Random::new(4_949, 0);
    let mut near = Near::default();
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    let nearest = (0..systems.unwrap_or(24)).map(|_| {
        let small = draw(&mut random);
        look(&small, &mut random, &mut near)
    });
    let nearest = nearest.max();
    assert!(near.bounded > 40 && nearest > Some(55), "{nearest:?} percent, {near:?}");
}
