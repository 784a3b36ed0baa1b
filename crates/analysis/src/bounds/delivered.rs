//! The routine of a guest that has no other, once more: from the request at the core on.
//!
//! Theory: docs/theory/delivered-routine.md.

use super::{Fold, Node};
use crate::arrival::Arrivals;
use crate::core::is_plain_task;
use crate::core::since_poll;
use crate::coverage::ServerMember;
use crate::demand::{Load, Loads, task_anywhere};
use crate::derivation::{Derivation, OfResponse};
use crate::finding::{Finding, Form, Local, Method};
use crate::fixed_priority::response_time;
use crate::ground::Effort;
use crate::ground::Source;
use crate::ground::{delivered_to, sections_within};
use crate::interrupt::Delivered;
use crate::overhead::loss_of_server;
use crate::request::Card;
use crate::server_kind::{Idle, Sheet};
use crate::supply::{Earlier, IdleStart, Kept, Own, Residual, Supply};
use vorrang_model::system::{InterruptId, Member, SupplyId};
use vorrang_time::Duration;

impl<'s> Fold<'s> {
    /// The routine of the guest of a server, if that has no other. The level is that of the server, with nothing else as urgent as it.
    pub(super) fn handled_from_request(
        &mut self,
        node: Node<'_>,
        ServerMember { id: on, server }: ServerMember<'_>,
        (level, provided): (&Residual<'_>, &dyn Supply),
    ) {
        let [id] = delivered_to(self.system, on)[..] else { return };
        if !self.is_alone_from_request(node, id, on) {
            return;
        }
        let idle = Sheet::of_server(server).idle;
        let wait = match idle {
            Idle::Spent | Idle::KeptInPeriod | Idle::Kept => server.period - server.budget,
            Idle::Lost => server.period - since_poll(self.system, on),
            Idle::KeptWithDeadline | Idle::NotCovered => return,
        };
        let is_kept = idle != Idle::Lost;
        let Some(delivered) = self.delivered(id, (wait, is_kept)) else { return };
        if delivered.routine.is_zero() || delivered.routine > server.budget {
            return;
        }
        self.effort.restart(1);
        if let Ok(Some(handled)) = delivered.handled(level) {
            let derivation =
                self.derived(Source::Interrupt(id), |to| delivered.derive(&handled, level, to));
            self.handled_sooner(id, on, handled.bound, derivation);
        }
        if self.refinements.is_some() && matches!(idle, Idle::KeptInPeriod | Idle::Kept) {
            let kept = Kept {
                of: Source::Server(on),
                parent: level,
                budget: server.budget,
                period: server.period,
                is_deferrable: idle == Idle::KeptInPeriod,
            };
            self.handled_from_idle((id, on), kept, &delivered.load(), provided);
        }
    }

    /// The same from an idle guest on.
    fn handled_from_idle(
        &mut self,
        (id, on): (InterruptId, SupplyId),
        server: Kept<'_>,
        load: &Load<'_>,
        provided: &dyn Supply,
    ) {
        let Some(effort) = self.refinements.as_ref().map(Effort::another) else { return };
        let Some(known) = self.interrupts[id.0].as_ref().and_then(Finding::bound) else { return };
        let others = self.tasks_anywhere(on);
        let Arrivals { period, jitter, .. } = load.arrivals;
        let late = known.saturating_sub(jitter);
        let up_to = Load { arrivals: Arrivals::new(period, late), ..*load };
        let from = period.saturating_sub(late);
        let own = Own { from, up_to, anywhere: load.anywhere(known) };
        let earlier = match &others {
            Some(others) => Earlier::Known(others, Some(&own)),
            None => Earlier::Anything,
        };
        let none = Loads::new(&[]);
        let usual = Residual::new(provided, none, &effort);
        let idle =
            IdleStart { server, usual, loads: none, anywhere: &[], earlier, effort: &effort };
        effort.restart(1);
        let found = response_time(&idle, load, Duration::ZERO, none, &effort);
        let Ok(response) = found else { return };
        let derivation = self.derived(Source::Interrupt(id), |to| {
            to.push(OfResponse::FromRequest { of: load.source, bound: response.bound });
            to.cite("from the request at the core on; docs/theory/delivered-routine.md");
            to.indented(|to| idle.derive(load.cost * (response.job + 1), to));
        });
        self.handled_sooner(id, on, response.bound, derivation);
    }

    /// The work of the tasks of a guest in windows that begin anywhere; none if that is not bounded.
    fn tasks_anywhere(&self, on: SupplyId) -> Option<Vec<Load<'s>>> {
        let load = |&member: &Member| {
            let Member::Task(task) = member else { return None };
            let is_known = is_plain_task(&self.arrivals, task)
                && self.system.blocking(Member::Task(task)).is_zero();
            let response = self.tasks[task.0].as_ref()?.bound().filter(|_| is_known)?;
            let jobs = self.arrivals.load_of(member).ok()?;
            Some(task_anywhere(self.system, task, jobs, response))
        };
        self.system.supply(on).members.iter().map(load).collect()
    }

    /// Whether nothing but its arrivals bounds how often it is requested, and nothing but its routine follows.
    fn is_alone_from_request(&self, node: Node<'_>, id: InterruptId, on: SupplyId) -> bool {
        let system = self.system;
        let interrupt = system.interrupt(id);
        let has_pseudo_vcpu =
            interrupt.delivery.as_ref().is_some_and(|delivery| delivery.pseudo_vcpu.is_some());
        let core = system.supply(node.id);
        let is_by_deadline = |member: &Member| match *member {
            Member::Server(id) => system.supply(id).is_of_linux(),
            Member::Task(_) => false,
        };
        core.is_core()
            && node.routines.ids.contains(&id)
            && node.cold.is_none()
            && interrupt.wakes.is_none()
            && interrupt.storm.is_none()
            && interrupt.timer.is_none()
            && !has_pseudo_vcpu
            && Card::raising(system, id).is_none()
            && !core.members.iter().any(is_by_deadline)
            && loss_of_server(system, on).is_zero()
            && sections_within(system, on).is_zero()
    }

    fn delivered(
        &self,
        id: InterruptId,
        (wait, is_kept): (Duration, bool),
    ) -> Option<Delivered<'s>> {
        let stages = &self.arrivals.stages[id.0];
        let at_core = stages.at_core.calm;
        let ends = stages.after_core.as_ref().ok()?.calm;
        let routine = self.arrivals.in_guest(id).ok()?.calm.cost;
        // From the arrival it is as much more as a request may be late.
        let delay = ends.arrivals.jitter - at_core.arrivals.jitter;
        Some(Delivered { of: Source::Interrupt(id), at_core, delay, routine, wait, is_kept })
    }

    /// A bound of an interrupt that may be less than what is known.
    fn handled_sooner(
        &mut self,
        id: InterruptId,
        on: SupplyId,
        bound: Duration,
        derivation: Derivation,
    ) {
        let known = self.interrupts[id.0].as_ref().and_then(Finding::bound);
        if known.is_some_and(|known| bound < known) {
            let method = Method { local: Local::GuestRoutine, form: Form::FixedPriorityServer };
            self.record_interrupt(id, on, method, Ok(bound), derivation);
        }
    }
}
