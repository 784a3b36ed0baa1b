//! The overhead of the kernel of a core: scheduler calls, switches, cold caches.
//!
//! **Model.** A member is *ready* in ready intervals. What begins one, and everything else that
//! calls the scheduler, is bounded by its *scheduling events* (`event.rs`):
//!
//! | member | its scheduling events |
//! |---|---|
//! | task | its releases |
//! | server | its replenishments (its slots, its [pieces](super::pieces)), and what can wake its guest: releases of the tasks in it, replenishments of the servers in it, interrupts that are delivered to it |
//! | pseudo-VCPU by *arrival* | its interrupts, delivered |
//! | by other rules, or for a task in a server of the guest | its periods and deliveries, and what can wake its guest |
//!
//! In a window that begins when no routine is requested and nothing as urgent is ready, as many
//! ready intervals end as begin. So a scheduling event stands for two calls and two switches: to the member, and
//! back to the one that it interrupted, whose cache is cold then. What is less urgent does not run, so none
//! of its ready intervals ends: one call as each task and guest gets ready, and one for each replenishment. When the
//! window begins, a call and a switch may be under way.
//!
//! ```text
//!  another's        released   chosen                       complete
//!  [ call ][ switch ]·[ call ][ switch ]%%######## own ####|[ call ][ switch ]%% the interrupted one
//!  <-- under way -->                                        <- after its own response ->
//! ```
//!
//! The last two of a job come after its response: they stand for those that are under way.
//!
//! A guest that a pseudo-VCPU runs, too, may fall asleep while its virtual processor is less urgent than what is
//! looked at; so may a pseudo-VCPU end while it is: then each of their scheduling events stands for two calls.
//!
//! **Assumptions.** 1. Every switch finds a cold cache, and loses all that can be lost. 2. All that
//! happens at one instant is charged a call each.
//!
//! **Servers with deadlines that are late** have their next budget late by as much: in a window
//! before which nothing due in it was pending no more of them come than in time, in windows that
//! begin anywhere (those of a guest) it is a jitter.
//!
//! **Does not cover** what [`crate::coverage`] names: contexts inside reservations of the host,
//! sporadic servers inside guests.
//!
//! Derived in docs/theory/scheduler-costs.md.

use super::cache::{ColdStarts, loss_of_server};
use super::caller::Caller;
use super::event::{SchedulingEvent, returns};
use super::pieces;
use crate::arrival::Arrivals;
use crate::coverage::kernel_takes;
use crate::demand::Interference;
use crate::feature::{CostFeature, MachineCost};
use crate::ground::Reason;
use crate::request::reserved::{self, Reserved};
use crate::request::{Competitor, Urgency};
use crate::server_kind::{Returns, Sheet};
use vorrang_model::system::{Member, Scheduler, Server, SupplyId, System};
use vorrang_time::Duration;

/// The kernel of one core, and everything that calls it.
#[derive(Clone, Debug)]
pub(crate) struct Kernel<'s> {
    pub(super) call: Duration,
    pub(super) switch: Duration,
    pub(super) callers: Vec<Caller<'s>>,
    /// Members do not interrupt each other: they have slots, or take turns.
    pub(super) apart: bool,
    /// The longest turn of a member, where they take turns.
    pub(super) quantum: Option<Duration>,
    /// The supply with these members.
    pub(super) core: SupplyId,
    uncounted: Option<Uncounted>,
    /// How late a server with a deadline has its next budget at most, whose deadline is over before
    /// the budget is used; `None`: nothing bounds it.
    late: Option<Duration>,
}

/// A server whose replenishments are unbounded, and what that leaves without a bound:
/// itself, and every member as urgent or less: with equally urgent ones it takes turns.
#[derive(Clone, Debug)]
struct Uncounted {
    id: SupplyId,
    urgency: Urgency,
    reason: Reason,
}

impl<'s> Kernel<'s> {
    /// The kernel of a core, given how often things happen; nothing if it takes nothing.
    ///
    /// # Errors
    /// What is not bounded.
    pub(crate) fn new(
        system: &'s System,
        core: SupplyId,
        often: impl Fn(SchedulingEvent) -> Result<Arrivals<'s>, Reason>,
    ) -> Result<Option<Self>, Reason> {
        let Some(cost) = kernel_takes(system, core) else { return Ok(None) };
        let supply = system.supply(core);
        let members = supply.members.iter();
        let members = members.map(|&own| Caller::of_member(system, core, own, &often));
        let paying = reserved::of_members(system, core);
        let paying = paying.map(|own| Caller::of_pseudo_vcpu(system, own, &often));
        let mut kernel = Self {
            call: system.costs.scheduler_call,
            switch: system.costs.context_switch,
            callers: members.chain(paying).collect::<Result<_, _>>()?,
            apart: supply.scheduler == Scheduler::Slots || supply.scheduler.takes_turns(),
            quantum: supply.scheduler.takes_turns().then_some(supply.quantum),
            core,
            uncounted: None,
            late: Some(Duration::ZERO),
        };
        kernel.count_pieces(system, &often, cost)?;
        match &kernel.uncounted {
            // Its calls delay all members.
            Some(Uncounted { reason, .. }) if !kernel.section().is_zero() => Err(reason.clone()),
            _ => Ok(Some(kernel)),
        }
    }

    /// Why a member has no bound although others may have one.
    pub(crate) fn uncounted(&self, own: Member) -> Option<&Reason> {
        let Uncounted { id, urgency, reason } = self.uncounted.as_ref()?;
        let affected =
            own == Member::Server(*id) || self.caller(Competitor::Member(own)).urgency <= *urgency;
        affected.then_some(reason)
    }

    /// Counts how often budget of sporadic servers is back, the most urgent first: that of others
    /// depends on it.
    fn count_pieces(
        &mut self,
        system: &'s System,
        often: &impl Fn(SchedulingEvent) -> Result<Arrivals<'s>, Reason>,
        cost: MachineCost,
    ) -> Result<(), Reason> {
        let mut places: Vec<usize> = (0..self.callers.len()).collect();
        places.sort_by_key(|&place| core::cmp::Reverse(self.callers[place].urgency));
        for place in places {
            let Caller { who, urgency, .. } = self.callers[place];
            let Competitor::Member(member @ Member::Server(id)) = who else { continue };
            let Some(server) = system.supply(id).server() else { continue };
            if Sheet::of_server(server).returns != Returns::InPieces
                || self.uncounted(member).is_some()
            {
                continue;
            }
            if let Some(count) = self.returns_of(system, (id, server), place, often)? {
                self.callers[place].own = Some(returns(count, server.period));
            } else {
                let server = system.supply(id).name.clone();
                let reason = Reason::not_covered(CostFeature::Fragments { cost, server });
                self.uncounted = Some(Uncounted { id, urgency, reason });
            }
        }
        Ok(())
    }

    /// How often budget of a sporadic server is back at most in a period.
    fn returns_of(
        &self,
        system: &'s System,
        (id, server): (SupplyId, &Server),
        place: usize,
        often: &impl Fn(SchedulingEvent) -> Result<Arrivals<'s>, Reason>,
    ) -> Result<Option<u64>, Reason> {
        let own = &self.callers[place];
        let Some(demand) = pieces::demand(system, id, often)? else { return Ok(None) };
        let mut interrupted = self.interrupting(own);
        interrupted.extend(own.resumes().chain(own.slice_ends()));
        let guest = pieces::Guest {
            server,
            demand: &demand,
            wakes: &own.wakes,
            loss: loss_of_server(system, id),
            interrupted: &interrupted,
        };
        Ok(guest.most_returns())
    }

    /// The events of what may interrupt a member.
    fn interrupting(&self, own: &Caller<'s>) -> Vec<Arrivals<'s>> {
        self.interrupters(own).flat_map(Caller::events).collect()
    }

    /// What may interrupt a member: the more urgent ones where priority decides, all others with
    /// deadlines where these do.
    fn interrupters(&self, own: &Caller<'s>) -> impl Iterator<Item = &Caller<'s>> {
        let (who, urgency) = (own.who, own.urgency);
        self.callers.iter().filter(move |other| {
            let by_deadline = urgency == Urgency::Most && other.urgency == Urgency::Most;
            let may_interrupt = by_deadline || other.urgency > urgency;
            other.who != who && may_interrupt && !self.apart
        })
    }

    /// The same once it is known how late budgets are.
    pub(crate) fn late_by(&self, late: Option<Duration>) -> Self {
        Self { late, ..self.clone() }
    }

    /// The sections in any window while a server has the core: whatever happens meanwhile calls
    /// once, and contexts of a reservation interrupt each other. `None`: they are not bounded.
    pub(crate) fn meanwhile(&self, own: SupplyId) -> Option<Interference<'s>> {
        let (late, own) = (self.late?, self.caller(Competitor::Member(Member::Server(own))));
        let calls = self
            .callers
            .iter()
            .flat_map(|caller| caller.anywhere(late).map(|event| caller.takes(self.call, event)));
        let stretches = own.resumes().map(|wakes| own.takes(self.section() * 2, wakes));
        let blocking = self.section() * own.ready_at_first();
        Some(Interference { loads: calls.chain(stretches).collect(), blocking })
    }

    /// How often the budget of a server is back in a window of a length, where it returns in pieces.
    pub(crate) fn returns(&self, member: Member) -> Option<(u64, Duration)> {
        let counted = self.uncounted(member).is_none();
        self.caller(Competitor::Member(member))
            .own?
            .limit
            .filter(|_| counted)
            .map(|limit| (limit.count, limit.period))
    }

    /// What is under way, and a call.
    pub(crate) fn until_decision(&self) -> Duration {
        self.section() + self.call
    }

    /// A call and the switch after it: nothing stops them.
    pub(crate) fn section(&self) -> Duration {
        self.call + self.switch
    }

    /// How often a virtual processor loses so much to a cold cache, in windows that begin anywhere;
    /// `None`: that is not bounded.
    ///
    /// Its pseudo-VCPUs run its own context, so they do not count: docs/theory/cold-caches.md.
    pub(crate) fn cold_starts(&self, own: SupplyId, loss: Duration) -> Option<ColdStarts<'s>> {
        let own = self.caller(Competitor::Member(Member::Server(own)));
        let late = self.late?;
        let again = own.own_anywhere(late).into_iter().map(|event| own.takes(loss, event));
        let interrupted = self
            .others_above(own)
            .flat_map(|other| other.anywhere(late).map(move |event| other.takes(loss, event)));
        // In a reservation of the host whatever wakes is one, and may interrupt one.
        let contexts = own.resumes().chain(own.resumes()).map(|event| own.takes(loss, event));
        // The next turn comes after one that was used up, or after the guest was asleep.
        let turns = self.quantum.map(|turn| Arrivals::new(turn, Duration::ZERO));
        let turns = turns.into_iter().chain(own.slice_ends()).map(|turns| own.takes(loss, turns));
        let starts: Vec<_> = again.chain(interrupted).chain(contexts).chain(turns).collect();
        let mut inside = starts.clone();
        if own.inside.is_none() {
            inside.extend(own.wakes.iter().map(|&wakes| own.takes(loss, wakes)));
        }
        let at_first = loss * (1 + own.ready_at_first());
        Some(ColdStarts { at_first, starts, inside })
    }

    /// How often at most something else comes between while a pseudo-VCPU has credit, within a time;
    /// `None`: that is not bounded.
    pub(crate) fn times_interrupted(&self, own: Reserved, within: Duration) -> Option<u64> {
        let (own, late) = (self.caller(Competitor::PseudoVcpu(own)), self.late?);
        let events = self.others_above(own).flat_map(|other| other.anywhere(late));
        Some(events.map(|event| event.in_window(within)).sum())
    }

    /// What may interrupt a member or pseudo-VCPU and runs another context.
    pub(super) fn others_above<'b>(
        &'b self,
        own: &'b Caller<'s>,
    ) -> impl Iterator<Item = &'b Caller<'s>> {
        self.interrupters(own).filter(|other| !other.is_context_of(own))
    }

    /// A member of the core, or a pseudo-VCPU beside its members: [`Kernel::new`] has made a caller of each.
    pub(super) fn caller(&self, who: Competitor) -> &Caller<'s> {
        let own = self.callers.iter().find(|caller| caller.who == who);
        own.expect("a member of the core, or a pseudo-VCPU there")
    }
}
