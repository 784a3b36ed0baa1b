//! The members of an EDF supply, once more: servers take no more than the work in them.
//!
//! **Assumptions.** 1. The bounds of the first look hold. 2. Those of the theorem: servers that pay for something else than their guest, or in
//! which something may be blocked, count with their budgets.
//!
//! Theory: docs/theory/guest-by-deadlines.md.

use super::{Fold, Node};
use crate::core::charges;
use crate::core::{is_plain, is_plain_task, only_tasks_use};
use crate::coverage::{ByDeadline, ServerMember};
use crate::demand::Load;
use crate::edf::{Analysis, GuestWork, Work};
use crate::finding::Finding;
use crate::ground::Effort;
use crate::overhead::overrun;
use crate::server_kind::{Idle, Returns, Sheet};
use vorrang_model::system::{Member, Server, TaskId};
use vorrang_time::Duration;

impl<'s> Fold<'s> {
    /// What is known of members, and of what is in them, stays where it is less.
    pub(super) fn edf_beside_guests(
        &mut self,
        node: Node<'_>,
        by_deadline: &[ByDeadline<'_>],
        first: &Analysis<'_>,
    ) {
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return };
        if first.members().iter().any(|member| !member.blocking().is_zero()) {
            return;
        }
        let guests: Vec<Option<GuestWork<'_>>> =
            by_deadline.iter().map(|own| self.guest_work((node, &effort), own)).collect();
        let mut both = first.members().iter().zip(&guests);
        let takes_any = both.any(|(own, guest)| own.work == Work::SoftBandwidth && guest.is_none());
        if takes_any || guests.iter().all(Option::is_none) {
            return;
        }
        let analysis = Analysis::beside(first, &guests, &effort);
        for (index, own) in by_deadline.iter().enumerate() {
            match *own {
                ByDeadline::Task(task, _) if self.arrivals.woken(task).is_none() => {
                    self.keep_lesser(&[task], |fold| fold.edf_task((node, &analysis), index, task));
                }
                ByDeadline::Server(own, _) if is_plain(&self.arrivals, own.id) => {
                    let (tasks, late) = (self.tasks_in(own.id), self.late[own.id.0]);
                    self.keep_lesser(&tasks, |fold| {
                        fold.edf_server((node, &effort), &analysis, index, own);
                    });
                    self.late[own.id.0] = late;
                }
                _ => {}
            }
        }
    }

    /// Looks for bounds of these tasks that rest on the work in servers.
    fn keep_lesser(&mut self, tasks: &[TaskId], look: impl FnOnce(&mut Self)) {
        let known =
            |fold: &Self, task: TaskId| fold.tasks[task.0].as_ref().and_then(Finding::bound);
        let before: Vec<_> = tasks
            .iter()
            .map(|&task| (self.tasks[task.0].clone(), self.seldom[task.0].clone()))
            .collect();
        look(self);
        for (&task, (finding, seldom)) in tasks.iter().zip(before) {
            self.seldom[task.0] = seldom;
            let now = known(self, task);
            let bound = finding.as_ref().and_then(Finding::bound);
            if now.is_none_or(|now| bound.is_some_and(|bound| bound <= now)) {
                self.tasks[task.0] = finding;
            } else {
                self.rests_on_work(Member::Task(task));
            }
        }
    }

    /// The work in a server, if nothing else uses it.
    fn guest_work(
        &self,
        (node, effort): (Node<'_>, &Effort),
        own: &ByDeadline<'_>,
    ) -> Option<GuestWork<'s>> {
        let ByDeadline::Server(own, _) = *own else { return None };
        let ServerMember { id, server } = own;
        let sheet = Sheet::of_server(server);
        let keeps = matches!(sheet.idle, Idle::KeptInPeriod | Idle::KeptWithDeadline);
        if !keeps || server.reclaims() || !self.is_used_by_tasks_alone((node, effort), own) {
            return None;
        }
        let members = &self.system.supply(id).members;
        let mut released = Vec::new();
        for &member in members {
            match member {
                Member::Task(task) if is_plain_task(&self.arrivals, task) => {
                    released.push(self.arrivals.load_of(member).ok()?);
                }
                Member::Task(_) => return None,
                // It may wait for its budget with work that came before.
                Member::Server(_) => released.extend(self.asked_in_member(member)?),
            }
        }
        let waits = sheet.returns != Returns::WhenGone;
        let anywhere = if waits { Some(self.asked_in(id)?) } else { None };
        let response = match members[..] {
            [Member::Task(task)] => self.tasks[task.0].as_ref().and_then(Finding::bound),
            _ => None,
        };
        let afresh = response.and_then(|response| always_afresh(server, released[0], response));
        let spends_all = server.relative_deadline() == server.period;
        Some(GuestWork { released, anywhere, spends_all, response, afresh })
    }

    /// Whether a server pays for nothing but tasks, none of which is blocked.
    pub(super) fn is_used_by_tasks_alone(
        &self,
        (node, effort): (Node<'_>, &Effort),
        own: ServerMember<'_>,
    ) -> bool {
        let id = own.id;
        let is_blocked = |task: &TaskId| !self.system.blocking(Member::Task(*task)).is_zero();
        only_tasks_use(&self.arrivals, id)
            && overrun(self.system, id).is_zero()
            && matches!(charges(self.core_of(node), own, effort), Ok(None))
            && !self.tasks_in(id).iter().any(is_blocked)
    }
}

/// The jobs of the only task of a server, if each is complete before the next arrives, and that finds no pair that is kept.
fn always_afresh<'a>(server: &Server, jobs: Load<'a>, response: Duration) -> Option<Load<'a>> {
    let is_late = response >= jobs.arrivals.period || jobs.arrivals.limit.is_some();
    if Sheet::of_server(server).idle == Idle::KeptInPeriod
        || server.relative_deadline() < server.period
        || is_late
    {
        return None;
    }
    let since = jobs.arrivals.period.saturating_sub(jobs.arrivals.jitter);
    let product = |a: Duration, b: Duration| u128::from(a.as_ns()) * u128::from(b.as_ns());
    let (share, used) = (product(since, server.budget), product(jobs.cost, server.period));
    // `SCHED_DEADLINE` keeps a pair that is exactly its share.
    let finds_none = share > used || share == used && !server.kind().is_of_linux();
    finds_none.then_some(jobs)
}
