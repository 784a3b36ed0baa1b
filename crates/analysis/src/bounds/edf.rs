//! The members of an EDF supply.

use super::{Node, Walk, server_of};
use crate::edf::{self, Contender, Work};
use crate::effort::Effort;
use crate::explanation::Lines;
use crate::finding::{Form, Local, Method};
use crate::supply::PeriodicResource;
use vorrang_model::system::{Member, ServerKind, SupplyId, System, TaskId};

impl Walk<'_> {
    pub(super) fn edf(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let members = &system.supply(node.id).members;
        let contenders: Vec<Contender<'_>> =
            members.iter().map(|&m| contender(system, m)).collect();
        for (index, &member) in members.iter().enumerate() {
            effort.restart();
            match member {
                Member::Task(task) => self.edf_task(node, &contenders, index, task, effort),
                Member::Server(server) => self.edf_server(node, &contenders, index, server, effort),
            }
        }
    }

    pub(super) fn edf_task(
        &mut self,
        node: Node<'_>,
        contenders: &[Contender<'_>],
        index: usize,
        task: TaskId,
        effort: &Effort,
    ) {
        let own = &contenders[index];
        match edf::response_time(node.supply, contenders, index, effort) {
            Ok(response) => {
                if self.is_target(task) {
                    let demand = edf::explain_terms(&mut self.lines, contenders, index, &response);
                    node.supply.explain(demand, &mut self.lines);
                }
                self.record_bound(node, task, Local::Edf, Ok(response.bound));
            }
            Err(why) => {
                effort.restart();
                let met = edf::meets_all_deadlines(node.supply, node.bare_core, contenders, effort);
                let found = if met == Ok(true) { Ok(own.deadline()) } else { Err(why) };
                self.record_bound(node, task, Local::EdfDemand, found);
            }
        }
    }

    pub(super) fn edf_server(
        &mut self,
        node: Node<'_>,
        contenders: &[Contender<'_>],
        index: usize,
        id: SupplyId,
        effort: &Effort,
    ) {
        let server = server_of(self.system, id);
        let by_response = match server.kind {
            ServerKind::Periodic => {
                edf::response_time(node.supply, contenders, index, effort).map(|r| Some(r.bound))
            }
            _ => Ok(None),
        };
        let delivered = if let Ok(Some(response)) = by_response {
            Some(response)
        } else {
            // A deferrable server or CBS, or the response time was not found: the criterion says
            // whether the budget comes by the end of the period.
            effort.restart();
            let met = edf::meets_all_deadlines(node.supply, node.bare_core, contenders, effort);
            (met == Ok(true)).then_some(server.period)
        };
        match delivered {
            Some(deadline) if deadline <= server.period => {
                effort.restart();
                let name = &self.system.supply(id).name;
                let provided = PeriodicResource::new(name, server.budget, server.period, deadline);
                self.members(id, &provided, Form::PeriodicResource, effort);
                self.alone_in_cbs(id);
            }
            needs => self.no_guarantee(id, Form::PeriodicResource, needs),
        }
    }

    /// The only task of a hard CBS whose jobs are far enough apart to find the server idle with a
    /// deadline in the past: each job starts with a full budget and uses n = ceil(C / Q) periods.
    pub(super) fn alone_in_cbs(&mut self, id: SupplyId) {
        let server = server_of(self.system, id);
        let [Member::Task(task)] = self.system.supply(id).members[..] else { return };
        if server.kind != ServerKind::CbsHard {
            return;
        }
        let job = self.system.task(task);
        let budgets = job.wcet.div_ceil(server.budget);
        let Some(bound) = server.period.checked_mul(budgets) else { return };
        let known = self.tasks[task.0].as_ref().and_then(|finding| finding.bound);
        let starts_afresh =
            job.min_interarrival >= bound && job.jitter.is_zero() && job.blocking.is_zero();
        if !starts_afresh || known.is_some_and(|known| known <= bound) {
            return;
        }
        if self.is_target(task) {
            self.lines = Lines::default();
            self.lines.push(format!(
                "{}: every job finds {} with its deadline in the past, so it starts with a full budget",
                job.name, self.system.supply(id).name
            ));
            self.lines.push(format!(
                "ceil({} / {}) = {budgets} budgets, one in each period of {}: {bound}",
                job.wcet, server.budget, server.period
            ));
            self.lines.cite("hard CBS with one task, Abeni, Manica, Palopoli 2009: R <= ceil(C/Q) T where T_task >= ceil(C/Q) T");
        }
        let finding = self.proven(
            id,
            Method { local: Local::AloneInCbs, form: Form::PeriodicResource },
            bound,
        );
        self.record_task(task, finding);
    }
}

fn contender(system: &System, member: Member) -> Contender<'_> {
    match member {
        Member::Task(id) => {
            let task = system.task(id);
            let deadline = task.deadline.expect("covered, as `not_covered` said");
            Contender {
                name: &task.name,
                cost: task.wcet,
                period: task.min_interarrival,
                work: Work::Jobs { deadline, jitter: task.jitter, blocking: task.blocking },
            }
        }
        Member::Server(id) => {
            let server = server_of(system, id);
            let work = match server.kind {
                ServerKind::Periodic => Work::PeriodicServer,
                ServerKind::Deferrable => Work::DeferrableServer,
                ServerKind::CbsHard => Work::ConstantBandwidth,
                _ => unreachable!("not covered, as `not_covered` said"),
            };
            Contender {
                name: &system.supply(id).name,
                cost: server.budget,
                period: server.period,
                work,
            }
        }
    }
}
