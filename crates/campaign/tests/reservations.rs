//! Servers with deadlines beside an interrupt, by brute force: small systems, and every offset.
//!
//! What matters is a nanosecond here and there: a budget that was kept and is wanted again just
//! before its deadline, an interrupt that comes then, a budget that it overdraws. Drawn systems show
//! little of that.
//!
//! **Model.** A server whose guest has two tasks: one runs early and leaves a part of the budget, the
//! other, less urgent, wants it later; or one task alone that comes again and again. Beside it there
//! may be a server that always wants time. Offsets: of the later task, of the interrupt, of the other
//! server. Both ways of charging the interrupt are tried; so are servers that are threads and virtual
//! processors, with costs of calls, switches and cold caches.

use crate::common::Longest;
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Simulator};
use vorrang_time::{Duration, Instant};

/// What is tried with every offset.
#[derive(Clone, Copy, Debug)]
struct Case {
    core: [&'static str; 2],
    kind: &'static str,
    /// Budget, deadline, period.
    own: [u64; 3],
    /// The early task, and the later one; without an early one the later comes every so often.
    early: Option<u64>,
    later: [u64; 2],
    /// Budget and period of the other server.
    other: Option<[u64; 2]>,
    /// Routine and distance of the interrupt.
    interrupt: [u64; 2],
    machine: Machine,
}

/// Overheads of the machine.
#[derive(Clone, Copy, Debug, Default)]
struct Machine {
    call: u64,
    switch: u64,
    /// The time without work after a switch.
    cold: u64,
    /// Servers are virtual processors.
    vcpus: bool,
}

impl Case {
    fn system(&self) -> System {
        let [scheduler, pays] = self.core;
        let [isr, distance] = self.interrupt;
        let fair = if scheduler == "linux" { "fair-server = \"none\"\n" } else { "" };
        let mut text = format!(
            "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n{fair}interrupt-time = \"{pays}\"\n\
             [interrupt.i]\non = \"core.0\"\nisr = \"{isr}ns\"\nmin-interarrival = \"{distance}ns\"\n"
        );
        let Machine { call, switch, cold, vcpus } = self.machine;
        text += "[costs]\n";
        for (key, cost) in [("scheduler-call", call), ("context-switch", switch)] {
            writeln!(text, "{key} = \"{cost}ns\"").expect("a string takes it");
        }
        if cold > 0 {
            text += "[cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\n";
            writeln!(text, "sustained = \"{cold}ns\"").expect("a string takes it");
        }
        let cache = if cold > 0 { "cache = \"cache.c\"\n" } else { "" };
        let (noun, of_server, of_task) =
            if vcpus { ("vcpu", cache, "") } else { ("server", "", cache) };
        let server = |name: &str, [budget, deadline, period]: [u64; 3]| {
            let own = if deadline < period {
                format!("deadline = \"{deadline}ns\"\n")
            } else {
                String::new()
            };
            format!(
                "[{noun}.{name}]\non = \"core.0\"\n{of_server}server = \"{}\"\nbudget = \"{budget}ns\"\n\
                 period = \"{period}ns\"\n{own}scheduler = \"fixed-priority\"\n",
                self.kind
            )
        };
        let task = |name: &str, on: &str, [wcet, period]: [u64; 2], priority: u64| {
            format!(
                "[task.{name}]\non = \"{noun}.{on}\"\n{of_task}wcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\n\
                 deadline = \"none\"\npriority = {priority}\n"
            )
        };
        if let Some([budget, period]) = self.other {
            text += &server("other", [budget, period, period]);
            text += &task("hungry", "other", [1, 1], 1);
        }
        text += &server("own", self.own);
        text += &task("later", "own", self.later, 1);
        if let Some(early) = self.early {
            text += &task("early", "own", [early, 1_000], 2);
        }
        read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
    }

    /// Every history that differs in what matters.
    fn offsets(&self) -> impl Iterator<Item = [u64; 3]> {
        let [_, _, period] = self.own;
        let rounds = if self.early.is_some() { 2 * period } else { 1 };
        let [_, distance] = self.interrupt;
        let others = self.other.map_or(1, |[_, period]| period);
        (0..rounds).flat_map(move |later| {
            (0..distance).flat_map(move |first| (0..others).map(move |other| [later, first, other]))
        })
    }
}

fn history(system: &System, [later, first, other]: [u64; 3]) -> History {
    let at = |ns: u64| Arrivals::from(Instant::from_ns(ns));
    let mut history = History::quiet(system);
    history.interrupts[0] = at(first);
    for (task, own) in system.tasks.iter().zip(&mut history.tasks) {
        *own = match task.name.as_str() {
            "task.hungry" => at(other),
            "task.early" => at(1),
            _ => at(1 + later),
        };
    }
    history
}

/// What was tried, and what exceeded a bound.
#[derive(Default)]
struct Found {
    bounded: u64,
    histories: u64,
    /// The largest part of its bound that a response comes to, in thousandths.
    nearest: u64,
    /// How many of them have soft servers.
    soft: u64,
    exceeded: Vec<String>,
}

fn look(case: Case, found: &mut Found) {
    let system = case.system();
    let known = bounds(&system);
    let limits: Vec<Option<Duration>> = system
        .task_ids()
        .map(|id| known.task(id).bound().filter(|_| system.task(id).name != "task.hungry"))
        .collect();
    if limits.iter().all(Option::is_none) {
        return;
    }
    found.bounded += 1;
    found.soft += u64::from(case.kind == "cbs-soft");
    let mut simulator = Simulator::new(&system, SupplyId(0)).expect("it is covered");
    for offsets in case.offsets() {
        let mut longest = Longest::new(&system);
        let end = Instant::from_ns(8 * case.own[2]);
        simulator.run(&history(&system, offsets), end, &mut longest);
        found.histories += 1;
        for (id, limit) in limits.iter().enumerate() {
            let seen = longest.0[id];
            if let Some(limit) = limit {
                found.nearest = found.nearest.max(1_000 * seen.as_ns() / limit.as_ns());
            }
            if limit.is_some_and(|limit| seen > limit) {
                let name = &system.tasks[id].name;
                let what = format!("{case:?}: {name} took {seen} of {limit:?} with {offsets:?}");
                found.exceeded.push(what);
            }
        }
    }
}

/// Cores and kinds of server on them.
const CORES: [([&str; 2], &str); 6] = [
    (["linux", "charged"], "sched-deadline"),
    (["linux", "apart"], "sched-deadline"),
    (["edf", "charged"], "sched-deadline"),
    (["edf", "apart"], "sched-deadline"),
    (["edf", "apart"], "cbs-hard"),
    (["edf", "apart"], "cbs-soft"),
];

const OWN: [[u64; 3]; 5] = [[3, 8, 8], [4, 6, 9], [2, 5, 8], [5, 7, 7], [6, 8, 8]];

fn all(early: bool) -> Found {
    let mut found = Found::default();
    for (core, kind) in CORES {
        for own in OWN {
            if kind != "sched-deadline" && own[1] < own[2] {
                continue;
            }
            let rest = own[2] - own[0];
            for other in [None, Some([1, 5]), Some([rest, own[2]]), Some([rest - 1, own[2]])] {
                let other = other.filter(|[budget, _]| *budget > 0);
                // With an early task every offset is tried, which is long for rare interrupts.
                let interrupts: &[[u64; 2]] =
                    if early { &[[1, 7], [2, 19]] } else { &[[1, 7], [2, 19], [4, 40]] };
                for &interrupt in interrupts {
                    let machine = Machine::default();
                    let (early_one, later) = (None, [1, 1]);
                    let case = Case {
                        core,
                        kind,
                        own,
                        early: early_one,
                        later,
                        other,
                        interrupt,
                        machine,
                    };
                    for wcet in [1, own[0] - 1, own[0] + 1] {
                        if early {
                            for first in [1, own[0]] {
                                let early = Some(first);
                                let later = [wcet, 1_000];
                                look(Case { early, later, ..case }, &mut found);
                            }
                        } else {
                            for every in [own[2] + 3, 2 * own[2]] {
                                look(Case { later: [wcet, every], ..case }, &mut found);
                            }
                        }
                    }
                }
            }
        }
    }
    found
}

/// Larger systems, and fewer: there must be room for overheads.
fn all_of_machines() -> Found {
    let mut found = Found::default();
    for (core, kind) in CORES {
        for [call, switch, cold] in [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]] {
            for vcpus in [false, true] {
                let machine = Machine { call, switch, cold, vcpus };
                for own in [[6, 24, 24], [7, 20, 26]] {
                    if kind != "sched-deadline" && own[1] < own[2] {
                        continue;
                    }
                    for (other, interrupt) in
                        [(None, [1, 29]), (None, [2, 45]), (Some([4, 16]), [2, 49])]
                    {
                        let later = [own[0] - 2, 1_000];
                        let case = Case {
                            core,
                            kind,
                            own,
                            early: Some(1),
                            later,
                            other,
                            interrupt,
                            machine,
                        };
                        look(case, &mut found);
                        let later = [own[0] / 2, 2 * own[2]];
                        look(Case { early: None, later, ..case }, &mut found);
                    }
                }
            }
        }
    }
    found
}

#[test]
fn no_guest_waits_longer_than_bounded_where_the_machine_takes_time() {
    let Found { bounded, histories, nearest, exceeded, .. } = all_of_machines();
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    assert!(bounded > 300 && histories > 100_000, "{bounded} systems, {histories} histories");
    assert!(nearest > 600, "{nearest} thousandths of a bound");
}

#[test]
fn no_guest_waits_longer_than_bounded() {
    let Found { bounded, histories, nearest, exceeded, .. } = all(true);
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    assert!(bounded > 200 && histories > 20_000, "{bounded} systems, {histories} histories");
    assert!(nearest > 800, "{nearest} thousandths of a bound");
}

#[test]
fn no_task_that_is_alone_waits_longer_than_bounded() {
    let Found { bounded, histories, nearest, soft, exceeded } = all(false);
    assert!(exceeded.is_empty(), "{}, the first: {}", exceeded.len(), exceeded[0]);
    assert!(bounded > 300 && histories > 3_000, "{bounded} systems, {histories} histories");
    assert!(nearest > 800, "{nearest} thousandths of a bound");
    assert!(soft > 50, "{soft} systems with soft servers");
}
