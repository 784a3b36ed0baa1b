//! Certified bounds on a core that handles timers when they expire, beside histories of the simulator.
//!
//! **Model.** A core by priority or by deadline, with a routine, tasks that timers wake and tasks whose timers only take
//! time, and virtual processors of three kinds with such tasks; one timer is its guest's. Calls and switches cost in
//! some. No response is longer than its certified bound, and some come near.

use crate::compared::{certified, seen};
use std::fmt::Write as _;
use vorrang_model::system::{Activation, Task};
use vorrang_model::{Format, System, read};
use vorrang_random::Random;

const SYSTEMS: u64 = 60;

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

/// A timer of a task, in nanoseconds.
fn timer(name: &str, period: u64, rest: &str) -> String {
    format!("[timer.{name}]\narmed-by = \"task.{name}\"\nperiod = \"{period}ns\"\n{rest}")
}

/// A task with its urgency.
fn task(name: &str, on: &str, (wcet, period): (u64, u64), urgency: &str) -> String {
    format!("[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\n{urgency}")
}

/// By priority or by deadline.
fn urgency(by_deadline: bool, priority: u64) -> String {
    if by_deadline {
        "deadline = \"90ns\"\n".to_owned()
    } else {
        format!("priority = {priority}\ndeadline = \"none\"\n")
    }
}

/// A system with this cost of a callback.
fn drawn(seed: u64, expiry: u64) -> String {
    let mut random = Random::new(4955, seed);
    let by_deadline = random.chance(1, 5);
    let costly = !by_deadline && random.chance(1, 2);
    let order =
        ["first-come", "priority", "nested"][usize::try_from(random.below(3)).expect("of 3")];
    let mut one = |low: u64, high: u64| random.between(low, high);
    let (call, switch) = if costly { (one(0, 2), one(0, 3)) } else { (0, 0) };
    let scheduler = if by_deadline { "edf" } else { "fixed-priority" };
    let mut text = format!(
        "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
         interrupt-entry = \"{}ns\"\ninterrupt-exit = \"{}ns\"\ntimer-expiry = \"{expiry}ns\"\nvm-exit = \"{}ns\"\n\
         [core.0]\nscheduler = \"{scheduler}\"\ninterrupts = \"{order}\"\n[interrupt.field]\non = \"core.0\"\n\
         isr = \"{}ns\"\nmin-interarrival = \"{}ns\"\n",
        one(0, 1),
        one(0, 2),
        one(0, 1),
        one(1, 4),
        one(80, 300)
    );
    if order != "first-come" {
        text += "priority = 3\n";
    }
    for (place, priority) in [9, 7, 3, 3].into_iter().enumerate() {
        let (wcet, period) = (one(1, 9), one(90, 300));
        let name = format!("t{place}");
        // The first two are woken; the others' timers only take time.
        text += &task(&name, "core.0", (wcet, period), &urgency(by_deadline, priority));
        text += &timer(&name, if place < 2 { period } else { one(60, 200) }, "");
        text += if place < 2 { "wakes = true\n" } else { "" };
    }
    for (place, priority) in [8, 2].into_iter().enumerate() {
        let kind = ["periodic", "polling", "deferrable"];
        let kind = kind[usize::try_from(one(0, 2)).expect("one of three")];
        let kind = if by_deadline { "cbs-hard" } else { kind };
        let _ = write!(
            text,
            "[vcpu.v{place}]\nvm = \"v{place}\"\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{}ns\"\n\
             period = \"{}ns\"\nscheduler = \"fixed-priority\"\n",
            one(6, 20),
            one(60, 150)
        );
        if !by_deadline {
            let _ = writeln!(text, "priority = {priority}");
        }
        let wakes = if place == 0 { "isr = \"1ns\"\nwakes = true\n" } else { "wakes = true\n" };
        for (part, wakes) in [wakes, "wakes = true\n"].into_iter().enumerate() {
            let (name, period) = (format!("g{place}{part}"), one(150, 500));
            let own = urgency(false, if part == 0 { 2 } else { 1 });
            text += &task(&name, &format!("vcpu.v{place}"), (one(1, 3), period), &own);
            text += &timer(&name, period, wakes);
        }
    }
    text
}

#[test]
fn no_history_exceeds_a_certified_bound_where_timers_expire() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    // Woken on the core, in a server, by a routine of a guest; and the others.
    let (mut compared, mut nearest) = ([0_u32; 4], [0; 4]);
    for seed in 0..systems.unwrap_or(SYSTEMS) {
        let system = system(&drawn(seed, seed % 4));
        for (place, (found, worst)) in
            certified(&system).iter().zip(seen(&system, seed)).enumerate()
        {
            let (Ok(found), Some(response)) = (found, worst) else { continue };
            let on_core = |task: &Task| system.supply(task.on).is_core();
            let kind = match system.tasks.get(place) {
                Some(task) if matches!(task.activation, Activation::Timer(_)) => {
                    usize::from(!on_core(task))
                }
                Some(task) if matches!(task.activation, Activation::Interrupt(_)) => 2,
                _ => 3,
            };
            compared[kind] += 1;
            assert!(response <= found.bound, "{seed}, {place}: {response} > {}", found.bound);
            nearest[kind] = nearest[kind].max(response * 100 / found.bound);
        }
    }
    println!("{compared:?}, {nearest:?}");
    assert!(compared.iter().all(|&count| count > 20), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 35), "{nearest:?} of {compared:?}");
}

/// With a callback that takes one less the bounds are too low: histories exceed them.
#[test]
fn a_callback_that_takes_one_less_is_noticed() {
    let is_exceeded = |seed: u64| {
        let found = certified(&system(&drawn(seed, 2))).into_iter();
        found.zip(seen(&system(&drawn(seed, 3)), seed)).any(|(found, worst)| {
            matches!((found, worst), (Ok(found), Some(worst)) if worst > found.bound)
        })
    };
    assert!((0..SYSTEMS).any(is_exceeded));
}

/// A callback that takes no time comes after the poll of its instant: the task waits for the next one, a period later.
#[test]
fn a_callback_of_no_time_may_come_after_a_poll() {
    let text =
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[server.s]\non = \"core.0\"\n\
                server = \"polling\"\nbudget = \"1ns\"\nperiod = \"10ns\"\npriority = 1\n"
            .to_owned()
            + &task("t", "server.s", (1, 100), &urgency(false, 1))
            + &timer("t", 100, "wakes = true\n");
    let system = system(&text);
    let found = certified(&system);
    assert_eq!(found[0].as_ref().map(|found| found.bound), Ok(11));
    assert_eq!(seen(&system, 1)[0], Some(11));
}
