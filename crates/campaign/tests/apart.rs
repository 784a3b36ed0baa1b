//! What nothing connects: parts of a system are systems by themselves, and what was found of a core stands as long as
//! nothing changes on it.
//!
//! **Model.** Random systems with several cores, on some of which paths connect them. A time of one task is changed; then
//! bounds and histories after the change are those of a first look at the changed system.

use vorrang_analysis::{Finding, Known, bounds, bounds_since};
use vorrang_campaign::generate;
use vorrang_campaign::random::Random;
use vorrang_model::system::System;
use vorrang_sim::{Ceilings, Observations, Search, SeenBefore, search_since};
use vorrang_time::Duration;

const SEED: u64 = 50;

/// The first so many systems with more than one core.
fn systems(count: usize) -> impl Iterator<Item = System> {
    let drawn = (0..)
        .flat_map(|index| [generate::system(SEED, index), generate::chained_system(SEED, index)]);
    drawn.filter(|system| system.cores().count() > 1).take(count)
}

fn told(finding: &Finding) -> String {
    format!("{:?} {:?} {:?}", finding.bound(), finding.reason(), finding.assumptions())
}

#[test]
fn a_part_has_the_bounds_of_the_whole() {
    let (mut apart, mut compared) = (0, 0);
    for system in systems(200) {
        let whole = bounds(&system);
        let parts = system.parts();
        apart += usize::from(parts.len() > 1);
        for part in parts {
            let found = bounds(&part.system);
            for (&place, own) in part.requirements.iter().zip(&part.system.requirements) {
                let (of_whole, of_part) =
                    (whole.requirement(&system.requirements[place]), found.requirement(own));
                assert_eq!(told(of_part), told(of_whole), "{}", own.name);
                compared += usize::from(of_part.bound().is_some());
            }
        }
    }
    assert!(apart > 40 && compared > 400, "{apart} systems apart, {compared} bounds");
}

/// Another system, in which one task takes half as long, or comes half as often.
fn changed(system: &System, random: &mut Random) -> System {
    let mut changed = system.clone();
    let may_change: Vec<usize> =
        (0..system.tasks.len()).filter(|&at| !system.tasks[at].polls).collect();
    let task = &mut changed.tasks[random.one_of(&may_change)];
    let half = Duration::from_ns(task.wcet.as_ns() / 2);
    if half >= task.bcet && task.execution.is_empty() && random.chance(1, 2) {
        task.wcet = half;
    } else {
        task.min_interarrival = task.min_interarrival + task.min_interarrival;
        (task.distances, task.latest_interarrival) = (None, None);
    }
    changed
}

fn seen(system: &System, before: &SeenBefore<'_>) -> Observations {
    let found = bounds(system);
    let ceilings = Ceilings {
        tasks: system.task_ids().map(|id| found.task(id).bound()).collect(),
        interrupts: system.interrupt_ids().map(|id| found.interrupt(id).bound()).collect(),
    };
    search_since(system, &Search::within(200_000), &ceilings, before, &mut (), &mut |_| {})
}

#[test]
fn what_was_found_stands_where_nothing_changed() {
    let mut random = Random::new(SEED, 0);
    let (mut stood, mut moved) = (0, 0);
    for system in systems(60) {
        let before = bounds(&system);
        let after = changed(&system, &mut random);
        let same = after.same_cores(&system).len();
        assert!(same < after.cores().count(), "what changed is somewhere");
        stood += same;
        let (first, since) =
            (bounds(&after), bounds_since(&after, &Known::of(&after, &system, &before), &|| false));
        for id in after.task_ids() {
            assert_eq!(told(since.task(id)), told(first.task(id)), "{}", after.task(id).name);
            moved += usize::from(first.task(id).bound() != before.task(id).bound());
        }
        for id in after.interrupt_ids() {
            assert_eq!(told(since.interrupt(id)), told(first.interrupt(id)));
        }
        let earlier = seen(&system, &SeenBefore::default());
        let since = seen(&after, &SeenBefore::of(&after, &system, &earlier));
        assert_eq!(since, seen(&after, &SeenBefore::default()));
    }
    assert!(stood > 30 && moved > 10, "{stood} cores stood, {moved} bounds moved");
}
