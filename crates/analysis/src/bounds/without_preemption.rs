//! Tasks that are not preempted, once more: with what comes before them until they begin.
//!
//! Theory: docs/theory/non-preemptive.md.

use super::{Fold, Node};
use crate::core::is_plain_task;
use crate::demand::{Load, Loads};
use crate::derivation::OfResponse;
use crate::finding::{Finding, Local};
use crate::fixed_priority::{Kept, response_time, response_without_preemption};
use crate::ground::{Effort, Source};
use crate::overhead::CoreInterference;
use crate::supply::Residual;
use vorrang_model::system::{Costs, Member, TaskId};

impl Fold<'_> {
    /// A task at `place` of the loads, of which those before `first` interrupt it all the same; where the machine takes no time.
    pub(super) fn without_preemption(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        (loads, first, place): (&[Load<'_>], usize, usize),
        effort: &Effort,
    ) {
        let is_idle = node.machine.is_none_or(CoreInterference::is_idle)
            && self.system.costs == Costs::default()
            && node.cold.is_none();
        if !self.system.keeps(task) || !is_idle || !is_plain_task(&self.arrivals, task) {
            return;
        }
        let own = &loads[first + place];
        let blocking = self.system.blocking(Member::Task(task))
            + node.before(self.system, Member::Task(task)).blocking;
        let all = Loads::without(loads, first + place);
        let preempted = response_time(node.supply, own, blocking, all, effort);
        let Some(busy) = preempted.ok().and_then(|found| found.busy) else { return };
        let left = Residual::new(node.supply, Loads::new(&loads[..first]), effort);
        let members = Loads::without(&loads[first..], place);
        let found = response_without_preemption(&left, own, (blocking, members), busy, effort);
        let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
        let is_shorter = |worst: &Kept| known.is_none_or(|known| worst.bound <= known);
        let Some(worst) = found.ok().filter(is_shorter) else { return };
        let derivation = self.derived(Source::Task(task), |to| {
            let (of, count) = (own.source, worst.job + 1);
            let (begun, window, bound) = (worst.begun, worst.window, worst.bound);
            to.push(OfResponse::Kept { of, count, begun, window, bound });
            to.indented(|to| to.push(OfResponse::OwnWork { count, cost: own.cost }));
            to.indented(|to| to.blocking(blocking));
            let demand = to.terms(own.cost * count + blocking, members, begun);
            to.cite("x = supply(q C + B + sum ceil((x+J)/T) C + 1 ns), Davis et al. 2007; docs/theory/non-preemptive.md");
            crate::supply::Supply::derive(&left, demand, to);
        });
        self.record_bound(node, task, Local::FixedPriority, Ok(worst.bound), derivation);
    }
}
