//! The requests of routines, as events tell of them.
//!
//! ```text
//!   released ──▶ at the core ── served ──▶ pending in a guest ── served ──▶ not handled ── completed
//! ```

use std::collections::VecDeque;
use vorrang_model::system::{Delivery, InterruptId, SupplyId, System};
use vorrang_sim::Running;

/// A requested routine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) interrupt: InterruptId,
    pub(super) has_begun: bool,
}

/// All of a core and its guests.
pub(super) struct Requests<'s> {
    system: &'s System,
    /// At the core, in order.
    at_core: VecDeque<Request>,
    /// So many of them have begun.
    begun: usize,
    /// Pending in each supply, in order.
    pending: Vec<VecDeque<Request>>,
    /// Interrupts in the guest that are not handled, by interrupt.
    inside: Vec<u64>,
    /// The routine of the core of this interrupt ended, and has to merge with one in the guest.
    has_to_merge: Option<InterruptId>,
    /// The routine that runs has just begun.
    has_just_begun: bool,
}

impl<'s> Requests<'s> {
    pub(super) fn new(system: &'s System) -> Self {
        Self {
            system,
            at_core: VecDeque::new(),
            begun: 0,
            pending: vec![VecDeque::new(); system.supplies.len()],
            inside: vec![0; system.interrupts.len()],
            has_to_merge: None,
            has_just_begun: false,
        }
    }

    /// At the core, in order.
    pub(super) fn at_core(&self) -> &VecDeque<Request> {
        &self.at_core
    }

    /// How many of them have begun.
    pub(super) fn begun(&self) -> usize {
        self.begun
    }

    /// Pending in a supply, in order.
    pub(super) fn pending(&self, supply: SupplyId) -> &VecDeque<Request> {
        &self.pending[supply.0]
    }

    /// How many of an interrupt in its guest are not handled.
    pub(super) fn inside(&self, id: InterruptId) -> u64 {
        self.inside[id.0]
    }

    /// The interrupt whose routine of the core ended, and has to merge with one in the guest.
    pub(super) fn has_to_merge(&self) -> Option<InterruptId> {
        self.has_to_merge
    }

    /// Whether the routine that runs has just begun.
    pub(super) fn has_just_begun(&self) -> bool {
        self.has_just_begun
    }

    /// Whether a request of an interrupt merges with a pending one.
    pub(super) fn merges(&self, interrupt: InterruptId) -> bool {
        self.system.interrupt(interrupt).storm.is_some()
    }

    /// Of a timer, or posted: pending in the guest at once.
    pub(super) fn requested(&mut self, interrupt: InterruptId) {
        let own = self.system.interrupt(interrupt);
        match own.delivery.as_ref().filter(|_| own.timer.is_some() || own.posted) {
            None => self.at_core.push_back(Request { interrupt, has_begun: false }),
            Some(Delivery { vcpu, .. }) => self.deliver_or_merge(interrupt, *vcpu),
        }
    }

    fn deliver_or_merge(&mut self, interrupt: InterruptId, guest: SupplyId) {
        let waits = |request: &Request| request.interrupt == interrupt && !request.has_begun;
        if self.merges(interrupt) && self.pending[guest.0].iter().any(waits) {
            self.has_to_merge = Some(interrupt);
        } else {
            self.deliver(interrupt, guest);
        }
    }

    fn deliver(&mut self, interrupt: InterruptId, vcpu: SupplyId) {
        self.pending[vcpu.0].push_back(Request { interrupt, has_begun: false });
        self.inside[interrupt.0] += 1;
    }

    /// A routine is complete.
    pub(super) fn served(&mut self, interrupt: InterruptId, in_guest: bool) {
        let guest = self.guest(interrupt);
        if in_guest {
            guest.and_then(|guest| self.pending[guest.0].pop_front());
            return;
        }
        let place = self.at_core.iter().position(|request| request.interrupt == interrupt);
        let request = place.and_then(|place| self.at_core.remove(place));
        self.begun -= usize::from(request.is_some_and(|request| request.has_begun));
        if let Some(guest) = guest {
            self.deliver_or_merge(interrupt, guest);
        }
    }

    /// It has merged with one in the guest.
    pub(super) fn merged(&mut self, interrupt: InterruptId) {
        self.has_to_merge.take_if(|waiting| *waiting == interrupt);
    }

    /// It is handled in its guest.
    pub(super) fn handled(&mut self, interrupt: InterruptId) {
        self.inside[interrupt.0] = self.inside[interrupt.0].saturating_sub(1);
    }

    /// From now on this runs.
    pub(super) fn runs(&mut self, what: Running) {
        let first = match what {
            Running::Interrupt(id) => {
                self.at_core.iter_mut().find(|request| request.interrupt == id)
            }
            Running::GuestRoutine(id) => {
                self.guest(id).and_then(|guest| self.pending[guest.0].front_mut())
            }
            _ => None,
        };
        self.has_just_begun = first.as_ref().is_some_and(|first| !first.has_begun);
        if let Some(first) = first {
            first.has_begun = true;
        }
        let of_core = matches!(what, Running::Interrupt(_));
        self.begun += usize::from(of_core && self.has_just_begun);
    }

    fn guest(&self, interrupt: InterruptId) -> Option<SupplyId> {
        self.system.interrupt(interrupt).delivery.as_ref().map(|delivery| delivery.vcpu)
    }
}
