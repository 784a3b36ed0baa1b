//! Interrupts that reach another core beside everything else: systems of the campaign, some of whose interrupts are taken by
//! one more core, and a search of each.

use vorrang_analysis::bounds;
use vorrang_campaign::check::Effort;
use vorrang_campaign::generate;
use vorrang_campaign::random::Random;
use vorrang_model::system::{InterruptId, Scheduler, Supply, SupplyId, SupplyKind, System, TaskId};
use vorrang_model::{Format, read, write_toml};
use vorrang_sim::{Search, Worst, search};
use vorrang_time::Duration;

/// What was tried.
#[derive(Debug, Default)]
struct Found {
    kicks: u64,
    /// Of which there is a bound.
    bounded: u64,
    /// Of which the search shows half at least.
    near: u64,
    exceeded: Vec<String>,
}

/// The system, with some of its interrupts on a core of their own; `None` if none of them may be.
fn taken_elsewhere(mut system: System, random: &mut Random) -> Option<System> {
    let may_move = |id: &InterruptId| {
        let interrupt = system.interrupt(*id);
        let reaches = interrupt.delivery.is_some() || interrupt.wakes.is_some();
        let is_of_card = system.devices.iter().any(|card| card.interrupt == *id);
        reaches && interrupt.is_external() && interrupt.storm.is_none() && !is_of_card
    };
    let ids: Vec<InterruptId> = system.interrupt_ids().filter(may_move).collect();
    if ids.is_empty() {
        return None;
    }
    let away = SupplyId(system.supplies.len());
    system.supplies.push(Supply {
        name: "core.away".to_owned(),
        kind: SupplyKind::Core,
        scheduler: Scheduler::FixedPriority,
        ..Supply::default()
    });
    for (place, id) in ids.into_iter().enumerate() {
        if place == 0 || random.chance(2, 3) {
            system.interrupts[id.0].on = away;
        }
    }
    system.add_kicks();
    Some(system)
}

fn compare(
    index: u64,
    known: Option<Duration>,
    seen: Option<&Worst>,
    name: &str,
) -> Option<String> {
    let (bound, seen) = (known?, seen?);
    let is_longer = seen.response > bound;
    is_longer
        .then(|| format!("{index}: {name} took {} of {bound} in {}", seen.response, seen.pattern))
}

fn look(first: u64, index: u64, work: u64, found: &mut Found) {
    let mut random = Random::new(first, index);
    let Some(system) = taken_elsewhere(generate::system(first, index), &mut random) else { return };
    let back = read(write_toml(&system), Format::Toml).expect("a description");
    assert_eq!(back.interrupts.len(), system.interrupts.len(), "{index}");
    let known = bounds(&system);
    let seen = search(&system, &Search { seed: index, work, ..Effort::brief().search });
    assert!(seen.not_covered.is_empty(), "{index}: {:?}", seen.not_covered);
    for (id, worst) in seen.interrupts.iter().enumerate() {
        let (interrupt, bound) = (&system.interrupts[id], known.interrupt(InterruptId(id)).bound());
        if interrupt.raised_by.is_some() {
            found.kicks += 1;
            found.bounded += u64::from(bound.is_some());
            let is_near = |worst: &Worst| bound.is_some_and(|bound| worst.response * 2 >= bound);
            found.near += u64::from(worst.as_ref().is_some_and(is_near));
        }
        found.exceeded.extend(compare(index, bound, worst.as_ref(), &interrupt.name));
    }
    for (id, worst) in seen.tasks.iter().enumerate() {
        let bound = known.task(TaskId(id)).bound();
        found.exceeded.extend(compare(index, bound, worst.as_ref(), &system.tasks[id].name));
    }
}

#[test]
fn no_bound_is_exceeded_where_another_core_takes_the_interrupts() {
    let mut found = Found::default();
    for index in 0..400 {
        look(9, index, 150, &mut found);
    }
    let Found { kicks, bounded, near, exceeded } = &found;
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    assert!(*bounded > 25 && *near > 15, "{kicks} {bounded} {near}");
}

/// `VORRANG_SYSTEMS` systems with seed `VORRANG_SEED`.
#[test]
#[ignore = "a long campaign"]
fn no_bound_is_exceeded_where_another_core_takes_the_interrupts_in_very_many() {
    let number = |name: &str, otherwise| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let mut found = Found::default();
    for index in 0..number("VORRANG_SYSTEMS", 20_000) {
        look(number("VORRANG_SEED", 11), index, 1_500, &mut found);
    }
    eprintln!("{} kicks, {} bounded, {} near", found.kicks, found.bounded, found.near);
    assert!(found.exceeded.is_empty(), "{:?}", found.exceeded);
}
