//! Writing down what was found, with what it takes for granted.

use super::average::averages;
use super::first_come::{assume_first_come, rests_on_first_come};
use super::found::Rests;
use super::{Fold, Node};
use crate::bounds::assumed::{assumptions, no_own_storm};
use crate::core::asked_in;
use crate::coverage::ServerMember;
use crate::demand::Load;
use crate::derivation::{Derivation, OfResponse, OfSupply};
use crate::finding::{Finding, Form, Local, Method};
use crate::ground::Assumption;
use crate::ground::NoBound;
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::delivered_to;
use vorrang_model::system::{InterruptId, Member, SupplyId, TaskId};
use vorrang_time::Duration;

impl<'s> Fold<'s> {
    /// What the description allows an interrupt in a storm is left out of its own bound and of that
    /// of the task it wakes, and of no other.
    pub(super) fn assume_no_own_storms(&mut self) {
        for (id, interrupt) in self.system.interrupts.iter().enumerate() {
            let finding = match interrupt.wakes {
                Some(task) => &mut self.tasks[task.0],
                None => &mut self.interrupts[id],
            };
            if let Some(Ok(proof)) = finding.as_mut().map(|finding| finding.found.as_mut()) {
                proof.assumptions.extend(no_own_storm(self.system, interrupt));
            }
        }
    }

    /// What rests on the work in servers rests on the order of equals in them, where their bounds do.
    fn assume_order_of_equals(&mut self) {
        for core in self.system.cores() {
            let on_core = |id: &TaskId| self.system.core_of(self.system.task(*id).on) == core;
            let tasks: Vec<TaskId> = self.system.task_ids().filter(on_core).collect();
            let is_inside = |id: &&TaskId| !self.system.supply(self.system.task(**id).on).is_core();
            if !tasks
                .iter()
                .filter(is_inside)
                .any(|id| rests_on_first_come(self.tasks[id.0].as_ref()))
            {
                continue;
            }
            let rests = |finding: &Option<Finding>| {
                finding
                    .as_ref()
                    .is_some_and(|own| own.assumptions().contains(&Assumption::WorkInServers))
            };
            for task in tasks {
                if rests(&self.tasks[task.0]) {
                    assume_first_come(&mut self.tasks[task.0]);
                }
            }
            for id in self.system.requests_on(core).collect::<Vec<_>>() {
                if rests(&self.interrupts[id.0]) {
                    assume_first_come(&mut self.interrupts[id.0]);
                }
            }
        }
    }

    /// Says of each bound which averages it rests on.
    pub(super) fn assume_averages(&mut self) {
        let system = self.system;
        for (id, finding) in self.tasks.iter_mut().enumerate() {
            let task = TaskId(id);
            assume(finding.as_mut(), |work| {
                averages(system, system.task(task).on, Some(task), work)
            });
        }
        for (interrupt, finding) in system.interrupts.iter().zip(&mut self.interrupts) {
            let on = interrupt.delivery.as_ref().map_or(interrupt.on, |own| own.vcpu);
            assume(finding.as_mut(), |work| averages(system, on, None, work));
        }
    }

    /// An interrupt that wakes a task is handled when the task's job is complete.
    pub(super) fn woken_tasks_handle(&mut self) {
        self.assume_order_of_equals();
        self.assume_averages();
        for (id, interrupt) in self.system.interrupts.iter().enumerate() {
            if let Some(task) = interrupt.wakes {
                self.interrupts[id] = self.tasks[task.0].clone();
            }
        }
    }

    /// A member of a supply as a server; one that has no budget has no bound here.
    pub(super) fn server_member(&mut self, id: SupplyId, form: Form) -> Option<ServerMember<'s>> {
        let found = ServerMember::of(self.system, id);
        found.map_err(|share| self.give_up_below(id, form, &Reason::not_covered(share))).ok()
    }

    /// A server may need longer than its period for its budget, or has none at all; `load` says what else is wanted until then.
    pub(super) fn no_guarantee(
        &mut self,
        own: ServerMember<'_>,
        form: Form,
        needs: Result<Duration, NoBound>,
        load: impl FnOnce(Duration, &mut Derivation),
    ) {
        self.wanted[own.id.0] = self.derived(Source::Server(own.id), |to| {
            let (of, budget) = (Source::Server(own.id), own.server.budget);
            let window = own.server.relative_deadline();
            to.push(OfSupply::Wanted { of, budget, window });
            load(window, to);
        });
        let reason = self.why.no_guarantee(own, needs);
        self.give_up_below(own.id, form, &reason);
    }

    pub(super) fn record_bound(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        local: Local,
        found: Result<Duration, NoBound>,
        derivation: Derivation,
    ) {
        let method = Method { local, form: node.form };
        let finding = match found {
            Ok(bound) => self.proven(node.id, method, bound, derivation),
            Err(why) => {
                let reason = self.why.no_bound(node.id, why);
                Finding { derivation, ..Finding::none(method, reason) }
            }
        };
        self.record_task(task, finding);
    }

    pub(super) fn record_task(&mut self, task: TaskId, finding: Finding) {
        self.tasks[task.0] = Some(self.with_reason(Source::Task(task), finding));
    }

    pub(super) fn record_interrupt(
        &mut self,
        id: InterruptId,
        on: SupplyId,
        method: Method,
        found: Result<Duration, Reason>,
        derivation: Derivation,
    ) {
        let finding = match found {
            Ok(bound) => self.proven(on, method, bound, derivation),
            Err(reason) => Finding::none(method, reason),
        };
        self.interrupts[id.0] = Some(self.with_reason(Source::Interrupt(id), finding));
    }

    /// Without a bound its reason is the last that is said of it.
    fn with_reason(&self, of: Source, mut finding: Finding) -> Finding {
        if let Some(reason) = finding.reason().filter(|_| self.derives.keeps(of)).cloned() {
            finding.derivation.push(OfResponse::NoBound { of, reason });
        }
        finding
    }

    pub(super) fn proven(
        &self,
        supply: SupplyId,
        method: Method,
        bound: Duration,
        derivation: Derivation,
    ) -> Finding {
        let assumptions = assumptions(self.system, supply, method);
        Finding { derivation, ..Finding::proven(bound, assumptions, method) }
    }

    /// The derivation of something, if it is kept; empty else.
    pub(super) fn derived(&self, of: Source, derive: impl FnOnce(&mut Derivation)) -> Derivation {
        let mut derivation = Derivation::default();
        if self.derives.keeps(of) {
            derive(&mut derivation);
        }
        derivation
    }

    pub(super) fn give_up_on_core(&mut self, core: SupplyId, reason: &Reason) {
        for interrupt in self.system.interrupts_on(core) {
            let method = Method { local: Local::NotCovered, form: Form::Core };
            self.record_interrupt(
                interrupt,
                core,
                method,
                Err(reason.clone()),
                Derivation::default(),
            );
        }
        self.give_up_below(core, Form::Core, reason);
    }

    /// Nothing on `id` or below it has a bound.
    pub(super) fn give_up_below(&mut self, id: SupplyId, form: Form, reason: &Reason) {
        self.guaranteed[id.0].get_or_insert_with(|| Err(reason.clone()));
        let method = Method { local: Local::NotCovered, form };
        for interrupt in delivered_to(self.system, id) {
            self.record_interrupt(
                interrupt,
                id,
                method,
                Err(reason.clone()),
                Derivation::default(),
            );
        }
        self.give_up_on(&self.system.supply(id).members, form, reason);
        self.handled_without_vcpu(id, form);
    }

    /// None of these members, and nothing below them, has a bound.
    pub(super) fn give_up_on(&mut self, members: &[Member], form: Form, reason: &Reason) {
        let method = Method { local: Local::NotCovered, form };
        for &member in members {
            match member {
                Member::Task(task) => {
                    self.record_task(task, Finding::none(method, reason.clone()));
                }
                Member::Server(server) => self.give_up_below(server, form, reason),
            }
        }
    }

    /// What is known below a supply no longer holds.
    pub(super) fn forget(&mut self, id: SupplyId) {
        self.guaranteed[id.0] = None;
        self.wanted[id.0] = Derivation::default();
        self.late[id.0] = None;
        for interrupt in delivered_to(self.system, id) {
            self.paid[interrupt.0] = None;
        }
        for &member in &self.system.supply(id).members {
            match member {
                Member::Task(task) => self.seldom[task.0].clear(),
                Member::Server(server) => self.forget(server),
            }
        }
    }

    /// All work in a server, in windows that begin anywhere; none if something of it has no bound.
    pub(super) fn asked_in(&self, id: SupplyId) -> Option<Vec<Load<'s>>> {
        self.refinements.as_ref()?;
        let response = |task: TaskId| self.tasks[task.0].as_ref()?.bound();
        asked_in(&self.arrivals, &response, id)
    }

    /// The same of a member; none of a task.
    pub(super) fn asked_in_member(&self, member: Member) -> Option<Vec<Load<'s>>> {
        match member {
            Member::Server(id) => self.asked_in(id),
            Member::Task(_) => None,
        }
    }

    /// A member, and all that is in it, has its bound because servers use no more time than the work in them.
    pub(super) fn rests_on_work(&mut self, member: Member) {
        self.all_rest_on(&[member], &Assumption::WorkInServers);
    }

    /// Members, and all that is in them, have their bounds because that is so.
    pub(super) fn all_rest_on(&mut self, members: &[Member], assumed: &Assumption) {
        let mut waiting = members.to_vec();
        while let Some(member) = waiting.pop() {
            match member {
                Member::Task(task) => rest_on(&mut self.tasks[task.0], assumed),
                Member::Server(server) => {
                    if let Some(Ok(rests)) = &mut self.guaranteed[server.0] {
                        *rests = Rests::OnWork;
                    }
                    for interrupt in delivered_to(self.system, server) {
                        rest_on(&mut self.interrupts[interrupt.0], assumed);
                    }
                    waiting.extend(&self.system.supply(server).members);
                }
            }
        }
    }
}

fn assume(finding: Option<&mut Finding>, averages: impl FnOnce(bool) -> Option<Assumption>) {
    if let Some(Ok(proof)) = finding.map(|finding| finding.found.as_mut()) {
        proof.assumptions.extend(averages(proof.assumptions.contains(&Assumption::WorkInServers)));
        proof.assumptions.sort_unstable();
    }
}

/// A bound takes that for granted, too.
pub(super) fn rest_on(finding: &mut Option<Finding>, assumed: &Assumption) {
    if let Some(Ok(proof)) = finding.as_mut().map(|finding| finding.found.as_mut())
        && !proof.assumptions.contains(assumed)
    {
        proof.assumptions.push(assumed.clone());
        proof.assumptions.sort_unstable();
    }
}
