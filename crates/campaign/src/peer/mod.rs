//! The crate `response-time-analysis` as a second opinion, and as the peer of the benchmark.
//!
//! **Model.** Its analyses are verified instances of abstract response-time analysis (Bozhko,
//! Brandenburg 2020) for a dedicated processor. Its response times count from the release, ours
//! from the arrival; [`fixed_priority_response`] says how that is bridged.
//!
//! **Assumptions.** 1. Its arithmetic wraps in release builds without overflow checks; this
//! workspace has them on.
//!
//! **Does not cover** interrupts, servers and slots (the crate has none of them), and jitter and
//! blocking under EDF (the crate's jobs have their deadline from the release; its blocking is by
//! non-preemptive sections of given tasks).

pub mod compare;
pub mod least_budget;
pub mod servers;

use response_time_analysis::arrival::{Periodic, Sporadic};
use response_time_analysis::demand::{RBF, RequestBound};
use response_time_analysis::fixed_point::{SearchResult, search};
use response_time_analysis::fixed_priority::floating_nonpreemptive;
use response_time_analysis::supply::{self, SupplyBound};
use response_time_analysis::time::Service;
use response_time_analysis::wcet::Scalar;
use response_time_analysis::{edf, fixed_priority};
use vorrang_analysis::fixed_priority::SporadicTask;
use vorrang_model::system::Task;
use vorrang_time::Duration;

pub use response_time_analysis::time::Duration as PeerDuration;

/// A jitter-free task in the crate's terms.
pub type PeerTask = RBF<Periodic, Scalar>;

fn peer(duration: Duration) -> PeerDuration {
    PeerDuration::from(duration.as_ns())
}

fn work(duration: Duration) -> Service {
    Service::from(duration.as_ns())
}

fn ours(found: SearchResult) -> Option<Duration> {
    found.ok().map(|found| Duration::from_ns(u64::from(found)))
}

/// A task of a set in the crate's terms.
pub fn task(task: &SporadicTask) -> PeerTask {
    RBF::new(Periodic::new(peer(task.period)), Scalar::new(work(task.wcet)))
}

/// The crate's own entry point: response time of `tasks[index]` (most urgent first) on a
/// dedicated core, if it is within the period.
pub fn entry_point(tasks: &[PeerTask], index: usize) -> Option<Duration> {
    let (own, limit) = (&tasks[index], tasks[index].arrival_bound.period);
    ours(fixed_priority::fully_preemptive::dedicated_uniproc_rta(own, &tasks[..index], limit))
}

/// The same put together from the crate's parts, on any of its supplies: with deadlines up to
/// the period one fixed point is enough.
pub fn by_parts(supply: &impl SupplyBound, tasks: &[PeerTask], index: usize) -> Option<Duration> {
    let limit = tasks[index].arrival_bound.period;
    let own = tasks[index].wcet.wcet;
    ours(search(supply, limit, |window| {
        own + tasks[..index].iter().map(|task| task.service_needed(window)).sum::<Service>()
    }))
}

/// A periodic supply.
pub fn periodic_supply(budget: Duration, period: Duration) -> supply::Periodic {
    supply::Periodic::new(work(budget), peer(period))
}

/// A dedicated core.
pub fn dedicated() -> supply::Dedicated {
    supply::Dedicated::new()
}

/// Response time of `tasks[index]` under EDF on a dedicated core, with `deadlines` from the release.
pub fn edf_entry_point(
    tasks: &[PeerTask],
    deadlines: &[PeerDuration],
    index: usize,
) -> Option<Duration> {
    let member = |(rbf, &deadline)| edf::fully_preemptive::Task { rbf, deadline };
    let mut others: Vec<_> = tasks.iter().zip(deadlines).map(member).collect();
    let own = others.remove(index);
    ours(edf::fully_preemptive::dedicated_uniproc_rta(&own, &others, peer(LIMIT)))
}

/// A relative deadline in the crate's terms.
pub fn deadline(task: &SporadicTask) -> PeerDuration {
    peer(task.limit)
}

/// Windows longer than this (11 days) count as not found.
const LIMIT: Duration = Duration::MAX_STATED;

fn sporadic(task: &Task, jitter: Duration) -> RBF<Sporadic, Scalar> {
    let arrivals = Sporadic::new(peer(task.min_interarrival), peer(jitter));
    RBF::new(arrivals, Scalar::new(work(task.wcet)))
}

/// Response time from the arrival, of a task among more urgent ones on a dedicated core, with
/// jitter, blocking and any deadline.
///
/// The crate's response time counts from the release. A task without jitter among tasks with
/// jitter has the same response time in both; jitter of its own delays all its jobs by at most
/// that, and the worst job by all of it (Tindell et al. 1994), so it is added.
pub fn fixed_priority_response(task: &Task, more_urgent: &[&Task]) -> Option<Duration> {
    let own = sporadic(task, Duration::ZERO);
    let others: Vec<_> = more_urgent.iter().map(|other| sporadic(other, other.jitter)).collect();
    let under_analysis = floating_nonpreemptive::TaskUnderAnalysis {
        rbf: &own,
        blocking_bound: work(task.blocking),
    };
    let found =
        floating_nonpreemptive::dedicated_uniproc_rta(&under_analysis, &others, peer(LIMIT));
    ours(found).map(|response| response + task.jitter)
}

/// Response time of `tasks[index]` under EDF on a dedicated core, without jitter and blocking.
pub fn edf_response(tasks: &[&Task], index: usize) -> Option<Duration> {
    let demands: Vec<_> = tasks.iter().map(|task| sporadic(task, Duration::ZERO)).collect();
    let member = |number: usize| edf::fully_preemptive::Task {
        rbf: &demands[number],
        deadline: peer(tasks[number].deadline.unwrap_or(tasks[number].min_interarrival)),
    };
    let others: Vec<_> = (0..tasks.len()).filter(|&number| number != index).map(member).collect();
    ours(edf::fully_preemptive::dedicated_uniproc_rta(&member(index), &others, peer(LIMIT)))
}
