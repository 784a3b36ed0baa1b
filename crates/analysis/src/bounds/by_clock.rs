//! Tasks once more, where something at their level comes by the clock, or is woken by them.
//!
//! Theory: docs/theory/by-the-clock.md.

use super::record::rest_on;
use super::{Fold, Node};
use crate::arrival::Clock;
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfInterference, OfResponse};
use crate::finding::Local;
use crate::fixed_priority::{ByClock, Gift, Response, WorstByClock};
use crate::ground::{Assumption, Effort, NoBound, Source};
use crate::supply::Supply;
use std::collections::BTreeSet;
use vorrang_model::system::{System, TaskId};
use vorrang_time::Duration;

impl Fold<'_> {
    /// Whether a task has a shorter bound by the clock than for any phases, which is its bound then.
    pub(super) fn by_clock(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        (own, gift): (&Load<'_>, Option<Gift>),
        (blocking, more_urgent): (Duration, Loads<'_>),
        found: &Result<Response, NoBound>,
    ) -> bool {
        let (Ok(found), None) = (found, gift) else { return false };
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return false };
        let Some(level) = self.level_by_clock(node, (task, own), (blocking, more_urgent)) else {
            return false;
        };
        // Windows end, so those that begin at a known instant do.
        let worst = found.busy.and_then(|_| level.response(&effort));
        let Some(worst) = worst.filter(|worst| worst.bound < found.bound) else { return false };
        let derivation =
            self.derived(Source::Task(task), |to| derive(to, node.supply, &level, &worst));
        self.record_bound(node, task, Local::FixedPriority, Ok(worst.bound), derivation);
        if level.comes_by_clock() {
            rest_on(&mut self.tasks[task.0], &Assumption::Clock);
        }
        true
    }

    /// What comes before a task, in two parts; `None`: nothing comes by the clock.
    fn level_by_clock<'a>(
        &self,
        node: Node<'a>,
        (task, own): (TaskId, &Load<'a>),
        (blocking, more_urgent): (Duration, Loads<'a>),
    ) -> Option<ByClock<'a, dyn Supply + 'a>> {
        let clock = clock_of(self.system, own);
        let (mut known, mut others) = (Vec::new(), Vec::new());
        let woken = woken_at_level(self.system, task);
        let mut behind = Duration::ZERO;
        for load in more_urgent.iter() {
            if matches!(load.source, Source::Task(id) if woken.contains(&id)) {
                behind += load.cost;
            } else if let Some(clock) = clock_of(self.system, load) {
                known.push((clock, *load));
            } else {
                others.push(*load);
            }
        }
        let is_any = clock.is_some() || !known.is_empty() || !behind.is_zero();
        let (supply, own) = (node.supply, *own);
        is_any.then_some(ByClock { supply, own, clock, blocking, behind, known, others })
    }
}

/// That of a load that is the jobs of a task with an offset.
fn clock_of(system: &System, load: &Load<'_>) -> Option<Clock> {
    let is_plain = load.kept_until.is_none() && load.used_by.is_none();
    match load.source {
        Source::Task(id) if is_plain => Clock::of(system, id, &load.arrivals),
        _ => None,
    }
}

/// What the jobs of a task wake on its supply, at least as urgent as it is: directly, or over others of these only.
fn woken_at_level(system: &System, task: TaskId) -> BTreeSet<TaskId> {
    let own = system.task(task);
    let mut woken = BTreeSet::new();
    let mut next = own.wakes.clone();
    while let Some(id) = next.pop() {
        let other = system.task(id);
        let is_at_level =
            other.on == own.on && !own.priority.is_more_urgent_than(other.priority) && id != task;
        let mut before = system.task_ids().filter(|by| system.task(*by).wakes.contains(&id));
        let is_behind = before.all(|by| by == task || woken.contains(&by));
        // Of several before it the last one that is looked at finds all others there.
        if is_at_level && is_behind && woken.insert(id) {
            next.extend(&other.wakes);
        }
    }
    woken
}

fn derive(
    to: &mut Derivation,
    supply: &dyn Supply,
    level: &ByClock<'_, dyn Supply + '_>,
    worst: &WorstByClock,
) {
    let WorstByClock { bound, job, window, begin, beginnings, in_places } = *worst;
    let (of, count, cost) = (level.own.source, job + 1, level.own.cost);
    to.push(if level.comes_by_clock() {
        OfResponse::ByClock { of, count, begin, beginnings, window, bound }
    } else {
        OfResponse::BusyWindow { of, count, window, bound }
    });
    to.indented(|to| to.push(OfResponse::OwnWork { count, cost }));
    to.indented(|to| to.blocking(level.blocking));
    let mut demand = cost * count + level.blocking;
    if job > 0 && !level.behind.is_zero() {
        let (count, cost) = (job, level.behind);
        to.indented(|to| to.push(OfInterference::Behind { count, cost }));
        demand += cost * count;
    }
    let from = i128::from(begin.as_ns());
    for (clock, load) in &level.known {
        let (of, count, cost) = (load.source, clock.in_window(from, window), load.cost);
        to.indented(|to| to.push(OfInterference::ByClock { of, count, cost }));
        demand += cost * count;
    }
    let demand = to.terms(demand, Loads::new(&level.others), window);
    to.cite("x = supply((q+1) C + B + jobs by the clock from the beginning on), after Tindell 1994; docs/theory/by-the-clock.md, docs/theory/propagation.md");
    match supply.placed().filter(|_| in_places) {
        Some(placed) => placed.derive(demand, window, to),
        None => supply.derive(demand, to),
    }
}
