//! The processor time of reserved threads, from the kernel's own accounting.
//!
//! **Model.** `schedstat` of a thread says how long it has run and how long it has waited, ready, in
//! nanoseconds; a reservation that is used up waits, too. Two looks and the time between them give its use. A look
//! takes as long as the machine is busy with other things, so each thread has a time of its own between its looks, which
//! is known from and to. One
//! that was ready all the time received its budget of every whole period between them, but for those
//! at both ends and up to a tenth; no thread receives more than that of every period that has begun. Beside them stands
//! `ksoftirqd` of the same processor, where the work of an interrupt may go instead.
//!
//! **Assumption.** The kernel adds up waiting when it ends, so at a look up to a period of it may lack.
//!
//! **Not covered.** Whether a thread that slept in between received its budget while it was ready.

use crate::change::Change;
use crate::interrupts;
use crate::journal::Entries;
use crate::machine::{Kernel, Policy, Thread, all_threads, cpus_of, gone_is_none, is_there};
use crate::shield::{CPUS, MAX_DEFER, Shielded, of_processors};
use std::collections::BTreeSet;
use std::io;
use std::time::Instant;

/// One sample of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its name in the description; none for a thread of the kernel beside them.
    pub label: Option<String>,
    /// The thread.
    pub thread: Thread,
    /// The policy that was set.
    pub policy: Policy,
    /// Whether it still has that policy.
    pub holds: bool,
    /// The processors it may use.
    pub cpus: Vec<u32>,
    /// How long it has run and waited; `None` if it has ended.
    pub times: Option<Times>,
    /// Before the kernel was asked for them, and after it.
    pub at: (Instant, Instant),
}

/// How long a thread has run, and how long it was ready and did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// For how long it ran.
    pub ran: u64,
    /// For how long it was ready and did not run.
    pub waited: u64,
}

/// The time that a thread received between two samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The second look.
    pub now: Sample,
    /// The time it received, and the time it waited for more.
    pub received: Option<Times>,
    /// The time between the looks at it, in nanoseconds, at most; 0 without a first look.
    pub elapsed: u64,
    /// The time that its reservation is, of that time; `None` without one.
    pub budget: Option<u64>,
    /// The result.
    pub finding: Finding,
}

/// The result for a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It was ready all the time and received its budget.
    Budget,
    /// It slept in between: it needed less.
    AskedForLess,
    /// It has no budget, and nothing is wrong.
    Nothing,
    /// It was ready all the time and received less than its budget.
    TooLittle,
    /// It received more than its budget.
    TooMuch,
    /// It was given another policy.
    OtherPolicy,
    /// It has ended.
    Ended,
    /// It does work of interrupts, unreserved, on a reserved processor.
    Unreserved,
}

impl Finding {
    /// Whether the reservations are effective.
    pub fn is_well(self) -> bool {
        matches!(self, Self::Budget | Self::AskedForLess | Self::Nothing)
    }
}

/// The share of time of `ksoftirqd` from which on it is reported: one in this many.
const NEGLIGIBLE: u64 = 100;

/// Samples every thread in a journal, and `ksoftirqd` of their processors.
///
/// # Errors
/// The kernel does not say; that a thread has ended is no error.
pub fn sample(kernel: &dyn Kernel, entries: &Entries) -> io::Result<Vec<Sample>> {
    let mut samples: Vec<Sample> = Vec::new();
    for (place, change) in entries.changes.iter().enumerate() {
        let Change::SetPolicy { label, thread, policy, .. } = change else { continue };
        if entries.undone.contains(&place) {
            continue;
        }
        let there = is_there(kernel, thread)?;
        let now = gone_is_none(kernel.policy(thread.thread))?.filter(|_| there);
        samples.push(Sample {
            label: Some(label.clone()),
            policy: *policy,
            holds: now.is_some_and(|now| now == *policy),
            ..looked(kernel, thread.clone(), there)?
        });
    }
    let cpus: BTreeSet<u32> = samples.iter().flat_map(|one| one.cpus.clone()).collect();
    for thread in all_threads(kernel)? {
        let number = thread.name.strip_prefix("ksoftirqd/").and_then(|number| number.parse().ok());
        if number.is_some_and(|number| cpus.contains(&number)) {
            samples.push(looked(kernel, thread, true)?);
        }
    }
    Ok(samples)
}

/// The state of a thread.
fn looked(kernel: &dyn Kernel, thread: Thread, there: bool) -> io::Result<Sample> {
    let policy = gone_is_none(kernel.policy(thread.thread))?.unwrap_or_default();
    let cpus = gone_is_none(kernel.affinity(thread.thread))?.unwrap_or_default();
    let before = Instant::now();
    let times = if there { times(kernel, &thread)? } else { None };
    let at = (before, Instant::now());
    Ok(Sample { label: None, thread, policy, holds: true, cpus, times, at })
}

/// The counters of the timer shield on the processors that are shielded, or should be by a journal.
pub fn shielded(kernel: &dyn Kernel, entries: &Entries) -> Vec<Shielded> {
    let told = entries.changes.iter().filter_map(|change| match change {
        Change::Write { path, text, .. } if path == CPUS => cpus_of(text),
        _ => None,
    });
    let limits = |change: &Change| matches!(change, Change::Write { path, text, .. } if path == MAX_DEFER && text.trim() != "0");
    let is_limited = entries.changes.iter().any(limits);
    let mut all = of_processors(kernel, &told.flatten().collect());
    for one in &mut all {
        one.is_limited = is_limited;
    }
    all
}

/// What each received between two looks.
pub fn rows(before: &[Sample], now: &[Sample]) -> Vec<Row> {
    let row = |now: &Sample| {
        let earlier = before.iter().find(|earlier| earlier.thread == now.thread);
        let received = earlier.and_then(|earlier| now.times?.since(earlier.times?));
        let (least, elapsed) = earlier.map_or((0, 0), |earlier| between(earlier.at, now.at));
        let share = |policy: &Policy| {
            let budget =
                u128::from(elapsed) * u128::from(policy.runtime) / u128::from(policy.period.max(1));
            u64::try_from(budget).unwrap_or(u64::MAX)
        };
        let budget = (now.policy.policy == Policy::DEADLINE).then(|| share(&now.policy));
        let finding = finding(now, received, (least, elapsed));
        Row { now: now.clone(), received, elapsed, budget, finding }
    };
    now.iter().map(row).collect()
}

/// The time between two instants that lie in these intervals, in nanoseconds: at least, and at most.
fn between(first: (Instant, Instant), second: (Instant, Instant)) -> (u64, u64) {
    let apart = |from: Instant, to: Instant| {
        u64::try_from(to.saturating_duration_since(from).as_nanos()).unwrap_or(u64::MAX)
    };
    (apart(first.1, second.0), apart(first.0, second.1))
}

fn finding(now: &Sample, received: Option<Times>, (least, most): (u64, u64)) -> Finding {
    const RECLAIM: u64 = 2;
    let Some(Times { ran, waited }) = received else { return Finding::Ended };
    if now.label.is_none() {
        return if ran > most / NEGLIGIBLE { Finding::Unreserved } else { Finding::Nothing };
    }
    if !now.holds {
        return Finding::OtherPolicy;
    }
    if now.policy.policy != Policy::DEADLINE {
        return Finding::Nothing;
    }
    let Policy { runtime, period, flags, .. } = now.policy;
    let whole = |elapsed: u64| elapsed / period.max(1);
    // The first and the last period are partly outside, and the budget of one may come late in it. A runtime that ends
    // late is paid back by the next ones, but not the last one in this time.
    // What interrupts take of a runtime is not made up for: a tenth is a kernel's own.
    let too_little = runtime.saturating_mul(whole(least).saturating_sub(2)) / 10 * 9;
    if ran > runtime.saturating_mul(whole(most) + 3) && flags & RECLAIM == 0 {
        return Finding::TooMuch;
    }
    let was_ready = ran.saturating_add(waited).saturating_add(period.saturating_mul(2)) >= most;
    match (was_ready, ran >= too_little) {
        (_, true) => Finding::Budget,
        (true, false) => Finding::TooLittle,
        (false, false) => Finding::AskedForLess,
    }
}

impl Times {
    fn since(self, earlier: Self) -> Option<Self> {
        let ran = self.ran.checked_sub(earlier.ran)?;
        Some(Self { ran, waited: self.waited.checked_sub(earlier.waited)? })
    }
}

fn times(kernel: &dyn Kernel, thread: &Thread) -> io::Result<Option<Times>> {
    let path = format!("/proc/{}/task/{}/schedstat", thread.process, thread.thread);
    let text = gone_is_none(kernel.read(&path))?.unwrap_or_default();
    let mut numbers = text.split_whitespace().map_while(|number| number.parse().ok());
    Ok(numbers.next().zip(numbers.next()).map(|(ran, waited)| Times { ran, waited }))
}

/// Interfaces whose interrupt has a reserved thread, and that could be polled by a thread of their own.
pub fn could_poll_in_threads(kernel: &dyn Kernel, entries: &Entries) -> Vec<String> {
    let reserved = entries.changes.iter().filter_map(|change| match change {
        Change::SetPolicy { thread, .. } => interrupts::of_thread(&thread.name),
        _ => None,
    });
    let reserved: Vec<u32> = reserved.collect();
    let interfaces = kernel.list("/sys/class/net").unwrap_or_default();
    let could = |interface: &String| {
        let path = format!("/sys/class/net/{interface}/threaded");
        kernel.read(&path).is_ok_and(|text| text.trim() == "0")
            && interrupts::named(kernel, interface)
                .is_ok_and(|named| named.iter().any(|number| reserved.contains(number)))
    };
    interfaces.into_iter().filter(could).collect()
}

#[cfg(test)]
mod tests;
