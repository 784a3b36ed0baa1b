//! How often an interrupt does something: at the core, and after each of its routines.
//!
//! **Model.** An interrupt arrives at least T apart (in a storm, less), is requested up to J
//! later, and a pseudo-VCPU may hold the request back. That of a network card comes as its packets let it
//! ([`Card`]). What follows the end of a routine comes up
//! to that routine's response time after the arrival.
//!
//! | held back by | requested at the latest | and in every window at most |
//! |---|---|---|
//! | none | J after the arrival | – |
//! | arrival, n credits, period T' <= n T | J: a shaper that is as fast as what it shapes adds nothing | `n ceil(x/T')` |
//! | arrival, T' > n T, with a pending bit | J + T' : one request waits, and a credit is back T' after it was taken | the same |
//! | arrival, T' > n T, without | never, perhaps | the same |
//! | deferrable, released | J + T': until the next period begins | – |
//!
//! **Argument** for the second line: with passes `p` and requests `r`, `p_k = max(r_k, p_(k−1), p_(k−n) + T')`, so
//! some m has `p_k <= r_(k−mn) + m T' <= a_(k−mn) + J + m n T <= a_k + J`.
//!
//! **Assumptions.** 1. A credit is back exactly T' after it was taken. 2. Every routine of a core
//! interrupts a guest if there is one.
//!
//! Theory: docs/theory/held-back-requests.md.

use crate::arrival::{Arrivals, Limit};
use crate::demand::Load;
use crate::ground::Source;
use crate::ground::{LONGEST_WINDOW, NoBound};
use crate::request::Card;
use crate::request::Handler;
use vorrang_model::system::{InterruptId, Member, PseudoVcpu, PseudoVcpuRule, SupplyId, System};
use vorrang_time::Duration;

/// How often one interrupt does something.
#[derive(Clone, Copy, Debug)]
pub struct Requests<'a> {
    /// While it keeps what is promised of it.
    pub calm: Load<'a>,
    /// At its worst: in a storm, if it states one.
    pub storm: Load<'a>,
    /// Whether a request may be held back for ever.
    pub waits_for_ever: bool,
}

/// What a routine of a core, or its timer interrupt, takes besides its own time: the entry, the
/// exit, and the exit of a guest where there is one.
pub fn around(system: &System, core: SupplyId) -> Duration {
    let costs = &system.costs;
    let exit = if has_guest(system, core) { costs.vm_exit } else { Duration::ZERO };
    costs.interrupt_entry + costs.interrupt_exit + exit
}

/// Whether there is a virtual processor on a core or a server, at any depth.
pub fn has_guest(system: &System, on: SupplyId) -> bool {
    let has_guest_inside = |&member: &Member| match member {
        Member::Server(id) => system.supply(id).vm.is_some() || has_guest(system, id),
        Member::Task(_) => false,
    };
    system.supply(on).members.iter().any(has_guest_inside)
}

/// What the routine of an interrupt in its guest takes, with its end.
pub fn routine_in_guest(system: &System, id: InterruptId) -> Duration {
    let interrupt = system.interrupt(id);
    let routine = interrupt.delivery.as_ref().map_or(Duration::ZERO, |delivery| delivery.isr);
    routine + interrupt.end_of_interrupt(system.costs.vm_exit)
}

/// What one interrupt takes in its guest.
pub fn credit(system: &System, id: InterruptId) -> Duration {
    let interrupt = system.interrupt(id);
    let woken = interrupt.wakes.map_or(Duration::ZERO, |task| system.task(task).wcet);
    routine_in_guest(system, id) + woken
}

/// What one interrupt with a pseudo-VCPU by *arrival* is credited with: what it takes; its share of the budget
/// if others of the guest may come before it that have no pseudo-VCPU, or its virtual processor has a cache.
pub fn granted(system: &System, id: InterruptId, own: &PseudoVcpu) -> Duration {
    let takes = credit(system, id);
    let delivery = system.interrupt(id).delivery.as_ref();
    let is_cold = delivery.is_some_and(|own| system.supply(own.vcpu).cache.is_some());
    if unreserved(system, id).is_empty() && !is_cold {
        return takes;
    }
    let usual = own.period.div_ceil(system.interrupt(id).min_interarrival);
    let paid_for = usual.min(own.budget.div_floor(takes));
    Duration::from_ns(own.budget.as_ns() / paid_for)
}

/// How close its arrivals are, from which the time until it is handled counts, storms left aside.
pub fn arrivals(system: &System, id: InterruptId) -> Arrivals<'static> {
    let apart = || Arrivals::new(system.interrupt(id).min_interarrival, Duration::ZERO);
    Card::raising(system, id).map_or_else(apart, |card| card.arrivals())
}

/// What one interrupt takes in its guest, with the packets of an instant if a card raises it, and how often.
pub fn handler(system: &System, id: InterruptId) -> Handler {
    let packets = Card::raising(system, id).map(|card| {
        let polling = card.poller(system).map_or(Duration::ZERO, |task| system.task(task).wcet);
        card.work_at_once(system).saturating_sub(polling)
    });
    let cost = credit(system, id) + packets.unwrap_or_default();
    Handler { cost, period: arrivals(system, id).period }
}

/// The other interrupts of its guest that have no pseudo-VCPU.
pub fn unreserved(system: &System, id: InterruptId) -> Vec<Handler> {
    let vcpu = system.interrupt(id).delivery.as_ref().map(|delivery| delivery.vcpu);
    let beside = system.interrupts.iter().enumerate().filter(|(_, other)| {
        let delivery = other.delivery.as_ref();
        delivery.is_some_and(|own| Some(own.vcpu) == vcpu && own.pseudo_vcpu.is_none())
    });
    beside.map(|(place, _)| handler(system, InterruptId(place))).collect()
}

impl<'a> Requests<'a> {
    /// What never misbehaves.
    pub fn always(load: Load<'a>) -> Self {
        Self { calm: load, storm: load, waits_for_ever: false }
    }

    /// Requests at the core.
    pub fn at_core(system: &'a System, id: InterruptId) -> Self {
        let interrupt = system.interrupt(id);
        let routine = match Card::raising(system, id) {
            None => Load::of_interrupt(id, interrupt),
            Some(card) => card.raised(interrupt),
        };
        let around =
            if interrupt.has_routine() { around(system, interrupt.on) } else { Duration::ZERO };
        let calm = Load { cost: routine.cost + around, ..routine };
        let storm = interrupt
            .storm
            .map_or(calm, |storm| Load { arrivals: calm.arrivals.apart(storm), ..calm });
        Self { calm, storm, waits_for_ever: false }.let_through(system, id)
    }

    /// As the pseudo-VCPU of an interrupt, if it has one, lets its requests through.
    #[must_use]
    pub fn let_through(self, system: &System, id: InterruptId) -> Self {
        let Self { calm, storm, .. } = self;
        let interrupt = system.interrupt(id);
        let payer = interrupt.delivery.as_ref().and_then(|delivery| delivery.pseudo_vcpu.as_ref());
        let Some(payer) = payer else { return self };
        let late = |own: Arrivals<'a>| Arrivals { jitter: own.jitter + payer.period, ..own };
        let all = |requests: Load<'a>, change: &dyn Fn(Arrivals<'a>) -> Arrivals<'a>| Load {
            arrivals: change(requests.arrivals),
            ..requests
        };
        if payer.rule != PseudoVcpuRule::Arrival {
            return Self {
                calm: all(calm, &late),
                storm: all(storm, &late),
                waits_for_ever: false,
            };
        }
        let count = payer.budget.div_floor(granted(system, id, payer));
        let limit = Limit { count, period: payer.period, jitter: Duration::ZERO };
        let is_enough =
            |own: Arrivals<'_>| own.spacing().after(count).is_none_or(|time| payer.period <= time);
        let merges = interrupt.storm.is_some();
        let held = |own: Arrivals<'a>| match (is_enough(own), merges) {
            (true, _) => own.limited(limit),
            (false, true) => late(own).limited(limit),
            // Only the credits count: so many at once and one in every nanosecond is more.
            (false, false) => {
                Arrivals::new(Duration::RESOLUTION, Duration::from_ns(count)).limited(limit)
            }
        };
        let waits_for_ever = !is_enough(calm.arrivals) && !merges;
        Self { calm: all(calm, &held), storm: all(storm, &held), waits_for_ever }
    }

    /// What its routine sets off, given the longest time to its end: from the arrival of an
    /// interrupt that behaves, and from any request.
    #[must_use]
    pub fn after(&self, response: Duration, delay: Duration) -> Self {
        let ends = self.calm.later(delay);
        let calm = Load { arrivals: Arrivals { jitter: response, ..ends.arrivals }, ..ends };
        let storms = self.storm != self.calm;
        let storm = if storms { self.storm.later(delay) } else { calm };
        Self { calm, storm, ..*self }
    }

    /// So many more at once.
    ///
    /// # Errors
    /// [`NoBound::TooLong`] if that is more than arrive in [`LONGEST_WINDOW`].
    pub fn after_more(&self, count: u64) -> Result<Self, NoBound> {
        let more = |load: Load<'a>| {
            let earlier = load.arrivals.spacing().more(count);
            let earlier = earlier.filter(|time| *time <= LONGEST_WINDOW);
            let jitter = load.arrivals.jitter + earlier.ok_or(NoBound::TooLong)?;
            Ok(Load { arrivals: Arrivals { jitter, ..load.arrivals }, ..load })
        };
        Ok(Self { calm: more(self.calm)?, storm: more(self.storm)?, ..*self })
    }

    /// What follows each of them, up to `delay` later.
    #[must_use]
    pub fn later(&self, delay: Duration) -> Self {
        Self { calm: self.calm.later(delay), storm: self.storm.later(delay), ..*self }
    }

    /// The same of something that takes `cost`.
    #[must_use]
    pub fn of(&self, source: Source, cost: Duration) -> Self {
        let Self { calm, storm, waits_for_ever } = self;
        Self {
            calm: calm.with(source, cost),
            storm: storm.with(source, cost),
            waits_for_ever: *waits_for_ever,
        }
    }
}
