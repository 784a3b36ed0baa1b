//! The search for long responses over many histories.
//!
//! **Model.** On every core, with those that paths connect to it: the synchronous history first, then the directed ones of
//! [`crate::Pattern`], then random ones, then a climb from the worst seen of each task and guest routine: one
//! phase or offset is changed at a time and the change kept if the task's response does not get
//! shorter.
//!
//! A search in few steps finds histories that one in many does not: its histories are shorter, so that the same
//! climbs begin elsewhere. What is neither proven nor refuted in the end is therefore searched once more
//! in few steps ([`Search::short`]). Those are the searches of margins, so that what one of them refutes, a check refutes.
//!
//! What is known to have no longer response than was seen ([`Ceilings`]) is not climbed for, and once that holds of all on
//! a core, no further history of it begins. What that saves is not used for others.
//!
//! **Assumptions.** None: every observation is from a history that the description allows.
//!
//! No core decides what is tried on another that no path connects with it: what was seen of it stands as long as nothing
//! changes there ([`SeenBefore`]).
//!
//! **Cost.** By [`Search::work`] the horizon of a run is shortened so that about that many jobs are run in
//! all; the synchronous histories get half as many again, up to [`crate::SYNCHRONOUS_JOBS`] each. That is an
//! estimate, which is too low with an overload, turns of nanoseconds or a storm; [`Search::steps`] is the
//! limit: what it truncates or omits is counted ([`Observations::omissions`]).
//!
//! **Does not cover** all histories.

use crate::account::{Account, SYNCHRONOUS};
use crate::ceilings::Ceilings;
use crate::chain;
use crate::climb::{Steps, climb};
use crate::job::Source;
use crate::limits::{Search, affordable};
use crate::observations::Observations;
use crate::observer::Observer;
use crate::pattern::{Form, blocked_member, charged_servers, variants};
use crate::places::tasks_on;
use crate::seen_before::SeenBefore;
use crate::simulator::Simulator;
use crate::trial::{Jobs, STEPS_PER_RUN, Trial};
use std::collections::BTreeSet;
use vorrang_model::system::{InterruptId, SupplyId, System};

/// Random histories with a storm of one interrupt at most.
const STORMS: u32 = 4;

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
    search_since(system, search, ceilings, &SeenBefore::default(), observer, progress)
}

/// The same, after a change: of cores on which nothing changed, what was seen before stands.
pub fn search_since(
    system: &System,
    search: &Search,
    ceilings: &Ceilings,
    before: &SeenBefore<'_>,
    observer: &mut impl Observer,
    progress: &mut impl FnMut(Progress),
) -> Observations {
    let short = search.shortened();
    // Both together take no more steps than asked for.
    let steps = search.steps - short.as_ref().map_or(0, |short| short.steps);
    let long = Search { steps, ..*search };
    let wanted = |core: SupplyId| !before.is_of(core);
    let mut observations = search_once(system, &long, ceilings, &wanted, observer, progress);
    let open = left_open(system, ceilings, &observations, &wanted);
    if let Some(short) = short.filter(|_| !open.is_empty() && !observer.has_seen_enough()) {
        // As for a margin: without what is known.
        let none = Ceilings::default();
        let wanted = |core: SupplyId| open.contains(&core);
        let seen = search_once(system, &short, &none, &wanted, observer, &mut |_| {});
        observations.take_longer(seen);
    }
    before.stand_in(system, &mut observations);
    observations.chains = before.chains(system).unwrap_or_else(|| chain::observe(system, search));
    observations
}

/// The cores of requirements that are neither known to hold nor seen broken, with those that paths connect to them.
fn left_open(
    system: &System,
    ceilings: &Ceilings,
    seen: &Observations,
    wanted: &impl Fn(SupplyId) -> bool,
) -> BTreeSet<SupplyId> {
    let open = system.requirements.iter().filter(|one| ceilings.leave_open(one, seen));
    let cores: BTreeSet<SupplyId> = open.map(|one| system.core_of_requirement(one)).collect();
    let cores = cores.into_iter().filter(|&core| wanted(core));
    cores.flat_map(|core| system.connected(core)).collect()
}

fn search_once(
    system: &System,
    search: &Search,
    ceilings: &Ceilings,
    wanted: &impl Fn(SupplyId) -> bool,
    observer: &mut impl Observer,
    progress: &mut impl FnMut(Progress),
) -> Observations {
    let mut observations = Observations::new(system, search.seed, search.horizon);
    let mut covered = covered(system, search, wanted, &mut observations);
    let total = covered.iter().map(|own| own.histories(system)).sum();
    let mut done = 0;
    let mut report = |more: u64| {
        done += more;
        progress(Progress { done, total });
    };
    let synchronous = search.work / SYNCHRONOUS / (system.cores().count().max(1) as u64);
    'cores: for Covered { simulator, search, forms } in &mut covered {
        let core = simulator.core();
        let cores = simulator.cores().to_vec();
        let sources = sources(system, &cores);
        let climbers = climbers(system, &cores);
        let steps = steps(&climbers, search);
        let weight = forms.len() as u64 * STEPS_PER_RUN + steps;
        let mut account = Account::new(search.steps, core, weight);
        let climbs = steps / STEPS_PER_RUN;
        let jobs = Jobs {
            each: search.work / (forms.len() as u64 + climbs).max(1),
            synchronous: synchronous * cores.len() as u64,
        };
        let mut trial = Trial::new(simulator, observer, search.horizon, jobs);
        for form in forms.iter() {
            if trial.observer.has_seen_enough() {
                observations.omissions.extend(account.omissions());
                break 'cores;
            }
            if ceilings.are_reached(&sources, &observations) {
                account.pass(STEPS_PER_RUN);
            } else {
                trial.run(form, &mut observations, &mut account);
            }
            report(1);
        }
        for source in climbers {
            if trial.observer.has_seen_enough() {
                observations.omissions.extend(account.omissions());
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
        observations.omissions.extend(account.omissions());
    }
    observations
}

/// Cores that paths connect, and what is tried on them.
struct Covered<'s> {
    simulator: Simulator<'s>,
    /// Their part of the search.
    search: Search,
    forms: Vec<Form>,
}

impl Covered<'_> {
    /// How many histories there are in all.
    fn histories(&self, system: &System) -> u64 {
        let climbers = climbers(system, self.simulator.cores());
        self.forms.len() as u64 + steps(&climbers, &self.search)
    }
}

/// A simulator of each core, or of those that paths connect, with the histories it is given.
fn covered<'a>(
    system: &'a System,
    search: &Search,
    wanted: &impl Fn(SupplyId) -> bool,
    observations: &mut Observations,
) -> Vec<Covered<'a>> {
    let mut covered = Vec::new();
    for core in system.cores().filter(|&core| wanted(core)) {
        match Simulator::new(system, core) {
            // With the first of the cores that paths connect.
            Ok(simulator) if simulator.cores()[0] != core => {}
            Ok(simulator) => {
                let search = affordable(system, simulator.cores(), search);
                let forms = forms(system, simulator.cores(), &search);
                covered.push(Covered { simulator, search, forms });
            }
            Err(reason) => observations.not_covered.push((core, reason)),
        }
    }
    covered
}

/// The steps of all climbs.
fn steps(climbers: &[Source], search: &Search) -> u64 {
    u64::from(search.climbs) * climbers.len() as u64
}

/// Everything on some cores that has responses.
fn sources(system: &System, cores: &[SupplyId]) -> Vec<Source> {
    let tasks = tasks_on(system, cores).into_iter().map(Source::Task);
    let interrupts = cores.iter().flat_map(|&core| system.interrupts_of(core));
    tasks.chain(interrupts.map(Source::Interrupt)).collect()
}

/// The histories of cores that paths connect which are tried, in this order.
fn forms(system: &System, cores: &[SupplyId], search: &Search) -> Vec<Form> {
    let mut forms = vec![Form::Synchronous];
    let limit = search.variants as usize;
    for task in tasks_on(system, cores) {
        let blocking = system.section(blocked_member(system, task));
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
    let interrupts = cores.iter().flat_map(|&core| system.requests_on(core));
    let interrupts: Vec<InterruptId> = interrupts.collect();
    if let Some((_, others)) = interrupts.split_last().filter(|_| limit > 0) {
        forms.extend(others.iter().map(|&interrupt| Form::Last { interrupt }));
    }
    if limit > 0 {
        let servers = cores.iter().flat_map(|&core| charged_servers(system, core));
        forms.extend(servers.map(|server| Form::Charged { server }));
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
fn climbers(system: &System, cores: &[SupplyId]) -> Vec<Source> {
    let in_guest = |id: &InterruptId| {
        let interrupt = system.interrupt(*id);
        interrupt.delivery.is_some() && interrupt.wakes.is_none()
    };
    let interrupts = cores.iter().flat_map(|&core| system.interrupts_of(core));
    let interrupts = interrupts.filter(in_guest).map(Source::Interrupt);
    tasks_on(system, cores).into_iter().map(Source::Task).chain(interrupts).collect()
}
