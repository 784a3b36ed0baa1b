//! Chains over tasks that other tasks wake, alone or together: small systems at random, the bound beside the longest of
//! all histories, and errors on purpose that are noticed there.

use super::drawn::{drawn, system};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use vorrang_analysis::{Bounds, bounds, chain_bound};
use vorrang_campaign::paths::draw::{Manner, Place};
use vorrang_campaign::paths::{Followed, Layout, longest};
use vorrang_model::system::{Communication, Scheduler, System, TaskId};

const PLACES: [Place; 4] = [Place::Core, Place::ByDeadline, Place::Cores, Place::Levels];

const LIMIT: usize = 12_000;

/// A system whose chain has a bound, and its longest reaction time and data age.
struct Known {
    place: Place,
    system: System,
    bounds: Bounds,
    bound: u64,
    longest: u64,
}

/// A writer that another core wakes: until then its reader, which is less urgent, may start with the old value. Drawn
/// systems hardly show it.
const WOKEN_LATE: &str = r#"
    version = 1
    [core.0]
    scheduler = "fixed-priority"
    [core.1]
    scheduler = "fixed-priority"
    [task.source]
    on = "core.1"
    bcet = "1ns"
    wcet = "3ns"
    period = "8ns"
    latest-interarrival = "9ns"
    priority = 1
    [task.writer]
    on = "core.0"
    wcet = "1ns"
    deadline = "100ns"
    priority = 3
    after = ["task.source"]
    [task.reader]
    on = "core.0"
    wcet = "1ns"
    period = "7ns"
    latest-interarrival = "8ns"
    priority = 2
    [chain.x]
    path = ["task.writer", "task.reader"]
    reaction = "100ns"
"#;

/// A writer that takes longer than the least distance of the source, which its reader is, but not than the longest. Drawn
/// systems do not show it.
const TWO_ARRIVALS: &str = r#"
    version = 1
    [core.0]
    scheduler = "fixed-priority"
    [core.1]
    scheduler = "fixed-priority"
    [core.2]
    scheduler = "fixed-priority"
    [task.source]
    on = "core.0"
    wcet = "1ns"
    period = "5ns"
    latest-interarrival = "9ns"
    priority = 1
    [task.between]
    on = "core.1"
    bcet = "3ns"
    wcet = "3ns"
    deadline = "100ns"
    priority = 1
    after = ["task.source"]
    [task.writer]
    on = "core.2"
    bcet = "4ns"
    wcet = "4ns"
    deadline = "100ns"
    priority = 1
    after = ["task.between"]
    [chain.x]
    path = ["task.writer", "task.source"]
    reaction = "100ns"
"#;

fn known(system: System, place: Place) -> Option<Known> {
    let chain = &system.chains[0];
    chain.path.iter().find(|&&id| system.task(id).activation.is_by_tasks())?;
    let bounds = bounds(&system);
    let bound = chain_bound(&system, &bounds, chain).found.ok()?.as_ns();
    let layout = Layout::new(&system, Followed::Path(chain.path.clone()), &[]).expect("covered");
    let found = longest(&layout, LIMIT).ok()?;
    let reaction = u64::from(found.until_over?);
    let longest = reaction.max(found.age.map_or(0, u64::from));
    Some(Known { place, system, bounds, bound, longest })
}

/// Each system once, for all tests.
fn all() -> &'static [Known] {
    static ALL: OnceLock<Vec<Known>> = OnceLock::new();
    ALL.get_or_init(|| {
        let of = |place| {
            (0..40).filter_map(move |stream| known(drawn(stream, place, Manner::Woken), place))
        };
        let made = [WOKEN_LATE, TWO_ARRIVALS].map(|text| known(system(text), Place::Cores));
        assert!(made.iter().all(Option::is_some));
        PLACES.into_iter().flat_map(of).chain(made.into_iter().flatten()).collect()
    })
}

/// The mean share of the bounds that is reached is what the table of all histories asks of its rows.
#[test]
fn no_history_exceeds_the_bound_of_a_chain_over_wake_ups() {
    let mut shares: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for Known { place, system, bound, longest, .. } in all() {
        assert!(longest <= bound, "{longest} is above {bound} in {system:#?}");
        let [longest, bound] =
            [*longest, *bound].map(|time| f64::from(u32::try_from(time).expect("small")));
        let share = longest / bound;
        shares.entry(format!("{place:?}")).or_default().push(share);
    }
    assert_eq!(shares.len(), PLACES.len());
    for (place, shares) in shares {
        let count = u32::try_from(shares.len()).expect("few");
        let mean = shares.iter().sum::<f64>() / f64::from(count);
        assert!(count >= 8 && mean >= 0.8, "{place}: {mean} of {count}");
        println!("{place}: {mean:.3} of {count}");
    }
}

/// The sum, but for an error in it.
struct Planted {
    name: &'static str,
    /// What is taken for one task.
    is_run: fn(&System, TaskId, TaskId) -> bool,
    /// Whether a run waits until its source arrives again where it is not the first of the chain.
    waits_again: bool,
    /// How late a writer that holds its reader up is ready.
    released: fn(&System, &Bounds, TaskId) -> u64,
    /// From the arrival of a task to its writing.
    time: fn(&System, &Bounds, TaskId) -> u64,
    /// How many arrivals of the source of both come before the one whose job of a reader begins so long after that of
    /// its writer, or later.
    sooner: fn(&System, TaskId, u64) -> u64,
}

fn is_run(system: &System, writer: TaskId, reader: TaskId) -> bool {
    !is_logical(system, writer) && system.followers(writer).contains(&reader)
}

fn is_logical(system: &System, id: TaskId) -> bool {
    system.task(id).communication == Communication::Let
}

fn released(system: &System, known: &Bounds, id: TaskId) -> u64 {
    let before = system.predecessors(id).into_iter().map(|by| response(known, by));
    before.chain([system.task(id).jitter.as_ns()]).max().unwrap_or_default()
}

fn response(known: &Bounds, id: TaskId) -> u64 {
    known.task(id).bound().expect("its chain has one").as_ns()
}

fn time(system: &System, known: &Bounds, id: TaskId) -> u64 {
    let own = system.task(id);
    let logical = own.deadline.filter(|_| is_logical(system, id));
    response(known, id).max(logical.map_or(0, vorrang_time::Duration::as_ns))
}

fn sooner(system: &System, source: TaskId, from: u64) -> u64 {
    from.div_ceil(system.task(source).min_interarrival.as_ns()).saturating_sub(1)
}

const RIGHT: Planted =
    Planted { name: "nothing", is_run, waits_again: true, released, time, sooner };

const PLANTED: [Planted; 9] = [
    Planted {
        name: "what descends from one task is a run in whatever order",
        is_run: |system, writer, reader| {
            !is_logical(system, writer) && system.root_of(writer) == system.root_of(reader)
        },
        ..RIGHT
    },
    Planted {
        name: "what writes at its deadline begins a run",
        is_run: |system, writer, reader| system.followers(writer).contains(&reader),
        ..RIGHT
    },
    Planted { name: "only the first of a chain waits", waits_again: false, ..RIGHT },
    Planted {
        name: "a woken writer is ready when it arrives",
        released: |system, _, id| system.task(id).jitter.as_ns(),
        ..RIGHT
    },
    Planted {
        name: "a response counts from the wake-up",
        time: |system, known, id| match system.predecessors(id).len() {
            0 => time(system, known, id),
            _ => time(system, known, id).saturating_sub(released(system, known, id)),
        },
        ..RIGHT
    },
    Planted {
        name: "the least distance of the source",
        time: |system, known, id| {
            let source = system.task(system.root_of(id));
            let latest = source.latest_interarrival.expect("stated");
            let less = latest.as_ns() - source.min_interarrival.as_ns();
            time(system, known, id).saturating_sub(less)
        },
        ..RIGHT
    },
    Planted {
        name: "what is less urgent, or due later, waits for all of its source",
        is_run: |system, writer, reader| {
            let [own, other] = [writer, reader].map(|id| system.task(id));
            is_run(system, writer, reader)
                || system.root_of(writer) == system.root_of(reader)
                    && own.on == other.on
                    && !is_logical(system, writer)
                    && (own.priority, other.deadline) > (other.priority, own.deadline)
        },
        ..RIGHT
    },
    Planted {
        name: "arrivals of one source are far apart",
        sooner: |system, source, from| {
            let latest = system.task(source).latest_interarrival.expect("stated");
            from.div_ceil(latest.as_ns()).saturating_sub(1)
        },
        ..RIGHT
    },
    Planted {
        name: "the next arrival of one source is always late enough",
        sooner: |_, _, _| 0,
        ..RIGHT
    },
];

impl Planted {
    fn sum(&self, Known { system, bounds, .. }: &Known) -> u64 {
        let path = &system.chains[0].path;
        let latest = |id: TaskId| {
            let latest = system.task(system.root_of(id)).latest_interarrival;
            latest.expect("stated").as_ns()
        };
        let mut sum = 0;
        for (place, &id) in path.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| path[before]);
            let is_in_run = before.is_some_and(|before| (self.is_run)(system, before, id));
            if !is_in_run && (place == 0 || self.waits_again || system.predecessors(id).is_empty())
            {
                sum += latest(id);
            }
            let next = path.get(place + 1);
            if next.is_some_and(|&next| (self.is_run)(system, id, next)) {
                continue;
            }
            let time = (self.time)(system, bounds, id);
            let late = (self.released)(system, bounds, id);
            let held = next.filter(|&&next| is_held(system, id, next));
            let end = held.map_or(time, |&next| time.saturating_sub(latest(next)).max(late));
            let root = system.root_of(id);
            let has_same_source = next.is_some_and(|&next| system.root_of(next) == root);
            let from = held.map_or(time, |_| late);
            let again = latest(id) * (self.sooner)(system, root, from);
            sum += if has_same_source { end.min(again) } else { end };
        }
        sum
    }
}

fn is_held(system: &System, writer: TaskId, reader: TaskId) -> bool {
    let [own, other] = [writer, reader].map(|id| system.task(id));
    own.on == other.on
        && system.supply(own.on).scheduler == Scheduler::FixedPriority
        && own.priority.is_more_urgent_than(other.priority)
        && !is_logical(system, writer)
        && !is_logical(system, reader)
}

#[test]
fn every_error_in_the_sum_over_wake_ups_is_noticed() {
    let is_noticed = |planted: &Planted, known: &Known| planted.sum(known) < known.longest;
    assert!(!all().iter().any(|known| is_noticed(&RIGHT, known)), "nothing is wrong");
    let missed: Vec<&str> = PLANTED
        .iter()
        .filter(|planted| !all().iter().any(|known| is_noticed(planted, known)))
        .map(|planted| planted.name)
        .collect();
    assert!(missed.is_empty(), "not noticed: {missed:?} in {} systems", all().len());
}

/// The example of a path that parts and meets again over two cores and two guests: all that it requires is proven, the
/// chain over its wake-ups and a register too, and nothing that is seen is above a bound.
#[test]
fn the_example_of_a_joined_path_is_proven() {
    let system = system(include_str!("../../../../examples/joined-path.toml"));
    assert!(vorrang_design::accepts(&system));
    let known = bounds(&system);
    let found = chain_bound(&system, &known, &system.chains[0]);
    // The wait for a frame, for the display after its control task may be ready, and its response.
    let [look, display] = ["task.look", "task.display"].map(|name| {
        let id = system.task_ids().find(|&id| system.task(id).name == name).unwrap();
        known.task(id).bound().unwrap()
    });
    let ms = vorrang_time::Duration::from_ms;
    assert_eq!(found.found, Ok(ms(3) + look + ms(10) + display));
    let seen = vorrang_sim::search(&system, &vorrang_sim::Search { runs: 8, ..Default::default() });
    let all = vorrang_verdict::chain::compared(&system, &known, &seen);
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|of| !of.is_contradiction()), "{all:?}");
}
