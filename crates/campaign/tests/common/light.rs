//! Guests that use little of a budget: very many histories of a system, and what their bounds rest on.

use super::{Longest, drawn_jobs};
use std::fmt::Write as _;
use vorrang_analysis::{Assumption, bounds};
use vorrang_campaign::random::Random;
use vorrang_model::system::{Member, SupplyId, System, TaskId};
use vorrang_sim::{Arrivals, Blocker, History, Simulator};
use vorrang_time::{Duration, Instant};

const JOBS: u64 = 8;

/// How systems are drawn, and of which seed: what is held up by a section is drawn from a stream of its own.
pub(crate) type Draw = (u64, fn(&mut Random, &mut Random) -> System);

/// What was tried.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) bounded: u64,
    /// Because a budget lasts.
    pub(crate) lasting: u64,
    pub(crate) reached: u64,
    pub(crate) exceeded: Vec<String>,
}

/// A number that a long campaign is told.
pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// A task of a guest by priority that a section holds up, or one in a server without a budget that a section holds up; or none.
pub(crate) fn held_up(
    text: &mut String,
    random: &mut Random,
    (name, on): (&str, &str),
    period: u64,
) {
    let (blocking, priority) = (random.between(1, 3), random.between(2, 6));
    let blocking = format!("blocking = \"{blocking}ns\"\n");
    let inner = format!("server.{name}-level");
    let (on, own) = match random.below(8) {
        0 => (on, &*blocking),
        1 => {
            write!(
                text,
                "[{inner}]\non = \"{on}\"\nserver = \"none\"\npriority = {priority}\nscheduler = \"fixed-priority\"\n{blocking}"
            )
            .expect("a string takes it");
            (&*inner, "")
        }
        _ => return,
    };
    write!(
        text,
        "[task.{name}-held]\non = \"{on}\"\nwcet = \"1ns\"\nperiod = \"{}ns\"\ndeadline = \"none\"\npriority = {priority}\n{own}",
        random.between(period / 2 + 1, 2 * period)
    )
    .expect("a string takes it");
}

fn members(system: &System) -> impl Iterator<Item = Member> {
    system.task_ids().map(Member::Task).chain(system.supply_ids().skip(1).map(Member::Server))
}

/// Whether a task is a member, or in it.
fn is_of(system: &System, task: TaskId, member: Member) -> bool {
    let mut on = Some(system.task(task).on);
    match member {
        Member::Task(id) => id == task,
        Member::Server(id) => core::iter::from_fn(|| {
            let own = on?;
            on = system.supply(own).on();
            Some(own)
        })
        .any(|own| own == id),
    }
}

fn history(system: &System, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    for (supply, phase) in system.supplies.iter().zip(&mut history.phases) {
        let period = supply.server().map_or(1, |server| server.period.as_ns());
        *phase = Duration::from_ns(random.below(period));
    }
    for arrivals in &mut history.interrupts {
        *arrivals = Arrivals::from(Instant::from_ns(random.below(60)));
    }
    let core = system.supply(SupplyId(0));
    if !core.overrun.is_zero() || !core.sections.is_zero() {
        let late = random.between(0, core.overrun.as_ns());
        history.overruns.fill(random.one_of(&[core.overrun, Duration::from_ns(late)]));
        history.sections = random.one_of(&[Duration::ZERO, core.sections]);
    }
    let lazy = random.chance(1, 3);
    let starts = system.tasks.iter().map(|task| history.start(system, task.on).as_ns());
    let starts: Vec<u64> = starts.collect();
    for ((task, script), start) in system.tasks.iter().zip(&mut history.scripts).zip(starts) {
        if task.name.ends_with("woken") {
            continue;
        }
        let from = start + random.below(50);
        *script = drawn_jobs(task, (from, JOBS), lazy, random);
    }
    history
}

/// Simulates so many histories of a system, and as many in which a section holds something up if anything is.
fn look((seed, draw): Draw, stream: u64, histories: u64, found: &mut Found) {
    let (mut random, mut held) = (Random::new(seed, stream), Random::new(seed + 1_000_000, stream));
    let system = draw(&mut random, &mut held);
    let known = bounds(&system);
    let mut longest = Longest::new(&system);
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    let mut run = |history: &History, longest: &mut Longest| {
        simulator.run(history, Instant::from_ns(600), longest);
    };
    for _ in 0..histories {
        run(&history(&system, &mut random), &mut longest);
    }
    for member in members(&system).filter(|&member| !system.blocking(member).is_zero()) {
        for _ in 0..histories {
            let from = Instant::from_ns(held.below(100));
            let blocker = Some(Blocker { member, from });
            let mut own = Longest::new(&system);
            run(&History { blocker, ..history(&system, &mut held) }, &mut own);
            // Of others it says nothing.
            for id in system.task_ids().filter(|id| is_of(&system, *id, member)) {
                longest.0[id.0] = longest.0[id.0].max(own.0[id.0]);
            }
        }
    }
    for (id, &seen) in longest.0.iter().enumerate() {
        let finding = known.task(TaskId(id));
        let Some(limit) = finding.bound() else { continue };
        let lasts = |own: &Assumption| matches!(own, Assumption::BudgetLasts { .. });
        let is_lasting = finding.assumptions().iter().any(lasts);
        found.bounded += 1;
        found.lasting += u64::from(is_lasting);
        found.reached += u64::from(is_lasting && seen == limit);
        if seen > limit {
            let name = &system.tasks[id].name;
            found.exceeded.push(format!("stream {stream}: {name} took {seen}, bound {limit}"));
        }
    }
}

/// The same of systems of these streams, in which no bound may be exceeded.
pub(crate) fn all(draw: Draw, streams: impl Iterator<Item = u64>, histories: u64) -> Found {
    let mut found = Found::default();
    for stream in streams {
        look(draw, stream, histories, &mut found);
    }
    let Found { bounded, lasting, reached, exceeded } = &found;
    println!("{bounded} bounded, {lasting} as budgets last, {reached} of these reached");
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    found
}
