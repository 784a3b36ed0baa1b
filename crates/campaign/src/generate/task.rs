//! Tasks with every kind of deadline, jitter and blocking.

use super::Draft;
use vorrang_model::system::{Priority, Scheduler, SupplyId, Task};
use vorrang_time::Duration;

impl Draft {
    /// A task with the utilisation `share`.
    pub(super) fn task(&mut self, on: SupplyId, share: u64) {
        let outer = self.period_of(on);
        let period = self.times() * self.scale.draw_period(&mut self.random, outer);
        let wcet = self.scale.part(&mut self.random, share, period);
        let deadline = self.deadline(on, wcet, period);
        let jitter = self.jitter(period);
        let turns = self.system.supply(on).scheduler.takes_turns();
        // Less urgent work has no meaning where turns are taken.
        let blocks = self.random.chance(3, 20) && !turns;
        let blocking = if blocks { self.random.between(1, period / 4) } else { 0 };
        let share = if turns { self.share(on) } else { 1 };
        let task = Task {
            name: format!("task.t{}", self.system.tasks.len()),
            on,
            wcet: self.units(wcet),
            min_interarrival: self.units(period),
            deadline: deadline.map(|deadline| self.units(deadline)),
            jitter: self.units(jitter),
            blocking: self.units(blocking),
            priority: Priority::default(),
            share,
            ..Task::default()
        };
        self.add_task(task);
    }

    /// A task that uses the budget of its server in many small pieces.
    pub(super) fn fragmenting_task(&mut self, on: SupplyId) {
        let server = self.period_of(on);
        let period = self.random.between(server / 14, server / 7).max(2);
        let wcet = self.random.between(1, (period / 8).max(1));
        let later = period * self.random.between(1, 20);
        let turns = self.system.supply(on).scheduler.takes_turns();
        let task = Task {
            name: format!("task.t{}", self.system.tasks.len()),
            on,
            wcet: self.units(wcet),
            min_interarrival: self.units(period),
            deadline: Some(self.units(later)),
            share: if turns { self.share(on) } else { 1 },
            ..Task::default()
        };
        self.add_task(task);
    }

    fn deadline(&mut self, on: SupplyId, wcet: u64, period: u64) -> Option<u64> {
        let best_effort = self.system.supply(on).scheduler != Scheduler::Edf;
        match self.random.below(20) {
            0..=8 => Some(period),
            9..=11 => Some(self.random.between(wcet.max(period / 2).min(period), period)),
            12 => Some(self.random.between(wcet.min(period), period)),
            13..=16 => Some(self.random.between(period, 3 * period)),
            17 => Some(self.random.between(period, 12 * period)),
            _ if best_effort => None,
            _ => Some(period),
        }
    }

    /// Mostly none; rarely so long that several arrivals are released together.
    pub(super) fn jitter(&mut self, period: u64) -> u64 {
        match self.random.below(20) {
            0..=12 => 0,
            13..=16 => self.random.between(1, period / 4),
            17..=18 => self.random.between(1, period),
            _ => self.random.between(period, 3 * period),
        }
    }

    pub(super) fn units(&self, count: u64) -> Duration {
        self.scale.unit() * count
    }
}
