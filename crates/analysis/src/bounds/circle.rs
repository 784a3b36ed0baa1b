//! Why the delay of what follows from something else has no bound: it waits for itself.
//!
//! **Model.** A follower waits for something on some core. Another follower on that core may delay that, or is that. Over
//! some of these one may come back to itself, and then each grows with the others. The shortest such circle is named.
//!
//! **Assumption.** None: it is a reason, and no bound rests on it.
//!
//! Theory: docs/theory/propagation.md.

use vorrang_model::system::{Scheduler, SupplyId, System, TaskId};

/// What follows from something else.
pub(super) struct Link<'s> {
    /// Its name.
    pub(super) name: &'s str,
    /// The task, if it is one.
    pub(super) task: Option<TaskId>,
    /// Its core.
    pub(super) core: SupplyId,
    /// What it waits for.
    pub(super) waits_for: Vec<Waited<'s>>,
}

/// What something waits for.
pub(super) struct Waited<'s> {
    pub(super) name: &'s str,
    pub(super) task: Option<TaskId>,
    pub(super) core: SupplyId,
}

/// From one on the shortest way back to it, in words; `None`: there is none.
pub(super) fn circle(system: &System, links: &[Link<'_>], from: usize) -> Option<String> {
    // By place: from which it was reached, and over what.
    let mut reached: Vec<Option<(usize, usize)>> = vec![None; links.len()];
    let mut next = vec![from];
    while reached[from].is_none() && !next.is_empty() {
        let mut later = Vec::new();
        for &place in &next {
            for (over, waited) in links[place].waits_for.iter().enumerate() {
                for (other, link) in links.iter().enumerate() {
                    if reached[other].is_none() && may_delay(system, link, waited) {
                        reached[other] = Some((place, over));
                        later.push(other);
                    }
                }
            }
        }
        next = later;
    }
    let (mut words, mut place) = (Vec::new(), from);
    loop {
        let (before, over) = reached[place]?;
        let waited = &links[before].waits_for[over];
        let (name, first, other) = (links[before].name, waited.name, links[place].name);
        words.push(if first == other {
            format!("{name} waits for {first}")
        } else {
            format!("{name} waits for {first}, which {other} may delay")
        });
        place = before;
        if place == from {
            break;
        }
    }
    words.reverse();
    Some(words.join("; "))
}

/// Whether it is that, or not certainly less urgent on the same core.
fn may_delay(system: &System, link: &Link<'_>, waited: &Waited<'_>) -> bool {
    if link.core != waited.core {
        return false;
    }
    let Some((own, other)) = link.task.zip(waited.task) else { return true };
    let [own, other] = [own, other].map(|id| system.task(id));
    let by_priority = system.supply(own.on).scheduler == Scheduler::FixedPriority;
    !(by_priority && own.on == other.on && other.priority.is_more_urgent_than(own.priority))
}
