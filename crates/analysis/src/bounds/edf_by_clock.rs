//! Tasks under EDF once more, where some of them come by the clock.
//!
//! Theory: docs/theory/by-the-clock.md.

use super::record::rest_on;
use super::{Fold, Node};
use crate::arrival::{Arrivals, Clock};
use crate::derivation::{Derivation, OfInterference, OfResponse};
use crate::edf::{Analysis, Contender, Response, WorstByClock};
use crate::finding::Local;
use crate::ground::{Assumption, Effort, Source};
use vorrang_model::system::{System, TaskId};
use vorrang_time::Duration;

impl Fold<'_> {
    /// Whether a task has a shorter bound by the clock than for any phases, which is its bound then.
    pub(super) fn edf_by_clock(
        &mut self,
        (node, analysis): (Node<'_>, &Analysis<'_>),
        index: usize,
        task: TaskId,
        found: &Response,
    ) -> bool {
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return false };
        let members = analysis.members();
        let clocks: Vec<_> = members.iter().map(|own| clock_of(self.system, own)).collect();
        let Some(level) = analysis.by_clock(&clocks, index, &effort) else { return false };
        let Some(worst) = level.response().filter(|worst| worst.bound < found.bound) else {
            return false;
        };
        let derivation = self.derived(Source::Task(task), |to| {
            let own = &members[index];
            self.derive_woken(task, (own.period, own.jitter()), to);
            let demand = derive(to, members, index, &worst);
            match level.placed() {
                Some(placed) => placed.derive(demand, worst.window, to),
                None => analysis.supply().derive(demand, to),
            }
        });
        self.record_bound(node, task, Local::Edf, Ok(worst.bound), derivation);
        rest_on(&mut self.tasks[task.0], &Assumption::Clock);
        true
    }
}

/// That of a member that is a task with an offset.
fn clock_of(system: &System, own: &Contender<'_>) -> Option<Clock> {
    let Source::Task(id) = own.of else { return None };
    let arrivals = Arrivals::new(own.period, own.jitter()).spaced(own.distances);
    Clock::of(system, id, &arrivals)
}

/// How the worst job comes about; returns all the work before its completion.
fn derive(
    to: &mut Derivation,
    members: &[Contender<'_>],
    index: usize,
    worst: &WorstByClock,
) -> Duration {
    let WorstByClock { bound, begin, count, window, windows, ref parts } = *worst;
    let (of, cost) = (members[index].of, members[index].cost);
    let begin = Duration::from_ns(u64::try_from(begin).unwrap_or_default());
    let (at, blocking) = (parts.due, parts.blocking);
    let mut demand = cost * count + blocking;
    to.push(OfResponse::EdfByClock { of, count, begin, windows, window, bound });
    to.indented(|to| {
        to.push(OfResponse::OwnWork { count, cost });
        if !blocking.is_zero() {
            to.push(OfInterference::BlockingByLater(blocking));
        }
        for &(place, count) in &parts.by_clock {
            let (of, cost) = (members[place].of, members[place].cost);
            to.push(OfInterference::ByClock { of, count, cost });
            demand += cost * count;
        }
        for &(place, released, due) in &parts.others {
            to.push(OfInterference::Due { of: members[place].of, released, window, due, at });
            demand += released.map_or(due, |released| released.min(due));
        }
    });
    to.cite("EDF on a supply, Spuri 1996, with jobs by the clock from the beginning on; docs/theory/by-the-clock.md");
    demand
}
