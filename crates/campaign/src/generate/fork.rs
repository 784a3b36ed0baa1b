//! Tasks that tasks wake, and that wait for several: systems that are drawn already, in which some tasks of a core come
//! after others of it.

use crate::random::Random;
use vorrang_model::system::{Activation, Communication, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// The stream of these, away from those of systems, of bursts, of tasks that are not preempted and of those that poll.
const STREAM: u64 = 1 << 43;

/// The most tasks that descend from one.
const MOST: usize = 5;

/// On each core one task, and some others of it after that, each after one or several of those before it.
pub(super) fn fork(seed: u64, index: u64, system: &mut System) {
    let mut random = Random::new(seed, STREAM + index);
    for core in system.cores().collect::<Vec<_>>() {
        let mut free: Vec<TaskId> = system.task_ids().filter(|&id| may(system, core, id)).collect();
        if free.len() < 2 {
            continue;
        }
        let mut family = vec![free.swap_remove(random.index(free.len()))];
        while !free.is_empty() && family.len() <= MOST && random.chance(5, 6) {
            let next = free.swap_remove(random.index(free.len()));
            let before = some(&family, &mut random);
            come_after(system, next, &before);
            family.push(next);
        }
    }
}

/// What nothing wakes, and no storm could merge.
fn may(system: &System, core: SupplyId, id: TaskId) -> bool {
    let task = system.task(id);
    let is_free = task.activation == Activation::Sporadic && !task.polls && !system.is_other(id);
    let by_chance = |of: &vorrang_model::system::Requirement| of.probability.is_some();
    is_free
        && task.wakes.is_empty()
        && system.core_of(task.on) == core
        && !system.requirements.iter().any(by_chance)
}

/// One of them, or two or three where there are so many; mostly the last ones.
fn some(family: &[TaskId], random: &mut Random) -> Vec<TaskId> {
    let number = random.weighted(&[(2, 1), (4, 2), (1, 3)]);
    let mut left = family.to_vec();
    let mut chosen = Vec::new();
    while chosen.len() < number && !left.is_empty() {
        let at = if random.chance(1, 2) { left.len() - 1 } else { random.index(left.len()) };
        chosen.push(left.remove(at));
    }
    chosen.sort_unstable();
    chosen
}

/// From now on jobs of a task follow those of others, as often as the source.
pub fn come_after(system: &mut System, id: TaskId, before: &[TaskId]) {
    let root = system.task(system.root_of(before[0])).clone();
    for by in before {
        system.tasks[by.0].wakes.push(id);
    }
    let task = &mut system.tasks[id.0];
    task.activation = match before {
        [by] => Activation::Task(*by),
        _ => Activation::Join,
    };
    (task.min_interarrival, task.distances) = (root.min_interarrival, root.distances);
    (task.latest_interarrival, task.communication) = (None, Communication::default());
    task.jitter = Duration::ZERO;
    // An unintended overload tests nothing.
    let most = Duration::from_ns(task.mean_distance().as_ns().div_ceil(4));
    task.wcet = task.wcet.min(most);
    task.bcet = task.bcet.min(task.wcet);
    task.execution.clear();
    order_wakes(system);
}

/// As a description has them: those that a task wakes alone as stated, then joins by their numbers.
pub(crate) fn order_wakes(system: &mut System) {
    let is_join: Vec<bool> =
        system.tasks.iter().map(|task| task.activation == Activation::Join).collect();
    for task in &mut system.tasks {
        task.wakes.sort_by_key(|woken| is_join[woken.0].then_some(*woken));
    }
}
