//! The search for long responses over many histories.
//!
//! **Model.** On every core: the synchronous history first, then the directed ones of
//! [`crate::Pattern`], then random ones, then a climb from the worst seen of each task and guest routine: one
//! phase or offset is changed at a time and the change kept if the task's response does not get
//! shorter.
//!
//! **Assumptions.** None that matter: whatever is seen has happened in a history that the
//! description allows.
//!
//! **Cost.** By [`Search::work`] the horizon of a run is cut so that about that many jobs are run in
//! all; the synchronous histories get half as many again, up to [`SYNCHRONOUS_JOBS`] each. That is a guess, which
//! an overload, turns of nanoseconds or a storm belie; [`Search::steps`] is the limit: what it cuts short
//! or leaves out is counted ([`Observations::omissions`]).
//!
//! **Does not cover** all histories.

use crate::account::{Account, HistoryKind, SYNCHRONOUS};
use crate::climb::climb;
use crate::history::History;
use crate::observations::{Observations, Recorder};
use crate::observer::{Observer, Source};
use crate::packets;
use crate::pattern::{Form, MOST_RELEASES, Pattern, blocked_member, variants};
use crate::simulator::{End, Simulator};
use vorrang_model::system::{InterruptId, ServerKind, SupplyId, System, TaskId};
use vorrang_time::{Duration, Instant};

/// How many jobs and replenishments the synchronous history of a core may take: what misses only
/// after seconds must be found, and this takes well under a tenth of one.
pub const SYNCHRONOUS_JOBS: u64 = 300_000;

/// Jobs and looks at entities that a search may always take: a tenth of a second.
const LEAST_ALLOWANCE: u64 = 3_000_000;

/// So many steps of a climb cost about what any other history does: they are followed only until
/// the job they are about is complete.
const STEPS_PER_RUN: u64 = 8;

/// Random histories with a storm of one interrupt at most.
const STORMS: u32 = 4;

/// What to try, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Decides the random histories and the climbs.
    pub seed: u64,
    /// Random histories per core.
    pub runs: u32,
    /// How long a history is followed at most, from its first arrival on.
    pub horizon: Duration,
    /// Directed histories per task at most.
    pub variants: u32,
    /// Steps of the climb per task.
    pub climbs: u32,
    /// About how many jobs and replenishments are run in all, on all cores.
    pub work: u64,
    /// The most steps of the simulator in all ([`Simulator::allow`]).
    pub steps: u64,
}

/// See [`Search::steps`]: half a second, so that a check with all that it may have to do besides
/// ends within one.
const STEPS: u64 = 8_000_000;

/// The steps that a job takes where there are many servers, interrupts and costs; mostly it is a third.
/// As many jobs as that allows leave nothing to be cut short.
const STEPS_PER_JOB: u64 = 24;

impl Default for Search {
    fn default() -> Self {
        Self::within(STEPS)
    }
}

impl Search {
    /// Histories that mostly come to their end within so many steps.
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

/// About how many jobs can be run within so many steps, whatever the system.
pub fn jobs_within(steps: u64) -> u64 {
    steps / STEPS_PER_JOB
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Histories run.
    pub done: u64,
    /// Histories to be run in all.
    pub total: u64,
}

/// Runs all patterns on all cores.
pub fn search(system: &System, search: &Search) -> Observations {
    search_with(system, search, &mut |_| {})
}

/// The same, telling how far it is after every history.
pub fn search_with(
    system: &System,
    search: &Search,
    progress: &mut impl FnMut(Progress),
) -> Observations {
    search_observed(system, search, &mut (), progress)
}

/// The same, with an observer of every history. Once that has seen enough, none is begun.
pub fn search_observed(
    system: &System,
    search: &Search,
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
    let steps = |core: SupplyId| u64::from(search.climbs) * climbers(system, core).count() as u64;
    let total: u64 =
        covered.iter().map(|(simulator, forms)| forms.len() as u64 + steps(simulator.core())).sum();
    let whole: u64 = covered.iter().map(|(_, forms)| forms.len() as u64).sum();
    let jobs = Jobs {
        each: search.work / (whole + (total - whole) / STEPS_PER_RUN).max(1),
        synchronous: search.work / SYNCHRONOUS / (covered.len() as u64).max(1),
    };
    let mut done = 0;
    let mut report = |more: u64| {
        done += more;
        progress(Progress { done, total });
    };
    let mut account = Account::new(search.steps, covered.len());
    'cores: for (simulator, forms) in &mut covered {
        let core = simulator.core();
        account.begin_core(core, forms.len() as u64 * STEPS_PER_RUN + steps(core));
        let mut trial = Trial::new(simulator, observer, search, jobs);
        for form in forms.iter() {
            if trial.observer.has_seen_enough() {
                break 'cores;
            }
            trial.run(form, &mut observations, &mut account);
            report(1);
        }
        for source in climbers(system, trial.simulator.core()) {
            if trial.observer.has_seen_enough() {
                break 'cores;
            }
            climb(&mut trial, source, search, &mut observations, &mut account);
            report(search.climbs.into());
        }
    }
    observations.omissions = account.omissions();
    observations
}

/// The search with fewer histories where those wanted would cost more than the work allows.
///
/// A run costs at least a look at every entity, a directed history several short runs to find its
/// instants. Random histories come first, then directed ones, then steps of climbs. Small systems
/// get what is asked for.
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
        let servers = system.supplies.iter().filter_map(|supply| supply.server.as_ref());
        let longest = servers.map(|server| server.period).max().unwrap_or(Duration::ZERO);
        let of_tasks = tasks_on(system, core).map(|id| system.task(id).min_interarrival);
        let of_interrupts =
            system.interrupts_on(core).map(|id| system.interrupt(id).min_interarrival);
        of_tasks
            .chain(of_interrupts)
            .map(|period| longest.div_floor(period).min(MOST_RELEASES))
            .sum::<u64>()
    };
    // Every core of a large system need not be counted to know that it is one.
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

/// Whose worst history is changed step by step: tasks, and interrupts whose last routine is a
/// guest's.
fn climbers(system: &System, core: SupplyId) -> impl Iterator<Item = Source> + '_ {
    let in_guest = |id: &InterruptId| {
        let interrupt = system.interrupt(*id);
        interrupt.delivery.is_some() && interrupt.wakes.is_none()
    };
    let interrupts = system.interrupts_on(core).filter(in_guest).map(Source::Interrupt);
    tasks_on(system, core).map(Source::Task).chain(interrupts)
}

fn tasks_on(system: &System, core: SupplyId) -> impl Iterator<Item = TaskId> + '_ {
    (0..system.tasks.len())
        .map(TaskId)
        .filter(move |&id| system.core_of(system.task(id).on) == core)
}

/// About how many jobs are run in a history.
#[derive(Clone, Copy)]
struct Jobs {
    each: u64,
    synchronous: u64,
}

/// A core on which one history after the other is tried.
pub(crate) struct Trial<'t, 's, O> {
    pub(crate) simulator: &'t mut Simulator<'s>,
    observer: &'t mut O,
    pub(crate) recorder: Recorder,
    /// The longest time any history is followed.
    horizon: Duration,
    /// About how many jobs of the synchronous history are run.
    synchronous: u64,
    /// And of any other.
    each: u64,
}

impl<'t, 's, O: Observer> Trial<'t, 's, O> {
    /// `each`: about how many jobs a run may take.
    fn new(
        simulator: &'t mut Simulator<'s>,
        observer: &'t mut O,
        search: &Search,
        jobs: Jobs,
    ) -> Self {
        Self {
            recorder: Recorder::new(simulator.system()),
            horizon: search.horizon,
            synchronous: jobs.synchronous.min(SYNCHRONOUS_JOBS),
            each: jobs.each.min(SYNCHRONOUS_JOBS),
            simulator,
            observer,
        }
    }

    /// How long a history is followed.
    pub(crate) fn length(&self, history: &History) -> Duration {
        self.time_of(history, self.each)
    }

    fn time_of(&self, history: &History, jobs: u64) -> Duration {
        let (system, core) = (self.simulator.system(), self.simulator.core());
        time_of(system, core, history, jobs).min(self.horizon)
    }

    fn run(&mut self, form: &Form, observations: &mut Observations, account: &mut Account) {
        let kind = HistoryKind::of(form);
        let share = account.share(kind, STEPS_PER_RUN);
        self.simulator.allow(share);
        let end = self.run_within(form, observations);
        account.pay(share - self.simulator.steps_left());
        let is_cut = end.is_some_and(End::is_early);
        account.note(kind, 1, u64::from(end.is_none()), u64::from(is_cut));
        observations.runs += u64::from(end.is_some());
    }

    /// How the history ended; `None`: it did not begin with the steps that are allowed.
    fn run_within(&mut self, form: &Form, observations: &mut Observations) -> Option<End> {
        let history = form.history(self.simulator);
        if self.simulator.steps_left() == 0 {
            // Perhaps the instants that it needs were not found.
            return None;
        }
        let length = match form {
            Form::Synchronous => self.time_of(&history, self.synchronous),
            _ => self.length(&history),
        };
        let end = self.observe(&history, length);
        let system = self.simulator.system();
        let counting = form.counting(system);
        let counts = |source| counting.counts(system, source);
        observations.merge(&self.recorder, counts, || Pattern::new(system, form.clone()));
        Some(end)
    }

    /// Follows a history for so long from its first arrival on (if that is not further away than
    /// the length itself); what was seen stands in the recorder.
    pub(crate) fn observe(&mut self, history: &History, length: Duration) -> End {
        let (system, core) = (self.simulator.system(), self.simulator.core());
        let of_tasks = tasks_on(system, core).map(|id| history.tasks[id.0].first);
        let of_interrupts = system.interrupts_on(core).map(|id| history.interrupts[id.0].first);
        let of_timers = system.timers_on(core).map(|id| history.timers[id.0].first);
        let of_devices = system.devices_on(core).map(|id| history.devices[id.0]);
        let all = of_tasks.chain(of_interrupts).chain(of_timers).chain(of_devices);
        let first = all.flatten().min().unwrap_or(Instant::ZERO);
        self.recorder.clear();
        let horizon = first.min(Instant::ZERO + length) + length;
        let mut observers = (&mut self.recorder, &mut *self.observer);
        self.simulator.run(history, horizon, &mut observers)
    }
}

/// The time in which about so many jobs of a history arrive, servers are replenished and turns are
/// taken on a core.
pub fn time_of(system: &System, core: SupplyId, history: &History, jobs: u64) -> Duration {
    let supplies = || {
        let all = system.supplies.iter().enumerate();
        all.filter(|(index, _)| system.core_of(SupplyId(*index)) == core).map(|(_, supply)| supply)
    };
    let of_tasks = tasks_on(system, core).map(|id| system.task(id).min_interarrival);
    let of_interrupts = system.interrupts_on(core).map(|id| history.distance(system, id));
    let of_servers = supplies().filter_map(|supply| supply.server.as_ref());
    let of_servers = of_servers.filter(|server| server.kind != ServerKind::Share);
    let of_servers = of_servers.map(|server| match server.kind {
        // Replenished whenever the budget is gone.
        ServerKind::CbsSoft => server.budget,
        _ => server.period,
    });
    let of_turns = supplies().map(|supply| supply.quantum).filter(|quantum| !quantum.is_zero());
    let of_timers = system.timers_on(core).map(|id| system.timer(id).period);
    // Jobs per time with 64 binary places: the sum of at most 2^32 terms of 64 bits fits.
    let rate: u128 = of_tasks
        .chain(of_interrupts)
        .chain(of_servers)
        .chain(of_timers)
        .chain(of_turns)
        .map(|period| (1_u128 << 64) / u128::from(period.as_ns()))
        .sum();
    let of_devices = system.devices_on(core).map(|id| system.device(id));
    let packets: u128 = of_devices.map(packets::rate).sum();
    let time = (u128::from(jobs) << 64) / (rate + packets).max(1);
    Duration::from_ns(u64::try_from(time).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_model::system::{Scheduler, Server, Supply};

    /// A core without tasks, with one server on it.
    fn system(core: Supply, server: Server) -> System {
        let server = Supply { server: Some(server), ..Supply::default() };
        System { supplies: vec![core, server], ..System::default() }
    }

    #[test]
    fn turns_and_soft_budgets_are_counted_like_jobs() {
        let us = Duration::from_us;
        let quantum = Supply { scheduler: Scheduler::Vtrr, quantum: us(2), ..Supply::default() };
        let share = Server { kind: ServerKind::Share, ..Server::default() };
        let soft = ServerKind::CbsSoft;
        let soft = Server { kind: soft, budget: us(1), period: us(100), ..Server::default() };
        for (core, server, time) in
            [(quantum, share, us(2_000)), (Supply::default(), soft, us(1_000))]
        {
            let system = system(core, server);
            let found = time_of(&system, SupplyId(0), &History::quiet(&system), 1_000);
            assert_eq!(found.as_ns() / 1_000, time.as_ns() / 1_000);
        }
    }
}
