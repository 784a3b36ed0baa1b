//! What a search may take: how many histories, how long, and how many steps of the simulator.

use crate::pattern::MOST_RELEASES;
use crate::places::tasks_on;
use vorrang_model::system::{SupplyId, System};
use vorrang_time::Duration;

/// Jobs and visits of entities that a search may always make: a tenth of a second.
const LEAST_ALLOWANCE: u64 = 3_000_000;

/// Steps below which a climb does not begin: with fewer it hardly finds anything, and there are so many tasks that
/// a history of each takes more memory than everything else.
const LEAST_CLIMB: u32 = 8;

/// What a search tries, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The seed of the random histories and of the climbs.
    pub seed: u64,
    /// Random histories per core.
    pub runs: u32,
    /// The longest horizon of a history, from its first arrival on.
    pub horizon: Duration,
    /// The most directed histories per task.
    pub variants: u32,
    /// Steps of the climb per task.
    pub climbs: u32,
    /// The approximate number of jobs and replenishments in all, on all cores.
    pub work: u64,
    /// The most steps of the simulator in all ([`Simulator::allow`]).
    pub steps: u64,
}

/// See [`Search::steps`]: half a second, so that a whole check ends within one.
const STEPS: u64 = 8_000_000;

/// Steps of a short search, a hundredth of those of a check: some milliseconds.
const SHORT: u64 = STEPS / 100;

/// The steps that a job takes where there are many servers, interrupts and costs; mostly it is a third.
/// With as many jobs as that allows nothing is truncated.
const STEPS_PER_JOB: u64 = 24;

impl Default for Search {
    fn default() -> Self {
        Self::within(STEPS)
    }
}

impl Search {
    /// For very many searches, of each of which little is asked.
    pub fn short() -> Self {
        Self::within(SHORT)
    }

    /// The short search that goes with this one; none if it is as short itself.
    pub(crate) fn shortened(&self) -> Option<Self> {
        let Self { seed, runs, horizon, variants, climbs, steps, .. } = *self;
        let short = Self::short();
        let (runs, variants) = (runs.min(short.runs), variants.min(short.variants));
        let climbs = climbs.min(short.climbs);
        (steps > SHORT).then_some(Self { seed, runs, horizon, variants, climbs, ..short })
    }

    /// Histories that mostly reach their horizon within this many steps.
    pub fn within(steps: u64) -> Self {
        Self {
            seed: 1,
            runs: 24,
            horizon: Duration::from_ms(10_000),
            variants: 12,
            climbs: 128,
            work: jobs_within(steps),
            steps,
        }
    }
}

/// The approximate number of jobs that can be run within this many steps, for any system.
pub fn jobs_within(steps: u64) -> u64 {
    steps / STEPS_PER_JOB
}

/// What some cores that paths connect have of a search, whatever there is to find on others: a part of the steps and of
/// the work by the number of things on them, and fewer histories where the planned ones would exceed that.
///
/// A run costs at least a visit of every entity, a directed history several short runs to find its instants.
/// Random histories come first, then directed ones, then steps of climbs. Small systems get all that are
/// planned.
pub(crate) fn affordable(system: &System, cores: &[SupplyId], search: &Search) -> Search {
    let run = entities(system, |_| true).max(1);
    let own = entities(system, |core| cores.contains(&core)).max(1);
    let share = |of: u64| u64::try_from(u128::from(of) * u128::from(own) / u128::from(run));
    let share = |of: u64| share(of).unwrap_or(u64::MAX);
    let tasks = tasks_on(system, cores).len().max(1) as u64;
    let probes = 4 * (run + releases_of_a_probe(system, cores));
    let count = |left: u64, wanted: u32, each: u64| {
        wanted.min(u32::try_from(left / each).unwrap_or(u32::MAX))
    };
    let mut left = share(search.work.max(LEAST_ALLOWANCE));
    let of_runs = cores.len() as u64 * run;
    let runs = count(left, search.runs, of_runs);
    left -= u64::from(runs) * of_runs;
    // With blocking there are two histories per variant.
    let variants = count(left, search.variants, tasks * 2 * (run + probes));
    left -= u64::from(variants) * tasks * 2 * (run + probes);
    let climbs = count(left, search.climbs, tasks * run);
    // The history of every task that a climb made worse is kept, with a place for every entity.
    let climbs = if climbs < search.climbs.min(LEAST_CLIMB) { 0 } else { climbs };
    let (work, steps) = (share(search.work), share(search.steps));
    Search { runs, variants, climbs, work, steps, ..*search }
}

/// How many things are on such cores.
fn entities(system: &System, is_on: impl Fn(SupplyId) -> bool) -> u64 {
    let core = |on: SupplyId| is_on(system.core_of(on));
    let supplies = system.supply_ids().filter(|&id| core(id)).count();
    let tasks = system.tasks.iter().filter(|task| core(task.on)).count();
    let interrupts = system.interrupts.iter().filter(|own| is_on(own.on)).count();
    let timers = system.timers.iter().filter(|own| core(system.task(own.armed_by).on)).count();
    let devices = system.devices.iter().filter(|own| is_on(system.interrupt(own.interrupt).on));
    (supplies + tasks + interrupts + timers + devices.count()) as u64
}

/// About how many releases a probe of the busiest of these cores sees: those of one period of a server.
fn releases_of_a_probe(system: &System, cores: &[SupplyId]) -> u64 {
    let on_core = |core: SupplyId| {
        let here = system.supplies_within(core).into_iter();
        let servers = here.filter_map(|id| system.supply(id).server());
        let longest = servers.map(|server| server.period).max().unwrap_or(Duration::ZERO);
        let of_tasks =
            tasks_on(system, &[core]).into_iter().map(|id| system.task(id).mean_distance());
        let of_interrupts = system.requests_on(core).map(|id| system.interrupt(id).mean_distance());
        of_tasks
            .chain(of_interrupts)
            .map(|period| longest.div_floor(period).min(MOST_RELEASES))
            .sum::<u64>()
    };
    cores.iter().copied().map(on_core).max().unwrap_or(0).min(MOST_RELEASES)
}
