//! The search for long responses over many histories.
//!
//! **Model.** On every core: the synchronous history first, then the directed ones of
//! [`crate::Pattern`], then random ones, then a climb from the worst seen of each task and guest routine: one
//! phase or offset is changed at a time and the change kept if the task's response does not get
//! shorter.
//!
//! What is known to have no longer response than was seen ([`Ceilings`]) is not climbed for, and once that holds of all on
//! a core, no further history of it begins. What that saves is not used for others.
//!
//! **Assumptions.** None: every observation is from a history that the description allows.
//!
//! **Cost.** By [`Search::work`] the horizon of a run is shortened so that about that many jobs are run in
//! all; the synchronous histories get half as many again, up to [`crate::SYNCHRONOUS_JOBS`] each. That is an
//! estimate, which is too low with an overload, turns of nanoseconds or a storm; [`Search::steps`] is the
//! limit: what it truncates or omits is counted ([`Observations::omissions`]).
//!
//! **Does not cover** all histories.

use crate::account::{Account, SYNCHRONOUS};
use crate::ceilings::Ceilings;
use crate::climb::{Steps, climb};
use crate::job::Source;
use crate::observations::Observations;
use crate::observer::Observer;
use crate::pattern::{Form, MOST_RELEASES, blocked_member, charged_servers, variants};
use crate::simulator::Simulator;
use crate::trial::{Jobs, STEPS_PER_RUN, Trial, tasks_on};
use vorrang_model::system::{InterruptId, Supply, SupplyId, System};
use vorrang_time::Duration;

/// Jobs and visits of entities that a search may always make: a tenth of a second.
const LEAST_ALLOWANCE: u64 = 3_000_000;

/// Random histories with a storm of one interrupt at most.
const STORMS: u32 = 4;

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

/// The steps that a job takes where there are many servers, interrupts and costs; mostly it is a third.
/// With as many jobs as that allows nothing is truncated.
const STEPS_PER_JOB: u64 = 24;

impl Default for Search {
    fn default() -> Self {
        Self::within(STEPS)
    }
}

impl Search {
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

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Histories run.
    pub done: u64,
    /// The total number of histories.
    pub total: u64,
}

/// Runs all patterns on all cores.
pub fn search(system: &System, search: &Search) -> Observations {
    search_with(system, search, &mut |_| {})
}

/// The same, reporting progress after every history.
pub fn search_with(
    system: &System,
    search: &Search,
    progress: &mut impl FnMut(Progress),
) -> Observations {
    search_observed(system, search, &Ceilings::default(), &mut (), progress)
}

/// The same, with an observer of every history, and with what is known of responses. Once the observer has seen
/// enough, no further history begins.
pub fn search_observed(
    system: &System,
    search: &Search,
    ceilings: &Ceilings,
    observer: &mut impl Observer,
    progress: &mut impl FnMut(Progress),
) -> Observations {
    let search = &affordable(system, search);
    let mut observations = Observations::new(system, search.seed, search.horizon);
    let mut covered = Vec::new();
    for core in system.cores() {
        match Simulator::new(system, core) {
            Ok(simulator) => covered.push((simulator, forms(system, core, search))),
            Err(reason) => observations.not_covered.push((core, reason)),
        }
    }
    let (total, jobs) = planned(system, search, &covered);
    let mut done = 0;
    let mut report = |more: u64| {
        done += more;
        progress(Progress { done, total });
    };
    let mut account = Account::new(search.steps, covered.len());
    'cores: for (simulator, forms) in &mut covered {
        let core = simulator.core();
        account.begin_core(core, forms.len() as u64 * STEPS_PER_RUN + steps(system, core, search));
        let mut trial = Trial::new(simulator, observer, search.horizon, jobs);
        for form in forms.iter() {
            if trial.observer.has_seen_enough() {
                break 'cores;
            }
            if ceilings.are_reached(system, core, &observations) {
                account.pass(STEPS_PER_RUN);
            } else {
                trial.run(form, &mut observations, &mut account);
            }
            report(1);
        }
        for source in climbers(system, trial.simulator.core()) {
            if trial.observer.has_seen_enough() {
                break 'cores;
            }
            if ceilings.is_reached(source, &observations) {
                account.pass(search.climbs.into());
            } else {
                let steps = Steps { seed: search.seed, wanted: search.climbs };
                climb(&mut trial, source, steps, &mut observations, &mut account);
            }
            report(search.climbs.into());
        }
    }
    observations.omissions = account.omissions();
    observations
}

/// How many histories there are in all, and how many jobs are run in each.
fn planned(
    system: &System,
    search: &Search,
    covered: &[(Simulator<'_>, Vec<Form>)],
) -> (u64, Jobs) {
    let whole: u64 = covered.iter().map(|(_, forms)| forms.len() as u64).sum();
    let climbs = covered.iter().map(|(on, _)| steps(system, on.core(), search)).sum::<u64>();
    let jobs = Jobs {
        each: search.work / (whole + climbs / STEPS_PER_RUN).max(1),
        synchronous: search.work / SYNCHRONOUS / (covered.len() as u64).max(1),
    };
    (whole + climbs, jobs)
}

/// The steps of all climbs on a core.
fn steps(system: &System, core: SupplyId, search: &Search) -> u64 {
    u64::from(search.climbs) * climbers(system, core).count() as u64
}

/// The search with fewer histories where the planned ones would exceed the work.
///
/// A run costs at least a visit of every entity, a directed history several short runs to find its instants.
/// Random histories come first, then directed ones, then steps of climbs. Small systems get all that are
/// planned.
fn affordable(system: &System, search: &Search) -> Search {
    let entities = system.supplies.len()
        + system.tasks.len()
        + system.interrupts.len()
        + system.timers.len()
        + system.devices.len();
    let tasks = system.tasks.len().max(1) as u64;
    let cores = system.cores().count().max(1) as u64;
    let run = entities.max(1) as u64;
    let probes = 4 * (run + releases_of_a_probe(system));
    let count = |left: u64, wanted: u32, each: u64| {
        wanted.min(u32::try_from(left / each).unwrap_or(u32::MAX))
    };
    let mut left = search.work.max(LEAST_ALLOWANCE);
    let runs = count(left, search.runs, cores * run);
    left -= u64::from(runs) * cores * run;
    // With blocking there are two histories per variant.
    let variants = count(left, search.variants, tasks * 2 * (run + probes));
    left -= u64::from(variants) * tasks * 2 * (run + probes);
    let climbs = count(left, search.climbs, tasks * run);
    Search { runs, variants, climbs, ..*search }
}

/// About how many releases a probe of the busiest core sees: those of one period of a server.
fn releases_of_a_probe(system: &System) -> u64 {
    let on_core = |core: SupplyId| {
        let servers = system.supplies.iter().filter_map(Supply::server);
        let longest = servers.map(|server| server.period).max().unwrap_or(Duration::ZERO);
        let of_tasks = tasks_on(system, core).map(|id| system.task(id).min_interarrival);
        let of_interrupts =
            system.interrupts_on(core).map(|id| system.interrupt(id).min_interarrival);
        of_tasks
            .chain(of_interrupts)
            .map(|period| longest.div_floor(period).min(MOST_RELEASES))
            .sum::<u64>()
    };
    // A few cores are enough to recognise a large system.
    system.cores().take(64).map(on_core).max().unwrap_or(0).min(MOST_RELEASES)
}

/// The histories of a core that are tried, in this order.
fn forms(system: &System, core: SupplyId, search: &Search) -> Vec<Form> {
    let mut forms = vec![Form::Synchronous];
    let limit = search.variants as usize;
    for task in tasks_on(system, core) {
        let blocking = system.blocking(blocked_member(system, task));
        let is_blocked = !blocking.is_zero() && limit > 0;
        if is_blocked {
            forms.push(Form::Blocked { task, variant: None });
        }
        for variant in variants(system, task).into_iter().take(limit) {
            forms.push(Form::Exhausted { task, variant });
            if is_blocked {
                forms.push(Form::Blocked { task, variant: Some(variant) });
            }
        }
    }
    let interrupts: Vec<InterruptId> = system.interrupts_on(core).collect();
    if let Some((_, others)) = interrupts.split_last().filter(|_| limit > 0) {
        forms.extend(others.iter().map(|&interrupt| Form::Last { interrupt }));
    }
    if limit > 0 {
        forms.extend(charged_servers(system, core).map(|server| Form::Charged { server }));
    }
    for &interrupt in interrupts.iter().filter(|&&id| system.interrupt(id).storm.is_some()) {
        forms.push(Form::Storm { interrupt, seed: None });
        let seeds = (0..search.runs.min(STORMS)).map(|run| search.seed.wrapping_add(run.into()));
        forms.extend(seeds.map(|seed| Form::Storm { interrupt, seed: Some(seed) }));
    }
    forms.extend(
        (0..search.runs).map(|run| Form::Random { seed: search.seed.wrapping_add(u64::from(run)) }),
    );
    forms
}

/// The entities whose worst history is the start of a climb: tasks, and interrupts whose last routine is a
/// guest's.
fn climbers(system: &System, core: SupplyId) -> impl Iterator<Item = Source> + '_ {
    let in_guest = |id: &InterruptId| {
        let interrupt = system.interrupt(*id);
        interrupt.delivery.is_some() && interrupt.wakes.is_none()
    };
    let interrupts = system.interrupts_of(core).filter(in_guest).map(Source::Interrupt);
    tasks_on(system, core).map(Source::Task).chain(interrupts)
}
