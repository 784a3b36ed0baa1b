//! The interrupts of guests that are seen on the machine, and their pseudo-VCPUs.
//!
//! **Model.** An interrupt with a `vector` is seen when it is raised. So its server may be of a kind that must notice
//! wake-ups at once, and it may have a pseudo-VCPU: by *arrival*, of a server of the core, by fixed priority, with
//! any priority.
//!
//! **Assumptions.** 1. Those of `linux/interrupts.rs`. 2. It comes no more often than stated: what its
//! pseudo-VCPU would hold back is not kept from the guest here. So none may have a `storm`, and each has a credit
//! for all that may be raised in a period.

use crate::processor::Processor;
use crate::reserved::{Reserved, Unfit};
use crate::rule::{self, WakeUps};
use crate::vectors::Vectors;
use std::cmp::Reverse;
use vorrang_analysis::request::{granted, unreserved};
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_model::System;
use vorrang_model::system::{
    Delivery, Interrupt, InterruptId, Member, PseudoVcpu as Described, PseudoVcpuRule, Scheduler,
    SupplyId,
};
use vorrang_quote::visible;
use vorrang_time::Duration;

/// Too short a credit is used up by the beginning of its loan.
const LEAST_CREDIT: Duration = Duration::from_us(20);

/// An interrupt of a guest that is seen.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Its name in the description.
    pub name: String,
    /// The server whose thread takes it, by its place.
    pub of: usize,
    /// Its vectors in the guest.
    pub vectors: Vectors,
    /// Its pseudo-VCPU, if it has one.
    pub pseudo_vcpu: Option<Reservation>,
    /// From one arrival to the next at least, and from each until it is raised at most.
    pub pace: (Duration, Duration),
}

impl Seen {
    /// A processor that sees it, too.
    pub(crate) fn by(&self, processor: Processor) -> Processor {
        let (apart, jitter) = self.pace;
        let seen = match &self.pseudo_vcpu {
            Some(own) => processor.with_pseudo_vcpu(self.of, own.mechanism(), own.priority),
            None => processor.with_interrupt(self.of),
        };
        seen.that_is_apart(apart, jitter)
    }
}

/// A pseudo-VCPU by *arrival*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// Its budget.
    pub budget: Duration,
    /// Its period.
    pub period: Duration,
    /// The time for each interrupt.
    pub credit: Duration,
    /// Among the servers of the core.
    pub priority: u32,
}

impl Reservation {
    /// Its mechanism.
    pub fn mechanism(&self) -> PseudoVcpu {
        let Self { budget, period, credit, .. } = *self;
        PseudoVcpu::new(Rule::Arrival, budget, period, credit, Duration::ZERO)
    }
}

/// Whether an interrupt is seen when it is raised.
pub(crate) fn is_seen(system: &System, id: InterruptId) -> bool {
    system.host.vectors.contains_key(&system.interrupt(system.origin_of(id)).name)
}

/// The interrupts that are seen by a core with these servers, and why others cannot be run.
pub(crate) fn seen(system: &System, core: SupplyId, servers: &[Reserved]) -> (Vec<Seen>, Unfit) {
    let (mut found, mut unfit): (Vec<Seen>, _) = (Vec::new(), Unfit::default());
    for id in system.interrupt_ids() {
        let Some(delivery) = &system.interrupt(id).delivery else { continue };
        if system.core_of(delivery.vcpu) != core {
            continue;
        }
        match one(system, id, delivery, servers) {
            Ok(Some(seen)) => {
                let same = |other: &&Seen| other.of == seen.of && other.vectors.meet(&seen.vectors);
                if let Some(other) = found.iter().find(same) {
                    unfit.wrong.push(format!("{}: {} has its vector, too", seen.name, other.name));
                }
                found.push(seen);
            }
            Ok(None) => {}
            Err(why) => unfit.join(why),
        }
    }
    rank(system, servers, &mut found);
    (found, unfit)
}

/// One of them; `None`: it need not be seen.
fn one(
    system: &System,
    id: InterruptId,
    delivery: &Delivery,
    servers: &[Reserved],
) -> Result<Option<Seen>, Unfit> {
    let vcpu = &system.supply(delivery.vcpu).name;
    let name = system.interrupt(system.origin_of(id)).name.clone();
    let kind = system.supply(delivery.vcpu).server_kind();
    let missing =
        |why: String| Unfit { missing: vec![format!("{name}: {why}")], wrong: Vec::new() };
    let wrong = |why: String| Unfit { missing: Vec::new(), wrong: vec![format!("{name}: {why}")] };
    if let Some(timer) = system.interrupt(id).timer.filter(|_| delivery.pseudo_vcpu.is_some()) {
        let name = &system.timer(timer).name;
        return Err(Unfit {
            missing: vec![format!(
                "{name}: when its callback ends is not seen, so its pseudo-VCPU is not run; leave `pseudo-vcpu` out"
            )],
            wrong: Vec::new(),
        });
    }
    let Some(written) = system.host.vectors.get(&name) else {
        let needs_it = delivery.pseudo_vcpu.is_some()
            || kind.and_then(rule::wake_ups) == Some(WakeUps::AtOnce);
        return if needs_it {
            Err(wrong(format!(
                "state the vector that it has in the guest (`vector = \"64\"`), by which it is seen when it is raised for {vcpu}"
            )))
        } else {
            Ok(None)
        };
    };
    let vectors = Vectors::read(written).ok_or_else(|| {
        wrong(format!("\"{}\" is no vector of 16 to 255, nor a first and a last", visible(written)))
    })?;
    let of = servers.iter().position(|one| one.name == *vcpu).ok_or_else(|| {
        missing(format!("{vcpu} is no server of the core, so no thread takes it"))
    })?;
    if system.interrupt(id).storm.is_some() {
        return Err(missing(
            "what exceeds its credits is not kept from the guest, so a storm takes the time of the guest; leave `storm` out".to_owned(),
        ));
    }
    if system.interrupt(id).distances.is_some() {
        return Err(missing(
            "only the least time between two of it is watched; state `min-interarrival` in place of `min-distances`".to_owned(),
        ));
    }
    let pseudo_vcpu = delivery.pseudo_vcpu.as_ref();
    let pseudo_vcpu = pseudo_vcpu.map(|own| reservation(system, id, own)).transpose();
    let pseudo_vcpu = pseudo_vcpu.map_err(missing)?;
    let pace = (system.interrupt(id).min_interarrival, system.interrupt(id).jitter);
    Ok(Some(Seen { name, of, vectors, pseudo_vcpu, pace }))
}

/// The reservation of an interrupt, with its stated priority.
fn reservation(system: &System, id: InterruptId, own: &Described) -> Result<Reservation, String> {
    let parent = system.supply(system.interrupt(id).on);
    if parent.scheduler != Scheduler::FixedPriority {
        return Err("its pseudo-VCPU is run on \"fixed-priority\" cores only".to_owned());
    }
    if own.rule != PseudoVcpuRule::Arrival {
        return Err(
            "its pseudo-VCPU is run by the rule \"arrival\" only, which has a bound".to_owned()
        );
    }
    let credit = granted(system, id, own);
    if credit < LEAST_CREDIT {
        return Err(format!(
            "its credit is {credit}, below {LEAST_CREDIT}, and would be used up by the loan itself"
        ));
    }
    has_enough_credits(system, id, own, credit)?;
    is_alone_at_its_priority(system, id, own)?;
    let priority = own.priority.unwrap_or_default().0;
    Ok(Reservation { budget: own.budget, period: own.period, credit, priority })
}

/// None is raised beyond its credits: bounds count that such a one is held back, and here the guest has it at once.
fn has_enough_credits(
    system: &System,
    id: InterruptId,
    own: &Described,
    credit: Duration,
) -> Result<(), String> {
    let Interrupt { min_interarrival: apart, jitter, .. } = *system.interrupt(id);
    let (credits, raised) = (own.budget.div_floor(credit), (own.period + jitter).div_ceil(apart));
    if raised <= credits {
        return Ok(());
    }
    // With others that have none, or a cache, a credit is a share of the budget, and there are as many as arrivals in a period.
    let others = !unreserved(system, id).is_empty();
    let delivery = system.interrupt(id).delivery.as_ref();
    let shares = others || delivery.is_some_and(|own| system.supply(own.vcpu).cache.is_some());
    let longest = (apart * credits).saturating_sub(jitter);
    let needed = credit * raised;
    let period = (!longest.is_zero() && (jitter < apart || !shares))
        .then(|| format!("state a `period` of at most {longest}"));
    let budget =
        (needed <= own.period && !shares).then(|| format!("state `budget = \"{needed}\"`"));
    let others =
        others.then(|| "give the other interrupts of its guest pseudo-VCPUs, too".to_owned());
    let instead: Vec<String> = [period, budget, others].into_iter().flatten().collect();
    let instead =
        if instead.is_empty() { String::new() } else { format!("; {}", instead.join(", or ")) };
    Err(format!(
        "{raised} may be raised in a period of its pseudo-VCPU ({}), which has {credits} credit{}; what exceeds them is not \
         kept from the guest{instead}",
        own.period,
        if credits == 1 { "" } else { "s" }
    ))
}

/// With a cache a credit is more than the interrupt takes. What is left of it may come before something as urgent of another
/// guest, and that before the next interrupt, which no bound counts.
fn is_alone_at_its_priority(
    system: &System,
    id: InterruptId,
    own: &Described,
) -> Result<(), String> {
    let vcpu = system.interrupt(id).delivery.as_ref().map(|delivery| delivery.vcpu);
    let is_cold = vcpu.is_some_and(|vcpu| system.supply(vcpu).cache.is_some());
    let Some(priority) = own.priority.filter(|_| is_cold) else { return Ok(()) };
    let on = system.interrupt(id).on;
    let mut servers = system.supply(on).members.iter().filter_map(|&member| match member {
        Member::Server(server) if Some(server) != vcpu => Some((server, system.priority(member))),
        _ => None,
    });
    let server = servers.find(|(_, of)| *of == priority).map(|(server, _)| server);
    let mut others = system.interrupts_on(on).filter_map(|other| {
        let to = system.interrupt(other).delivery.as_ref()?;
        Some((to.vcpu, to.pseudo_vcpu.as_ref()?.priority?))
    });
    let other = others.find(|(to, of)| Some(*to) != vcpu && *of == priority).map(|(to, _)| to);
    server.or(other).map_or(Ok(()), |other| {
        Err(format!(
            "its guest has a cache, and {} is as urgent as its pseudo-VCPU; what is left of a credit is kept, and \
             may hold that up; state another priority",
            system.supply(other).name
        ))
    })
}

/// Those without a stated priority are above all others, the shorter period first.
fn rank(system: &System, servers: &[Reserved], found: &mut [Seen]) {
    let described = |seen: &Seen| {
        let id = system.interrupt_ids().find(|&id| system.interrupt(id).name == seen.name)?;
        let own = system.interrupt(id).delivery.as_ref()?.pseudo_vcpu.as_ref()?;
        Some((own.priority, Reverse((own.period, id))))
    };
    let stated = found.iter().filter_map(|seen| seen.pseudo_vcpu.as_ref().map(|own| own.priority));
    let servers = servers.iter().filter_map(|one| Some(one.server.server()?.priority.0));
    let highest = stated.chain(servers).max().unwrap_or(0);
    let mut unranked: Vec<_> = found
        .iter_mut()
        .filter_map(|seen| match described(seen) {
            Some((None, place)) => Some((place, seen)),
            _ => None,
        })
        .collect();
    unranked.sort_by_key(|(place, _)| *place);
    for (above, (_, seen)) in (highest + 1..).zip(unranked) {
        if let Some(own) = &mut seen.pseudo_vcpu {
            own.priority = above;
        }
    }
}
