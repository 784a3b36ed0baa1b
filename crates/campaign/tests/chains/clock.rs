//! Tasks by the clock: chains and responses beside all histories.

use super::drawn::system;
use super::notation::Written;
use super::table::rows;
use vorrang_analysis::{Bounds, ChainBound, bounds, chain_bound};
use vorrang_campaign::paths::draw::{Manner, Place, text};
use vorrang_campaign::paths::{Followed, Layout, longest};
use vorrang_campaign::random::Random;
use vorrang_model::system::{Communication, System, TaskId};
use vorrang_time::Duration;

const LIMIT: usize = 20_000;

/// A small system with a chain; all or most of what arrives by itself does so by the clock.
fn drawn(stream: u64, place: Place, manner: Manner) -> System {
    let random = &mut Random::new(48, stream);
    let text = text(random, place, manner);
    let all = random.chance(2, 3);
    let by_clock = |line: &str| {
        if line.starts_with("latest-interarrival") && (all || random.chance(2, 3)) {
            format!("offset = \"{}ns\"\n", random.below(12))
        } else {
            format!("{line}\n")
        }
    };
    system(&text.lines().map(by_clock).collect::<String>())
}

fn reaction(system: &System) -> Option<(u64, u64)> {
    let path = system.chains[0].path.clone();
    let layout = Layout::new(system, Followed::Path(path), &[]).expect("covered");
    let found = longest(&layout, LIMIT).ok()?;
    Some((found.until_over?.into(), found.age.unwrap_or_default().into()))
}

fn found(system: &System, bounds: &Bounds) -> ChainBound {
    chain_bound(system, bounds, &system.chains[0])
}

/// Published: 27, 36, 36, 23, 24, 9 and 14.
#[test]
fn known_phases_are_bounded_as_published_or_better() {
    let published =
        [("R06", 27), ("R07", 36), ("R10", 36), ("R18", 23), ("R19", 24), ("R22", 9), ("R23", 14)];
    let mut exact = 0;
    for row in rows().filter(|row| row.is_chain() && row.has_phases()) {
        let tick = Duration::from_us(1).as_ns();
        let members = row.members.replace("ph=", "O=");
        let system = Written { members: &members, tick }.system(Some(row.path));
        let bound = found(&system, &bounds(&system)).found.expect("a bound").as_ns();
        let limit = row.limit.expect("known") * tick;
        let (_, published) = published.iter().find(|(id, _)| *id == row.id).expect("listed");
        assert!(limit <= bound, "{}: {bound} is below {limit}", row.id);
        assert!(bound <= published * tick, "{}: {bound} is above {published} us", row.id);
        exact += usize::from(bound == limit);
    }
    assert!(exact >= 12, "{exact} of 14");
}

#[test]
fn no_history_by_the_clock_exceeds_the_bound_of_a_chain() {
    for (place, manner) in [
        (Place::Core, Manner::Registers),
        (Place::Core, Manner::Mixed),
        (Place::Cores, Manner::Registers),
        (Place::Cores, Manner::Logical),
        (Place::Cores, Manner::Woken),
        (Place::Levels, Manner::Mixed),
        (Place::ByDeadline, Manner::Registers),
        (Place::Budget, Manner::Mixed),
    ] {
        let (mut compared, mut exact, mut by_clock) = (0, 0, 0);
        for stream in 0..60 {
            let system = drawn(stream, place, manner);
            let known = bounds(&system);
            let bound = found(&system, &known);
            let Ok(most) = bound.found else { continue };
            let Some((reaction, age)) = reaction(&system) else { continue };
            let most = most.as_ns();
            assert!(
                reaction <= most && age <= most,
                "{place:?} {manner:?} {stream}: {reaction}, {age} > {most} ({})",
                bound.by
            );
            compared += 1;
            exact += usize::from(reaction == most);
            by_clock += usize::from(bound.by.contains("by the clock"));
        }
        assert!(
            compared > 20 && by_clock > 3 && exact > 1,
            "{place:?} {manner:?}: {compared}, {by_clock}, {exact}"
        );
    }
}

/// Where all is logical and in time, the way from job to job is what happens.
#[test]
fn logical_execution_by_the_clock_is_exact() {
    let mut compared = 0;
    for stream in 0..120 {
        let system = drawn(stream, Place::Cores, Manner::Logical);
        let known = bounds(&system);
        let is_in_time = |id: &TaskId| {
            let task = system.task(*id);
            task.offset.is_some() && known.task(*id).bound() <= task.deadline
        };
        let path = &system.chains[0].path;
        if !path.iter().all(is_in_time) || path.len() < 2 {
            continue;
        }
        let Some((reaction, _)) = reaction(&system) else { continue };
        assert_eq!(found(&system, &known).found.expect("a bound").as_ns(), reaction, "{stream}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn no_history_by_the_clock_exceeds_the_bound_of_a_task() {
    for place in [Place::Core, Place::Cores, Place::Levels, Place::Budget] {
        for manner in [Manner::Registers, Manner::Woken] {
            let (mut compared, mut exact, mut shorter) = (0, 0, 0);
            for stream in 0..120 {
                let system = drawn(stream, place, manner);
                let known = bounds(&system);
                let any_phase = bounds(&at_any_time(&system));
                for id in system.task_ids() {
                    let Some(bound) = known.task(id).bound() else { continue };
                    let layout = Layout::new(&system, Followed::Job(id), &[]).expect("covered");
                    let Ok(found) = longest(&layout, LIMIT) else { continue };
                    let Some(found) = found.until_over.map(u64::from) else { continue };
                    let name = &system.task(id).name;
                    let bound = bound.as_ns();
                    assert!(
                        found <= bound,
                        "{place:?} {manner:?} {stream}: {name} {found} > {bound}"
                    );
                    compared += 1;
                    exact += usize::from(found == bound);
                    let without = any_phase.task(id).bound().map(Duration::as_ns);
                    assert!(without.is_none_or(|without| bound <= without), "{stream} {name}");
                    shorter += usize::from(without.is_some_and(|without| bound < without));
                }
            }
            println!("{place:?} {manner:?}: {compared}, {exact} exact, {shorter} shorter");
            assert!(
                compared > 40 && exact * 4 > compared,
                "{place:?} {manner:?}: {compared}, {exact}"
            );
            let is_any = place == Place::Budget || shorter > 1;
            assert!(is_any, "{place:?} {manner:?}: {shorter}");
        }
    }
}

fn at_any_time(system: &System) -> System {
    let mut other = system.clone();
    other.tasks.iter_mut().for_each(|task| task.offset = None);
    other
}

/// Each says less than the true worst of some small system.
#[test]
fn every_error_by_the_clock_is_noticed() {
    type Error = fn(&mut System, usize);
    let planted: [(&str, Error); 5] = [
        ("an offset a nanosecond later", |system, id| {
            let offset = system.tasks[id].offset.expect("by the clock");
            system.tasks[id].offset = Some(offset + Duration::RESOLUTION);
        }),
        ("no offset", |system, id| system.tasks[id].offset = Some(Duration::ZERO)),
        ("no jitter", |system, id| system.tasks[id].jitter = Duration::ZERO),
        ("logical execution ends with the job", |system, id| {
            system.tasks[id].communication = Communication::Registers;
        }),
        ("the longest execution is the shortest", |system, id| {
            system.tasks[id].wcet = system.tasks[id].bcet;
        }),
    ];
    let mut noticed = [0; 5];
    for stream in 0..80 {
        let (place, manner) = match stream % 3 {
            0 => (Place::Cores, Manner::Mixed),
            1 => (Place::Cores, Manner::Registers),
            _ => (Place::Core, Manner::Mixed),
        };
        let system = drawn(stream, place, manner);
        let Some((reaction, _)) = reaction(&system) else { continue };
        for (count, (_, error)) in noticed.iter_mut().zip(&planted) {
            for id in 0..system.tasks.len() {
                let mut wrong = system.clone();
                if wrong.tasks[id].offset.is_none() {
                    continue;
                }
                error(&mut wrong, id);
                let bound = found(&wrong, &bounds(&wrong)).found;
                *count += u32::from(bound.is_ok_and(|bound| bound.as_ns() < reaction));
            }
        }
    }
    for (count, (name, _)) in noticed.iter().zip(&planted) {
        assert!(*count > 0, "{name} is not noticed");
    }
}
