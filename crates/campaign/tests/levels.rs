//! Servers without a budget, and what is beside, below and in them: small systems, and very many histories of each.
//!
//! **Model.** A core by priority with something urgent, one level or two, servers with budgets, equals of them, and a task below
//! all. In a level tasks go by priority, by deadline or in turns, beside a server of each kind that fits, or another level.
//! Priorities are few, so many are equal, some with slices. Each history has jobs of its own: gaps of the least distance or a
//! little more, releases up to the jitter late, and short jobs among them.

use crate::common::{Longest, drawn_jobs};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{Scheduler, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{History, Simulator};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 6;

/// What a supply needs to know of a member of it.
#[derive(Clone, Copy)]
struct Parent<'a> {
    name: &'a str,
    scheduler: &'a str,
}

impl Parent<'_> {
    fn is_by_priority(self) -> bool {
        !self.has_deadlines() && self.scheduler != "round-robin"
    }

    fn has_deadlines(self) -> bool {
        self.scheduler == "edf"
    }
}

fn task(text: &mut String, random: &mut Random, name: &str, on: Parent<'_>, least: u64) {
    let period = random.between(least, 3 * least);
    let wcet = random.between(1, (period / 5).max(1));
    let jitter = if random.chance(1, 4) { random.between(1, period) } else { 0 };
    let deadline = if on.has_deadlines() {
        format!("{}ns", random.between(wcet, 2 * period))
    } else {
        "none".to_owned()
    };
    write!(
        text,
        "[task.{name}]\non = \"{}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\njitter = \"{jitter}ns\"\n\
         deadline = \"{deadline}\"\n{}",
        on.name,
        priority(random, on)
    )
    .expect("a string takes it");
}

fn priority(random: &mut Random, on: Parent<'_>) -> String {
    if on.is_by_priority() {
        format!("priority = {}\n", random.between(2, 4))
    } else {
        String::new()
    }
}

/// A level, or a server with a budget, with tasks and perhaps a server in it.
fn server(text: &mut String, random: &mut Random, (name, depth): (&str, u64), on: Parent<'_>) {
    let kinds: &[&str] = match on.scheduler {
        "edf" => &["cbs-hard", "cbs-soft", "deferrable", "periodic", "sched-deadline"],
        "round-robin" => &["share"],
        _ if depth == 0 => &["none", "none", "none", "deferrable", "sporadic"],
        _ => &["none", "none", "deferrable", "sporadic", "periodic", "polling"],
    };
    let kind = random.one_of(kinds);
    let period = random.between(6, 20);
    let budget = random.between(1, (period / 3).max(1));
    let reserved = match kind {
        "none" | "share" => String::new(),
        _ => format!("budget = \"{budget}ns\"\nperiod = \"{period}ns\"\n"),
    };
    let scheduler = random.one_of(&["fixed-priority", "fixed-priority", "edf", "round-robin"]);
    let quantum = if scheduler == "round-robin" { "quantum = \"2ns\"\n" } else { "" };
    let own = format!("server.{name}");
    write!(
        text,
        "[{own}]\non = \"{}\"\nserver = \"{kind}\"\n{reserved}{}scheduler = \"{scheduler}\"\n{quantum}",
        on.name,
        priority(random, on)
    )
    .expect("a string takes it");
    let inside = Parent { name: &own, scheduler };
    for number in 0..random.between(1, 3) {
        task(text, random, &format!("{name}-{number}"), inside, 12);
    }
    if depth < 2 && random.chance(1, 3) {
        server(text, random, (&format!("{name}-in"), depth + 1), inside);
    }
}

fn system(random: &mut Random) -> System {
    let scheduler = random.one_of(&["fixed-priority", "linux"]);
    let fair = if scheduler == "linux" { "fair-server = \"none\"\n" } else { "" };
    let slice = if random.chance(1, 4) { "time-slice = \"2ns\"\n" } else { "" };
    let mut text = format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{fair}{slice}");
    let core = Parent { name: "core.0", scheduler };
    for name in ["one", "other"] {
        if random.chance(2, 3) {
            task(&mut text, random, name, core, 12);
        }
    }
    for name in &["a", "b", "c"][..usize::try_from(random.between(1, 3)).expect("small")] {
        server(&mut text, random, (name, 0), core);
    }
    if scheduler == "linux" && random.chance(1, 2) {
        text += "[server.d]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"2ns\"\nperiod = \"13ns\"\n";
        let inside = Parent { name: "server.d", scheduler: "fixed-priority" };
        task(&mut text, random, "in-d", inside, 14);
    }
    text += "[task.below]\non = \"core.0\"\nwcet = \"2ns\"\nperiod = \"60ns\"\npriority = 1\ndeadline = \"none\"\n";
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    let lazy = random.chance(1, 2);
    // Nothing arrives before its parent supply has begun.
    let starts = system.tasks.iter().map(|task| history.start(system, task.on).as_ns());
    let starts: Vec<u64> = starts.collect();
    for ((task, script), start) in system.tasks.iter().zip(&mut history.scripts).zip(starts) {
        let from = start + random.below(30);
        *script = drawn_jobs(task, (from, JOBS), lazy, random);
    }
    history
}

/// What was tried.
#[derive(Debug, Default)]
struct Found {
    bounded: u64,
    reached: u64,
    /// In a level, by deadlines or in turns.
    inside: u64,
    exceeded: Vec<String>,
}

fn is_in_level(system: &System, task: TaskId) -> bool {
    let supply = system.supply(system.task(task).on);
    supply.level().is_some() && supply.scheduler != Scheduler::FixedPriority
}

fn look(stream: u64, histories: u64, found: &mut Found) {
    let mut random = Random::new(91, stream);
    let system = system(&mut random);
    let known = bounds(&system);
    let mut longest = Longest::new(&system);
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    for _ in 0..histories {
        let history = history(&system, &mut random);
        simulator.run(&history, Instant::from_ns(400), &mut longest);
    }
    for (id, &seen) in longest.0.iter().enumerate() {
        let Some(limit) = known.task(TaskId(id)).bound() else { continue };
        found.bounded += 1;
        found.reached += u64::from(seen == limit);
        found.inside += u64::from(is_in_level(&system, TaskId(id)));
        if seen > limit {
            let name = &system.tasks[id].name;
            found.exceeded.push(format!("stream {stream}: {name} took {seen}, bound {limit}"));
        }
    }
}

fn all(systems: u64, histories: u64) -> Found {
    let mut found = Found::default();
    for stream in 0..systems {
        look(stream, histories, &mut found);
    }
    found
}

fn assert_none_exceeded(found: &Found) {
    let Found { exceeded, .. } = found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
}

#[test]
fn no_history_exceeds_a_bound() {
    let found = all(250, 150);
    assert!(found.bounded > 800 && found.reached > 60 && found.inside > 60, "{found:?}");
    assert_none_exceeded(&found);
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_history_exceeds_a_bound_in_very_many() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let found = all(number("VORRANG_SYSTEMS", 20_000), number("VORRANG_HISTORIES", 1_000));
    eprintln!("{} bounded, {} reached, {} in levels", found.bounded, found.reached, found.inside);
    assert_none_exceeded(&found);
}
