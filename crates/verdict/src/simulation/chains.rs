//! What was seen of chains in one history: how long values took, and whether one took too long.
//!
//! **Model.** Reaction times and data ages are those of docs/model.md, *Chains*; what counts is in
//! [`vorrang_sim::handed`].
//!
//! **Assumptions.** 1. All cores of a chain ran the same pattern, up to the same horizon.

use crate::prose::wrapped;
use crate::screen::Screen;
use crate::table::{self, Column};
use crate::unit::Unit;
use serde_json::{Value, json};
use vorrang_design::Asked;
use vorrang_model::System;
use vorrang_model::system::{Chain, SupplyId, TaskId};
use vorrang_sim::{Handed, Passage, Passages, Pattern, Source, handed};
use vorrang_time::Duration;

/// The values of one kind of a chain.
pub struct Values {
    /// The place of the chain among those of the system.
    pub chain: usize,
    /// Of which kind they are.
    pub asked: Asked,
    /// What the chain allows, where its requirement counts in this history.
    pub limit: Option<Duration>,
    /// In the order of the readings from which they count.
    pub all: Vec<Handed>,
}

/// The cores of the chains that have a task on one of these.
pub fn cores(system: &System, of: &[SupplyId]) -> Vec<SupplyId> {
    let mut cores: Vec<SupplyId> =
        system.chains.iter().flat_map(|chain| beside(system, chain, of)).collect();
    cores.sort_unstable();
    cores.dedup();
    cores
}

/// All cores of a chain, if one of them is one of these.
fn beside(system: &System, chain: &Chain, of: &[SupplyId]) -> Vec<SupplyId> {
    let cores = chain.path.iter().map(|&id| system.core_of(system.task(id).on));
    let cores: Vec<SupplyId> = cores.collect();
    if cores.iter().any(|core| of.contains(core)) { cores } else { Vec::new() }
}

/// Of the chains that have a task on one of these cores, the reaction times first.
pub fn values(
    system: &System,
    pattern: &Pattern,
    of: &[SupplyId],
    passages: &Passages,
) -> Vec<Values> {
    let mut all = Vec::new();
    for (place, chain) in system.chains.iter().enumerate() {
        if beside(system, chain, of).is_empty() {
            continue;
        }
        let counts = chain.path.iter().all(|&id| pattern.counts(system, Source::Task(id)));
        let jobs: Vec<&[_]> = chain.path.iter().map(|&id| passages.of(id)).collect();
        for (asked, values) in Asked::BOTH.into_iter().zip(handed(&jobs)) {
            let limit = asked.limit(chain).filter(|_| counts);
            all.push(Values { chain: place, asked, limit, all: values });
        }
    }
    all
}

impl Values {
    /// Those that took too long.
    pub fn misses(&self) -> impl Iterator<Item = &Handed> {
        self.all.iter().filter(|own| self.limit.is_some_and(|limit| own.time() > limit))
    }

    /// Whether its chain has a task on a core.
    pub(super) fn is_on(&self, system: &System, core: SupplyId) -> bool {
        let path = &system.chains[self.chain].path;
        path.iter().any(|&id| system.core_of(system.task(id).on) == core)
    }

    fn shortest(&self) -> Option<Duration> {
        self.all.iter().map(Handed::time).min()
    }

    fn longest(&self) -> Option<Duration> {
        self.all.iter().map(Handed::time).max()
    }

    /// Rounded down.
    fn mean(&self) -> Option<Duration> {
        let sum: u128 = self.all.iter().map(|own| u128::from(own.time().as_ns())).sum();
        let mean = sum.checked_div(self.all.len() as u128)?;
        Some(Duration::from_ns(u64::try_from(mean).unwrap_or(u64::MAX)))
    }
}

/// A row for each, and the first that took too long; nothing where there is no chain.
pub(super) fn text(screen: Screen, system: &System, chains: &[Values]) -> String {
    if chains.is_empty() {
        return String::new();
    }
    let name = |own: &Values| system.chains[own.chain].name.clone();
    let misses = |own: &Values| own.limit.map(|_| own.misses().count() as u64);
    let columns = [
        Column::words("chain", chains.iter().map(name)),
        Column::words("time", chains.iter().map(|own| own.asked.word().to_owned())),
        Column::counts("values", chains.iter().map(|own| own.all.len() as u64)),
        Column::times("shortest", chains.iter().map(Values::shortest)),
        Column::times("mean", chains.iter().map(Values::mean)),
        Column::times("longest", chains.iter().map(Values::longest)),
        Column::times("limit", chains.iter().map(|own| own.limit)),
        Column::some_counts("misses", chains.iter().map(misses)),
    ];
    let mut out = table::draw(screen, &columns) + "\n";
    for own in chains {
        if let (Some(limit), Some(miss)) = (own.limit, own.misses().next()) {
            out += &wrapped(screen, &sentence(system, own, limit, miss), "", "  ");
            out.push('\n');
        }
    }
    out
}

fn sentence(system: &System, own: &Values, limit: Duration, miss: &Handed) -> String {
    let chain = &system.chains[own.chain];
    let unit = Unit::of(limit);
    let steps = chain.path.iter().zip(&miss.way).map(|(&id, job)| {
        let (read, write) = (unit.at(job.read), unit.at(job.write));
        format!("{} reads at {read} and writes at {write}", system.task(id).name)
    });
    let steps: Vec<String> = steps.collect();
    let late = unit.text(miss.time() - limit);
    format!(
        "The first {} of {} that is too long, by {late}, counts from {} to {}: {}.",
        own.asked.word(),
        chain.name,
        unit.at(miss.from),
        unit.at(miss.until),
        steps.join("; ")
    )
}

pub(super) fn document(system: &System, own: &Values) -> Value {
    let ns = |time: Option<Duration>| time.map(Duration::as_ns);
    json!({
        "name": system.chains[own.chain].name,
        "time": own.asked.word(),
        "values": own.all.len(),
        "shortest_ns": ns(own.shortest()),
        "mean_ns": ns(own.mean()),
        "longest_ns": ns(own.longest()),
        "limit_ns": ns(own.limit),
        "misses": own.limit.map(|_| own.misses().count()),
        "first_miss": own.misses().next().map(|miss| first_miss(system, own, miss)),
    })
}

fn first_miss(system: &System, own: &Values, miss: &Handed) -> Value {
    let path = system.chains[own.chain].path.iter().zip(&miss.way);
    let step = |(id, job): (&TaskId, &Passage)| {
        json!({
            "task": system.task(*id).name,
            "read_ns": job.read.as_ns(),
            "write_ns": job.write.as_ns(),
        })
    };
    json!({
        "from_ns": miss.from.as_ns(),
        "until_ns": miss.until.as_ns(),
        "way": path.map(step).collect::<Vec<_>>(),
    })
}
