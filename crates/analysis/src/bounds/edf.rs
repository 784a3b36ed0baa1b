//! The members of an EDF supply.

use super::{Fold, Node};
use crate::core::since_poll;
use crate::core::unpaid;
use crate::coverage::{ByDeadline, ServerMember, kind_of_server};
use crate::demand::Load;
use crate::edf::{self, Analysis, Around, Contender, IdleLevel, Portion};
use crate::finding::{Form, Local};
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::{Effort, NoBound};
use crate::overhead::CoreInterference;
use crate::server_kind::{Asks, Provides, Sheet};
use crate::supply::PeriodicResource;
use vorrang_model::system::{Member, RequirementKind, Server, TaskId};
use vorrang_time::Duration;

impl<'s> Fold<'s> {
    /// Members of a supply of which all go by deadline: `first` is what they have, `node` the supply with its routines.
    pub(super) fn deadlines(
        &mut self,
        (first, node): (Node<'_>, Node<'_>),
        by_deadline: &[ByDeadline<'_>],
        effort: &Effort,
    ) {
        self.pseudo_vcpus_give(node, &[], node.routines.loads.to_vec(), effort);
        let machine = self.machine_beside(first, by_deadline, effort);
        self.edf(Node { machine: machine.as_ref(), ..first }, by_deadline, effort);
        self.alone_by_deadline(node, by_deadline);
    }

    /// Members that go by deadline, on a core whose machine is known [beside them](Self::machine_beside).
    pub(super) fn edf(&mut self, node: Node<'_>, by_deadline: &[ByDeadline<'_>], effort: &Effort) {
        let members: Vec<Member> = by_deadline.iter().map(ByDeadline::member).collect();
        let contenders = match self.contenders(node, by_deadline) {
            Ok(contenders) => contenders,
            Err(reason) => {
                self.give_up_on(&members, node.form, &reason);
                return self.beside_what_reclaims((node, effort), by_deadline);
            }
        };
        let whole = (node.supply, node.bare_core);
        let analysis = Analysis::new(whole, &contenders, effort);
        let analysis = analysis.charged(unpaid(self.core_of(node), &members, effort));
        for (index, own) in by_deadline.iter().enumerate() {
            match *own {
                ByDeadline::Task(task, deadline) => match self.arrivals.woken(task) {
                    Some(Ok((id, _))) if self.is_paid_for(task, id, (node.id, node.form)) => {}
                    Some(Ok((_, requests))) => {
                        let mut contenders = contenders.clone();
                        contenders[index] = self.jobs(node, (task, deadline), &requests.calm);
                        let analysis = Analysis::new(whole, &contenders, effort);
                        self.edf_task((node, &analysis), index, task);
                    }
                    _ => self.edf_task((node, &analysis), index, task),
                },
                ByDeadline::Server(server, _) => {
                    self.edf_server((node, effort), &analysis, index, server);
                }
            }
        }
        self.edf_beside_guests(node, by_deadline, &analysis);
        self.edf_overbooked((node, effort), by_deadline, &analysis);
    }

    /// The machine of a supply once it is known how late its servers with deadlines keep a budget.
    pub(super) fn machine_beside<'a>(
        &self,
        node: Node<'a>,
        by_deadline: &[ByDeadline<'_>],
        effort: &Effort,
    ) -> Option<CoreInterference<'a>> {
        let machine = node.machine?;
        let late = self.contenders(node, by_deadline).ok().and_then(|contenders| {
            let members: Vec<Member> = by_deadline.iter().map(ByDeadline::member).collect();
            let analysis = Analysis::new((node.supply, node.bare_core), &contenders, effort);
            analysis.charged(unpaid(self.core_of(node), &members, effort)).kept()
        });
        Some(machine.late_by(late))
    }

    /// Members at their worst.
    pub(super) fn contenders(
        &self,
        node: Node<'_>,
        by_deadline: &[ByDeadline<'_>],
    ) -> Result<Vec<Contender<'s>>, Reason> {
        self.keeps_budgets(node, by_deadline)?;
        by_deadline.iter().map(|own| self.contender(node, own)).collect()
    }

    /// A member at its worst.
    pub(super) fn contender(
        &self,
        node: Node<'_>,
        own: &ByDeadline<'_>,
    ) -> Result<Contender<'s>, Reason> {
        let (task, deadline) = match own {
            ByDeadline::Task(task, deadline) => (*task, *deadline),
            ByDeadline::Server(_, contender) => return Ok(*contender),
        };
        let Some((id, requests)) = self.arrivals.woken(task).transpose()? else {
            return Ok(self.jobs(node, (task, deadline), &self.arrivals.jobs[task.0]));
        };
        // What waits for ever has its deadline before all others.
        if requests.waits_for_ever {
            return Err(self.why.held_back(id));
        }
        Ok(self.jobs(node, (task, deadline), &requests.storm))
    }

    /// A task with these releases.
    fn jobs<'l>(
        &self,
        node: Node<'_>,
        own: (TaskId, Duration),
        releases: &Load<'l>,
    ) -> Contender<'l> {
        let (task, deadline) = own;
        let around = Around { job: node.around_job(task), section: node.around_section(task) };
        Contender::of_task((task, self.system.task(task)), deadline, releases, around)
    }

    pub(super) fn edf_task(
        &mut self,
        (node, analysis): (Node<'_>, &Analysis<'_>),
        index: usize,
        task: TaskId,
    ) {
        let own = &analysis.members()[index];
        match analysis.response_time(index) {
            Ok(response) if self.edf_by_clock((node, analysis), index, task, &response) => {}
            Ok(response) => {
                let derivation = self.derived(Source::Task(task), |to| {
                    self.derive_woken(task, (own.period, own.jitter()), to);
                    let demand = edf::derive(to, analysis.competing(), index, &response);
                    analysis.supply().derive(demand, to);
                });
                let demand = |of| Ok(edf::demand_in(analysis.competing(), index, &response, of));
                let decides = (response.window, response.bound);
                self.draw(RequirementKind::Deadline(task), analysis.supply(), &demand, decides);
                self.record_bound(node, task, Local::Edf, Ok(response.bound), derivation);
            }
            Err(why) => {
                let found = analysis.deadline_and_lateness(index).ok_or(why);
                let derivation = self.derived(Source::Task(task), |to| {
                    self.derive_woken(task, (own.period, own.jitter()), to);
                });
                self.record_bound(node, task, Local::EdfDemand, found, derivation);
            }
        }
    }

    pub(super) fn edf_server(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        analysis: &Analysis<'_>,
        index: usize,
        own: ServerMember<'_>,
    ) {
        let ServerMember { id, server } = own;
        let deadline = analysis.members()[index].deadline();
        match Sheet::of_server(server).asks {
            Some(Asks::FromPeriods) => {
                let response = analysis.response_time(index).ok().map(|response| response.bound);
                let delivered =
                    response.or_else(|| analysis.is_never_late(index).then_some(deadline));
                self.guest_by((node, effort), own, delivered, (analysis, index));
            }
            // The criterion says whether the budget comes by the end of the period.
            Some(Asks::InPeriods) => {
                let deliveries = self.deliveries(analysis, index);
                let delivered = analysis.is_never_late(index).then(|| {
                    let whole = Portion { work: server.budget, deadline };
                    let by = deliveries.as_ref().and_then(|deliveries| deliveries.of(whole));
                    by.map_or(deadline, |by| by.min(deadline))
                });
                self.guest_by((node, effort), own, delivered, (analysis, index));
                if let (Some(by), Some(deliveries)) = (delivered, deliveries) {
                    let Server { budget, period, .. } = *server;
                    let usual = PeriodicResource::new(Source::Server(id), budget, period, by);
                    let parent = IdleLevel::new(&deliveries, (budget, period), by);
                    self.begin_idle(node, own, &parent, (&usual, Form::PeriodicResource));
                }
            }
            Some(Asks::Bandwidth | Asks::EndlessBandwidth) => {
                self.bandwidth_server((node, effort), analysis, index, own);
            }
            None => {
                let what = kind_of_server(self.system, id);
                self.give_up_below(id, Form::PeriodicResource, &Reason::not_covered(what));
            }
        }
    }

    /// The guest of a server that loses at the end of its period what was not delivered by then.
    fn guest_by(
        &mut self,
        (node, effort): (Node<'_>, &Effort),
        own: ServerMember<'_>,
        delivered: Option<Duration>,
        (analysis, index): (&Analysis<'_>, usize),
    ) {
        let ServerMember { id, server } = own;
        match delivered {
            Some(deadline) if deadline <= server.period => {
                let Server { budget, period, .. } = *server;
                let provided = PeriodicResource::new(Source::Server(id), budget, period, deadline);
                let is_polled = Sheet::of_server(server).provides == Provides::Polled;
                let since = is_polled.then(|| since_poll(self.system, id));
                let provided = since.map_or(provided, |since| provided.polled(since));
                let form = Form::PeriodicResource;
                self.members_of(node, id, &provided, form, effort);
            }
            // Under EDF a long-run demand above the supply concerns all members.
            needs => {
                let needs = needs.ok_or(NoBound::Overload);
                let members = (analysis.members(), analysis.supply());
                self.no_guarantee(own, Form::PeriodicResource, needs, |window, to| {
                    edf::derive_load(to, members, index, window);
                });
            }
        }
    }
}
