//! Tasks that tasks wake: small systems on one core, and very many histories of each.
//!
//! **Model.** A core by priority, by deadline or as Linux has it, with tasks that come by themselves; some of them wake one
//! or two others, on the core or in a server of whatever kind, and these perhaps another. A response counts from the
//! arrival of the source.

use crate::common::{Longest, drawn_jobs};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{Activation, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{History, simulate};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 8;

/// Where a task may be: the name of its supply, and whether that goes by priority.
type Place = (String, bool);

fn task(text: &mut String, random: &mut Random, name: &str, (on, is_by_priority): &Place) {
    let wcet = random.between(1, 4);
    write!(text, "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\n").expect("a string takes it");
    if *is_by_priority {
        writeln!(text, "priority = {}", random.between(1, 20)).expect("a string takes it");
    }
}

fn system(random: &mut Random) -> System {
    let scheduler = random.one_of(&["fixed-priority", "edf", "linux\"\nfair-server = \"none"]);
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n");
    let is_edf = scheduler == "edf";
    let mut places: Vec<Place> = vec![("core.0".to_owned(), !is_edf)];
    if random.chance(2, 3) {
        let kind = match (is_edf, scheduler == "fixed-priority") {
            (true, _) => random.one_of(&["cbs-hard", "cbs-soft"]),
            (_, true) => {
                random.one_of(&["deferrable", "sporadic", "polling", "periodic", "none", "none"])
            }
            _ => random.one_of(&["sched-deadline", "deferrable", "none"]),
        };
        let guest = random.one_of(&["fixed-priority", "edf"]);
        write!(text, "[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\nscheduler = \"{guest}\"\n")
            .expect("a string takes it");
        if kind != "none" {
            let period = random.between(8, 20);
            let budget = random.between(2, period / 2 + 1);
            write!(text, "budget = \"{budget}ns\"\nperiod = \"{period}ns\"\n")
                .expect("a string takes it");
        }
        if !is_edf && kind != "sched-deadline" {
            writeln!(text, "priority = {}", random.between(1, 20)).expect("a string takes it");
        }
        places.push(("vcpu.v".to_owned(), guest == "fixed-priority"));
    }
    let mut woken = 0;
    for source in 0..random.between(1, 3) {
        let period = random.between(15, 50);
        let mut length = random.below(4);
        let mut name = format!("source{source}");
        let mut is_source = true;
        loop {
            let place = &places[usize::try_from(random.below(places.len() as u64)).unwrap()];
            task(&mut text, random, &name, place);
            if is_source {
                let jitter = if random.chance(1, 3) { random.between(1, period) } else { 0 };
                write!(text, "period = \"{period}ns\"\njitter = \"{jitter}ns\"\n")
                    .expect("a string takes it");
            }
            writeln!(text, "deadline = \"{}ns\"", 4 * period).expect("a string takes it");
            is_source = false;
            if length == 0 {
                break;
            }
            length -= 1;
            let next = format!("woken{woken}");
            woken += 1;
            // One more that wakes nothing.
            let also = random.chance(1, 4).then(|| format!("also{woken}"));
            let others = also.as_ref().map_or_else(String::new, |own| format!(", \"task.{own}\""));
            writeln!(text, "wakes = [\"task.{next}\"{others}]").expect("a string takes it");
            if let Some(also) = also {
                let place = &places[usize::try_from(random.below(places.len() as u64)).unwrap()];
                task(&mut text, random, &also, place);
                writeln!(text, "deadline = \"{}ns\"", 4 * period).expect("a string takes it");
            }
            name = next;
        }
    }
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    let lazy = random.chance(1, 2);
    let starts = system.tasks.iter().map(|task| history.start(system, task.on).as_ns());
    let starts: Vec<u64> = starts.collect();
    for ((task, script), start) in system.tasks.iter().zip(&mut history.scripts).zip(starts) {
        if matches!(task.activation, Activation::Task(_)) {
            continue;
        }
        let from = start + random.below(30);
        *script = drawn_jobs(task, (from, JOBS), lazy, random);
    }
    history
}

/// What was tried.
#[derive(Debug, Default)]
struct Found {
    /// Bounds of tasks that tasks wake.
    bounded: u64,
    /// Of which a history shows half at least.
    near: u64,
    exceeded: Vec<String>,
}

fn look(stream: u64, histories: u64, found: &mut Found) {
    let mut random = Random::new(219, stream);
    let system = system(&mut random);
    let known = bounds(&system);
    let mut longest = Longest::new(&system);
    for _ in 0..histories {
        let history = history(&system, &mut random);
        simulate(&system, SupplyId(0), &history, Instant::from_ns(600), &mut longest).unwrap();
    }
    for (id, &seen) in longest.0.iter().enumerate() {
        let Some(limit) = known.task(TaskId(id)).bound() else { continue };
        let task = &system.tasks[id];
        if matches!(task.activation, Activation::Task(_)) {
            found.bounded += 1;
            found.near += u64::from(seen * 2 >= limit);
        }
        if seen > limit {
            found
                .exceeded
                .push(format!("stream {stream}: {} took {seen}, bound {limit}", task.name));
        }
    }
}

fn all(systems: u64, histories: u64) -> Found {
    let mut found = Found::default();
    for stream in 0..systems {
        look(stream, histories, &mut found);
    }
    let Found { exceeded, .. } = &found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    found
}

#[test]
fn no_history_exceeds_a_bound_of_a_woken_task() {
    let found = all(300, 100);
    assert!(found.bounded > 200 && found.near > 100, "{found:?}");
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_history_exceeds_a_bound_of_a_woken_task_in_very_many() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let found = all(number("VORRANG_SYSTEMS", 20_000), number("VORRANG_HISTORIES", 500));
    eprintln!("{} bounded, of {} half seen", found.bounded, found.near);
}
