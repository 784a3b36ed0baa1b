//! Interrupts that reach another core: small systems on two cores, and very many histories of each.
//!
//! **Model.** Two cores with a server on each, perhaps, and routines in whatever order; interrupts of either that wake
//! tasks of either, or are delivered to guests of either, some of them in bursts; tasks beside them. A response counts from the arrival of the interrupt.

use crate::common::drawn_jobs;
use crate::woken::{Place, core, task};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{Activation, Interrupt, InterruptId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, Delay, Execution, History, Job, Observer, Simulator, Source, Spacing};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 8;

fn costs(text: &mut String, random: &mut Random) {
    text.push_str("[costs]\n");
    for cost in ["interrupt-entry", "interrupt-exit", "vm-exit", "scheduler-call"] {
        if random.chance(1, 4) {
            writeln!(text, "{cost} = \"1ns\"").expect("a string takes it");
        }
    }
}

/// An order of the routines of both cores.
fn order(text: &str, random: &mut Random) -> (String, bool) {
    let order = random.one_of(&["first-come", "first-come", "priority", "nested"]);
    let mut ordered = text.to_owned();
    for number in 0..2 {
        let core = format!("[core.{number}]\n");
        ordered = ordered.replace(&core, &format!("{core}interrupts = \"{order}\"\n"));
    }
    (ordered, order != "first-come")
}

/// An interrupt of a core, with the task that it wakes, and perhaps the one that this wakes.
fn interrupt(
    text: &mut String,
    random: &mut Random,
    number: u64,
    (on, woken, then): (u64, &Place, Option<&Place>),
) {
    let period = random.between(20, 60);
    task(text, random, &format!("woken{number}"), woken);
    writeln!(text, "deadline = \"{}ns\"", 4 * period).expect("a string takes it");
    if let Some(then) = then {
        writeln!(text, "wakes = [\"task.then{number}\"]").expect("a string takes it");
        task(text, random, &format!("then{number}"), then);
        writeln!(text, "deadline = \"{}ns\"", 4 * period).expect("a string takes it");
    }
    let isr = random.between(1, 3);
    write!(text, "[interrupt.i{number}]\non = \"core.{on}\"\nisr = \"{isr}ns\"\n")
        .expect("a string takes it");
    if random.chance(1, 4) {
        writeln!(text, "min-distances = [\"{}ns\", \"{period}ns\"]", random.between(1, 4))
    } else {
        writeln!(text, "min-interarrival = \"{period}ns\"")
    }
    .expect("a string takes it");
    if random.chance(1, 3) {
        writeln!(text, "jitter = \"{}ns\"", random.between(1, period)).expect("a string takes it");
    }
    let wakes = format!("wakes = \"task.woken{number}\"");
    let name = &woken.0;
    if name.starts_with("vcpu") {
        writeln!(text, "virtual = {{ vcpu = \"{name}\", isr = \"1ns\", {wakes} }}")
    } else {
        writeln!(text, "{wakes}")
    }
    .expect("a string takes it");
}

pub(crate) fn system(random: &mut Random) -> System {
    let mut text = "version = 1\n".to_owned();
    costs(&mut text, random);
    let mut places: Vec<Place> = Vec::new();
    for number in 0..2 {
        core(&mut text, random, number, &mut places);
    }
    let place = |random: &mut Random| -> Place {
        places[usize::try_from(random.below(places.len() as u64)).expect("few")].clone()
    };
    let (mut text, by_priority) = order(&text, random);
    for number in 0..random.between(1, 3) {
        let (on, woken) = (random.below(2), place(random));
        let far = place(random);
        let then = random.one_of(&[None, Some(&woken), Some(&far)]);
        interrupt(&mut text, random, number, (on, &woken, then));
        if by_priority {
            text = text.replace(
                &format!("[interrupt.i{number}]\n"),
                &format!("[interrupt.i{number}]\npriority = {}\n", random.between(1, 3)),
            );
        }
    }
    for number in 0..random.between(1, 2) {
        let on = place(random);
        task(&mut text, random, &format!("own{number}"), &on);
        let period = random.between(15, 50);
        write!(text, "period = \"{period}ns\"\ndeadline = \"{}ns\"\n", 4 * period)
            .expect("a string takes it");
    }
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    let is_lazy = random.chance(1, 3);
    for (id, task) in system.tasks.iter().enumerate() {
        if task.activation == Activation::Sporadic {
            let from = history.start(system, task.on).as_ns() + random.below(60);
            history.scripts[id] = drawn_jobs(task, (from, JOBS), is_lazy, random);
        }
    }
    for arrivals in &mut history.interrupts {
        let spread = Spacing::Random { up_to: Duration::from_ns(random.between(1, 20)) };
        *arrivals = Arrivals {
            spacing: if random.chance(1, 3) { spread } else { Spacing::Periodic },
            delay: random.one_of(&[Delay::None, Delay::FirstLate, Delay::Random]),
            ..Arrivals::from(Instant::from_ns(random.below(60)))
        };
    }
    history.seed = random.below(1 << 32);
    history.execution = if is_lazy { Execution::Random } else { Execution::Full };
    history
}

/// The longest response of each task and of each interrupt.
struct Longest(Vec<Duration>, Vec<Duration>);

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        let longest = match job.source {
            Source::Task(id) => &mut self.0[id.0],
            Source::Interrupt(id) => &mut self.1[id.0],
        };
        *longest = (*longest).max(at - job.arrival);
    }
}

/// What was tried.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Bounds of kicks, or of what else is looked for, and of how many of them a history shows half at least.
    pub(crate) kicks: [u64; 2],
    pub(crate) exceeded: Vec<String>,
}

fn look(stream: u64, histories: u64, analysed: fn(&System) -> System, found: &mut Found) {
    let mut random = Random::new(347, stream);
    let system = system(&mut random);
    let is_kick = |own: &Interrupt| own.raised_by.is_some();
    look_at(&system, (stream, histories), (analysed, is_kick), &mut random, found);
}

/// What is made of a system before it is analysed, and the interrupts whose bounds are counted.
pub(crate) type Way = (fn(&System) -> System, fn(&Interrupt) -> bool);

/// So many histories of a system, against the bounds of what `analysed` makes of it.
pub(crate) fn look_at(
    system: &System,
    (stream, histories): (u64, u64),
    (analysed, is_looked_for): Way,
    random: &mut Random,
    found: &mut Found,
) {
    let known = bounds(&analysed(system));
    let nothing = |count| vec![Duration::ZERO; count];
    let mut longest = Longest(nothing(system.tasks.len()), nothing(system.interrupts.len()));
    let alone = system.cores().filter(|&core| system.connected(core)[0] == core);
    let alone = alone.map(|core| Simulator::new(system, core).unwrap());
    let mut simulators: Vec<Simulator<'_>> = alone.collect();
    for _ in 0..histories {
        let history = history(system, random);
        for simulator in &mut simulators {
            simulator.run_together(&history, Instant::from_ns(600), &mut longest);
        }
    }
    for (id, &seen) in longest.1.iter().enumerate() {
        let Some(limit) = known.interrupt(InterruptId(id)).bound() else { continue };
        if is_looked_for(&system.interrupts[id]) {
            found.kicks[0] += 1;
            found.kicks[1] += u64::from(seen * 2 >= limit);
        }
        found.note(stream, &system.interrupts[id].name, seen, limit);
    }
    for (id, &seen) in longest.0.iter().enumerate() {
        if let Some(limit) = known.task(TaskId(id)).bound() {
            found.note(stream, &system.tasks[id].name, seen, limit);
        }
    }
}

impl Found {
    fn note(&mut self, stream: u64, name: &str, seen: Duration, limit: Duration) {
        if seen > limit {
            self.exceeded.push(format!("stream {stream}: {name} took {seen}, bound {limit}"));
        }
    }
}

#[test]
fn no_history_exceeds_a_bound_behind_a_kick() {
    let mut found = Found::default();
    for stream in 0..1_000 {
        look(stream, 40, System::clone, &mut found);
    }
    let Found { exceeded, kicks } = &found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    assert!(kicks[0] > 100 && kicks[1] > 50, "{found:?}");
}

/// The system, but that its kicks come by themselves, as late as the interrupt.
fn without_routines(system: &System) -> System {
    let mut wrong = system.clone();
    for id in 0..wrong.interrupts.len() {
        if let Some(by) = wrong.interrupts[id].raised_by.take() {
            wrong.interrupts[id].jitter = wrong.interrupts[by.0].jitter;
        }
    }
    wrong
}

/// The system, but that its kicks come as late as the routine is long.
fn without_others(system: &System) -> System {
    let mut wrong = without_routines(system);
    for id in 0..wrong.interrupts.len() {
        if let Some(by) = system.interrupts[id].raised_by {
            let isr = wrong.interrupts[by.0].isr;
            wrong.interrupts[id].jitter += isr;
        }
    }
    wrong
}

/// Errors on purpose: the routine on the other core is forgotten, or what comes before it there.
#[test]
fn what_forgets_the_other_core_is_noticed() {
    let planted: [fn(&System) -> System; 2] = [without_routines, without_others];
    for analysed in planted {
        let mut found = Found::default();
        for stream in 0..60 {
            look(stream, 60, analysed, &mut found);
        }
        assert!(!found.exceeded.is_empty(), "{found:?}");
    }
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_history_exceeds_a_bound_behind_a_kick_in_very_many() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let mut found = Found::default();
    for stream in 0..number("VORRANG_SYSTEMS", 20_000) {
        look(stream, number("VORRANG_HISTORIES", 500), System::clone, &mut found);
    }
    eprintln!("{:?} bounded and near", found.kicks);
    assert!(found.exceeded.is_empty(), "{:?}", found.exceeded);
}
