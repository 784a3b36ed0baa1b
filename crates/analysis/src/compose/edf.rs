//! The members of an EDF supply.

use super::{Fold, Node};
use crate::arrival::{Arrivals, since_poll};
use crate::demand::Load;
use crate::derivation::{Derivation, OfResponse};
use crate::device::Card;
use crate::edf::{self, Alone, Analysis, Around, Contender};
use crate::effort::{Effort, NoBound};
use crate::feature::SchedulingFeature;
use crate::finding::{Finding, Form, Local, Method};
use crate::linux::{charges, unpaid};
use crate::overhead::loss_of_server;
use crate::reason::Reason;
use crate::source::Source;
use crate::supply::{Charges, Interrupted, PeriodicResource};
use crate::tree::{delivered_to, server_of};
use vorrang_model::system::{
    Member, RequirementKind, Server, ServerKind, SupplyId, System, TaskId,
};
use vorrang_time::Duration;

impl Fold<'_> {
    /// Returns how late budget is that a server keeps; `None`: nothing bounds it.
    pub(super) fn edf(
        &mut self,
        node: Node<'_>,
        members: &[Member],
        effort: &Effort,
    ) -> Option<Duration> {
        let mut contenders = Vec::with_capacity(members.len());
        for &member in members {
            match self.contender(node, member) {
                Ok(contender) => contenders.push(contender),
                Err(reason) => {
                    self.give_up_on(members, node.form, &reason);
                    return None;
                }
            }
        }
        let whole = (node.supply, node.bare_core);
        let analysis = Analysis::new(whole, &contenders, effort);
        let analysis = analysis.charged(unpaid(self.core_of(node), members, effort));
        let late = analysis.kept();
        let machine = node.machine.map(|machine| machine.late_by(late));
        let node = Node { machine: machine.as_ref(), ..node };
        for (index, &member) in members.iter().enumerate() {
            match member {
                Member::Task(task) => match self.arrivals.woken(task) {
                    Some(Ok((id, _))) if self.is_paid_for(task, id, (node.id, node.form)) => {}
                    Some(Ok((_, requests))) => {
                        let mut contenders = contenders.clone();
                        contenders[index] = self.jobs(node, task, &requests.calm);
                        let analysis = Analysis::new(whole, &contenders, effort);
                        self.edf_task((node, &analysis), index, task);
                    }
                    _ => self.edf_task((node, &analysis), index, task),
                },
                Member::Server(server) => {
                    self.edf_server((node, effort), &analysis, index, server);
                }
            }
        }
        late
    }

    /// A member at its worst.
    fn contender(&self, node: Node<'_>, member: Member) -> Result<Contender, Reason> {
        if let Member::Task(task) = member
            && let Some((id, requests)) = self.arrivals.woken(task).transpose()?
        {
            // What waits for ever has its deadline before all others.
            if requests.waits_for_ever {
                return Err(self.why.held_back(id));
            }
            return Ok(self.jobs(node, task, &requests.storm));
        }
        Ok(match member {
            Member::Task(task) => self.jobs(node, task, &self.arrivals.jobs[task.0]),
            Member::Server(id) => {
                Contender::of_server(self.system, id).expect("covered, as `not_covered` said")
            }
        })
    }

    /// A task with these releases.
    fn jobs(&self, node: Node<'_>, task: TaskId, releases: &Load<'_>) -> Contender {
        let around = Around { job: node.around_job(task), section: node.around_section(task) };
        Contender::of_task(task, self.system.task(task), releases, around)
    }

    fn edf_task(
        &mut self,
        (node, analysis): (Node<'_>, &Analysis<'_>),
        index: usize,
        task: TaskId,
    ) {
        let own = &analysis.members()[index];
        match analysis.response_time(index) {
            Ok(response) => {
                let derivation = self.derived(|to| {
                    self.derive_woken(task, own, to);
                    let demand = edf::derive(to, analysis.members(), index, &response);
                    analysis.supply().derive(demand, to);
                });
                let demand = |of| Ok(edf::demand_in(analysis.members(), index, &response, of));
                let decides = (response.window, response.bound);
                self.draw(RequirementKind::Deadline(task), analysis.supply(), &demand, decides);
                self.record_bound(node, task, Local::Edf, Ok(response.bound), derivation);
            }
            Err(why) => {
                let found = analysis.deadline_and_lateness(index).ok_or(why);
                let derivation = self.derived(|to| self.derive_woken(task, own, to));
                self.record_bound(node, task, Local::EdfDemand, found, derivation);
            }
        }
    }

    fn derive_woken(&self, task: TaskId, own: &Contender, to: &mut Derivation) {
        if let Some(Ok((by, _))) = self.arrivals.woken(task) {
            let (period, jitter) = (own.period, own.jitter());
            to.push(OfResponse::Woken { task, by, period, jitter });
        }
    }

    fn edf_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        analysis: &Analysis<'_>,
        index: usize,
        id: SupplyId,
    ) {
        let server = server_of(self.system, id);
        let deadline = analysis.members()[index].deadline();
        match server.kind {
            ServerKind::Periodic | ServerKind::Polling => {
                let response = analysis.response_time(index).ok().map(|response| response.bound);
                let delivered =
                    response.or_else(|| analysis.is_never_late(index).then_some(deadline));
                self.guest_by((node, effort), id, delivered);
            }
            // The criterion says whether the budget comes by the end of the period.
            ServerKind::Deferrable => {
                let delivered = analysis.is_never_late(index).then_some(deadline);
                self.guest_by((node, effort), id, delivered);
            }
            _ => self.bandwidth_server((node, effort), analysis, index, id),
        }
    }

    /// The guest of a server that loses at the end of its period what was not delivered by then.
    fn guest_by(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        id: SupplyId,
        delivered: Option<Duration>,
    ) {
        let server = server_of(self.system, id);
        match delivered {
            Some(deadline) if deadline <= server.period => {
                let Server { budget, period, .. } = *server;
                let provided = PeriodicResource::new(Source::Server(id), budget, period, deadline);
                let provided = match server.kind {
                    ServerKind::Polling => provided.polled(since_poll(self.system, id)),
                    _ => provided,
                };
                let form = Form::PeriodicResource;
                self.members_of(node, id, &provided, form, effort);
            }
            // Under EDF a long-run demand above the supply concerns all members.
            needs => {
                let needs = needs.ok_or(NoBound::Overload);
                self.no_guarantee(id, Form::PeriodicResource, needs);
            }
        }
    }

    /// The guest of a constant-bandwidth server, which keeps what was not delivered by its
    /// deadline. One that is late by more than a period would put its deadline off.
    fn bandwidth_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        analysis: &Analysis<'_>,
        index: usize,
        id: SupplyId,
    ) {
        let server = server_of(self.system, id);
        let deadline = analysis.members()[index].deadline();
        let late = analysis.late(index);
        self.late[id.0] = late.filter(|late| late.kept <= server.period);
        match (self.late[id.0], late) {
            (Some(_), _) if server.kind == ServerKind::CbsSoft => {
                self.guest_of_soft_server(node, id, effort);
            }
            (Some(late), _) => {
                let Server { budget, period, .. } = *server;
                let delivered = deadline + late.behind(server);
                let provided = PeriodicResource::new(Source::Server(id), budget, period, delivered);
                self.guest_of_bandwidth_server((node, effort), id, &provided);
            }
            (None, late) => {
                let needs = late.map(|late| deadline + late.kept).ok_or(NoBound::Overload);
                self.no_guarantee(id, Form::PeriodicResource, needs);
            }
        }
    }

    /// The guest has what the server does not pay for.
    fn guest_of_bandwidth_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        id: SupplyId,
        provided: &PeriodicResource,
    ) {
        let form = Form::PeriodicResource;
        match charges(self.core_of(node), id, effort) {
            Err(reason) => self.give_up_below(id, form, &reason),
            Ok(None) => {
                self.members_of(node, id, provided, form, effort);
                self.alone_in_cbs(node, id, None, effort);
            }
            Ok(Some(charges)) => {
                let left = Interrupted::new(Source::Server(id), provided, &charges, effort);
                self.members_of(node, id, &left, form, effort);
                self.alone_in_cbs(node, id, Some(&charges), effort);
            }
        }
    }

    /// A soft server may be far ahead of its bandwidth, and then far behind: only a task that is
    /// alone knows how far.
    fn guest_of_soft_server(&mut self, node: Node<'_>, id: SupplyId, effort: &Effort) {
        self.guaranteed[id.0] = Some(Ok(()));
        if !self.alone_in_cbs(node, id, None, effort) {
            let supply = self.system.supply(id);
            let server = supply.name.clone();
            let what = match supply.members[..] {
                [Member::Task(task)] if takes_packets(self.system, task) => {
                    let task = self.system.task(task).name.clone();
                    SchedulingFeature::PacketsInSoftServer { task, server }
                }
                _ => SchedulingFeature::SharedSoftServer { server },
            };
            let reason = Reason::not_covered(what);
            self.give_up_below(id, Form::PeriodicResource, &reason);
        }
    }

    /// The only task of a constant-bandwidth server (`SCHED_DEADLINE` with D = T included), from
    /// the instant at which the server starts afresh: see [`Alone`]. Whether it has a bound.
    fn alone_in_cbs(
        &mut self,
        node: Node<'_>,
        id: SupplyId,
        charges: Option<&Charges<'_>>,
        effort: &Effort,
    ) -> bool {
        let server = server_of(self.system, id);
        let [Member::Task(task)] = self.system.supply(id).members[..] else { return false };
        let kind = matches!(
            server.kind,
            ServerKind::CbsHard | ServerKind::CbsSoft | ServerKind::SchedDeadline
        );
        let job = self.system.task(task);
        let constrained = server.deadline.is_some_and(|deadline| deadline < server.period);
        let is_cold = node.cold.is_some() || !loss_of_server(self.system, id).is_zero();
        let takes_packets = takes_packets(self.system, task);
        if !kind || is_cold || constrained || !job.blocking.is_zero() || takes_packets {
            return false;
        }
        let releases = match self.arrivals.woken(task) {
            _ if !delivered_to(self.system, id).is_empty() => return false,
            Some(Err(_)) => return false,
            Some(Ok((_, requests))) if requests.waits_for_ever => return false,
            Some(Ok((_, requests))) => requests.calm,
            None => self.arrivals.jobs[task.0],
        };
        let Arrivals { period: apart, jitter, .. } = releases.arrivals;
        effort.restart(1);
        let Some(late) = self.late[id.0] else { return false };
        let (task_alone, server_alone) = ((task, job), (id, server));
        let alone = Alone { task: task_alone, apart, jitter, server: server_alone, late, charges };
        let Ok(worst) = alone.worst(effort) else { return false };
        let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
        if known.is_some_and(|known| known <= worst.bound) {
            return true;
        }
        let derivation = self.derived(|to| alone.derive(&worst, to));
        self.drawn.keep(RequirementKind::Deadline(task), || Some(alone.curves(&worst)));
        let method = Method { local: Local::AloneInCbs, form: Form::PeriodicResource };
        let finding = self.proven(id, method, worst.bound, derivation);
        self.record_task(task, finding);
        true
    }
}

/// Whether a job is something else than its execution time, or comes with packets.
fn takes_packets(system: &System, task: TaskId) -> bool {
    Card::polled_by(system, task).or_else(|| Card::read_by(system, task)).is_some()
}
