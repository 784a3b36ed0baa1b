//! Chains in histories.
//!
//! **Model.** Nothing that happens on one core changes another that no path connects with it, so histories of each
//! together are a history of all. Each core of a chain is run with the same pattern, and what its jobs read and wrote is
//! put together afterwards.
//!
//! A shorter execution can make a chain longer. So histories are random in executions, distances and phases.
//!
//! **Does not cover** all histories, and no directed ones.

mod latency;
mod passages;

pub use latency::{Handed, Passage, handed, latency};
pub use passages::Passages;

use crate::chain_seen::{ChainSeen, Seen};
use crate::history::History;
use crate::limits::Search;
use crate::pattern::{Form, Pattern};
use crate::simulator::Simulator;
use crate::trial::time_of;
use latency::Longest;
use vorrang_model::system::{SupplyId, System};
use vorrang_time::{Duration, Instant};

/// The part of the steps of a search that goes to chains, on top of them: a quarter.
const SHARE: u64 = 4;

/// Random histories per random one of the search, which are shorter.
const MORE: u32 = 8;

/// Jobs in one history at least.
const JOBS: u64 = 200;

/// How often the longest chain fits into one history at least.
const TIMES: u64 = 8;

/// Runs the cores of all chains; `None`: a core of it is not covered, or no value passed.
pub(crate) fn observe(system: &System, search: &Search) -> Vec<Option<ChainSeen>> {
    let mut best: Vec<Best> = system.chains.iter().map(|_| Best::default()).collect();
    if system.chains.is_empty() {
        return Vec::new();
    }
    let cores: Vec<SupplyId> = cores(system);
    let mut simulators: Vec<_> =
        cores.iter().filter_map(|&core| Simulator::new(system, core).ok()).collect();
    let mut steps = search.steps / SHARE;
    let length = length(system, &cores, search.horizon);
    let seeds =
        (0..search.runs.saturating_mul(MORE)).map(|run| search.seed.wrapping_add(run.into()));
    let random = seeds.flat_map(|seed| [Form::Random { seed }, Form::Periodic { seed }]);
    for form in [Form::Synchronous].into_iter().chain(random) {
        let Some(passages) = run(system, &mut simulators, &form, length, &mut steps) else {
            break;
        };
        for (chain, best) in system.chains.iter().zip(&mut best) {
            let jobs: Vec<&[_]> = chain.path.iter().map(|&id| passages.of(id)).collect();
            let (reaction, age) = latency(&jobs);
            best.reaction.take(reaction, &form);
            best.age.take(age, &form);
        }
    }
    best.into_iter().map(|best| best.seen(system)).collect()
}

/// All cores on which a chain has a task; of those that paths connect, the first.
fn cores(system: &System) -> Vec<SupplyId> {
    let tasks = system.chains.iter().flat_map(|chain| &chain.path);
    let mut cores: Vec<SupplyId> = tasks.map(|&id| system.core_of(system.task(id).on)).collect();
    for core in &mut cores {
        *core = system.connected(*core)[0];
    }
    cores.sort_unstable();
    cores.dedup();
    cores
}

/// How long a history is: some times the longest chain, and so many jobs; the same on each core, or values would
/// seem to stop where one ends.
fn length(system: &System, cores: &[SupplyId], horizon: Duration) -> Duration {
    let quiet = History::quiet(system);
    let of_jobs = cores.iter().map(|&core| time_of(system, core, &quiet, JOBS));
    let of_chains = system.chains.iter().map(|chain| {
        let distances = chain.path.iter().map(|&id| {
            let task = system.task(id);
            task.latest_interarrival.unwrap_or(task.cycle().1).as_ns()
        });
        Duration::from_ns(distances.fold(0, u64::saturating_add).saturating_mul(TIMES))
    });
    of_jobs.chain(of_chains).max().unwrap_or(horizon).min(horizon)
}

/// One history on every core; `None`: too few steps are left for all of it.
fn run(
    system: &System,
    simulators: &mut [Simulator<'_>],
    form: &Form,
    length: Duration,
    steps: &mut u64,
) -> Option<Passages> {
    let mut passages = Passages::new(system);
    for simulator in simulators {
        simulator.allow(*steps);
        let history = form.history(simulator);
        let end = simulator.run_together(&history, Instant::ZERO + length, &mut passages);
        *steps = simulator.steps_left();
        if *steps == 0 || end.is_early() {
            return None;
        }
    }
    Some(passages)
}

#[derive(Default)]
struct Best {
    reaction: Kept,
    age: Kept,
}

#[derive(Default)]
struct Kept(Option<(Duration, Instant, Form)>);

impl Kept {
    fn take(&mut self, seen: Longest, form: &Form) {
        let Some((time, from)) = seen else { return };
        if self.0.as_ref().is_none_or(|(longest, ..)| time > *longest) {
            self.0 = Some((time, from, form.clone()));
        }
    }

    fn seen(self, system: &System) -> Option<Seen> {
        let (time, from, form) = self.0?;
        Some(Seen { time, from, pattern: Pattern::new(system, form) })
    }
}

impl Best {
    fn seen(self, system: &System) -> Option<ChainSeen> {
        let (reaction, age) = (self.reaction.seen(system)?, self.age.seen(system)?);
        Some(ChainSeen { reaction, age })
    }
}
