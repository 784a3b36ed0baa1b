//! Pseudo-VCPUs: what they give to a guest. What they take of their supply is in `core/competitors.rs`.
//!
//! What a pseudo-VCPU keeps until its interrupt is handled is checked in the end ([`Fold::kept_too_long`]; at the first
//! instant at which one were handled too late, all before had not been, and so its bound would hold).
//!
//! By *arrival* it gives g to the guest at the latest when a task of its urgency with the execution
//! time g would complete, R from the arrival on. An interrupt that is alone in its guest, and whose task nothing
//! in the guest precedes, is handled by then, and so is one whose credit covers all that can be ahead of it
//! ([`credit_covers`]), or which is beside others that have credits of their own at the same priority ([`each_has_its_own`]);
//! others need what is ahead of them, less g, from the virtual processor.
//!
//! Reference: Kim, Wang, Rajkumar 2015, with the rule of docs/model.md; for interrupts that share a
//! guest the same page.
//!
//! Theory: docs/theory/pseudo-vcpu.md.

use super::drawn::decided_by;
use super::{Fold, Node};
use crate::core::{credit_covers, each_has_its_own, in_levels, is_first_in_guest, used_by};
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfResponse};
use crate::finding::{Finding, Form, Local, Method};
use crate::fixed_priority::{Gift, Response, derive, response_time};
use crate::ground::Source;
use crate::ground::delivered_to;
use crate::ground::{Effort, NoBound, Reason};
use crate::interrupt::{Level, Paid};
use crate::overhead::{CoreInterference, loss};
use crate::request::reserved::{Reserved, keeps_until_handled};
use crate::request::{Competitor, equals, with_ranked};
use crate::request::{credit, handler, pseudo_vcpu_budget, unreserved};
use vorrang_model::system::{
    InterruptId, Member, PseudoVcpu, PseudoVcpuRule, RequirementKind, Scheduler, SupplyId, TaskId,
};
use vorrang_time::Duration;

/// What comes before a credit of a pseudo-VCPU.
struct CreditLevel<'n, 'l> {
    node: Node<'n>,
    more_urgent: Loads<'l>,
    blocking: Duration,
    effort: &'l Effort,
}

impl CreditLevel<'_, '_> {
    /// By when such credits are spent, with what they take besides.
    fn spent<'c>(&self, credits: &Load<'c>) -> Option<(Load<'c>, Response)> {
        let around = self.node.machine.map_or(Duration::ZERO, CoreInterference::around_credit);
        let load = Load { cost: credits.cost + around, ..*credits };
        let supply = self.node.supply;
        let found = response_time(supply, &load, self.blocking, self.more_urgent, self.effort);
        found.ok().map(|response| (load, response))
    }
}

impl<'s> Fold<'s> {
    /// Whether what pseudo-VCPUs of a core keep was used by when the bounds take for granted; if not, which one
    /// may not have been.
    pub(super) fn kept_too_long(&self, core: SupplyId) -> Option<InterruptId> {
        let system = self.system;
        system.interrupts_of(core).find(|&id| {
            let Some(kept) = keeps_until_handled(system, id) else { return false };
            let handled = system.interrupt(id).wakes.and_then(|task| self.tasks[task.0].as_ref());
            let handled = handled.and_then(Finding::bound);
            system.interrupt(id).storm.is_some() || handled.is_none_or(|bound| bound > kept)
        })
    }

    /// What comes before all members of a supply alike, each at its worst: routines, and pseudo-VCPUs where deadlines decide.
    ///
    /// # Errors
    /// Nothing bounds how often a pseudo-VCPU has credit.
    pub(super) fn first_on<'a>(&self, node: Node<'a>) -> Result<Vec<Load<'a>>, Reason>
    where
        's: 'a,
    {
        let mut first = node.routines.loads.to_vec();
        if self.system.supply(node.id).scheduler == Scheduler::Edf {
            let paying = self.arrivals.pseudo_vcpus_on(node.id)?;
            first.extend(paying.iter().map(|own| own.takes.storm));
        }
        Ok(first)
    }

    /// By when the pseudo-VCPUs of a supply have given what they give to one interrupt.
    pub(super) fn pseudo_vcpus_give<'a>(
        &mut self,
        node: Node<'_>,
        members: &[Member],
        loads: Vec<Load<'a>>,
        effort: &Effort,
    ) where
        's: 'a,
    {
        let Ok(ranked) = self.arrivals.ranked(node.id, members) else { return };
        let Ok(inside) = in_levels(&self.arrivals, &ranked) else { return };
        let first = loads.len();
        let mut loads = with_ranked(loads, &ranked);
        used_by(&mut loads[first..], &inside);
        for (place, own) in ranked.iter().enumerate() {
            let Competitor::PseudoVcpu(reserved) = own.who else { continue };
            let id = reserved.interrupt;
            // What is kept may come later than by R.
            let is_kept = keeps_until_handled(self.system, id).is_some();
            if reserved.by.rule != PseudoVcpuRule::Arrival || own.takes.waits_for_ever || is_kept {
                continue;
            }
            let equals = equals(&ranked, place);
            let loads = node.routines.calmed(&loads[..first + place + equals], id);
            let before = node.before_pseudo_vcpu(self.system, reserved);
            let more_urgent = Loads::without(&loads, first + place).after(&before.loads);
            effort.restart(ranked.len());
            // Whatever shares a lock with something at least as urgent delays it, too.
            let as_urgent = ranked[..place + equals].iter();
            let sections = as_urgent.filter_map(|other| match other.who {
                Competitor::Member(member) => Some(self.system.blocking(member)),
                Competitor::PseudoVcpu(_) => None,
            });
            let blocking = before.blocking + sections.max().unwrap_or_default();
            let level = CreditLevel { node, more_urgent, blocking, effort };
            self.paid[id.0] = self.paid_at(&level, reserved, &own.takes.calm);
        }
    }

    /// By when a pseudo-VCPU has given what it gives, with its credits as a load.
    fn paid_at(
        &mut self,
        level: &CreditLevel<'_, '_>,
        of: Reserved,
        credits: &Load<'_>,
    ) -> Option<Paid> {
        let (node, blocking, id) = (level.node, level.blocking, of.interrupt);
        let (mut spent, mut response) = level.spent(credits)?;
        let lost = self.lost_of_credit(node, of, response.bound)?;
        let gift = Gift { work: credits.cost.saturating_sub(lost), by: response.bound };
        let mut handled = Some(gift.by);
        if !lost.is_zero() {
            let needed = credit(self.system, id) + lost;
            let found = level.spent(&Load { cost: needed, ..*credits });
            let found = found.filter(|_| needed <= credits.cost);
            let is_alone = |by: &Duration| *by <= credits.arrivals.period;
            handled = found.as_ref().map(|(_, response)| response.bound).filter(is_alone);
            (spent, response) = found.unwrap_or((spent, response));
        }
        let work = spent.cost * (response.job + 1) + blocking;
        let derivation = self.derived(Source::Interrupt(id), |to| {
            derive::busy_window(to, &spent, &response);
            to.indented(|to| to.blocking(blocking));
            let demand = to.terms(work, level.more_urgent, response.window);
            node.supply.derive(demand, to);
            self.derive_budget(of, to);
            if !lost.is_zero() {
                to.push(OfResponse::CreditLost { lost });
            }
            to.cite("pseudo-VCPU, Kim, Wang, Rajkumar 2015, with credit at the arrival; docs/theory/pseudo-vcpu.md");
        });
        let before = |of| level.more_urgent.in_window(of);
        let demand = |of| work.checked_add(before(of)?).ok_or(NoBound::TooLong);
        let kind = decided_by(self.system, RequirementKind::HandledWithin(id));
        self.draw(kind, node.supply, &demand, (response.window, response.bound));
        Some(Paid { of, gift, handled, period: credits.arrivals.period, derivation })
    }

    /// What of a credit is lost at most to a cold cache until it is spent; `None`: that is not bounded.
    fn lost_of_credit(&self, node: Node<'_>, own: Reserved, by: Duration) -> Option<Duration> {
        let Some(cache) = self.system.supply(own.vcpu).cache else { return Some(Duration::ZERO) };
        let interrupted =
            node.machine.map_or(Some(0), |machine| machine.times_interrupted(own, by))?;
        loss(self.system, cache).checked_mul(1 + interrupted)
    }

    fn derive_budget(&self, reserved: Reserved, to: &mut Derivation) {
        let (system, id) = (self.system, reserved.interrupt);
        let PseudoVcpu { budget: stated, period, .. } = reserved.by;
        let unreserved = unreserved(system, id);
        if let Some(asked) = pseudo_vcpu_budget(period, handler(system, id), &unreserved) {
            to.push(OfResponse::PublishedBudget { asked, period, stated });
        }
    }

    /// What the pseudo-VCPU of an interrupt gives before the end of the task that it wakes, which
    /// is directly on its virtual processor.
    pub(super) fn gift_to(&self, task: TaskId, id: InterruptId) -> Option<Gift> {
        let delivery = self.system.interrupt(id).delivery.as_ref()?;
        let direct = self.system.task(task).on == delivery.vcpu;
        // Elsewhere it may go to what neither precedes the task nor is its own.
        let scheduler = self.system.supply(delivery.vcpu).scheduler;
        let by_priority = matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux);
        self.paid[id.0].as_ref().filter(|_| direct && by_priority).map(|paid| paid.gift)
    }

    /// The bound of a task that an interrupt wakes, where the credit covers all that comes before its end and that is
    /// less than what was found without.
    pub(super) fn task_within_credit(
        &mut self,
        task: TaskId,
        id: InterruptId,
        (guest, form): (SupplyId, Form),
    ) {
        let Some(Paid { of, gift, derivation, .. }) = self.paid[id.0].clone() else { return };
        let known = self.tasks[task.0].as_ref().and_then(Finding::bound);
        if known.is_some_and(|known| known <= gift.by)
            || !is_first_in_guest(&self.arrivals, task, guest)
            || !credit_covers(&self.arrivals, of, &gift, gift.by)
        {
            return;
        }
        let method = Method { local: Local::PseudoVcpu, form };
        let finding = self.proven(guest, method, gift.by, derivation);
        self.record_task(task, finding);
    }

    /// Whether the pseudo-VCPU alone handles the interrupt of a task; then that is its bound.
    pub(super) fn is_paid_for(
        &mut self,
        task: TaskId,
        id: InterruptId,
        (guest, form): (SupplyId, Form),
    ) -> bool {
        let Some(Paid { handled, period, derivation, .. }) = self.paid[id.0].clone() else {
            return false;
        };
        let Some(by) = handled.filter(|by| *by <= period) else { return false };
        let alone = delivered_to(self.system, guest) == [id];
        if !alone || !is_first_in_guest(&self.arrivals, task, guest) {
            return false;
        }
        let method = Method { local: Local::PseudoVcpu, form };
        let finding = self.proven(guest, method, by, derivation);
        self.record_task(task, finding);
        true
    }

    /// In a guest whose virtual processor may lack time: what an interrupt that is alone there has
    /// from its pseudo-VCPU.
    pub(super) fn handled_without_vcpu(&mut self, guest: SupplyId, form: Form) {
        let [id] = delivered_to(self.system, guest)[..] else { return };
        if let Some(task) = self.system.interrupt(id).wakes {
            self.is_paid_for(task, id, (guest, form));
        } else if let Some(Paid { handled: Some(by), derivation, .. }) = self.paid[id.0].clone() {
            let method = Method { local: Local::PseudoVcpu, form };
            self.record_interrupt(id, guest, method, Ok(by), derivation);
        }
    }

    /// The bound of a guest's routine that is the last of its interrupt, by what its pseudo-VCPU
    /// gives; `false`: it gives nothing, or that does not help.
    pub(super) fn is_routine_paid_for(
        &mut self,
        id: InterruptId,
        level: &Level<'_>,
        index: usize,
        without: Option<Duration>,
        form: Form,
    ) -> bool {
        let Some(Paid { of, gift, handled, mut derivation, .. }) = self.paid[id.0].clone() else {
            return false;
        };
        let is_own =
            level.routines.len() == 1 || each_has_its_own(&self.arrivals, of.vcpu, &self.paid);
        let covered = credit_covers(&self.arrivals, of, &gift, Duration::ZERO);
        let alone = handled.filter(|_| is_own).or(covered.then_some(gift.by));
        self.effort.restart(level.routines.len());
        let shared = level.response(index, gift.work, &self.effort);
        let bound = match (alone, &shared) {
            (Some(by), _) => by,
            (None, Ok(worst)) => worst.bound.max(gift.by),
            (None, Err(_)) => return false,
        };
        if without.is_some_and(|without| without <= bound) {
            return false;
        }
        if let Ok(worst) = shared
            && self.derives.keeps(Source::Interrupt(id))
            && alone.is_none()
        {
            let work = level.derive(index, &worst, &mut derivation);
            let rest = derive_gift(work, Some(gift), &mut derivation);
            level.supply.derive(rest, &mut derivation);
        }
        let method = Method { local: Local::PseudoVcpu, form };
        self.record_interrupt(id, of.vcpu, method, Ok(bound), derivation);
        true
    }
}

/// What of `demand` the pseudo-VCPU does; returns the rest.
pub(super) fn derive_gift(demand: Duration, gift: Option<Gift>, to: &mut Derivation) -> Duration {
    let Some(Gift { work, by }) = gift else { return demand };
    to.push(OfResponse::Credit { work, by });
    demand.saturating_sub(work)
}
