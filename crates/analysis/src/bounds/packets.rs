//! Packets of network cards: the task that polls them, and how late they are for their receiver.
//!
//! **Model.** A card's interrupt and its tasks are loads ([`Card`]); the polling task is bounded by what
//! more urgent ones leave ([`Polling`]). Its receiver has a job for each packet, released up to the
//! delay of the polling task after the packet came.
//!
//! **Passes.** That delay may depend on what is read meanwhile. So a first pass over the system takes it
//! for granted that no packet is late, and each other one that they are as late as the one before found.
//! They grow to the least fixed point (Tindell, Clark 1994). It holds: let some packet be the first that
//! is later than its delay; up to that instant all earlier ones kept theirs, so the loads were right.
//!
//! **Assumptions.** 1. Those of [`Card`] and [`Polling`]. 2. A delay that has not settled after [`PASSES`] passes is no bound.
//!
//! Theory: docs/theory/network-card.md.
//!
//! **Cost.** A pass over the system for each time that a delay grows, at most [`PASSES`].
//!
//! **Does not cover** what [`crate::coverage`] names; a limit to what the ring or the socket drops.

use super::{Fold, Node};
use crate::core::{Delay, Propagation};
use crate::demand::{Load, Loads};
use crate::derivation::{Derivation, OfPackets};
use crate::feature::PacketFeature;
use crate::finding::{Finding, Local, Method};
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::{Effort, NoBound};
use crate::network_card::{Polling, Service};
use crate::request::Card;
use crate::supply::{Residual, Supply};
use vorrang_model::system::{DeviceId, Member, TaskId};
use vorrang_time::Duration;

/// Delays that grow as often as that are not looked at any longer.
const PASSES: u32 = 32;

impl Fold<'_> {
    /// The task that takes packets out of a ring, after `more_urgent`. What is as urgent is `shared`
    /// with: it may run between two rounds.
    pub(super) fn polling_task(
        &mut self,
        node: Node<'_>,
        (task, card): (TaskId, Card<'_>),
        (own, shared): (&Load<'_>, bool),
        (section, more_urgent): (Duration, Loads<'_>),
        effort: &Effort,
    ) {
        let method = Method { local: Local::Polling, form: node.form };
        if card.waits_for_others() {
            let device = card.device.name.clone();
            let reason = Reason::not_covered(PacketFeature::UnboundedCoalescing { device });
            return self.record_task(task, Finding::none(method, reason));
        }
        let job = self.system.task(task);
        let polling = Polling {
            wake: own.arrivals.jitter,
            round: job.wcet + node.around_job(task),
            packet: card.device.per_packet,
            budget: card.device.budget,
            shared,
        };
        let left = Residual::new(node.supply, more_urgent, effort);
        let left = left.blocked(self.system.blocking(Member::Task(task)) + section);
        let found = polling.serve(card.traffic, &left, effort);
        if let Ok(service) = &found {
            self.found_delays[card.id.0] = Some(service.delay);
        }
        let derivation = self.derived(Source::Task(task), |to| {
            if let Ok(service) = &found {
                derive_polling(&card, &polling, service, &left, to);
            }
        });
        let bound = found.map(|service| service.response);
        self.record_bound(node, task, Local::Polling, bound, derivation);
    }

    /// What the next pass has to take for granted, if this one took too little.
    pub(super) fn longer_delays(&self, pass: u32) -> Option<Vec<Delay>> {
        let mut delays = self.arrivals.delays.clone();
        for (place, known) in delays.iter_mut().enumerate() {
            let device = &self.system.devices[place];
            if self.is_known(self.system.interrupt(device.interrupt).on) {
                continue;
            }
            let has_receiver = device.receiver.is_some();
            let Ok(assumed) = known.clone() else { continue };
            let found = self.delay_found(DeviceId(place));
            if has_receiver && !found.as_ref().is_ok_and(|found| *found <= assumed) {
                *known = found.and_then(|found| self.another_pass(DeviceId(place), found, pass));
            }
        }
        (delays != self.arrivals.delays).then_some(delays)
    }

    fn delay_found(&self, id: DeviceId) -> Delay {
        let device = self.system.device(id);
        let polls = self.system.interrupt(device.interrupt).wakes;
        let polls = polls.and_then(|task| self.tasks[task.0].as_ref());
        let reason = polls.and_then(|finding| finding.reason().cloned());
        let name = || device.name.clone();
        let unknown = || Reason::not_covered(PacketFeature::Unconnected { name: name() });
        self.found_delays[id.0].ok_or_else(|| reason.unwrap_or_else(unknown))
    }

    fn another_pass(&self, id: DeviceId, found: Duration, pass: u32) -> Delay {
        let interrupt = self.system.device(id).interrupt;
        let core = self.system.interrupt(interrupt).on;
        if pass < PASSES { Ok(found) } else { Err(self.why.no_bound(core, NoBound::Effort)) }
    }

    /// Another pass with these delays.
    pub(super) fn again(&self, delays: Vec<Delay>) -> Self {
        let effort = self.effort.another();
        let is_end_wanted = self.is_end_wanted;
        let arrivals = Propagation::new(self.system, delays);
        let (refinements, derives) =
            (self.refinements.as_ref().map(Effort::another), self.derives.clone());
        let (drawn, known) = (self.drawn.afresh(), self.known.clone());
        let fresh = Self::new(self.system);
        Self { effort, arrivals, derives, drawn, known, is_end_wanted, refinements, ..fresh }
    }

    /// Finds out how late packets are for their receivers.
    pub(super) fn know_delays(&mut self) {
        if self.system.devices.iter().any(|device| device.receiver.is_some()) {
            self.whole_system();
            *self = self.again(self.arrivals.delays.clone());
        }
    }
}

fn derive_polling(
    card: &Card<'_>,
    polling: &Polling,
    service: &Service,
    left: &Residual<'_>,
    to: &mut Derivation,
) {
    let &Polling { wake, round, packet, shared, .. } = polling;
    let &Service { delay, response, last, ring: most, episode } = service;
    let device = card.id;
    let Some(work) = polling.work(last) else { return };
    let budget = if shared { 1 } else { u64::from(card.device.budget) };
    to.push(OfPackets::Episode { device, wake, episode });
    to.push(OfPackets::EpisodeJob { last, response });
    to.indented(|to| {
        to.push(OfPackets::PollingWork { packets: last, budget, round, packet, work });
        left.derive(work, to);
    });
    to.push(OfPackets::Ring { delay, most, ring: card.device.ring.into() });
    to.cite("a network card and its polling task, docs/theory/network-card.md");
}
