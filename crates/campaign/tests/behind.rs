//! What a task wakes at its own level, on its own supply: small systems whose busy windows have several jobs, and very many
//! histories of each.
//!
//! **Model.** A core or a server by priority, with a task that comes by itself, with jitter or without. Its jobs wake one or
//! two others, and these perhaps more; all are on that supply, most of them as urgent or more. One that two of these wake waits
//! for both. Beside them are tasks that come by themselves, some of which wake others, too. Some systems have costs of the
//! scheduler, sections that block, offsets, and tasks that are not preempted.

use crate::common::{Longest, drawn_jobs, jobs_by_the_clock};
use std::fmt::Write as _;
use vorrang_analysis::{bounds, derived_bounds_within};
use vorrang_campaign::random::Random;
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{History, Simulator};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 10;

/// The supply on which all are.
fn place(text: &mut String, random: &mut Random) -> &'static str {
    let scheduler = random.one_of(&["fixed-priority", "fixed-priority", "linux"]);
    writeln!(text, "[core.0]\nscheduler = \"{scheduler}\"").expect("a string takes it");
    let is_linux = scheduler == "linux";
    if is_linux {
        text.push_str("fair-server = \"none\"\n");
    }
    if random.chance(1, 3) {
        let times: Vec<u64> = (0..2).map(|_| random.below(2)).collect();
        writeln!(
            text,
            "[costs]\nscheduler-call = \"{}ns\"\ncontext-switch = \"{}ns\"",
            times[0], times[1]
        )
        .expect("a string takes it");
    }
    if random.chance(1, 2) {
        return "core.0";
    }
    let kinds: &[&str] = if is_linux {
        &["sched-deadline", "none"]
    } else {
        &["deferrable", "sporadic", "polling", "periodic", "none"]
    };
    let kind = random.one_of(kinds);
    write!(
        text,
        "[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\nscheduler = \"fixed-priority\"\n"
    )
    .expect("a string takes it");
    if kind != "none" {
        let period = random.between(6, 12);
        let budget = random.between(period / 2, period - 1);
        write!(text, "budget = \"{budget}ns\"\nperiod = \"{period}ns\"\n")
            .expect("a string takes it");
    }
    if kind != "sched-deadline" {
        text.push_str("priority = 10\n");
    }
    "vcpu.v"
}

struct Draft<'a> {
    text: &'a mut String,
    on: &'static str,
    work: u64,
}

impl Draft<'_> {
    fn task(&mut self, random: &mut Random, name: &str, priority: u64) {
        let wcet = random.between(1, 3);
        self.work += wcet;
        let on = self.on;
        write!(
            self.text,
            "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\ndeadline = \"9us\"\npriority = {priority}\n"
        )
        .expect("a string takes it");
        if random.chance(1, 8) {
            self.text.push_str("preemption = \"none\"\n");
        }
        if random.chance(1, 8) {
            writeln!(self.text, "blocking = \"{}ns\"", random.between(1, 2))
                .expect("a string takes it");
        }
    }

    fn wakes(&mut self, names: &[String]) {
        let names: Vec<String> = names.iter().map(|name| format!("\"task.{name}\"")).collect();
        writeln!(self.text, "wakes = [{}]", names.join(", ")).expect("a string takes it");
    }
}

/// A tree of wake-ups from a source; its keys of arrival are written when all of its work is known.
fn path(draft: &mut Draft<'_>, random: &mut Random, (source, level): (&str, u64)) {
    let shape = random.below(5);
    let urgency = |random: &mut Random| level + random.below(4) - u64::from(random.chance(1, 6));
    let name = |step: u64| format!("{source}{step}");
    let priorities: Vec<u64> = (0..4).map(|_| urgency(random)).collect();
    draft.task(random, &name(0), level);
    let (first, steps): (Vec<String>, u64) = match shape {
        0 | 1 => (vec![name(1)], random.between(1, 3)),
        _ => (vec![name(1), name(2)], random.between(2, 3)),
    };
    draft.wakes(&first);
    arrivals(draft, random);
    for step in 1..=steps {
        draft.task(random, &name(step), priorities[usize::try_from(step).expect("few")]);
        match shape {
            0 | 1 if step < steps => draft.wakes(&[name(step + 1)]),
            2 if step == 2 && steps == 3 => draft.wakes(&[name(3)]),
            3 | 4 if step == 3 => {
                writeln!(draft.text, "after = [\"task.{}\", \"task.{}\"]", name(1), name(2))
                    .expect("a string takes it");
            }
            _ => {}
        }
    }
}

fn arrivals(draft: &mut Draft<'_>, random: &mut Random) {
    let period = random.between(8, 24);
    let jitter = if random.chance(1, 2) { random.between(1, 2 * period) } else { 0 };
    write!(draft.text, "period = \"{period}ns\"\njitter = \"{jitter}ns\"\n")
        .expect("a string takes it");
    if random.chance(1, 5) {
        writeln!(draft.text, "offset = \"{}ns\"", random.below(period)).expect("a string takes it");
    }
}

fn text(random: &mut Random) -> String {
    let mut text = "version = 1\n".to_owned();
    let on = place(&mut text, random);
    let mut draft = Draft { text: &mut text, on, work: 0 };
    path(&mut draft, random, ("a", 4));
    if random.chance(1, 3) {
        let level = random.between(2, 7);
        path(&mut draft, random, ("b", level));
    } else if random.chance(1, 2) {
        let level = random.between(1, 8);
        draft.task(random, "other", level);
        arrivals(&mut draft, random);
    }
    text
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    let lazy = random.chance(1, 2);
    let begin = history.phases.iter().max().map_or(0, |phase| phase.as_ns());
    for (task, script) in system.tasks.iter().zip(&mut history.scripts) {
        if task.activation.is_by_tasks() {
            continue;
        }
        *script = match task.offset {
            Some(_) => jobs_by_the_clock(task, (begin, JOBS), random),
            None => drawn_jobs(task, (begin + random.below(20), JOBS), lazy, random),
        };
    }
    history
}

/// What was tried.
#[derive(Debug, Default)]
struct Found {
    /// Bounds of tasks, and how many a history reached.
    bounded: u64,
    reached: u64,
    /// Bounds that count what comes behind, and how many of these a history reached.
    behind: u64,
    behind_reached: u64,
    exceeded: Vec<String>,
}

fn look(stream: u64, histories: u64, analysed: fn(&System) -> System, found: &mut Found) {
    let mut random = Random::new(1_147, stream);
    let text = text(&mut random);
    let Ok(system) = read(&text, Format::Toml) else { return };
    let analysed = analysed(&system);
    let (known, derived) = (bounds(&analysed), derived_bounds_within(&analysed, 100_000));
    let core = system.cores().next().expect("one");
    let mut simulator = Simulator::new(&system, core).expect("it is covered");
    let mut longest = Longest::new(&system);
    for _ in 0..histories {
        let history = history(&system, &mut random);
        simulator.run_together(&history, Instant::from_ns(900), &mut longest);
    }
    for (id, &seen) in longest.0.iter().enumerate() {
        let Some(limit) = known.task(TaskId(id)).bound() else { continue };
        // Bounds that know what comes behind rest on its page, also where the first job is the worst.
        let said = format!("{:?}", derived.task(TaskId(id)));
        let is_behind = said.contains("propagation.md") && !system.tasks[id].wakes.is_empty();
        found.bounded += 1;
        found.reached += u64::from(seen == limit);
        found.behind += u64::from(is_behind);
        found.behind_reached += u64::from(is_behind && seen == limit);
        if seen > limit {
            let name = &system.tasks[id].name;
            found.exceeded.push(format!("{stream}: {name} took {seen} of {limit} in\n{text}"));
        }
    }
}

fn all(systems: u64, histories: u64, analysed: fn(&System) -> System) -> Found {
    let mut found = Found::default();
    (0..systems).for_each(|stream| look(stream, histories, analysed, &mut found));
    found
}

fn correct(found: &Found) {
    let Found { exceeded, .. } = found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
}

#[test]
fn no_history_exceeds_a_bound_with_what_comes_behind() {
    let found = all(400, 60, System::clone);
    correct(&found);
    assert!(found.behind > 100 && found.behind_reached > 30, "{found:?}");
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_history_exceeds_a_bound_with_what_comes_behind_in_very_many() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let found =
        all(number("VORRANG_SYSTEMS", 20_000), number("VORRANG_HISTORIES", 300), System::clone);
    eprintln!(
        "{} bounds, {} reached; {} with what comes behind, {} reached",
        found.bounded, found.reached, found.behind, found.behind_reached
    );
    correct(&found);
}

/// Errors on purpose: something of the level takes a nanosecond less.
#[test]
fn what_comes_behind_and_takes_less_is_noticed() {
    let shorter = |system: &System| {
        let mut wrong = system.clone();
        for task in wrong.tasks.iter_mut().filter(|task| task.activation.is_by_tasks()) {
            task.wcet = task.wcet.saturating_sub(Duration::RESOLUTION).max(Duration::RESOLUTION);
            task.bcet = task.bcet.min(task.wcet);
        }
        wrong
    };
    assert!(!all(60, 40, shorter).exceeded.is_empty());
}
