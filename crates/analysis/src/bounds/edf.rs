//! The members of an EDF supply.

use super::{Node, Walk, server_of};
use crate::edf::{self, Contender, ResponseTimes, Work};
use crate::effort::{Effort, NoBound};
use crate::explanation::Lines;
use crate::finding::{Form, Local, Method};
use crate::supply::{PeriodicResource, Supply};
use core::cell::OnceCell;
use vorrang_model::system::{Member, ServerKind, SupplyId, System, TaskId};

/// An EDF supply and everything on it.
struct Contest<'a> {
    node: Node<'a>,
    members: &'a [Contender<'a>],
    effort: &'a Effort,
    /// What the searches for response times share.
    responses: Result<ResponseTimes<'a, dyn Supply + 'a>, NoBound>,
    /// Whether the demand criterion holds, once somebody asked.
    met: OnceCell<bool>,
}

impl<'a> Contest<'a> {
    fn new(node: Node<'a>, members: &'a [Contender<'a>], effort: &'a Effort) -> Self {
        effort.restart_for_all();
        let responses = ResponseTimes::new(node.supply, members, effort);
        Self { node, members, effort, responses, met: OnceCell::new() }
    }

    fn response_time(&self, index: usize) -> Result<edf::Response, NoBound> {
        let responses = self.responses.as_ref().map_err(|&why| why)?;
        self.effort.restart(self.members.len());
        responses.of(index, self.effort)
    }

    /// Whether every member is known to meet every deadline.
    fn meets_all_deadlines(&self) -> bool {
        *self.met.get_or_init(|| {
            self.effort.restart_for_all();
            let Node { supply, bare_core, .. } = self.node;
            edf::meets_all_deadlines(supply, bare_core, self.members, self.effort) == Ok(true)
        })
    }
}

impl Walk<'_> {
    pub(super) fn edf(&mut self, node: Node<'_>, effort: &Effort) {
        let system = self.system;
        let members = &system.supply(node.id).members;
        let contenders: Vec<_> = members.iter().map(|&member| contender(system, member)).collect();
        let contest = Contest::new(node, &contenders, effort);
        for (index, &member) in members.iter().enumerate() {
            match member {
                Member::Task(task) => self.edf_task(&contest, index, task),
                Member::Server(server) => self.edf_server(&contest, index, server),
            }
        }
    }

    fn edf_task(&mut self, contest: &Contest<'_>, index: usize, task: TaskId) {
        let Contest { node, members, .. } = contest;
        match contest.response_time(index) {
            Ok(response) => {
                if self.is_target(task) {
                    let demand = edf::explain_terms(&mut self.lines, members, index, &response);
                    node.supply.explain(demand, &mut self.lines);
                }
                self.record_bound(*node, task, Local::Edf, Ok(response.bound));
            }
            Err(why) => {
                let met = contest.meets_all_deadlines();
                let found = if met { Ok(members[index].deadline()) } else { Err(why) };
                self.record_bound(*node, task, Local::EdfDemand, found);
            }
        }
    }

    fn edf_server(&mut self, contest: &Contest<'_>, index: usize, id: SupplyId) {
        let server = server_of(self.system, id);
        let response = match server.kind {
            ServerKind::Periodic | ServerKind::Polling => contest.response_time(index).ok(),
            _ => None,
        };
        // For a deferrable server or CBS, or where the response time was not found, the criterion
        // says whether the budget comes by the deadline.
        let delivered = match response {
            Some(response) => Some(response.bound),
            None => contest.meets_all_deadlines().then_some(contest.members[index].deadline()),
        };
        match delivered {
            Some(deadline) if deadline <= server.period => {
                let name = &self.system.supply(id).name;
                let provided = PeriodicResource::new(name, server.budget, server.period, deadline);
                let is_polled = server.kind == ServerKind::Polling;
                let provided = if is_polled { provided.polled() } else { provided };
                self.members(id, &provided, Form::PeriodicResource, contest.effort);
                self.alone_in_cbs(id);
            }
            needs => self.no_guarantee(id, Form::PeriodicResource, needs),
        }
    }

    /// The only task of a hard CBS (or a `SCHED_DEADLINE` server with D = T) whose jobs are far enough apart to find the server idle with a
    /// deadline in the past: each job starts with a full budget and uses n = ceil(C / Q) periods.
    fn alone_in_cbs(&mut self, id: SupplyId) {
        let server = server_of(self.system, id);
        let [Member::Task(task)] = self.system.supply(id).members[..] else { return };
        let is_hard = matches!(server.kind, ServerKind::CbsHard | ServerKind::SchedDeadline);
        if !is_hard || server.deadline.is_some_and(|deadline| deadline < server.period) {
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
                ServerKind::Periodic | ServerKind::Polling => Work::PeriodicServer,
                ServerKind::Deferrable => Work::DeferrableServer,
                ServerKind::CbsHard => Work::ConstantBandwidth,
                ServerKind::SchedDeadline => match server.deadline {
                    Some(deadline) if deadline < server.period => {
                        Work::ConstrainedBandwidth { deadline }
                    }
                    _ => Work::ConstantBandwidth,
                },
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
