//! Priorities of `SCHED_FIFO` where tasks stand on the core itself, between servers.
//!
//! **Model.** A task on the core is a thread of its own priority, always: the kernel wakes it, and nothing is decided for it. So the
//! priorities that are lent leave room for it. Servers and pseudo-VCPUs with no task between them are of one *level*, and have
//! these five priorities, in this order:
//!
//! ```text
//!   +4  watcher of tasks      runs when no more urgent task does, and reports that
//!   +3  the thread that is lent to first, for an interrupt of a guest
//!   +2  its watcher           runs when that thread does not, and reports that
//!   +1  the lent thread
//!   +0  its watcher
//! ```
//!
//! Between two levels, and above or below them, are the tasks, each with one priority. Without tasks there is one level, from
//! [`LOWEST`] on.
//!
//! **Assumption.** No task is as urgent as a server or another task of its core (`tasks.rs`).

/// The least of all: the watcher of the lent thread of the lowest level.
const LOWEST: u32 = 17;
/// Threads of interrupts have 50, unless that is changed, and above all tasks the kernel's thread for timers has one.
const HIGHEST: u32 = 48;
/// The priorities of a level.
const EACH: u32 = 5;
/// So many levels fit in at most: between two of them is a task.
pub(crate) const MOST: usize = 5;

/// The priorities of a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// Of each server, then of each pseudo-VCPU, in the order of declaration.
    members: Vec<usize>,
    /// Of each task, in the order of urgency, the most urgent first.
    tasks: Vec<u32>,
    /// The lowest priority of each level, and the number of tasks that are more urgent.
    places: Vec<(u32, usize)>,
    /// The first that is free.
    above: u32,
}

impl Levels {
    /// Of members and tasks with these priorities; tasks in the order of urgency.
    pub fn of(members: &[u32], tasks: &[u32]) -> Self {
        let more_urgent = |priority: u32| tasks.iter().filter(|&&task| task > priority).count();
        let (mut places, mut own, mut above) = (Vec::new(), vec![0; tasks.len()], LOWEST);
        for before in (0..=tasks.len()).rev() {
            let has_members = members.iter().any(|&member| more_urgent(member) == before);
            if has_members || tasks.is_empty() {
                places.push((above, before));
                // Above all tasks there is none to watch.
                above += if before == 0 { EACH - 1 } else { EACH };
            }
            if let Some(task) = before.checked_sub(1) {
                own[task] = above;
                above += 1;
            }
        }
        let level = |&priority: &u32| {
            let before = more_urgent(priority);
            places.iter().position(|&(_, tasks)| tasks == before).unwrap_or(0)
        };
        Self { members: members.iter().map(level).collect(), tasks: own, places, above }
    }

    /// Whether there are as many priorities.
    pub fn fit(&self) -> bool {
        self.above <= HIGHEST + 1
    }

    /// The level of each server, then of each pseudo-VCPU.
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// The priority of each task.
    pub fn tasks(&self) -> &[u32] {
        &self.tasks
    }

    /// All levels.
    pub fn all(&self) -> std::ops::Range<usize> {
        0..self.places.len()
    }

    /// How many tasks are more urgent than a level.
    pub fn tasks_above(&self, level: usize) -> usize {
        self.places[level].1
    }

    /// The priority of the lent thread.
    pub fn lent(&self, level: usize) -> u32 {
        self.places[level].0 + 1
    }

    /// Of one that is lent to first.
    pub fn first(&self, level: usize) -> u32 {
        self.places[level].0 + 3
    }

    /// Of the watcher of the lent thread, or of the one that is lent to first.
    pub fn watcher(&self, level: usize, is_first: bool) -> u32 {
        self.places[level].0 + if is_first { 2 } else { 0 }
    }

    /// Of the watcher of tasks.
    pub fn watcher_of_tasks(&self, level: usize) -> u32 {
        self.places[level].0 + 4
    }

    /// Of what precedes everything that is lent to, and all tasks.
    pub fn above(&self) -> u32 {
        self.above
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_tasks_there_is_one_level() {
        let levels = Levels::of(&[3, 1, 7], &[]);
        assert_eq!((levels.members(), levels.all()), (&[0, 0, 0][..], 0..1));
        let priorities = [levels.watcher(0, false), levels.lent(0), levels.watcher(0, true)];
        assert_eq!((priorities, levels.first(0), levels.above()), ([17, 18, 19], 20, 21));
    }

    /// Everything lies as its priority in the description says.
    #[test]
    fn tasks_are_between_levels() {
        let (members, tasks) = ([50, 30, 20, 91, 10], [90, 40, 35, 5]);
        let levels = Levels::of(&members, &tasks);
        assert_eq!(levels.all(), 0..3);
        let mut all: Vec<(u32, u32, u32)> = tasks
            .iter()
            .zip(levels.tasks())
            .map(|(&described, &own)| (described, own, own))
            .collect();
        for (&described, &level) in members.iter().zip(levels.members()) {
            all.push((described, levels.watcher(level, false), levels.first(level)));
            assert!(levels.watcher(level, false) < levels.lent(level));
            assert!(levels.lent(level) < levels.watcher(level, true));
            assert!(levels.watcher(level, true) < levels.first(level));
            let urgent = tasks.iter().filter(|&&task| task > described).count();
            assert_eq!(levels.tasks_above(level), urgent);
            let tasks = levels.tasks()[..urgent].iter();
            assert!(urgent == 0 || levels.watcher_of_tasks(level) > levels.first(level));
            assert!(tasks.clone().all(|&task| task > levels.watcher_of_tasks(level)));
        }
        all.sort_unstable();
        let ordered = |pair: &[(u32, u32, u32)]| pair[0].2 < pair[1].1 || pair[0].1 == pair[1].1;
        assert!(all.windows(2).all(ordered), "{all:?}");
        assert!(levels.fit() && levels.tasks().iter().all(|&task| task < levels.above()));
    }

    #[test]
    fn so_many_levels_fit() {
        let alternating = |count: u32| {
            let members: Vec<u32> = (0..count).map(|place| 2 * place).collect();
            let tasks: Vec<u32> = (0..count - 1).rev().map(|place| 2 * place + 1).collect();
            Levels::of(&members, &tasks)
        };
        let most = u32::try_from(MOST).expect("few");
        assert!(alternating(most).fit() && !alternating(most + 1).fit());
    }
}
