//! Calls of the scheduler that a window contains, by brute force: small systems, and every offset between their members.
//!
//! What waits gets ready once, what has no budget only calls, and a server that is alone by deadline sleeps after its window.
//!
//! **Model.** A task between a server that is more urgent, with a task in it, and what is less urgent: one task that may be under way when
//! it arrives, and another that is released much more often than it runs, or a server. Calls and switches take as long as jobs, so one more or less decides. Offsets: the phase of the
//! server, the first arrivals in it and below, all near the arrival of the task.

use crate::common::Longest;
use crate::common::drafted::Near;
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

/// So long before the task arrives offsets begin.
const BEFORE: u64 = 5;

/// A system, and its periods: of the server, and of what is below.
struct Small {
    text: String,
    has_phase: bool,
    period: u64,
    every: u64,
}

/// A reservation of the host with two tasks and a server in it, a virtual processor, or a task that comes so often.
fn below(random: &mut Random, every: u64) -> String {
    let low = |name: &str, on: &str, priority: u64| {
        format!(
            "[task.low-{name}]\non = \"{on}\"\nwcet = \"1ns\"\nperiod = \"{every}ns\"\ndeadline = \"1us\"\npriority = {priority}\n"
        )
    };
    let server = |name: &str, on: &str| {
        format!(
            "[{name}]\non = \"{on}\"\nserver = \"deferrable\"\nbudget = \"1ns\"\nperiod = \"{every}ns\"\npriority = 1\n\
             scheduler = \"fixed-priority\"\n"
        )
    };
    match random.below(4) {
        0 => String::new(),
        1 => server("vcpu.low", "core.0") + &low("a", "vcpu.low", 1),
        2 => {
            server("server.low", "core.0")
                + &low("a", "server.low", 3)
                + &low("b", "server.low", 2)
                + &server("vcpu.in", "server.low")
                + &low("c", "vcpu.in", 1)
        }
        _ => low("a", "core.0", 1),
    }
}

fn draw(random: &mut Random) -> Small {
    let (call, switch) = (random.between(1, 2), random.below(2));
    let (budget, period) = (random.between(2, 6), random.between(50, 70));
    let (probe, inside) = (random.between(1, 6), random.between(1, budget));
    let again = random.one_of(&[10, period / 2, 900, 900]);
    let every = random.between(4, 9);
    let is_linux = random.chance(1, 2);
    let kind = random.one_of(&["polling", "periodic", "deferrable"]);
    let (core, kind, priority) = if is_linux {
        ("linux\"\nfair-server = \"none", "sched-deadline", "")
    } else {
        ("fixed-priority", kind, "priority = 9\n")
    };
    let work = if is_linux { random.between(1, 2 * budget) } else { inside };
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n[core.0]\nscheduler = \"{core}\"\n\
         [vcpu.high]\non = \"core.0\"\nserver = \"{kind}\"\n{priority}budget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         scheduler = \"fixed-priority\"\n"
    );
    write!(
        text,
        "[task.inside]\non = \"vcpu.high\"\nwcet = \"{work}ns\"\nperiod = \"{again}ns\"\ndeadline = \"1us\"\npriority = 1\n\
         [task.first]\non = \"core.0\"\nwcet = \"1ns\"\nperiod = \"900ns\"\npriority = 4\n\
         [task.probe]\non = \"core.0\"\nwcet = \"{probe}ns\"\nperiod = \"900ns\"\npriority = 5\n{}",
        below(random, every)
    )
    .expect("a string takes it");
    Small { text, has_phase: !is_linux, period, every }
}

fn history(system: &System, [phase, inside, low, first]: [u64; 4], probe: u64) -> History {
    let mut history = History::quiet(system);
    for (supply, own) in system.supplies.iter().zip(&mut history.phases) {
        *own = Duration::from_ns(if supply.name == "vcpu.high" { phase } else { low % 4 });
    }
    for (task, own) in system.tasks.iter().zip(&mut history.tasks) {
        let first = match task.name.as_str() {
            "task.inside" => inside,
            "task.probe" => probe,
            "task.first" => first,
            _ => low,
        };
        *own = Arrivals::from(Instant::from_ns(first));
    }
    history
}

/// All offsets of a system.
fn look(Small { text, has_phase, period, every }: &Small, near: &mut Near) {
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    let known = bounds(&system);
    let mut longest = Longest::new(&system);
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    let arrival = 2 * period;
    let around = arrival - BEFORE..arrival + 2 * BEFORE;
    for phase in if *has_phase { around.clone() } else { 0..1 } {
        for inside in around.clone() {
            for low in arrival - BEFORE..arrival - BEFORE + every {
                for first in arrival - BEFORE..arrival {
                    let offsets = [phase % period, inside, low, first];
                    let history = history(&system, offsets, arrival);
                    simulator.run(&history, Instant::from_ns(3 * period), &mut longest);
                }
            }
        }
    }
    let mut found = Vec::new();
    for (id, &seen) in longest.0.iter().enumerate() {
        let Some(bound) = known.task(TaskId(id)).bound() else { continue };
        let name = &system.tasks[id].name;
        assert!(seen <= bound, "{name} took {seen} of {bound}\n{text}");
        found.push((seen, bound));
    }
    near.add(&found);
}

#[test]
fn no_window_contains_more_calls_than_are_counted() {
    let mut random = Random::new(4_421, 0);
    let mut near = Near::default();
    for _ in 0..100 {
        look(&draw(&mut random), &mut near);
    }
    assert!(near.bounded > 200 && near.thousandths > 500 * near.bounded, "{near:?}");
}
