//! Tasks by the clock under EDF, and in windows of a table that are by the clock as well: small systems, and very many histories of each.
//!
//! **Model.** A core by deadline, or a guest by deadline or by priority in windows of every period beside another table. Most
//! tasks have an offset, some of them a jitter; others come at any time. Beside them are an interrupt, costs of the scheduler, and
//! on cores by deadline servers that keep their budgets or not.

use crate::common::{Longest, drawn_jobs, jobs_by_the_clock};
use std::fmt::Write as _;
use vorrang_analysis::{bounds, derived_bounds_within};
use vorrang_campaign::random::Random;
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 12;

/// A description under construction.
struct Draft<'r> {
    text: String,
    random: &'r mut Random,
}

impl Draft<'_> {
    fn add(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string takes it");
    }

    /// So many tasks on a supply, which take about so much of each hundred.
    fn tasks(&mut self, on: &str, (count, share): (u64, u64), is_by_deadline: bool) {
        for number in 0..count {
            let period = self.random.one_of(&[6, 8, 10, 12, 16, 20, 24, 30]);
            let most = (period * share / 100 / count).max(1);
            let wcet = self.random.between(most.div_ceil(2), most + 1);
            let deadline = self.random.between(period / 2, period + period / 2);
            self.add(&format!("[task.{}{number}]\non = \"{on}\"", on.replace('.', "-")));
            self.add(&format!("wcet = \"{wcet}ns\"\nperiod = \"{period}ns\""));
            self.add(&format!("deadline = \"{deadline}ns\""));
            if !is_by_deadline {
                let priority = self.random.below(4);
                self.add(&format!("priority = {priority}"));
            }
            if self.random.chance(1, 3) {
                let jitter = self.random.between(1, period);
                self.add(&format!("jitter = \"{jitter}ns\""));
            }
            if self.random.chance(4, 5) {
                let offset = self.random.below(2 * period);
                self.add(&format!("offset = \"{offset}ns\""));
            }
        }
    }

    /// Windows of every period for one server, and for another.
    fn tables(&mut self, guest: &str) {
        let pieces = self.random.between(2, 4);
        let (mut own, mut other, mut at) = (Vec::new(), Vec::new(), self.random.below(4));
        for piece in 0..pieces {
            let length = self.random.between(2, 6);
            let is_other = piece == 1 || piece > 1 && self.random.chance(1, 2);
            let windows = if is_other { &mut other } else { &mut own };
            windows.push(format!("\"{at}ns\" = \"{length}ns\""));
            at += length + self.random.below(3);
        }
        let period = self.random.one_of(&[20, 24, 30, 40]).max(at);
        for (name, windows) in [("own", own), ("other", other)] {
            let windows = windows.join(", ");
            self.add(&format!("[vcpu.{name}]\non = \"core.0\"\nserver = \"table\""));
            self.add(&format!("windows = {{ {windows} }}\nperiod = \"{period}ns\""));
            self.add(&format!("scheduler = \"{guest}\""));
        }
    }

    fn servers(&mut self) {
        for number in 0..self.random.below(2) {
            let kind = self.random.one_of(&["cbs-hard", "deferrable", "periodic"]);
            let period = self.random.between(8, 20);
            let budget = self.random.between(1, period / 4);
            self.add(&format!("[server.s{number}]\non = \"core.0\"\nserver = \"{kind}\""));
            self.add(&format!("budget = \"{budget}ns\"\nperiod = \"{period}ns\""));
            self.add("scheduler = \"fixed-priority\"");
            self.tasks(&format!("server.s{number}"), (1, 20), false);
        }
    }
}

fn text(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random };
    if draft.random.chance(1, 4) {
        let times: Vec<u64> = (0..2).map(|_| draft.random.below(2)).collect();
        draft.add(&format!(
            "[costs]\nscheduler-call = \"{}ns\"\ncontext-switch = \"{}ns\"",
            times[0], times[1]
        ));
    }
    let (count, shape) = (draft.random.between(2, 4), draft.random.below(5));
    if shape < 2 {
        draft.add("[core.0]\nscheduler = \"edf\"");
        draft.servers();
        draft.tasks("core.0", (count, 75), true);
    } else {
        draft.add("[core.0]\nscheduler = \"slots\"");
        let guest = if shape == 4 { "edf" } else { "fixed-priority" };
        draft.tables(guest);
        draft.tasks("vcpu.own", (count, 30), guest == "edf");
    }
    if draft.random.chance(1, 3) {
        let apart = draft.random.between(12, 40);
        draft.add(&format!(
            "[interrupt.i]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{apart}ns\""
        ));
    }
    draft.text
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    for arrivals in &mut history.interrupts {
        *arrivals = Arrivals::from(Instant::from_ns(random.below(150)));
    }
    let lazy = random.chance(1, 2);
    let near = random.one_of(&[20, 150]);
    for (task, script) in system.tasks.iter().zip(&mut history.scripts) {
        let begin = 40 + random.below(near);
        *script = match task.offset {
            Some(_) => jobs_by_the_clock(task, (40, JOBS), random),
            None => drawn_jobs(task, (begin, JOBS), lazy, random),
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
    /// Bounds under EDF that rest on the clock, those on windows by the clock, and how many a history reached.
    edf: u64,
    edf_reached: u64,
    placed: u64,
    placed_reached: u64,
    exceeded: Vec<String>,
}

fn look(stream: u64, histories: u64, analysed: fn(&System) -> System, found: &mut Found) {
    let mut random = Random::new(1_247, stream);
    let text = text(&mut random);
    let system = match read(&text, Format::Toml) {
        Ok(system) => system,
        Err(errors) => panic!("{errors:?} in\n{text}"),
    };
    let analysed = analysed(&system);
    let (known, derived) = (bounds(&analysed), derived_bounds_within(&analysed, 1_000_000));
    let core = system.cores().next().expect("one");
    let mut simulator = Simulator::new(&system, core).expect("it is covered");
    let mut longest = Longest::new(&system);
    for _ in 0..histories {
        let history = history(&system, &mut random);
        simulator.run_together(&history, Instant::from_ns(900), &mut longest);
    }
    for (id, &seen) in longest.0.iter().enumerate() {
        let Some(limit) = known.task(TaskId(id)).bound() else { continue };
        let said = format!("{:?}", derived.task(TaskId(id)));
        let (is_edf, is_placed) = (said.contains("EdfByClock"), said.contains("Placed"));
        found.bounded += 1;
        found.reached += u64::from(seen == limit);
        found.edf += u64::from(is_edf);
        found.edf_reached += u64::from(is_edf && seen == limit);
        found.placed += u64::from(is_placed);
        found.placed_reached += u64::from(is_placed && seen == limit);
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
fn no_history_by_the_clock_exceeds_a_bound() {
    let found = all(400, 60, System::clone);
    correct(&found);
    assert!(found.edf > 100 && found.edf_reached > 30, "{found:?}");
    assert!(found.placed > 30 && found.placed_reached > 20, "{found:?}");
}

/// `VORRANG_SYSTEMS` systems with `VORRANG_HISTORIES` histories each.
#[test]
#[ignore = "a long campaign"]
fn no_history_by_the_clock_exceeds_a_bound_in_very_many() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let found =
        all(number("VORRANG_SYSTEMS", 20_000), number("VORRANG_HISTORIES", 300), System::clone);
    eprintln!(
        "{} bounds, {} reached; {} under EDF by the clock, {} reached; {} in windows by the clock, {} reached",
        found.bounded,
        found.reached,
        found.edf,
        found.edf_reached,
        found.placed,
        found.placed_reached
    );
    correct(&found);
}

/// Errors on purpose: offsets that are a nanosecond late, jitter that is one less, windows that begin one late.
#[test]
fn what_is_planted_is_noticed() {
    let late = |system: &System| {
        let mut wrong = system.clone();
        for offset in wrong.tasks.iter_mut().filter_map(|task| task.offset.as_mut()).take(1) {
            *offset += Duration::RESOLUTION;
        }
        wrong
    };
    let punctual = |system: &System| {
        let mut wrong = system.clone();
        for task in &mut wrong.tasks {
            task.jitter = task.jitter.saturating_sub(Duration::RESOLUTION);
        }
        wrong
    };
    let moved = |system: &System| {
        let mut wrong = system.clone();
        for supply in &mut wrong.supplies {
            let period = supply.server().map_or(Duration::ZERO, |server| server.period);
            let last = supply.windows.last().map(|window| window.offset + window.length);
            if last.is_some_and(|last| last < period) {
                for window in &mut supply.windows {
                    window.offset += Duration::RESOLUTION;
                }
            }
        }
        wrong
    };
    for (what, planted) in
        [("late", late as fn(&System) -> System), ("punctual", punctual), ("moved", moved)]
    {
        assert!(!all(150, 40, planted).exceeded.is_empty(), "{what}");
    }
}
