//! What the work in a server asks of it: no server takes more than that.
//!
//! **Model.** A job uses the server between its arrival and its longest response time, so in windows that begin anywhere it counts with
//! the latter as jitter. Less urgent work that holds it up is in the same server, and need not be that of a task which
//! is described: it counts with each job.
//!
//! **Assumptions.** 1. Every job is complete within its bound. 2. The tasks that are described are all work in a server, but
//! for what holds them up.
//!
//! **Does not cover** servers whose budget something else uses as well: periodic ones, which spend it without work; routines and pseudo-VCPUs of a guest, cold caches, tasks that
//! take packets, interrupts that storm; servers that are held up in it; and tasks without a bound.
//!
//! Theory: docs/theory/work-in-servers.md.

use super::Walk;
use crate::assumption::Assumption;
use crate::device::Card;
use crate::finding::Finding;
use crate::load::Load;
use crate::overhead::loss_of_server;
use crate::tree::{delivered_to, sections_within, server_of};
use vorrang_model::system::{Member, Scheduler, ServerKind, SupplyId, TaskId};
use vorrang_time::Duration;

impl<'s> Walk<'s> {
    /// All work in a server, in windows that begin anywhere; none if something of it has no bound.
    pub(super) fn asked_in(&self, id: SupplyId) -> Option<Vec<Load<'s>>> {
        self.refinements.as_ref()?;
        let mut found = Vec::new();
        self.collect_asked(id, &mut found)?;
        Some(found)
    }

    /// The same of a member; none of a task.
    pub(super) fn asked_in_member(&self, member: Member) -> Option<Vec<Load<'s>>> {
        match member {
            Member::Server(id) => self.asked_in(id),
            Member::Task(_) => None,
        }
    }

    /// A member, and all that is in it, has its bound because servers take no more than what is asked of them.
    pub(super) fn rests_on_work(&mut self, member: Member) {
        let mut waiting = vec![member];
        while let Some(member) = waiting.pop() {
            match member {
                Member::Task(task) => rest_on_work(&mut self.tasks[task.0]),
                Member::Server(server) => {
                    for interrupt in delivered_to(self.system, server) {
                        rest_on_work(&mut self.interrupts[interrupt.0]);
                    }
                    waiting.extend(&self.system.supply(server).members);
                }
            }
        }
    }

    fn collect_asked(&self, id: SupplyId, found: &mut Vec<Load<'s>>) -> Option<()> {
        // A periodic server spends its budget whether or not there is work.
        let is_periodic = server_of(self.system, id).kind == ServerKind::Periodic;
        if is_periodic || !self.only_tasks_use(id) {
            return None;
        }
        for &member in &self.system.supply(id).members {
            match member {
                Member::Server(inner) if self.system.blocking(member).is_zero() => {
                    self.collect_asked(inner, found)?;
                }
                Member::Task(task) if self.is_plain_task(task) => {
                    let response = self.tasks[task.0].as_ref()?.bound?;
                    let load = self.arrivals.load_of(member).ok()?;
                    found.push(self.task_anywhere(task, load, response));
                }
                Member::Server(_) | Member::Task(_) => return None,
            }
        }
        Some(())
    }

    /// Whether all that uses the budget of a server is the work of tasks that are bounded as such.
    pub(super) fn is_plain(&self, id: SupplyId) -> bool {
        let system = self.system;
        let supply = system.supply(id);
        let members = supply.members.iter().all(|&member| match member {
            Member::Task(task) => self.is_plain_task(task),
            Member::Server(inner) => {
                let is_known = matches!(
                    server_of(system, inner).kind,
                    ServerKind::Periodic
                        | ServerKind::Polling
                        | ServerKind::Deferrable
                        | ServerKind::Sporadic
                );
                is_known && system.blocking(member).is_zero() && self.only_tasks_use(inner)
            }
        });
        supply.scheduler == Scheduler::FixedPriority && self.only_tasks_use(id) && members
    }

    /// Whether nothing but tasks uses the budget of a server, what is in servers in it left aside.
    fn only_tasks_use(&self, id: SupplyId) -> bool {
        let system = self.system;
        !system.supply(id).serves_other
            && delivered_to(system, id).is_empty()
            && loss_of_server(system, id).is_zero()
            && sections_within(system, id).is_zero()
    }

    /// The jobs of a task in windows that begin anywhere, each with what may hold it up in the same server.
    pub(super) fn task_anywhere<'a>(&self, id: TaskId, jobs: Load<'a>, late: Duration) -> Load<'a> {
        let blocking = self.system.task(id).blocking;
        Load { cost: jobs.cost + blocking, ..jobs }.anywhere(late)
    }

    /// Whether the jobs of a task are its execution time, and come as often as is stated.
    fn is_plain_task(&self, task: TaskId) -> bool {
        let system = self.system;
        let takes_packets = Card::polled_by(system, task).or_else(|| Card::read_by(system, task));
        let behaves = match self.arrivals.woken(task) {
            None => true,
            Some(Ok((_, requests))) => !requests.waits_for_ever && requests.calm == requests.storm,
            Some(Err(_)) => false,
        };
        takes_packets.is_none() && behaves
    }
}

fn rest_on_work(finding: &mut Option<Finding>) {
    if let Some(finding) = finding.as_mut().filter(|finding| finding.bound.is_some())
        && !finding.assumptions.contains(&Assumption::WorkInServers)
    {
        finding.assumptions.push(Assumption::WorkInServers);
        finding.assumptions.sort_unstable();
    }
}
