//! Errors on purpose: each says less than the true worst of a small system, and is noticed.

use super::drawn::{drawn, system};
use super::table::{Row, rows};
use std::collections::BTreeMap;
use vorrang_analysis::{Bounds, bounds};
use vorrang_campaign::exhaustive;
use vorrang_campaign::paths::draw::{Manner, Place};
use vorrang_campaign::paths::{Followed, Layout, longest};
use vorrang_model::system::{
    Communication, Member, Priority, Scheduler, SupplyKind, System, TaskId,
};
use vorrang_time::Duration;

/// The sum of a chain, but for an error in it.
struct Planted {
    name: &'static str,
    /// The wait of a task.
    distance: fn(&System, TaskId) -> u64,
    /// Whether the next one is said to wait for this one in any case.
    is_held: fn(&System, TaskId, TaskId) -> bool,
    /// What is left of the time of a task that holds the next one up.
    rest: fn(&System, TaskId, u64) -> u64,
    /// From the arrival to the writing.
    time: fn(&System, TaskId, u64) -> u64,
}

fn latest(system: &System, id: TaskId) -> u64 {
    system.task(system.root_of(id)).latest_interarrival.expect("stated").as_ns()
}

fn is_never_held(_: &System, _: TaskId, _: TaskId) -> bool {
    false
}

fn jitter(system: &System, id: TaskId, rest: u64) -> u64 {
    rest.max(system.task(id).jitter.as_ns())
}

fn writes(system: &System, id: TaskId, response: u64) -> u64 {
    let own = system.task(id);
    let logical = own.deadline.filter(|_| own.communication == Communication::Let);
    response.max(logical.map_or(0, Duration::as_ns))
}

fn is_more_urgent(system: &System, writer: TaskId, reader: TaskId) -> bool {
    let [own, other] = [writer, reader].map(|id| system.task(id));
    own.priority.is_more_urgent_than(other.priority)
        && other.communication == Communication::Registers
}

const RIGHT: Planted = Planted {
    name: "nothing",
    distance: latest,
    is_held: is_never_held,
    rest: jitter,
    time: writes,
};

const PLANTED: [Planted; 9] = [
    Planted {
        name: "the least distance for the longest",
        distance: |system, id| system.task(id).min_interarrival.as_ns(),
        ..RIGHT
    },
    Planted {
        name: "no wait for the first arrival",
        distance: |system, id| if id == system.chains[0].path[0] { 0 } else { latest(system, id) },
        ..RIGHT
    },
    Planted {
        name: "a reader waits across servers with budgets",
        is_held: |system, writer, reader| {
            let [own, other] = [writer, reader].map(|id| system.task(id));
            let server = system.supply(own.on).server();
            own.on != other.on
                && server.is_some_and(|server| server.priority.is_more_urgent_than(other.priority))
        },
        ..RIGHT
    },
    Planted {
        name: "a reader waits by deadline",
        is_held: |system, writer, reader| {
            let [own, other] = [writer, reader].map(|id| system.task(id));
            own.on == other.on
                && system.supply(own.on).scheduler == Scheduler::Edf
                && own.min_interarrival < other.min_interarrival
        },
        ..RIGHT
    },
    Planted {
        name: "jitter of a writer that is waited for",
        is_held: |system, writer, reader| {
            system.task(writer).on == system.task(reader).on
                && is_more_urgent(system, writer, reader)
        },
        rest: |_, _, rest| rest,
        ..RIGHT
    },
    Planted {
        name: "a reader waits on another core",
        is_held: |system, writer, reader| {
            system.task(writer).on != system.task(reader).on
                && is_more_urgent(system, writer, reader)
        },
        ..RIGHT
    },
    Planted {
        name: "a more urgent reader waits",
        is_held: |system, writer, reader| {
            system.task(writer).on == system.task(reader).on
                && is_more_urgent(system, reader, writer)
        },
        ..RIGHT
    },
    Planted {
        name: "logical execution time ends with the job",
        time: |_, _, response| response,
        ..RIGHT
    },
    Planted {
        name: "the response of the last task",
        time: |system, id, response| {
            if system.chains[0].path.last() == Some(&id) { 0 } else { writes(system, id, response) }
        },
        ..RIGHT
    },
];

impl Planted {
    fn sum(&self, system: &System, known: &Bounds) -> Option<u64> {
        let path = &system.chains[0].path;
        let followers = path.iter().skip(1).map(Some).chain([None]);
        path.iter().zip(followers).try_fold(0, |sum, (&id, next)| {
            let response = known.task(id).bound()?.as_ns();
            let time = match next.filter(|&&next| (self.is_held)(system, id, next)) {
                Some(&next) => {
                    let rest = response.saturating_sub((self.distance)(system, next));
                    (self.rest)(system, id, rest)
                }
                None => (self.time)(system, id, response),
            };
            Some(sum + (self.distance)(system, id) + time)
        })
    }
}

/// By the limits of the table, as ticks become fine.
fn is_noticed_in_table(planted: &Planted, row: &Row<'_>) -> bool {
    let tick = Duration::from_us(1).as_ns();
    let system = row.system(tick);
    let sum = planted.sum(&system, &bounds(&system));
    let limit = row.limit.map(|limit| limit * tick);
    sum.is_some_and(|sum| limit.is_some_and(|limit| sum < limit))
}

#[test]
fn every_error_in_the_sum_is_noticed() {
    let rows: Vec<Row<'_>> = rows().filter(Row::is_chain).collect();
    assert!(!rows.iter().any(|row| is_noticed_in_table(&RIGHT, row)), "nothing is wrong");
    for planted in &PLANTED {
        let noticed = rows.iter().filter(|row| is_noticed_in_table(planted, row)).count();
        assert!(noticed > 0, "not noticed: {}", planted.name);
    }
}

/// The system without what an analysis would forget.
type Forgets = fn(&mut System);

/// Tasks of a server without a budget that goes by deadline, as if they had priorities of their own on its parent.
fn flatten(system: &mut System) {
    let levels = system.supply_ids().filter(|&id| system.supply(id).level().is_some());
    for level in levels.collect::<Vec<_>>() {
        let on = system.supply(level).on().expect("a level has a parent");
        let own = system.supply(level).priority();
        if system.supply(level).scheduler != Scheduler::Edf {
            continue;
        }
        let members = core::mem::take(&mut system.supplies[level.0].members);
        for member in members {
            let Member::Task(id) = member else { continue };
            let deadline = system.task(id).deadline.expect("it goes by it").as_ns();
            let task = &mut system.tasks[id.0];
            // The shorter the deadline, the more urgent, and all between the level's neighbours.
            task.priority = Priority(own.0 * 1_000 + 500 - u32::try_from(deadline).expect("small"));
            task.on = on;
            system.supplies[on.0].members.push(member);
        }
        let members = system.supplies[on.0].members.clone();
        for member in members {
            match member {
                Member::Task(id) if system.task(id).priority.0 < 1_000 => {
                    system.tasks[id.0].priority.0 *= 1_000;
                }
                _ => {}
            }
        }
    }
}

fn no_blocking(system: &mut System) {
    for supply in &mut system.supplies {
        if let SupplyKind::Level(level) = &mut supply.kind {
            level.blocking = Duration::ZERO;
        }
    }
}

/// It is taken for less urgent than everything beside it.
fn least_urgent(system: &mut System) {
    for supply in &mut system.supplies {
        if let SupplyKind::Level(level) = &mut supply.kind {
            level.priority = Priority(0);
        }
    }
}

/// It is taken for more urgent than everything beside it.
fn most_urgent(system: &mut System) {
    for supply in &mut system.supplies {
        if let SupplyKind::Level(level) = &mut supply.kind {
            level.priority = Priority(99);
        }
    }
}

/// What is in it asks for nothing.
fn asks_for_nothing(system: &mut System) {
    let levels: Vec<_> =
        system.supply_ids().filter(|&id| system.supply(id).level().is_some()).collect();
    for task in system.tasks.iter_mut().filter(|task| levels.contains(&task.on)) {
        task.wcet = Duration::RESOLUTION;
        task.bcet = Duration::RESOLUTION;
    }
}

const FORGOTTEN: [(&str, Forgets); 5] = [
    ("deadlines inside", flatten),
    ("blocking", no_blocking),
    ("priority, too low", least_urgent),
    ("priority, too high", most_urgent),
    ("work inside", asks_for_nothing),
];

/// How often a bound of the changed system is below what histories of the right one show.
fn noticed(right: &System, forgets: Forgets) -> usize {
    let mut wrong = right.clone();
    forgets(&mut wrong);
    if wrong == *right {
        return 0;
    }
    let (known, true_ones) = (bounds(&wrong), bounds(right));
    let is_below = |id: &TaskId| {
        let Some(bound) = known.task(*id).bound() else { return false };
        // What cannot be wrong needs no exploring.
        if true_ones.task(*id).bound().is_some_and(|right| right <= bound) {
            return false;
        }
        longest_response(right, *id).is_some_and(|longest| longest > bound.as_ns())
    };
    right.task_ids().filter(is_below).count()
}

fn longest_response(system: &System, id: TaskId) -> Option<u64> {
    if let Some(layout) = Layout::new(system, Followed::Job(id), &[]) {
        let found = longest(&layout, 20_000).ok()?;
        return found.until_over.map(u64::from);
    }
    let layout = exhaustive::layout::Layout::new(system, &system.task(id).name)?;
    let found = exhaustive::reach::longest(&layout, 20_000)?;
    Some(found.response.into())
}

#[test]
fn every_error_of_servers_without_a_budget_is_noticed() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    let drawn = (0..12).map(|stream| drawn(stream, Place::Levels, Manner::Registers));
    let row = |name: &str| exhaustive::draw::ROWS.iter().position(|row| row.name == name).unwrap();
    let of_row = |name: &str| {
        let (first, all) = (row(name) as u64, exhaustive::draw::ROWS.len() as u64);
        (0..12).map(move |round| system(&exhaustive::text(1, first + round * all).2))
    };
    let blocked = of_row("blocking of a server without a budget");
    let by_deadline = of_row("server without a budget: EDF inside");
    let systems: Vec<System> = drawn.chain(blocked).chain(by_deadline).collect();
    for (name, forgets) in FORGOTTEN {
        let all: usize = systems.iter().map(|right| noticed(right, forgets)).sum();
        found.insert(name, all);
    }
    assert!(found.values().all(|count| *count > 0), "{found:?}");
}
