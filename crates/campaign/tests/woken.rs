//! Tasks that tasks wake: small systems on one core or two, and very many histories of each.
//!
//! **Model.** Cores by priority, by deadline or as Linux has it, with tasks that come by themselves; some of them wake one
//! or two others, on a core or in a server of whatever kind, and these perhaps another. A response counts from the
//! arrival of the source. Some are not preempted.

use crate::common::{Longest, drawn_jobs};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{Activation, System, Task, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{History, Simulator};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 8;

/// Where a task may be: the name of its supply, and whether that goes by priority.
pub(crate) type Place = (String, bool);

pub(crate) fn task(
    text: &mut String,
    random: &mut Random,
    name: &str,
    (on, is_by_priority): &Place,
) {
    let wcet = random.between(1, 4);
    write!(text, "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\n").expect("a string takes it");
    if *is_by_priority {
        writeln!(text, "priority = {}", random.between(1, 20)).expect("a string takes it");
        if random.chance(1, 4) {
            text.push_str("preemption = \"none\"\n");
        }
    }
}

/// A core, perhaps with a server on it.
pub(crate) fn core(text: &mut String, random: &mut Random, number: usize, places: &mut Vec<Place>) {
    let scheduler = random.one_of(&["fixed-priority", "edf", "linux\"\nfair-server = \"none"]);
    write!(text, "[core.{number}]\nscheduler = \"{scheduler}\"\n").expect("a string takes it");
    let is_edf = scheduler == "edf";
    places.push((format!("core.{number}"), !is_edf));
    if random.chance(2, 3) {
        let kind = match (is_edf, scheduler == "fixed-priority") {
            (true, _) => random.one_of(&["cbs-hard", "cbs-soft"]),
            (_, true) => {
                random.one_of(&["deferrable", "sporadic", "polling", "periodic", "none", "none"])
            }
            _ => random.one_of(&["sched-deadline", "deferrable", "none"]),
        };
        let guest = random.one_of(&["fixed-priority", "edf"]);
        let on = format!("on = \"core.{number}\"\nserver = \"{kind}\"");
        write!(text, "[vcpu.v{number}]\n{on}\nscheduler = \"{guest}\"\n")
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
        places.push((format!("vcpu.v{number}"), guest == "fixed-priority"));
    }
}

pub(crate) fn system(random: &mut Random) -> System {
    let mut text = "version = 1\n".to_owned();
    let mut places: Vec<Place> = Vec::new();
    for number in 0..random.between(1, 2) {
        core(&mut text, random, usize::try_from(number).unwrap(), &mut places);
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

/// When the supplies of a task, and of all that it wakes, are started.
fn started_after(history: &History, system: &System, id: TaskId) -> Instant {
    let woken = system.task(id).wakes.iter().map(|&id| started_after(history, system, id));
    woken.fold(history.start(system, system.task(id).on), Instant::max)
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    let lazy = random.chance(1, 2);
    let starts = system.task_ids().map(|id| started_after(&history, system, id).as_ns());
    let starts: Vec<u64> = starts.collect();
    for ((task, script), start) in system.tasks.iter().zip(&mut history.scripts).zip(starts) {
        if task.activation.is_by_tasks() {
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
    /// The same of those that another core wakes.
    over_cores: [u64; 2],
    /// The same of those that a more urgent task of their supply wakes.
    in_line: [u64; 2],
    exceeded: Vec<String>,
}

/// Whether a task of another core wakes this one.
fn is_woken_from_afar(system: &System, task: &Task) -> bool {
    matches!(task.activation, Activation::Task(by)
        if system.core_of(system.task(by).on) != system.core_of(task.on))
}

/// Whether a more urgent task of the same supply by priority wakes this one.
fn is_woken_in_line(system: &System, task: &Task) -> bool {
    matches!(task.activation, Activation::Task(by) if system.task(by).on == task.on
        && system.task(by).priority.is_more_urgent_than(task.priority))
}

/// The longest response of each task.
pub(crate) fn seen(system: &System, histories: u64, random: &mut Random) -> Longest {
    let mut longest = Longest::new(system);
    let alone = system.cores().filter(|&core| system.connected(core)[0] == core);
    let alone = alone.map(|core| Simulator::new(system, core).unwrap());
    let mut simulators: Vec<Simulator<'_>> = alone.collect();
    for _ in 0..histories {
        let history = history(system, random);
        for simulator in &mut simulators {
            simulator.run_together(&history, Instant::from_ns(600), &mut longest);
        }
    }
    longest
}

fn look(stream: u64, histories: u64, analysed: fn(&System) -> System, found: &mut Found) {
    let mut random = Random::new(219, stream);
    let system = system(&mut random);
    let known = bounds(&analysed(&system));
    let longest = seen(&system, histories, &mut random);
    for (id, &seen) in longest.0.iter().enumerate() {
        let Some(limit) = known.task(TaskId(id)).bound() else { continue };
        let task = &system.tasks[id];
        if matches!(task.activation, Activation::Task(_)) {
            found.bounded += 1;
            let is_near = u64::from(seen * 2 >= limit);
            found.near += is_near;
            for (counts, kind) in [
                (&mut found.over_cores, is_woken_from_afar(&system, task)),
                (&mut found.in_line, is_woken_in_line(&system, task)),
            ] {
                counts[0] += u64::from(kind);
                counts[1] += is_near * u64::from(kind);
            }
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
        look(stream, histories, System::clone, &mut found);
    }
    let Found { exceeded, .. } = &found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    found
}

#[test]
fn no_history_exceeds_a_bound_of_a_woken_task() {
    let found = all(300, 100);
    assert!(found.bounded > 200 && found.near > 100, "{found:?}");
    assert!(found.over_cores[0] > 50 && found.over_cores[1] > 25, "{found:?}");
    assert!(found.in_line[0] > 20 && found.in_line[1] > 15, "{found:?}");
}

/// The system, but that what another core wakes is taken to come by itself, with so much jitter.
fn cut(system: &System, jitter: impl Fn(&System, TaskId) -> Duration) -> System {
    let mut cut = system.clone();
    for (id, task) in system.tasks.iter().enumerate() {
        let Activation::Task(by) = task.activation else { continue };
        if is_woken_from_afar(system, task) {
            cut.tasks[by.0].wakes.retain(|&woken| woken != TaskId(id));
            let own = &mut cut.tasks[id];
            (own.activation, own.jitter) = (Activation::Sporadic, jitter(system, by));
        }
    }
    cut
}

/// The longest time of a task and of all before it on the path.
fn work(system: &System, id: TaskId) -> Duration {
    let before = match system.task(id).activation {
        Activation::Task(by) => work(system, by),
        _ => Duration::ZERO,
    };
    before + system.task(id).wcet
}

/// Errors on purpose: wake-ups from another core that are taken to come with the source, and those that are taken to
/// come after the work of the path alone.
#[test]
fn what_forgets_the_delay_on_the_other_core_is_noticed() {
    let planted: [fn(&System) -> System; 2] =
        [|system| cut(system, |_, _| Duration::ZERO), |system| cut(system, work)];
    for analysed in planted {
        let mut found = Found::default();
        for stream in 0..60 {
            look(stream, 60, analysed, &mut found);
        }
        assert!(!found.exceeded.is_empty(), "{found:?}");
    }
}

/// The system, but that some of what tasks wake that come by themselves is released with these.
fn together(system: &System, which: impl Fn(&Task, &Task) -> bool) -> System {
    let mut wrong = system.clone();
    for (id, task) in system.tasks.iter().enumerate() {
        let Activation::Task(by) = task.activation else { continue };
        let first = system.task(by);
        if first.activation == Activation::Sporadic && which(first, task) {
            wrong.tasks[by.0].wakes.retain(|&woken| woken != TaskId(id));
            let own = &mut wrong.tasks[id];
            (own.activation, own.jitter) = (Activation::Sporadic, first.jitter);
        }
    }
    wrong
}

/// Errors on purpose: more urgent tasks that are taken to be released with what wakes them, and tasks of other supplies.
#[test]
fn what_is_not_waited_for_in_any_case_is_noticed() {
    let planted: [fn(&System) -> System; 2] = [
        |system| {
            together(system, |first, own| {
                own.on == first.on && own.priority.is_more_urgent_than(first.priority)
            })
        },
        |system| together(system, |first, own| own.on != first.on),
    ];
    for analysed in planted {
        let mut found = Found::default();
        for stream in 0..120 {
            look(stream, 60, analysed, &mut found);
        }
        assert!(!found.exceeded.is_empty(), "{found:?}");
    }
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
