//! Chains along tasks of any core, drawn on request only.

use super::Draft;
use vorrang_model::system::{Activation, Chain, Communication, Task, TaskId};
use vorrang_time::Duration;

/// The most chains of a system, and the most tasks along one.
const MOST: u64 = 3;
const LONGEST: usize = 5;

impl Draft {
    /// One chain or several, of registers, of logical execution times, and mixed.
    pub(super) fn chains(&mut self) {
        // Arrivals of readers of packets have no longest distance, and other threads of Linux no name.
        let system = &self.system;
        let is_on_one = |task: &Task| {
            !matches!(task.activation, Activation::Device(_))
                && !system.supply(task.on).is_of_linux()
        };
        let all: Vec<TaskId> = system.task_ids().filter(|&id| is_on_one(system.task(id))).collect();
        if all.is_empty() {
            return;
        }
        let (logical, of) = self.random.one_of(&[(0, 1), (1, 1), (1, 3)]);
        for &id in &all {
            self.on_a_chain(id, logical, of);
        }
        for number in 0..self.random.between(1, MOST) {
            let mut left = all.clone();
            let length = 1 + self.random.index(left.len().min(LONGEST));
            let path = (0..length).map(|_| left.swap_remove(self.random.index(left.len())));
            let path: Vec<TaskId> = path.collect();
            let least = |id: &TaskId| self.system.task(*id).min_interarrival.as_ns();
            let sum: u64 = path.iter().map(least).sum();
            let limit = Duration::from_ns(sum * self.random.between(1, 6));
            let (reaction, age) = (Some(limit), self.random.chance(1, 2).then_some(limit));
            self.system.chains.push(Chain {
                name: format!("chain.c{number}"),
                path,
                reaction,
                age,
            });
        }
    }

    /// Its longest distance, mostly near the least; how it reads and writes; mostly the shorter jobs.
    fn on_a_chain(&mut self, id: TaskId, logical: u64, of: u64) {
        let Self { random, system, .. } = self;
        let least = system.task(id).min_interarrival.as_ns();
        let more = random.weighted(&[(3, 0), (2, least / 8), (1, least), (1, 3 * least)]);
        let task = &mut system.tasks[id.0];
        // Of what is woken the least distance may be a rounding of another one.
        task.latest_interarrival = Some(Duration::from_ns(least + more));
        let may_be_logical = task.deadline.is_some()
            && task.activation == Activation::Sporadic
            && task.jitter.is_zero();
        if may_be_logical && random.chance(logical, of) {
            task.communication = Communication::Let;
        }
        if random.chance(1, 4) {
            task.bcet = Duration::from_ns(random.between(1, task.wcet.as_ns()));
        }
    }
}
