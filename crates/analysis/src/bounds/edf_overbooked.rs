//! The members of an EDF supply of which more is reserved than it has, and of which the work in servers needs less.
//!
//! **Assumptions.** 1. Those of the theorem: servers that pay for something else than their guest, or in which something may be
//! blocked, count with their budgets.
//!
//! Theory: docs/theory/overbooked.md.

use super::{Fold, Node};
use crate::core::is_plain_task;
use crate::coverage::{ByDeadline, ServerMember};
use crate::edf::{Analysis, Light, Unhurried};
use crate::finding::{Finding, Local, Method};
use crate::ground::{Effort, Source};
use crate::server_kind::{Idle, Returns, Sheet};
use vorrang_model::system::Member;
use vorrang_time::Duration;

impl<'s> Fold<'s> {
    /// What has no bound beside the budgets of all servers is looked at beside the work in them.
    pub(super) fn edf_overbooked(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        by_deadline: &[ByDeadline<'_>],
        first: &Analysis<'_>,
    ) {
        let lacks = |own: &ByDeadline<'_>| match *own {
            ByDeadline::Task(task, _) => !self.has_bound(Member::Task(task)),
            ByDeadline::Server(own, _) => matches!(self.guaranteed[own.id.0], Some(Err(_))),
        };
        let lacking: Vec<bool> = by_deadline.iter().map(lacks).collect();
        let is_blocked = first.members().iter().any(|member| !member.blocking().is_zero());
        // Without guarantees the time that the machine takes for budgets is not bounded.
        if self.refinements.is_none()
            || is_blocked
            || !node.takes_nothing()
            || !lacking.contains(&true)
        {
            return;
        }
        let light: Vec<Option<Light<'_>>> =
            by_deadline.iter().map(|own| self.light((node, effort), own)).collect();
        let members = (first.members(), &light[..]);
        let all = Unhurried::among(node.supply, members, None, effort).ok();
        let all = all.filter(|all| !all.is_empty());
        for (index, own) in by_deadline.iter().enumerate().filter(|(index, _)| lacking[*index]) {
            match *own {
                ByDeadline::Task(task, _) if self.arrivals.woken(task).is_none() => {
                    let Some(all) = &all else { continue };
                    let beside = all.beside();
                    let analysis = Analysis::new((node.supply, node.bare_core), &beside, effort);
                    self.edf_task((node, &analysis), all.place(index), task);
                    self.rests_on_work(Member::Task(task));
                }
                ByDeadline::Server(own, _) => {
                    if let Ok(others) = Unhurried::among(node.supply, members, Some(index), effort)
                    {
                        self.overbooked_server((node, effort), (&others, index), own);
                    }
                    if let Some(all) = &all {
                        self.unhurried_tasks(node, (all, index), own);
                    }
                }
                ByDeadline::Task(..) => {}
            }
        }
    }

    /// A server that has its budget because others do not use theirs.
    fn overbooked_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        (others, index): (&Unhurried<'_>, usize),
        own: ServerMember<'_>,
    ) {
        let (beside, place) = (others.beside(), others.place(index));
        let analysis = Analysis::new((node.supply, node.bare_core), &beside, effort);
        let is_kept = if Sheet::of_server(own.server).may_be_late() {
            analysis.late(place).is_some_and(|late| late.kept <= own.server.period)
        } else {
            analysis.is_never_late(place)
        };
        if is_kept && !others.is_empty() {
            self.forget(own.id);
            self.edf_server((node, effort), &analysis, place, own);
            self.rests_on_work(Member::Server(own.id));
        }
    }

    /// The tasks of a server that never waits for budget, where nothing less is known.
    fn unhurried_tasks(
        &mut self,
        node: Node<'_>,
        (all, index): (&Unhurried<'_>, usize),
        own: ServerMember<'_>,
    ) {
        for task in self.tasks_in(own.id) {
            let Some(bound) = all.response(index, Source::Task(task)) else { return };
            let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
            if known.is_some_and(|known| known <= bound) {
                continue;
            }
            let of = Source::Task(task);
            let derivation = self.derived(of, |to| all.derive(of, bound, node.supply, to));
            let method = Method { local: Local::Edf, form: node.form };
            let finding = self.proven(own.id, method, bound, derivation);
            self.record_task(task, finding);
            self.rests_on_work(Member::Task(task));
        }
    }

    fn has_bound(&self, member: Member) -> bool {
        match member {
            Member::Task(task) => {
                self.tasks[task.0].as_ref().is_some_and(|own| own.bound().is_some())
            }
            Member::Server(id) => matches!(self.guaranteed[id.0], Some(Ok(_))),
        }
    }

    /// The work in a server of tasks, if nothing else uses it.
    fn light(
        &self,
        (node, effort): (Node<'_>, &Effort),
        own: &ByDeadline<'_>,
    ) -> Option<Light<'s>> {
        let ByDeadline::Server(own, _) = *own else { return None };
        let ServerMember { id, server } = own;
        let sheet = Sheet::of_server(server);
        let (until_poll, stays_due) = match sheet.idle {
            Idle::KeptInPeriod => (Duration::ZERO, false),
            Idle::Lost => (server.period, false),
            Idle::KeptWithDeadline => (Duration::ZERO, true),
            Idle::Spent | Idle::Kept | Idle::NotCovered => return None,
        };
        let never_waits = sheet.returns == Returns::WhenGone;
        if server.relative_deadline() < server.period
            || !self.is_used_by_tasks_alone((node, effort), own)
        {
            return None;
        }
        let load = |&member: &Member| match member {
            Member::Task(task) if is_plain_task(&self.arrivals, task) => {
                self.arrivals.load_of(member).ok()
            }
            _ => None,
        };
        let released = self.system.supply(id).members.iter().map(load).collect::<Option<_>>()?;
        Some(Light { released, until_poll, stays_due, never_waits })
    }
}
