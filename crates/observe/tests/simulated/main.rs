//! The chain closed: a random system is simulated, its schedule printed in the kernel's words, and what is observed
//! of that text must be what the simulator says; and never above the bounds.

mod chains;
mod printing;

use printing::{FIRST, Recorded};
use vorrang_model::System;
use vorrang_model::system::{Costs, SupplyId};
use vorrang_observe::Schedule;
use vorrang_observe::comparison::Verdict;
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation, Row};
use vorrang_sim::{Pattern, simulate};
use vorrang_time::{Duration, Instant};

/// What is drawn, and what can be printed of it.
const SYSTEMS: u64 = 1_000;

/// Systems whose machine takes nothing for itself and has no network cards, with a thread for each task.
fn systems() -> impl Iterator<Item = System> {
    (0..SYSTEMS).filter_map(|index| {
        let mut system = vorrang_campaign::generate::system(20_261, index);
        let plain = system.costs == Costs::default()
            && system.caches.is_empty()
            && system.devices.is_empty()
            && system.cores().count() == 1;
        for (task, number) in system.tasks.iter().zip(FIRST..) {
            system.host.threads.insert(task.name.clone(), format!("pid:{number}"));
        }
        for (id, interrupt) in system.interrupts.iter().enumerate() {
            system.host.interrupts.insert(interrupt.name.clone(), id.to_string());
        }
        plain.then_some(system)
    })
}

fn recorded(system: &System, core: SupplyId, pattern: &str) -> Option<Recorded> {
    let pattern = Pattern::parse(pattern, system).expect("a pattern");
    let history = pattern.history(system, core).ok()?;
    let horizon = vorrang_sim::time_of(system, core, &history, 200);
    let mut recorded = Recorded::default();
    simulate(system, core, &history, Instant::ZERO + horizon, &mut recorded).ok()?;
    Some(recorded)
}

fn limits(system: &System) -> Limits {
    let bounds = vorrang_analysis::bounds(system);
    let none = || "there is no bound".to_owned();
    Limits {
        tasks: system.task_ids().map(|id| bounds.task(id).bound().ok_or_else(none)).collect(),
        interrupts: system
            .interrupt_ids()
            .map(|id| bounds.interrupt(id).bound().ok_or_else(none))
            .collect(),
        chains: vorrang_analysis::chain_limits(system, &bounds),
    }
}

/// What was looked at, so that a test of nothing is seen.
#[derive(Debug, Default)]
struct Looked {
    jobs: usize,
    budgets: usize,
    interrupts: usize,
    bounds: usize,
}

fn check(system: &System, recorded: &Recorded, digits: u32, looked: &mut Looked) {
    let text = recorded.text(system, digits);
    let schedule: Schedule = text.parse().expect("what is printed is a trace");
    if schedule.events.is_empty() {
        return;
    }
    let matching = Matching::in_trace(system, &schedule);
    let limits = limits(system);
    let observation = Observation::of(system, &schedule, &matching, &limits);
    // Nine digits are exact, six are so to a microsecond for an interval.
    let exact = if digits == 9 { 0 } else { 1_000 };
    let busy = recorded.busy(system.tasks.len());
    let received = recorded.received(system.tasks.len());
    for (task, number) in (FIRST..).enumerate().take(system.tasks.len()) {
        let Some(history) = observation.histories.get(&number) else {
            assert!(received[task].is_empty(), "task {task} ran and was not seen");
            continue;
        };
        assert_eq!(history.jobs.len(), busy[task].len(), "jobs of task {task}");
        for (job, &(release, completion)) in history.jobs.iter().zip(&busy[task]) {
            assert_eq!(job.is_complete, completion.is_some());
            let Some(completion) = completion else { continue };
            let response = completion - release;
            assert!(job.response().abs_diff(response) <= exact, "task {task}: {job:?} {response}");
            let within =
                |&(from, to): &(u64, u64)| to.min(completion).saturating_sub(from.max(release));
            let executed: u64 = received[task].iter().map(within).sum();
            let pieces = received[task].len() as u64;
            let may_differ = exact * pieces;
            assert!(
                job.executed.time.abs_diff(executed) <= may_differ,
                "task {task}: {job:?} {executed}"
            );
            looked.jobs += 1;
        }
    }
    budgets(system, recorded, &observation, exact, looked);
    for row in &observation.rows {
        for comparison in row.comparisons() {
            assert_ne!(comparison.verdict, Verdict::Above, "{row:?}\n{:?}", system.supplies);
            looked.bounds += usize::from(comparison.worst.is_some());
        }
        let is_interrupt = row.kind == vorrang_observe::observation::Kind::Interrupt;
        let seen = row.seen.as_ref().is_ok_and(|seen| seen.jobs > 0);
        looked.interrupts += usize::from(is_interrupt && seen);
    }
}

/// The largest use of a period, by looking at every window that could have it.
fn budgets(
    system: &System,
    recorded: &Recorded,
    observation: &Observation,
    exact: u64,
    looked: &mut Looked,
) {
    let received = recorded.received(system.tasks.len());
    for row in &observation.rows {
        let Ok(seen) = &row.seen else { continue };
        let (Some(usage), Some(thread)) = (&seen.usage, seen.thread) else { continue };
        let own = &received[(thread - FIRST) as usize];
        let period = usage.period;
        let used = |begin: u64, end: u64| -> u64 {
            own.iter().map(|&(from, to)| to.min(end).saturating_sub(from.max(begin))).sum()
        };
        let starts = own.iter().flat_map(|&(from, to)| [from, to.saturating_sub(period)]);
        let largest = starts.map(|begin| used(begin, begin + period)).max().unwrap_or(0);
        let found = usage.largest.map_or(0, |window| window.used.time);
        let pieces = usage.largest.map_or(1, |window| window.used.pieces + 2);
        assert!(found.abs_diff(largest) <= exact * pieces, "{}: {found} {largest}", row.name);
        looked.budgets += 1;
    }
}

#[test]
fn what_is_observed_of_a_simulated_schedule_is_what_the_simulator_says() {
    let mut looked = Looked::default();
    for system in systems() {
        let core = system.cores().next().expect("one core");
        for pattern in ["synchronous", "random:7"] {
            let Some(recorded) = recorded(&system, core, pattern) else { continue };
            for digits in [9, 6] {
                check(&system, &recorded, digits, &mut looked);
            }
        }
    }
    let Looked { jobs, budgets, interrupts, bounds } = looked;
    assert!(jobs > 10_000 && budgets > 100 && interrupts > 100 && bounds > 500, "{looked:?}");
}

/// The same text against a description that promises less is seen to be above it.
#[test]
fn what_is_promised_too_little_of_is_above() {
    let mut above = 0;
    for mut system in systems().take(100) {
        let core = system.cores().next().expect("one core");
        let Some(recorded) = recorded(&system, core, "synchronous") else { continue };
        let schedule: Schedule = recorded.text(&system, 9).parse().expect("a trace");
        for task in &mut system.tasks {
            task.wcet = Duration::from_ns(task.wcet.as_ns() / 2);
        }
        let matching = Matching::in_trace(&system, &schedule);
        let nothing = Limits {
            tasks: vec![Err("none".to_owned()); system.tasks.len()],
            interrupts: vec![Err("none".to_owned()); system.interrupts.len()],
            chains: vec![Err("none".to_owned()); system.chains.len()],
        };
        let observation = Observation::of(&system, &schedule, &matching, &nothing);
        let verdicts = observation.rows.iter().flat_map(Row::comparisons);
        above += verdicts.filter(|one| one.verdict == Verdict::Above).count();
    }
    assert!(above > 50, "{above}");
}
