//! Paths of wake-ups from task to task: from which task the jobs of each descend.
//!
//! **Model.** A task that others wake comes after them. Where it comes after several, its jobs are theirs only if all
//! descend from the same task: then each job of that has one job of each.

use crate::limits;

/// Where the path to a task begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// With this task.
    Task(usize),
    /// Nowhere, at most [`limits::WAKE_UPS`] before.
    None,
    /// With several: something on it comes after two tasks that do not descend from one.
    Several,
}

/// For each task, where its path begins; `before` has those that wake it.
pub(super) fn roots(before: &[Vec<usize>]) -> Vec<Root> {
    let mut after = vec![Vec::new(); before.len()];
    for (task, own) in before.iter().enumerate() {
        for &first in own {
            after[first].push(task);
        }
    }
    let mut roots = vec![Root::None; before.len()];
    let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut next: Vec<usize> = (0..before.len()).filter(|&task| missing[task] == 0).collect();
    for &task in &next {
        roots[task] = Root::Task(task);
    }
    for _ in 0..limits::WAKE_UPS {
        let mut reached = Vec::new();
        for &woken in next.iter().flat_map(|&task| &after[task]) {
            missing[woken] -= 1;
            if missing[woken] == 0 {
                let mut own = before[woken].iter().map(|&first| roots[first]);
                let first = own.next().expect("something wakes it");
                roots[woken] = if own.all(|root| root == first) { first } else { Root::Several };
                reached.push(woken);
            }
        }
        next = reached;
    }
    roots
}
