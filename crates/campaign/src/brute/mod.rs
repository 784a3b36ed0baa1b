//! Brute force on systems with tiny numbers: the oracle over all release offsets, or over many
//! random histories.
//!
//! **Model.** [`grid`] tries every combination of first releases, server phases, late first
//! releases and blocked tasks; where there are too many, evenly drawn ones. [`random`] draws
//! histories with gaps between arrivals and jitter in every job besides.
//!
//! **Assumptions.**
//! 1. In a history that blocks one task, only that task and the interrupt it handles are observed;
//!    in one with a storm of an interrupt neither that nor the task it wakes.
//! 2. A job that is not complete at the horizon has a response of at least the elapsed time.
//!
//! **Cost.** Histories times ticks.

pub mod grid;
mod packets;
pub mod random;

use crate::oracle::start;
use crate::oracle::{Done, History, Job, run};
use vorrang_model::system::{
    Activation, Distances, InterruptId, Member, Supply, SupplyId, System, Task, TaskId,
};
use vorrang_sim::{Counting, Source};
use vorrang_time::Duration;

/// The longest response seen for each task and each interrupt, with the history that shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// By [`TaskId`].
    pub tasks: Vec<Option<(Duration, History)>>,
    /// By [`InterruptId`].
    pub interrupts: Vec<Option<(Duration, History)>>,
    /// The histories that were tried.
    pub histories: u64,
}

/// Ticks that show every first job of a busy window on a system with tiny numbers.
pub fn horizon(system: &System) -> u64 {
    let ending = system.tasks.iter().filter(|task| !task.polls);
    let tasks = ending.map(|task| task.cycle().1 + task.jitter);
    let servers = system.supplies.iter().filter_map(Supply::server);
    let longest = tasks.chain(servers.map(|server| server.period)).max().unwrap_or_default();
    (4 * longest.as_ns() + 20).min(LONGEST_HORIZON)
}

/// The least distances of successive arrivals in ticks: of two at least.
pub(crate) fn apart(least: Duration, several: Option<&Distances>) -> Vec<u64> {
    let Some(several) = several else { return vec![least.as_ns()] };
    let after = |steps: usize| several.after(steps as u64).expect("in range").as_ns();
    (1..=several.farthest()).map(after).collect()
}

/// The earliest arrival after those of jobs.
pub(crate) fn earliest(jobs: &[Job], apart: &[u64]) -> u64 {
    let before = jobs.iter().rev().zip(apart);
    before.map(|(job, least)| job.arrival + least).max().unwrap_or(0)
}

/// When a task arrives up to the horizon and a little later, where its offset says it.
fn known_arrivals(task: &Task, begin: u64, horizon: u64) -> Option<Vec<u64>> {
    let (offset, period) = (task.offset?.as_ns(), task.min_interarrival.as_ns());
    let all = (0..).map(|number| offset + number * period);
    Some(all.skip_while(|at| *at < begin).take_while(|at| *at <= horizon.max(begin)).collect())
}

/// The one job of each task of a core that polls, once its supply is started.
fn endless(system: &System, core: SupplyId, history: &mut History) {
    for id in tasks_on(system, core).filter(|&id| system.task(id).polls) {
        let arrival = start(system, system.task(id).on, &history.phases);
        let job = Job { arrival, release: arrival, execution: Task::ENDLESS.as_ns() };
        history.tasks[id.0] = vec![job];
    }
}

/// The tasks of a core whose jobs come when a history says.
fn tasks_that_end(system: &System, core: SupplyId) -> impl Iterator<Item = TaskId> + '_ {
    tasks_on(system, core).filter(|&id| !system.task(id).polls)
}

/// Beyond this many ticks other histories are more useful.
const LONGEST_HORIZON: u64 = 240;

/// Runs the oracle through histories of one core.
pub fn longest(
    system: &System,
    core: SupplyId,
    histories: impl Iterator<Item = History>,
) -> Longest {
    let horizon = horizon(system);
    let mut longest = Longest {
        tasks: vec![None; system.tasks.len()],
        interrupts: vec![None; system.interrupts.len()],
        histories: 0,
    };
    for history in histories {
        let outcome = run(system, core, &history, horizon);
        longest.histories += 1;
        for (id, jobs) in history.tasks.iter().enumerate() {
            let arrives = system.tasks[id].activation == Activation::Sporadic;
            let jobs = if arrives { jobs.as_slice() } else { &[] };
            if let Activation::Interrupt(interrupt) = system.tasks[id].activation
                && misbehaves(system, &history, interrupt)
            {
                continue;
            }
            if is_kept(system, &history, Source::Task(TaskId(id))) {
                note(&mut longest.tasks[id], &history, jobs, &outcome.tasks[id], horizon);
            }
        }
        for (id, jobs) in history.interrupts.iter().enumerate() {
            // Requests that merge are not complete on their own, and a card decides when it raises its own.
            let merges = system.interrupts[id].storm.is_some();
            let mut devices = system.devices.iter();
            let of_card = devices.any(|device| device.interrupt == InterruptId(id));
            let jobs = if merges || of_card { &[] } else { jobs.as_slice() };
            let is_kept = is_kept(system, &history, Source::Interrupt(InterruptId(id)));
            if is_kept && !misbehaves(system, &history, InterruptId(id)) {
                note(&mut longest.interrupts[id], &history, jobs, &outcome.interrupts[id], horizon);
            }
        }
    }
    longest
}

/// Whether observations of it are valid: only those of the blocked member, if there is one.
fn is_kept(system: &System, history: &History, source: Source) -> bool {
    let blocked = history.blocker.map(|(member, _)| member);
    Counting { blocked, storms: Vec::new() }.is_kept(system, source)
}

/// Whether an interrupt arrives more often than its minimum inter-arrival time allows.
fn misbehaves(system: &System, history: &History, id: InterruptId) -> bool {
    let usual = system.interrupt(id).min_interarrival.as_ns();
    let jobs = &history.interrupts[id.0];
    jobs.windows(2).any(|pair| pair[1].arrival - pair[0].arrival < usual)
}

/// The first instant at which an interrupt may arrive: its supplies are started.
fn start_of_interrupt(system: &System, id: InterruptId, phases: &[u64]) -> u64 {
    let interrupt = system.interrupt(id);
    let guest = interrupt.delivery.as_ref().map(|delivery| delivery.vcpu);
    let woken = interrupt.wakes.map(|task| system.task(task).on);
    let needs = guest.into_iter().chain(woken);
    needs.map(|supply| start(system, supply, phases)).max().unwrap_or(0)
}

/// Keeps the history if one of its jobs takes longer than any before. `jobs` are known to be
/// complete in their order; none, if that is not known.
fn note(
    longest: &mut Option<(Duration, History)>,
    history: &History,
    jobs: &[Job],
    done: &[Done],
    horizon: u64,
) {
    let complete = done.iter().map(|done| done.at - done.arrival);
    let unfinished = jobs.iter().skip(done.len()).filter(|job| job.arrival < horizon);
    let unfinished = unfinished.map(|job| horizon - job.arrival);
    let Some(response) = complete.chain(unfinished).max().map(Duration::from_ns) else { return };
    if longest.as_ref().is_none_or(|(known, _)| response > *known) {
        *longest = Some((response, history.clone()));
    }
}

/// The open parameters of a history of one core, each with the number of its values.
fn phases(system: &System, core: SupplyId) -> Vec<(SupplyId, u64)> {
    use vorrang_model::system::ServerKind::{Deferrable, Periodic, Polling};
    let on_core = system.supply_ids();
    let on_core = on_core.filter(|&id| system.core_of(id) == core);
    let servers = on_core.filter_map(|id| Some((id, system.supply(id).server()?)));
    let servers =
        servers.filter(|(_, server)| matches!(server.kind(), Periodic | Polling | Deferrable));
    servers.map(|(id, server)| (id, server.period.as_ns())).collect()
}

fn tasks_on(system: &System, core: SupplyId) -> impl Iterator<Item = TaskId> + '_ {
    let tasks = system.task_ids();
    tasks.filter(move |&id| system.core_of(system.task(id).on) == core)
}

fn interrupts_on(system: &System, core: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
    system.requests_on(core)
}

/// The members of the supplies of a core that less urgent work may block.
fn blockable(system: &System, core: SupplyId) -> impl Iterator<Item = Member> + '_ {
    let on_core = system.supply_ids();
    let on_core = on_core.filter(move |&id| system.core_of(id) == core);
    let members = on_core.flat_map(|id| system.supply(id).members.iter().copied());
    members.filter(|&member| !system.section(member).is_zero())
}
