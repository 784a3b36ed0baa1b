//! Servers on an EDF supply that keep what was not delivered by their deadline.
//!
//! **Assumptions.** 1. Those of the theorems. 2. By when a budget is delivered is not looked for where bounds are to be
//! monotonic in budgets: it may come later the more it is.
//!
//! Theory: docs/theory/budget-delivery.md, docs/theory/late-delivery.md, docs/theory/constant-bandwidth.md, docs/theory/soft-server.md.

use super::found::Rests;
use super::linux::forgets;
use super::{Fold, Node};
use crate::arrival::Arrivals;
use crate::core::{charges, overdrawn};
use crate::coverage::ServerMember;
use crate::edf::{self, Alone, Analysis, Deliveries, Late};
use crate::feature::SchedulingFeature;
use crate::finding::{Finding, Form, Local, Method};
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::delivered_to;
use crate::ground::{Effort, NoBound};
use crate::overhead::{early_budgets, loss_of_server, overrun};
use crate::request::Card;
use crate::server_kind::{Provides, Sheet};
use crate::supply::{Charges, Interrupted, PeriodicResource};
use core::cell::OnceCell;
use vorrang_model::system::{Member, RequirementKind, Server, SupplyId, System, TaskId};
use vorrang_time::Duration;

impl Fold<'_> {
    /// The guest of a constant-bandwidth server, which keeps what was not delivered by its
    /// deadline. One that is late by more than a period would put its deadline off.
    pub(super) fn bandwidth_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        analysis: &Analysis<'_>,
        index: usize,
        own: ServerMember<'_>,
    ) {
        let ServerMember { id, server } = own;
        let deadline = analysis.members()[index].deadline();
        let late = analysis.late(index);
        let is_in_time = !forgets(server, &analysis.members()[index]);
        self.late[id.0] = late.filter(|late| is_in_time && late.kept <= server.period);
        match (self.late[id.0], late) {
            (Some(_), _) if Sheet::of_server(server).provides == Provides::Ahead => {
                self.guest_of_soft_server((node, effort), (analysis, index), own);
            }
            (Some(late), _) => {
                self.guest_of_bandwidth_server((node, effort), (analysis, index), own, late);
            }
            (None, late) => {
                let needs = late.map(|late| deadline + late.kept).ok_or(NoBound::Overload);
                let members = (analysis.members(), analysis.supply());
                self.no_guarantee(own, Form::PeriodicResource, needs, |window, to| {
                    edf::derive_load(to, members, index, window);
                });
            }
        }
    }

    /// The guest has what the server does not pay for.
    fn guest_of_bandwidth_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        (analysis, index): (&Analysis<'_>, usize),
        own: ServerMember<'_>,
        late: Late,
    ) {
        let form = Form::PeriodicResource;
        let ServerMember { id, server } = own;
        let Server { budget, period, .. } = *server;
        let deadline = analysis.members()[index].deadline();
        let usual = deadline + late.behind(server);
        let charges = match charges(self.core_of(node), own, effort) {
            Ok(charges) => charges,
            Err(reason) => return self.give_up_below(id, form, &reason),
        };
        let early = self.early_budgets_of_others(node, id, effort);
        let deliveries =
            early.and_then(|early| Some(Deliveries { early, ..self.deliveries(analysis, index)? }));
        let deliveries = deliveries.as_ref();
        effort.restart(analysis.members().len());
        let by = deliveries.and_then(Deliveries::whole);
        let by = by.map_or(usual, |by| usual.min(late.delivered_by(server, by)));
        let provided = PeriodicResource::new(Source::Server(id), budget, period, by);
        match &charges {
            None => self.members_of(node, id, &provided, form, effort),
            Some(charges) => {
                let left = Interrupted::new(Source::Server(id), &provided, charges, effort);
                self.members_of(node, id, &left, form, effort);
            }
        }
        // Without it the bound by its supply stands.
        let _ = self.alone_in_cbs((node, effort), own, (charges.as_ref(), deliveries));
    }

    /// What other servers take because budgets come early, after those before were exceeded.
    fn early_budgets_of_others(
        &self,
        node: Node<'_>,
        own: SupplyId,
        effort: &Effort,
    ) -> Option<Duration> {
        let system = self.system;
        let others = system.supply(node.id).members.iter().filter_map(|&member| match member {
            Member::Server(id) if id != own && !overrun(system, id).is_zero() => Some(id),
            _ => None,
        });
        others.map(|id| ServerMember::of(system, id).ok()).try_fold(Duration::ZERO, |sum, own| {
            let overdrawn = overdrawn(self.core_of(node), own?, effort).ok()?;
            sum.checked_add(early_budgets(system, own?, overdrawn))
        })
    }

    /// By when a server delivers parts of its budgets; none where that is not looked for.
    pub(super) fn deliveries<'a>(
        &self,
        analysis: &'a Analysis<'a>,
        index: usize,
    ) -> Option<Deliveries<'a>> {
        let effort = self.refinements.as_ref().map(Effort::another)?;
        let early = Duration::ZERO;
        Some(Deliveries { analysis, index, early, whole: OnceCell::default(), effort })
    }

    /// A soft server may be far ahead of its bandwidth, and then far behind: only a task that is
    /// alone knows how far.
    fn guest_of_soft_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        (analysis, index): (&Analysis<'_>, usize),
        own: ServerMember<'_>,
    ) {
        let id = own.id;
        self.guaranteed[id.0] = Some(Ok(Rests::OnBudgets));
        let deliveries = self.deliveries(analysis, index);
        let Err(why) = self.alone_in_cbs((node, effort), own, (None, deliveries.as_ref())) else {
            return;
        };
        let supply = self.system.supply(id);
        let server = supply.name.clone();
        let reason = match (why, &supply.members[..]) {
            (Some(why), _) => self.why.no_bound(id, why),
            (None, &[Member::Task(task)]) if takes_packets(self.system, task) => {
                let task = self.system.task(task).name.clone();
                Reason::not_covered(SchedulingFeature::PacketsInSoftServer { task, server })
            }
            _ => Reason::not_covered(SchedulingFeature::SharedSoftServer { server }),
        };
        self.give_up_below(id, Form::PeriodicResource, &reason);
    }

    /// The only task of a constant-bandwidth server (`SCHED_DEADLINE` with D = T included), from
    /// the instant at which the server starts afresh: see [`Alone`].
    ///
    /// # Errors
    /// Why its search has no result; nothing where it is not such a task.
    fn alone_in_cbs(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        ServerMember { id, server }: ServerMember<'_>,
        (charges, deliveries): (Option<&Charges<'_>>, Option<&Deliveries<'_>>),
    ) -> Result<(), Option<NoBound>> {
        let [Member::Task(task)] = self.system.supply(id).members[..] else { return Err(None) };
        let has_deadlines = Sheet::of_server(server).may_be_late();
        let job = self.system.task(task);
        let constrained = server.relative_deadline() < server.period;
        let is_cold = node.cold.is_some() || !loss_of_server(self.system, id).is_zero();
        let takes_packets = takes_packets(self.system, task);
        if !has_deadlines || is_cold || constrained || !job.blocking.is_zero() || takes_packets {
            return Err(None);
        }
        let releases = match self.arrivals.woken(task) {
            _ if !delivered_to(self.system, id).is_empty() => return Err(None),
            Some(Err(_)) => return Err(None),
            Some(Ok((_, requests))) if requests.waits_for_ever => return Err(None),
            Some(Ok((_, requests))) => requests.calm,
            None => self.arrivals.jobs[task.0],
        };
        let Arrivals { period: apart, jitter, .. } = releases.arrivals;
        effort.restart(1);
        let late = self.late[id.0].ok_or(None)?;
        let (task_alone, server_alone) = ((task, job), (id, server));
        let of = (task_alone, server_alone);
        let alone = Alone { of, apart, jitter, late, charges, deliveries };
        let worst = alone.worst(effort)?;
        let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
        if known.is_some_and(|known| known <= worst.bound) {
            return Ok(());
        }
        let derivation = self.derived(Source::Task(task), |to| alone.derive(&worst, to));
        self.drawn.keep(RequirementKind::Deadline(task), || Some(alone.curves(&worst)));
        let method = Method { local: Local::AloneInCbs, form: Form::PeriodicResource };
        let finding = self.proven(id, method, worst.bound, derivation);
        self.record_task(task, finding);
        Ok(())
    }
}

/// Whether a job is something else than its execution time, or comes with packets.
fn takes_packets(system: &System, task: TaskId) -> bool {
    Card::polled_by(system, task).or_else(|| Card::read_by(system, task)).is_some()
}
