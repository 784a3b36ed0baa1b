//! Certified bounds of tasks that other tasks wake, beside histories of the simulator.
//!
//! **Model.** Two cores by priority: a task of the first, perhaps with a jitter or woken by an interrupt, wakes one on each
//! core, and those a fourth together, which is in a virtual processor or a level of the second core. Other tasks are
//! beside them.

use std::fmt::Write as _;
use vorrang_certificate::Certificate;
use vorrang_certify::{Search as Windows, Uncertified, of_task};
use vorrang_model::{Format, System, read};
use vorrang_random::Random;
use vorrang_sim::{Search, search};

const SYSTEMS: u64 = 60;
const PAGE: &str = "not mechanised (docs/theory/propagation.md)";

fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}

fn task(name: &str, on: &str, wcet: u64, priority: u64, rest: &str) -> String {
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\npriority = {priority}\ndeadline = \"none\"\n{rest}"
    )
}

const CORES: &str = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[core.1]\nscheduler = \"fixed-priority\"\n";

fn certified(system: &System) -> Vec<Result<Certificate, Uncertified>> {
    let mut windows = Windows::new(1_000_000);
    system.task_ids().map(|id| of_task(system, id, &mut windows)).collect()
}

fn bounds(text: &str) -> Vec<Result<u64, String>> {
    let found = certified(&system(text)).into_iter();
    found.map(|one| one.map(|one| one.bound).map_err(|why| why.to_string())).collect()
}

/// 10; 10 and 20 + 5; beside what comes every 50: 35 and 30 + 5.
#[test]
fn a_woken_task_is_late_by_what_wakes_it() {
    let text = CORES.to_owned()
        + &task("a", "core.0", 10, 9, "period = \"100ns\"\nwakes = [\"task.b\"]\n")
        + &task("b", "core.1", 20, 5, "wakes = [\"task.c\"]\n")
        + &task("beside", "core.1", 5, 9, "period = \"50ns\"\n")
        + &task("c", "core.0", 30, 1, "");
    // The last one counts the first once more in its window.
    assert_eq!(bounds(&text), [Ok(10), Ok(35), Ok(5), Ok(75)]);
}

#[test]
fn what_wakes_something_before_it_is_named() {
    let text = CORES.to_owned()
        + &task("a", "core.0", 10, 1, "period = \"100ns\"\nwakes = [\"task.b\"]\n")
        + &task("b", "core.0", 20, 5, "");
    let refused = Err(format!("a task that what it wakes comes before: {PAGE}"));
    assert_eq!(bounds(&text), [refused.clone(), refused]);
}

#[test]
fn a_woken_task_beside_calls_is_named() {
    let costs = CORES.replace("version = 1\n", "version = 1\n[costs]\nscheduler-call = \"1ns\"\n");
    let text = costs
        + &task("a", "core.0", 10, 9, "period = \"100ns\"\nwakes = [\"task.b\"]\n")
        + &task("b", "core.1", 20, 5, "");
    let why = "a task that other tasks wake, where calls, switches or caches cost";
    assert_eq!(bounds(&text)[1], Err(format!("{why}: {PAGE}")));
}

/// A system whose second task takes so much more.
fn drawn(seed: u64, more: u64) -> String {
    let mut random = Random::new(4949, seed);
    let mut one = |low: u64, high: u64| random.between(low, high);
    let period = one(80, 200);
    let jitter = one(0, 60);
    let arrives = if one(0, 1) == 0 {
        format!("period = \"{period}ns\"\njitter = \"{jitter}ns\"\n")
    } else {
        String::new()
    };
    let mut text = CORES.to_owned();
    if arrives.is_empty() {
        let isr = one(1, 5);
        let _ = write!(
            text,
            "[interrupt.i]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
             wakes = \"task.a\"\n"
        );
    }
    let vcpu = ["none", "deferrable", "polling", "periodic"];
    let kind = vcpu[usize::try_from(one(0, 3)).expect("one of four")];
    let _ = write!(
        text,
        "[vcpu.v]\nvm = \"v\"\non = \"core.1\"\nserver = \"{kind}\"\nscheduler = \"fixed-priority\"\npriority = 3\n"
    );
    if kind != "none" {
        let _ = write!(text, "budget = \"{}ns\"\nperiod = \"{}ns\"\n", one(10, 25), one(30, 60));
    }
    text += &task(
        "a",
        "core.0",
        one(1, 15),
        8,
        &format!("{arrives}wakes = [\"task.b\", \"task.c\"]\n"),
    );
    text += &task("b", "core.0", one(1, 10) + more, 6, "");
    text += &task("c", "core.1", one(1, 10), 6, "");
    let last = "after = [\"task.b\", \"task.c\"]\n";
    text += &task("d", "vcpu.v", one(1, 10), 2, last);
    for (place, on, priority) in
        [(0, "core.0", 9), (1, "core.0", 7), (2, "core.1", 9), (3, "vcpu.v", 1)]
    {
        let every = format!("period = \"{}ns\"\n", one(40, 300));
        text += &task(&format!("beside{place}"), on, one(1, 12), priority, &every);
    }
    text
}

/// The longest response of each task in histories that were looked for.
fn seen(system: &System, seed: u64) -> Vec<Option<u64>> {
    let limits = Search { seed, runs: 24, climbs: 24, work: 40_000, ..Search::default() };
    let found = search(system, &limits);
    found.tasks.iter().map(|of| of.as_ref().map(|worst| worst.response.as_ns())).collect()
}

#[test]
fn no_history_exceeds_a_certified_bound_of_a_woken_task() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|text| text.parse().ok());
    let (mut compared, mut nearest) = ([0_u32; 8], [0; 8]);
    for seed in 0..systems.unwrap_or(SYSTEMS) {
        let system = system(&drawn(seed, 0));
        for (place, (found, worst)) in
            certified(&system).iter().zip(seen(&system, seed)).enumerate()
        {
            let (Ok(found), Some(response)) = (found, worst) else { continue };
            compared[place] += 1;
            assert!(response <= found.bound, "{seed}, {place}: {response} > {}", found.bound);
            nearest[place] = nearest[place].max(response * 100 / found.bound);
        }
    }
    println!("{compared:?}, {nearest:?}");
    assert!(compared.iter().all(|&count| count > 20), "{compared:?}");
    assert!(nearest.iter().all(|&percent| percent > 50), "{nearest:?}");
}

/// With a task that takes more than is said, histories exceed the bound of what waits for it.
#[test]
fn a_task_that_takes_more_is_noticed() {
    let is_exceeded = |seed: u64| {
        let said = system(&drawn(seed, 0));
        let last = said.task_ids().position(|id| said.task(id).name == "task.d");
        let place = last.expect("it is there");
        let beyond = seen(&system(&drawn(seed, 30)), seed)[place];
        matches!((&certified(&said)[place], beyond), (Ok(found), Some(worst)) if worst > found.bound)
    };
    assert!((0..SYSTEMS).any(is_exceeded));
}
