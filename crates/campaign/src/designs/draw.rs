//! Descriptions with values left open: a drawn system in which some servers are to be designed.
//!
//! **Model.** Any system of the campaign, written down, with budgets, periods, kinds, cores and priorities of up to
//! two of its servers, and priorities and cores of tasks, replaced in the text. For most systems the drawn
//! values are accepted and are among the candidates; for the others it is unknown whether a design exists.

use crate::generate;
use crate::random::Random;
use std::collections::BTreeSet;
use std::fmt::Display;
use vorrang_analysis::bounds_within;
use vorrang_design::accepts;
use vorrang_model::system::{
    Activation, DeadlineLimits, Priority, Scheduler, Server, ServerKind, Supply, SupplyId, System,
};
use vorrang_model::write_toml;
use vorrang_time::Duration;

/// Systems that are tried for one whose values are accepted as they are.
const TRIES: u64 = 32;

/// Terms of equations in the analysis of a system: a search analyses it hundreds of times.
const TERMS: u64 = 20_000;

/// Separates these streams from those of the systems that are checked as they are.
const DESIGNS: u64 = 0x6465_7369_676e_0000;

/// The description with this index.
pub fn draw(seed: u64, index: u64) -> String {
    let seed = seed ^ DESIGNS;
    let mut random = Random::new(seed, index);
    let any = random.chance(1, 8);
    let mut systems =
        (index * TRIES..(index + 1) * TRIES).map(|index| generate::system(seed, index));
    let mut last = None;
    let found = systems.find_map(|system| {
        let servers = designable(&system);
        let is_light = || bounds_within(&system, TERMS).1 > 0;
        if servers.is_empty() || system.requirements.is_empty() || !is_light() {
            return None;
        }
        if any || accepts(&system) {
            return Some((system, servers));
        }
        last = Some((system, servers));
        None
    });
    // One in this many is nearly always suitable; a description without an open value is refused.
    let Some((mut system, servers)) = found.or(last) else {
        return write_toml(&generate::system(seed, index));
    };
    take_everything(&mut system);
    let mut draft = Draft { random, text: write_toml(&system) };
    let first = draft.random.one_of(&servers);
    draft.leave_open(&system, first);
    let second = draft.random.one_of(&servers);
    if second != first && draft.random.chance(2, 3) {
        draft.leave_open(&system, second);
    }
    draft.leave_tasks_open(&system);
    draft.text
}

/// Kernels of Linux are set to take every period and to reserve all of a core: what is drawn is no size of a machine.
fn take_everything(system: &mut System) {
    let supplies = system.supplies.iter_mut();
    for supply in supplies.filter(|supply| supply.scheduler == Scheduler::Linux) {
        supply.deadline_limits = DeadlineLimits {
            shortest_period: Some(Duration::RESOLUTION),
            longest_period: Some(Duration::MAX_STATED),
            share_ppm: Some(1_000_000),
        };
    }
}

fn designable(system: &System) -> Vec<SupplyId> {
    let is_designable = |supply: &Supply| {
        let kind = supply.server_kind();
        kind.is_some_and(|kind| kind.rule().is_some()) && !supply.serves_other
    };
    let ids = system.supply_ids();
    ids.filter(|&id| is_designable(system.supply(id))).collect()
}

/// A description in the making.
struct Draft {
    random: Random,
    text: String,
}

impl Draft {
    fn leave_open(&mut self, system: &System, id: SupplyId) {
        let supply = system.supply(id);
        let server = supply.server().expect("only servers are designed");
        let budget = self.budget(server);
        self.replace(&supply.name, "budget", &budget);
        if self.random.chance(1, 2) {
            let period = self.period(server);
            self.replace(&supply.name, "period", &period);
        }
        let parent = system.supply(server.on);
        if let Some(kinds) = others(parent.scheduler, server.kind())
            && self.random.chance(1, 3)
        {
            let kinds = [server.kind(), self.random.one_of(kinds)].map(|kind| quoted(kind.word()));
            self.replace(&supply.name, "server", &list(&kinds));
        }
        if parent.is_core() && system.cores().count() > 1 && self.random.chance(1, 2) {
            self.replace(&supply.name, "on", "\"?\"");
        }
        if is_ordered(parent, server.kind()) && self.random.chance(1, 3) {
            let priority = self.priority(server.priority);
            self.replace(&supply.name, "priority", &priority);
        }
    }

    /// Priorities of some tasks, and where one of a core stands.
    fn leave_tasks_open(&mut self, system: &System) {
        if system.tasks.is_empty() || !self.random.chance(1, 2) {
            return;
        }
        for _ in 0..self.random.between(1, 2) {
            let task = &system.tasks[self.random.index(system.tasks.len())];
            let parent = system.supply(task.on);
            if matches!(parent.scheduler, Scheduler::FixedPriority | Scheduler::Linux) {
                let priority = self.priority(task.priority);
                self.replace(&task.name, "priority", &priority);
            }
            let moves = parent.is_core() && system.cores().count() > 1;
            if moves && task.activation == Activation::Sporadic && self.random.chance(1, 2) {
                let cores = system.cores().map(|core| quoted(&system.supply(core).name));
                let cores: Vec<String> = cores.collect();
                self.replace(&task.name, "on", &list(&cores));
            }
        }
    }

    /// Any, or some; what was drawn is among them.
    fn priority(&mut self, own: Priority) -> String {
        if self.random.chance(1, 2) {
            return quoted("?");
        }
        let mut all = BTreeSet::from([own.0]);
        for _ in 0..self.random.between(1, 2) {
            all.insert(self.random.one_of(&[own.0.saturating_sub(1), own.0 + 1, own.0 + 3]).max(1));
        }
        list(&all.iter().map(u32::to_string).collect::<Vec<_>>())
    }

    /// Anything, some values, or a grid; the drawn value is among the first two.
    fn budget(&mut self, server: &Server) -> String {
        let (budget, period) = (server.budget.as_ns(), server.period.as_ns());
        match self.random.below(4) {
            0 => quoted("?"),
            1 => {
                let from = (budget / 4).max(1);
                let points = self.random.between(2, 7);
                let step = period.saturating_sub(from).div_ceil(points).max(1);
                let [from, to, step] = [from, period.max(from), step].map(time);
                format!("{{ from = {from}, to = {to}, step = {step} }}")
            }
            _ => {
                let others =
                    [budget / 4, budget / 2, budget.div_ceil(3), budget.midpoint(period), period];
                let count = self.random.between(1, 3);
                self.times(budget, &others, count)
            }
        }
    }

    fn period(&mut self, server: &Server) -> String {
        if self.random.chance(1, 6) {
            return quoted("?");
        }
        let period = server.period.as_ns();
        let others = [period / 3, period / 2, period * 2, period + period / 4];
        let count = self.random.between(1, 2);
        self.times(period, &others, count)
    }

    fn times(&mut self, own: u64, others: &[u64], count: u64) -> String {
        let drawn = (0..count).map(|_| self.random.one_of(others).max(1));
        let times: Vec<String> = [own].into_iter().chain(drawn).map(time).collect();
        list(&times)
    }

    /// Writes another value of a key of a table.
    fn replace(&mut self, table: &str, key: &str, value: &str) {
        let (heading, begin) = (format!("[{table}]"), format!("{key} = "));
        let mut here = false;
        let lines = self.text.lines().map(|line| {
            if line.starts_with('[') {
                here = line == heading;
            }
            let is_meant = here && line.starts_with(&begin);
            if is_meant { format!("{begin}{value}\n") } else { format!("{line}\n") }
        });
        self.text = lines.collect();
    }
}

/// Whether a server is ordered by priority among its siblings.
fn is_ordered(parent: &Supply, kind: ServerKind) -> bool {
    match parent.scheduler {
        Scheduler::FixedPriority => true,
        Scheduler::Linux => kind != ServerKind::SchedDeadline,
        _ => false,
    }
}

/// The other kinds that a server of a kind may have.
fn others(parent: Scheduler, kind: ServerKind) -> Option<&'static [ServerKind]> {
    use ServerKind::{CbsHard, Deferrable, Periodic, Polling, Sporadic};
    let all: &[ServerKind] = match parent {
        Scheduler::FixedPriority => &[Deferrable, Periodic, Polling, Sporadic],
        Scheduler::Edf => &[CbsHard, Deferrable, Periodic, Polling],
        _ => return None,
    };
    all.contains(&kind).then_some(all)
}

fn quoted(text: impl Display) -> String {
    format!("\"{text}\"")
}

fn time(ns: u64) -> String {
    quoted(Duration::from_ns(ns))
}

fn list(values: &[String]) -> String {
    format!("[{}]", values.join(", "))
}
