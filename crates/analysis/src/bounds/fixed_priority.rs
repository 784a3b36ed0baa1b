//! The members of a fixed-priority supply, from the most urgent down.

use super::pseudo_vcpu::derive_gift;
use super::without_budget::BesideEquals;
use super::{Fold, Node};
use crate::arrival::Arrivals;
use crate::core::{in_levels, used_by};
use crate::demand::Interference;
use crate::demand::{Load, Loads, Sum};
use crate::derivation::{Derivation, OfPackets};
use crate::finding::{Finding, Local, Method};
use crate::fixed_priority::{ExceedanceLevel, Gift, derive, response_time_with_gift};
use crate::ground::{Effort, Source};
use crate::request::Card;
use crate::request::Requests;
use crate::request::{Competitor, Ranked, begin, equals, with_ranked};
use crate::supply::Residual;
use core::cell::OnceCell;
use vorrang_model::system::{InterruptId, Member, TaskId};
use vorrang_time::Duration;

/// A member among those that come before it.
#[derive(Clone, Copy)]
struct Among<'a> {
    /// What is at least as urgent, the member included; from `first` on the members in order of urgency.
    loads: &'a [Load<'a>],
    first: usize,
    /// Of all that is more urgent.
    sum: &'a Sum<'a>,
    ranked: &'a [Ranked<'a>],
    /// Its place among the members.
    place: usize,
    /// What comes before them besides.
    before: &'a Interference<'a>,
}

impl<'s> Fold<'s> {
    /// The members of a supply, `loads` before all of them: what pseudo-VCPUs among them give is
    /// known already.
    pub(super) fn fixed_priority<'a>(
        &mut self,
        node: Node<'_>,
        members: &[Member],
        loads: Vec<Load<'a>>,
        effort: &Effort,
    ) where
        's: 'a,
    {
        let ranked = match self.arrivals.ranked(node.id, members) {
            Ok(ranked) => ranked,
            Err(reason) => return self.give_up_on(members, node.form, &reason),
        };
        let first = loads.len();
        let inside = match in_levels(&self.arrivals, &ranked) {
            Ok(inside) => inside,
            Err(reason) => return self.give_up_on(members, node.form, &reason),
        };
        let asked: Vec<OnceCell<Vec<Load<'_>>>> = vec![OnceCell::new(); ranked.len()];
        let mut loads = with_ranked(loads, &ranked);
        used_by(&mut loads[first..], &inside);
        let mut rest_on_work = loads[..first].iter().any(|load| load.used_by.is_some());
        let mut sum = Sum::default();
        for (place, own) in ranked.iter().enumerate() {
            let Competitor::Member(member) = own.who else { continue };
            if let Some(reason) = node.machine.and_then(|machine| machine.uncounted(member)) {
                self.give_up_on(&[member], node.form, reason);
                continue;
            }
            let until = first + place + equals(&ranked, place);
            let before = node.before(self.system, member);
            let known = self.valid_beside_section((member, &ranked, place), &loads[..until], first);
            sum.extend(&loads, first + begin(&ranked, place));
            effort.restart(members.len());
            let among =
                Among { loads: &known, first, sum: &sum, ranked: &ranked, place, before: &before };
            if !self.ranked_member(node, member, among, effort) {
                continue;
            }
            // Of equals only levels are known already.
            let is_level = loads[first + place].is_unlimited();
            let with_levels = loads[first + place + 1..until].iter().any(Load::is_unlimited);
            if rest_on_work || with_levels || is_level && equals(&ranked, place) > 1 {
                self.rests_on_work(member);
            }
            rest_on_work |= is_level;
            let mut known = place..place + 1;
            if equals(&ranked, place) == 1 {
                known.start = begin(&ranked, place);
                let (urgent, own) = loads[..=first + place].split_at(first + known.start);
                self.take_slices(node, &ranked[known.clone()], (urgent, own));
            }
            for place in known {
                let load = &mut loads[first + place];
                rest_on_work |= self.use_what_is_asked(&ranked[place], &asked[place], load);
            }
        }
        self.first_come(node, &ranked, (&loads, first));
    }

    /// Where a server is known to take no more than the work in it, its load is that from now on; whether it is.
    fn use_what_is_asked<'b, 'a>(
        &self,
        own: &Ranked<'_>,
        asked: &'b OnceCell<Vec<Load<'a>>>,
        load: &mut Load<'b>,
    ) -> bool
    where
        'a: 'b,
        's: 'a,
    {
        let Competitor::Member(Member::Server(server)) = own.who else { return false };
        if load.used_by.is_some() {
            return false;
        }
        let Some(inside) = self.asked_in(server) else { return false };
        load.used_by = Some(asked.get_or_init(|| inside));
        true
    }

    /// One member among those before it; whether it is of a kind that is scheduled by priority.
    fn ranked_member(
        &mut self,
        node: Node<'_>,
        member: Member,
        among: Among<'_>,
        effort: &Effort,
    ) -> bool {
        let Among { loads, first, sum, ranked, place, before } = among;
        match member {
            Member::Task(task) => self.ranked_task(node, task, among, effort),
            Member::Server(server) => {
                let more_urgent =
                    sum.within(Loads::without(loads, first + place)).after(&before.loads);
                let level = Residual::new(node.supply, more_urgent, effort);
                let level = level.blocked(before.blocking + self.system.blocking(member));
                if self.system.supply(server).level().is_some() {
                    let has_equals = equals(ranked, place) > 1 || begin(ranked, place) < place;
                    let equals = has_equals.then(|| {
                        let all = sum.within(Loads::new(loads)).after(&before.loads);
                        let left = Residual::new(node.supply, all, effort);
                        let left = left.blocked(before.blocking + self.system.blocking(member));
                        BesideEquals { own: &loads[first + place], left }
                    });
                    self.level_of(node, server, (level, equals), effort);
                    return true;
                }
                let Some(server) = self.server_member(server, node.form) else { return false };
                self.fixed_priority_server(node, server, (level, ranked, place), effort);
                if equals(ranked, place) == 1 && begin(ranked, place) == place {
                    let blocking = before.blocking + self.system.blocking(member);
                    self.never_used_up(node, server, (blocking, more_urgent));
                }
            }
        }
        true
    }

    /// A task, whatever wakes it.
    fn ranked_task(&mut self, node: Node<'_>, task: TaskId, among: Among<'_>, effort: &Effort) {
        let Among { loads, first, sum, ranked, place, before } = among;
        let own = &ranked[place];
        if let Some(card) = Card::polled_by(self.system, task) {
            let shared = ranked.iter().filter(|other| other.rank == own.rank).count() > 1;
            let more_urgent = sum.within(Loads::without(loads, first + place)).after(&before.loads);
            let before = (before.blocking, more_urgent);
            return self.polling_task(
                node,
                (task, card),
                (&own.takes.calm, shared),
                before,
                effort,
            );
        }
        let woken = self.arrivals.woken(task).and_then(Result::ok);
        let calmed = woken.as_ref().map(|(id, _)| node.routines.calmed(loads, *id));
        let (loads, others) = match calmed.as_deref() {
            None => (loads, sum.within(Loads::without(loads, first + place))),
            Some(calmed) => (calmed, Loads::without(calmed, first + place)),
        };
        let others = others.after(&before.loads);
        let others = (before.blocking, others);
        let mut own = own.takes.calm;
        let mut is_paid_for = false;
        if let Some((id, requests)) = woken {
            self.woken_task(node, task, (id, &requests), others, effort);
            own = requests.calm;
            is_paid_for = requests.waits_for_ever || self.gift_to(task, id).is_some();
        } else {
            self.fixed_priority_task(node, task, (&own, None), others, effort);
            self.without_preemption(node, task, (loads, first, place), effort);
        }
        if !is_paid_for {
            let level = self.level(node, task, &own, Among { loads, ..among });
            self.seldom_later(node, &level, effort);
        }
    }

    /// A task that an interrupt wakes, which behaves itself.
    pub(super) fn woken_task(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        (id, requests): (InterruptId, &Requests<'_>),
        before: (Duration, Loads<'_>),
        effort: &Effort,
    ) {
        if requests.waits_for_ever {
            let method = Method { local: Local::FixedPriority, form: node.form };
            let finding = Finding::none(method, self.why.held_back(id));
            return self.record_task(task, finding);
        }
        if self.is_paid_for(task, id, (node.id, node.form)) {
            return;
        }
        let gift = self.gift_to(task, id);
        self.fixed_priority_task(node, task, (&requests.calm, gift), before, effort);
        self.task_within_credit(task, id, (node.id, node.form));
    }

    /// When the jobs of a task are released that something else sets off.
    pub(super) fn derive_release(&self, task: TaskId, own: &Load<'_>, to: &mut Derivation) {
        let Arrivals { period, jitter, .. } = own.arrivals;
        self.derive_woken(task, (period, jitter), to);
        if let Some(card) = Card::read_by(self.system, task) {
            let (device, at_once) = (card.id, card.traffic.at_once());
            to.push(OfPackets::Reads { task, at_once, device, period, jitter });
        }
    }

    pub(super) fn fixed_priority_task(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        (own, gift): (&Load<'_>, Option<Gift>),
        (section, more_urgent): (Duration, Loads<'_>),
        effort: &Effort,
    ) {
        let blocking = self.system.blocking(Member::Task(task)) + section;
        let around = node.around_job(task) * self.arrivals.jobs_at_once(task);
        let own = &Load { cost: own.cost + around, ..*own };
        let found = response_time_with_gift(node.supply, own, blocking, more_urgent, gift, effort);
        let derivation = self.derived(Source::Task(task), |to| {
            self.derive_release(task, own, to);
            let Ok(response) = &found else { return };
            derive::busy_window(to, own, response);
            let work = own.cost * (response.job + 1) + blocking;
            to.indented(|to| to.blocking(blocking));
            let demand = to.terms(work, more_urgent, response.window);
            to.cite(
                "x = supply((q+1) C + B + sum ceil((x+J)/T) C), Lehoczky 1990; Tindell et al. 1994; docs/theory/busy-window.md",
            );
            let demand = derive_gift(demand, gift, to);
            node.supply.derive(demand, to);
            if gift.is_none() {
                derive::iteration(to, node.supply, work, more_urgent);
            }
        });
        if self.by_clock(node, task, (own, gift), (blocking, more_urgent), &found) {
            return;
        }
        let bound = found.map(|response| response.bound);
        if let (Ok(worst), None) = (&found, gift) {
            let work = own.cost * (worst.job + 1) + blocking;
            self.draw_task(task, (node.supply, worst.window, worst.bound), (work, more_urgent));
        }
        self.record_bound(node, task, Local::FixedPriority, bound, derivation);
    }

    /// What comes before the end of a job of a task, with its own.
    fn level<'a>(
        &self,
        node: Node<'a>,
        task: TaskId,
        own: &'a Load<'a>,
        among: Among<'a>,
    ) -> ExceedanceLevel<'a>
    where
        's: 'a,
    {
        let Among { loads, first, ranked, place, before, .. } = among;
        let (system, supply, around) = (self.system, node.supply, node.around_job(task));
        let blocking = system.blocking(Member::Task(task)) + before.blocking;
        let (place, before) = (first + place, before.loads.as_slice());
        ExceedanceLevel {
            system,
            task,
            supply,
            own,
            around,
            blocking,
            loads,
            place,
            first,
            before,
            ranked,
        }
    }
}
