//! What reserved threads receive, from the kernel's own accounting.
//!
//! `schedstat` of a thread says how long it has run, in nanoseconds. Two looks and the time between
//! them give its use; beside it stands that of `ksoftirqd` of the same processor, where the work of
//! an interrupt may go instead.

use crate::change::{Change, is_there};
use crate::journal::Entries;
use crate::machine::{Kernel, Policy, Thread, all_threads};
use crate::plan::DEADLINE;

/// One look at a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What it stands for in the description; none for a thread of the kernel beside them.
    pub label: Option<String>,
    /// The thread.
    pub thread: Thread,
    /// What was set.
    pub policy: Policy,
    /// Whether the kernel still says so.
    pub holds: bool,
    /// The processors it may use.
    pub cpus: Vec<u32>,
    /// How long it has run; `None` if it has ended.
    pub ran: Option<u64>,
}

/// What a thread received between two looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The second look.
    pub now: Sample,
    /// The time it received.
    pub received: Option<u64>,
    /// The time it may have received at most by its reservation; `None` without one.
    pub budget: Option<u64>,
}

/// Looks at every thread in a journal, and at `ksoftirqd` of their processors.
pub fn sample(kernel: &dyn Kernel, entries: &Entries) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for change in &entries.changes {
        let Change::SetPolicy { label, thread, policy, .. } = change else { continue };
        let there = is_there(kernel, thread);
        samples.push(Sample {
            label: Some(label.clone()),
            thread: thread.clone(),
            policy: *policy,
            holds: kernel.policy(thread.thread).is_ok_and(|now| now == *policy),
            cpus: kernel.affinity(thread.thread).unwrap_or_default(),
            ran: there.then(|| ran(kernel, thread)).flatten(),
        });
    }
    let cpus: Vec<u32> = samples.iter().flat_map(|one| one.cpus.clone()).collect();
    for thread in all_threads(kernel) {
        let number = thread.name.strip_prefix("ksoftirqd/").and_then(|number| number.parse().ok());
        if number.is_some_and(|number| cpus.contains(&number)) {
            let policy = kernel.policy(thread.thread).unwrap_or_default();
            let cpus = kernel.affinity(thread.thread).unwrap_or_default();
            let ran = ran(kernel, &thread);
            samples.push(Sample { label: None, thread, policy, holds: true, cpus, ran });
        }
    }
    samples
}

/// What each received between two looks that lie `elapsed` nanoseconds apart.
pub fn rows(before: &[Sample], now: &[Sample], elapsed: u64) -> Vec<Row> {
    let row = |now: &Sample| {
        let earlier = before.iter().find(|earlier| earlier.thread == now.thread);
        let received = earlier.and_then(|earlier| now.ran?.checked_sub(earlier.ran?));
        let share = |policy: &Policy| {
            let budget =
                u128::from(elapsed) * u128::from(policy.runtime) / u128::from(policy.period.max(1));
            u64::try_from(budget).unwrap_or(u64::MAX)
        };
        let budget = (now.policy.policy == DEADLINE).then(|| share(&now.policy));
        Row { now: now.clone(), received, budget }
    };
    now.iter().map(row).collect()
}

fn ran(kernel: &dyn Kernel, thread: &Thread) -> Option<u64> {
    let path = format!("/proc/{}/task/{}/schedstat", thread.process, thread.thread);
    kernel.read(&path).ok()?.split_whitespace().next()?.parse().ok()
}
