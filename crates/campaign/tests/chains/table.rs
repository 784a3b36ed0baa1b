//! Small systems whose true worst is known from elsewhere (`small.csv`): all histories here find the same, and no bound
//! is below it.
//!
//! `at1` to `at3` are the worst of histories whose instants are whole ticks, with all times of the system once, twice and
//! three times as long. `limit`: per tick, as ticks become fine. `published`: Günzel et al. 2023.

use super::notation::Written;
use vorrang_analysis::{bounds, chain_bound};
use vorrang_campaign::paths::{Followed, Layout, Longest, longest};
use vorrang_model::system::{System, TaskId};
use vorrang_time::Duration;

const SMALL: &str = include_str!("small.csv");

/// The most states of a system here.
const LIMIT: usize = 400_000;

pub(crate) struct Row<'a> {
    pub(crate) id: &'a str,
    kind: &'a str,
    pub(crate) path: &'a str,
    pub(crate) limit: Option<u64>,
    /// Once, twice, three times as long.
    at: [Option<u64>; 3],
    published: Option<u64>,
    pub(crate) members: &'a str,
}

impl<'a> Row<'a> {
    fn read(line: &'a str) -> Self {
        let [id, ask, limit, at1, at2, at3, published, members] =
            line.split('|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        let (kind, path) = ask.split_once(' ').unwrap();
        let [limit, at1, at2, at3, published] =
            [limit, at1, at2, at3, published].map(|number| number.parse().ok());
        Self { id, kind, path, limit, at: [at1, at2, at3], published, members }
    }

    /// The response of a routine alone, of which nothing has a bound: an interrupt is handled when what it wakes is.
    pub(crate) fn is_of_routine(&self) -> bool {
        self.members.contains(&format!("irq {}@", self.path))
    }

    /// Whether a routine wakes a task in it: then it may hold its reader up, which no bound here makes use of.
    fn has_routine(&self) -> bool {
        self.members.contains("irq ")
    }

    pub(crate) fn is_chain(&self) -> bool {
        self.kind != "response"
    }

    /// Whether all that arrives by itself does so at known instants.
    pub(crate) fn has_phases(&self) -> bool {
        self.members.contains("ph=")
    }

    pub(crate) fn system(&self, tick: u64) -> System {
        let members = self.members;
        Written { members, tick }.system(self.is_chain().then_some(self.path))
    }

    fn followed(&self, system: &System) -> Followed {
        match self.kind {
            "response" => Followed::Job(self.task(system)),
            _ => Followed::Path(system.chains[0].path.clone()),
        }
    }

    fn task(&self, system: &System) -> TaskId {
        let name = format!("task.{}", self.path);
        system.task_ids().find(|&id| system.task(id).name == name).unwrap()
    }

    fn bound(&self, tick: u64) -> Option<u64> {
        let system = self.system(tick);
        let known = bounds(&system);
        let bound = match self.kind {
            "response" => known.task(self.task(&system)).bound(),
            _ => chain_bound(&system, &known, &system.chains[0]).found.ok(),
        };
        bound.map(Duration::as_ns)
    }

    /// `None`: bursts, or two routines of one core.
    fn found(&self, tick: u64) -> Option<Longest> {
        let system = self.system(tick);
        let members = self.members;
        let firsts = Written { members, tick }.firsts();
        let mut layout = Layout::new(&system, self.followed(&system), &firsts)?;
        let shortest = Written { members, tick }.shortest_routines();
        for (routine, least) in layout.tasks[system.tasks.len()..].iter_mut().zip(shortest) {
            routine.execution.0 = least;
        }
        Some(longest(&layout, LIMIT).unwrap_or_else(|why| panic!("{} {tick}: {why:?}", self.id)))
    }
}

pub(crate) fn rows() -> impl Iterator<Item = Row<'static>> {
    SMALL.lines().skip(1).map(Row::read)
}

/// With ticks once, twice and three times as long, and with very many. Without a bound are tasks on circles of cores.
#[test]
fn no_bound_is_below_the_true_worst() {
    let (mut systems, mut without) = (Vec::new(), Vec::new());
    for row in rows().filter(|row| !row.is_of_routine()) {
        let name = format!("{} {} {}", row.id, row.kind, row.path);
        for (tick, at) in (1..).zip(row.at) {
            let (Some(at), Some(bound)) = (at, row.bound(tick)) else { continue };
            assert!(bound >= at, "{name}: {bound} is below {at}, times {tick}");
        }
        systems.push(row.id);
        let many = Duration::from_us(1).as_ns();
        let Some(bound) = row.bound(many) else {
            without.push(format!("{} {}", row.id, row.path));
            continue;
        };
        if let Some(limit) = row.limit {
            assert!(bound >= limit * many, "{name}: {bound} ns is below {limit} us");
        }
        if let Some(published) = row.published.filter(|_| !row.has_routine()) {
            assert!(bound <= published * many, "{name}: {bound} ns is above {published} us");
        }
    }
    systems.dedup();
    assert_eq!(systems.len(), 45);
    let circles = ["W13 b", "W13 c", "W13 d", "W13 e"];
    assert_eq!(without, circles);
}

/// Reaction time and data age of a chain are found at once.
#[test]
fn all_histories_find_the_same() {
    let all: Vec<Row<'_>> = rows().filter(|row| !row.is_of_routine()).collect();
    let mut left_out = Vec::new();
    for rows in all.chunk_by(|one, other| (one.id, one.path) == (other.id, other.path)) {
        for tick in 1..=3 {
            let at = |row: &Row<'_>| row.at[usize::try_from(tick - 1).unwrap()];
            if rows.iter().all(|row| at(row).is_none()) {
                continue;
            }
            let Some(found) = rows[0].found(tick) else {
                left_out.push(rows[0].id);
                continue;
            };
            for row in rows {
                let own = if row.kind == "age" { found.age } else { found.until_over };
                assert_eq!(own.map(u64::from), at(row), "{} {} {tick}", row.id, row.kind);
            }
        }
    }
    left_out.dedup();
    assert_eq!(left_out, ["W02", "W07", "W08"]);
}
