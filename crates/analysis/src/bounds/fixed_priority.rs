//! The members of a fixed-priority supply, from the most urgent down.

use super::machine::Urgency;
use super::{Node, Walk, server_of};
use crate::effort::Effort;
use crate::finding::{Finding, Form, Local, Method, Reason};
use crate::fixed_priority;
use crate::interrupt::Requests;
use crate::load::{Load, Loads};
use crate::supply::{FixedPriorityServer, Residual};
use vorrang_model::system::{
    InterruptId, Member, Priority, Server, ServerKind, SupplyId, System, TaskId,
};
use vorrang_time::Duration;

impl<'s> Walk<'s> {
    /// `loads` come before all of `members`.
    pub(super) fn fixed_priority<'a>(
        &mut self,
        node: Node<'_>,
        members: &[Member],
        mut loads: Vec<Load<'a>>,
        effort: &Effort,
    ) where
        's: 'a,
    {
        let system = self.system;
        let mut members = members.to_vec();
        members.sort_by_key(|&member| core::cmp::Reverse(priority(system, member)));
        let first = loads.len();
        for &member in &members {
            match self.load_of(member) {
                Ok(load) => loads.push(load),
                Err(reason) => return self.give_up_on(&members, node.form, &reason),
            }
        }
        for (place, &member) in members.iter().enumerate() {
            let equal = members[place..]
                .iter()
                .take_while(|&&other| priority(system, other) == priority(system, member))
                .count();
            let before = node.before(Urgency::of_member(system, member));
            let more_urgent = Loads::without(&loads[..first + place + equal], first + place);
            let more_urgent = more_urgent.after(&before.loads);
            effort.restart(members.len());
            match member {
                Member::Task(task) => match self.woken(task) {
                    Some(Ok((id, requests))) => {
                        let calm = node.routines.loads_for(Some(id));
                        let mut loads = loads[..first + place + equal].to_vec();
                        loads[..calm.len()].copy_from_slice(&calm);
                        let more_urgent = Loads::without(&loads, first + place);
                        let before = (before.blocking, more_urgent.after(&before.loads));
                        self.woken_task(node, task, (id, &requests), before, effort);
                    }
                    _ => self.fixed_priority_task(
                        node,
                        task,
                        &loads[first + place],
                        (before.blocking, more_urgent),
                        effort,
                    ),
                },
                Member::Server(server) => {
                    let level = Residual::new(node.supply, more_urgent, effort);
                    let level = level.blocked(before.blocking);
                    self.fixed_priority_server(server, level, effort);
                }
            }
        }
    }

    /// What a member takes at its worst.
    pub(super) fn load_of(&self, member: Member) -> Result<Load<'s>, Reason> {
        let woken = match member {
            Member::Task(task) => self.woken(task).transpose()?,
            Member::Server(_) => None,
        };
        Ok(match woken {
            Some((_, requests)) => requests.storm,
            None => self.member_load(member),
        })
    }

    /// What a member takes that no interrupt wakes.
    pub(super) fn member_load(&self, member: Member) -> Load<'s> {
        match member {
            Member::Task(task) => self.jobs[task.0],
            Member::Server(_) => {
                Load::of_member(self.system, member).expect("covered, as `not_covered` said")
            }
        }
    }

    /// A task that an interrupt wakes, which behaves itself.
    fn woken_task(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        (id, requests): (InterruptId, &Requests<'_>),
        before: (Duration, Loads<'_>),
        effort: &Effort,
    ) {
        if requests.waits_for_ever {
            let method = Method { local: Local::FixedPriority, form: node.form };
            let finding = Finding::none(method, self.held_back(id));
            return self.record_task(task, finding);
        }
        self.explain_release(task, id, &requests.calm);
        self.fixed_priority_task(node, task, &requests.calm, before, effort);
    }

    pub(super) fn fixed_priority_task(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        own: &Load<'_>,
        (section, more_urgent): (Duration, Loads<'_>),
        effort: &Effort,
    ) {
        let blocking = self.system.task(task).blocking + section;
        let found = fixed_priority::response_time(node.supply, own, blocking, more_urgent, effort);
        if self.is_target(task)
            && let Ok(response) = &found
        {
            self.lines.busy_window(own, response);
            let work = own.cost * (response.job + 1) + blocking;
            self.lines.indented(|lines| lines.blocking(blocking));
            let demand = self.lines.terms(work, more_urgent, response.window);
            self.lines.cite(
                "x = supply((q+1) C + B + sum ceil((x+J)/T) C), Lehoczky 1990; Tindell et al. 1994",
            );
            node.supply.explain(demand, &mut self.lines);
            self.lines.iteration(node.supply, work, more_urgent);
        }
        self.record_bound(node, task, Local::FixedPriority, found.map(|response| response.bound));
    }

    pub(super) fn fixed_priority_server(
        &mut self,
        id: SupplyId,
        level: Residual<'_>,
        effort: &Effort,
    ) {
        let supply = self.system.supply(id);
        let server = server_of(self.system, id);
        match FixedPriorityServer::new(&supply.name, level, server.budget, server.period) {
            Ok(provided) => {
                let provided = provided.with_wait(longest_wait(server));
                self.members(id, &provided, Form::FixedPriorityServer, effort);
            }
            Err(response) => self.no_guarantee(id, Form::FixedPriorityServer, response.ok()),
        }
    }
}

/// How long a guest may wait until the first of the periods that bring it a whole budget.
fn longest_wait(server: &Server) -> Duration {
    let gap = server.period - server.budget;
    match server.kind {
        ServerKind::Polling => server.period - Duration::RESOLUTION,
        _ => gap,
    }
}

fn priority(system: &System, member: Member) -> Priority {
    match member {
        Member::Task(id) => system.task(id).priority,
        Member::Server(id) => server_of(system, id).priority,
    }
}
