//! Members of one core that are as urgent as each other, by brute force: small systems of two, and
//! every offset between them.
//!
//! Equals are served first come, first served, so a member keeps others waiting with what it used
//! before: a deferrable server with up to two budgets. Drawn systems hardly ever show what that costs.
//!
//! **Model.** A server with a guest that always wants time and, once, a more urgent `probe`; beside
//! it a task or another such server, of the same priority. Offsets: the phase of the first, the phase
//! or the first arrival of the second, the arrival of the probes.

use crate::common::Longest;
use vorrang_analysis::bounds;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

/// What is beside each other.
#[derive(Clone, Copy, Debug)]
struct Own {
    /// Of the server; a task without one.
    kind: Option<&'static str>,
    takes: u64,
    period: u64,
}

const KINDS: [&str; 5] = ["periodic", "polling", "deferrable", "sporadic", "refill-queue"];

impl Own {
    fn describe(self, number: usize) -> String {
        let Self { kind, takes, period } = self;
        let Some(kind) = kind else {
            return format!(
                "[task.plain-{number}]\non = \"core.0\"\npriority = 3\n\
                 wcet = \"{takes}ns\"\nperiod = \"{period}ns\"\n"
            );
        };
        format!(
            "[vcpu.s{number}]\non = \"core.0\"\npriority = 3\nserver = \"{kind}\"\n\
             budget = \"{takes}ns\"\nperiod = \"{period}ns\"\nscheduler = \"fixed-priority\"\n\
             [task.hungry-{number}]\non = \"vcpu.s{number}\"\npriority = 1\n\
             wcet = \"1ns\"\nperiod = \"1ns\"\n\
             [task.probe-{number}]\non = \"vcpu.s{number}\"\npriority = 2\n\
             wcet = \"1ns\"\nperiod = \"1us\"\n"
        )
    }
}

fn system([first, second]: [Own; 2]) -> System {
    let core = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n";
    let text = [core, &first.describe(0), &second.describe(1)].concat();
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

/// What was tried, and what exceeded a bound.
#[derive(Default)]
struct Found {
    bounded: u64,
    histories: u64,
    exceeded: Vec<String>,
}

/// Tries all offsets of a system.
fn look(members: [Own; 2], found: &mut Found) {
    let system = system(members);
    let known = bounds(&system);
    let limits: Vec<Option<Duration>> =
        system.task_ids().map(|id| known.task(id).bound()).collect();
    if limits.iter().all(Option::is_none) {
        return;
    }
    found.bounded += 1;
    let rounds = 2 * members.iter().map(|own| own.period).max().unwrap();
    let offsets = (0..members[0].period).flat_map(|phase| {
        (0..members[1].period)
            .flat_map(move |other| (0..rounds).map(move |probe| [phase, other, probe]))
    });
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    for offsets in offsets {
        let history = history(&system, offsets.map(Duration::from_ns));
        let mut longest = Longest::new(&system);
        let end = Instant::from_ns(4 * rounds);
        simulator.run(&history, end, &mut longest);
        found.histories += 1;
        for ((task, seen), limit) in system.tasks.iter().zip(&longest.0).zip(&limits) {
            if limit.is_some_and(|limit| *seen > limit) {
                let what = format!("{members:?}: {} took {seen} of {limit:?}", task.name);
                found.exceeded.push(format!("{what} with the offsets {offsets:?}"));
            }
        }
    }
}

fn history(system: &System, [phase, other, probe]: [Duration; 3]) -> History {
    let mut history = History::quiet(system);
    for (supply, own) in system.supplies.iter().zip(&mut history.phases) {
        *own = if supply.name == "vcpu.s1" { other } else { phase };
    }
    for (task, own) in system.tasks.iter().zip(&mut history.tasks) {
        let first = match task.name.as_str() {
            "task.hungry-0" => Duration::ZERO,
            "task.hungry-1" | "task.plain-1" => other,
            _ => probe,
        };
        *own = Arrivals::from(Instant::ZERO + first);
    }
    history
}

#[test]
fn no_equal_is_kept_waiting_longer_than_bounded() {
    let mut found = Found::default();
    let others = || [None].into_iter().chain(KINDS.map(Some));
    for (takes, period) in [(1, 3), (2, 4), (2, 5), (3, 5), (3, 6), (4, 6)] {
        for (second, every) in [(1, 2), (1, 3), (1, 4), (2, 4), (2, 5)] {
            for kind in KINDS {
                for other in others() {
                    let first = Own { kind: Some(kind), takes, period };
                    let second = Own { kind: other, takes: second, period: every };
                    look([first, second], &mut found);
                }
            }
        }
    }
    let Found { bounded, histories, exceeded } = found;
    assert!(bounded > 100 && histories > 10_000, "{bounded} systems, {histories} histories");
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
}
