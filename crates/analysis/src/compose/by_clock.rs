//! Tasks once more, where something at their level comes by the clock.
//!
//! Theory: docs/theory/by-the-clock.md.

use super::record::rest_on;
use super::{Fold, Node};
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfInterference, OfResponse};
use crate::finding::Local;
use crate::fixed_priority::{ByClock, Clock, Gift, Response, WorstByClock};
use crate::ground::{Assumption, Effort, NoBound, Source};
use crate::supply::Supply;
use vorrang_model::system::TaskId;
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
        let Some(level) = self.level_by_clock(node, own, (blocking, more_urgent)) else {
            return false;
        };
        // Windows end, so those that begin at a known instant do.
        let worst = found.busy.and_then(|_| level.response(&effort));
        let Some(worst) = worst.filter(|worst| worst.bound < found.bound) else { return false };
        let derivation =
            self.derived(Source::Task(task), |to| derive(to, node.supply, &level, &worst));
        self.record_bound(node, task, Local::FixedPriority, Ok(worst.bound), derivation);
        rest_on(&mut self.tasks[task.0], &Assumption::Clock);
        true
    }

    /// What comes before a task, in two parts; `None`: nothing comes by the clock.
    fn level_by_clock<'a>(
        &self,
        node: Node<'a>,
        own: &Load<'a>,
        (blocking, more_urgent): (Duration, Loads<'a>),
    ) -> Option<ByClock<'a, dyn Supply + 'a>> {
        let clock = Clock::of(self.system, own);
        let (mut known, mut others) = (Vec::new(), Vec::new());
        for load in more_urgent.iter() {
            match Clock::of(self.system, load) {
                Some(clock) => known.push((clock, *load)),
                None => others.push(*load),
            }
        }
        let is_any = clock.is_some() || !known.is_empty();
        is_any.then_some(ByClock { supply: node.supply, own: *own, clock, blocking, known, others })
    }
}

fn derive(
    to: &mut Derivation,
    supply: &dyn Supply,
    level: &ByClock<'_, dyn Supply + '_>,
    worst: &WorstByClock,
) {
    let WorstByClock { bound, job, window, begin, beginnings } = *worst;
    let (of, count, cost) = (level.own.source, job + 1, level.own.cost);
    to.push(OfResponse::ByClock { of, count, begin, beginnings, window, bound });
    to.indented(|to| to.push(OfResponse::OwnWork { count, cost }));
    to.indented(|to| to.blocking(level.blocking));
    let mut demand = cost * count + level.blocking;
    let from = i128::from(begin.as_ns());
    for (clock, load) in &level.known {
        let (of, count, cost) = (load.source, clock.in_window(from, window), load.cost);
        to.indented(|to| to.push(OfInterference::ByClock { of, count, cost }));
        demand += cost * count;
    }
    let demand = to.terms(demand, Loads::new(&level.others), window);
    to.cite("x = supply((q+1) C + B + jobs by the clock from the beginning on), after Tindell 1994; docs/theory/by-the-clock.md");
    supply.derive(demand, to);
}
