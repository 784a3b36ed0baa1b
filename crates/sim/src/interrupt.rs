//! An interrupt of a core: the stages of its requests.
//!
//! ```text
//!   arrival ── request ── routine of the core ─┬─ routine of the guest ─┬─ job of a task ── handled
//!                                              └────────────────────────┴─────────────────── handled
//! ```
//!
//! What a timer delivers begins with the routine of the guest: the callback stands for that of the
//! core, and the expiry is the arrival. So does what is posted. A pseudo-VCPU may hold it back between the two.
//!
//! **Model.** Every stage serves the requests of one interrupt in the order of arrival, so one
//! queue of what is not handled yet is enough; it is not handled until the last stage is complete.

use crate::history::History;
use crate::job::{Job, Place};
use crate::jobs::{Jobs, Plan};
use crate::places::Places;
use std::collections::VecDeque;
use vorrang_model::system::{InterruptId, System};
use vorrang_time::{Duration, Instant};

/// An interrupt, its next request, and those that are not handled.
#[derive(Clone, Debug)]
pub(crate) struct InterruptState {
    pub(crate) id: InterruptId,
    pub(crate) priority: u32,
    /// Whether a request merges with a pending one.
    pub(crate) merges: bool,
    /// Overhead of its routine: entry and exit.
    pub(crate) around: Duration,
    /// Of the exit of a guest that its routine interrupts, and of the end of the guest's.
    pub(crate) vm_exit: Duration,
    /// The task that it wakes, by its place.
    pub(crate) wakes: Option<usize>,
    pub(crate) guest: Option<Guest>,
    /// Where its kick is, if it has one.
    pub(crate) kick: Option<Place>,
    /// The place of its pseudo-VCPU.
    pub(crate) pseudo_vcpu: Option<usize>,
    /// Requests that are held back, in order.
    pub(crate) held: VecDeque<Plan>,
    /// Whether the core runs a routine for it; else it is in the guest at once.
    pub(crate) has_routine: bool,
    /// Whether a card, a timer or another routine raises it, and not an external source.
    pub(crate) has_source: bool,
    /// When it was raised, until it is requested.
    pub(crate) raised: Option<Instant>,
    pub(crate) jobs: Jobs,
    /// The request that comes next.
    pub(crate) next: Option<Plan>,
    /// Requested and not handled, in order.
    pub(crate) unhandled: VecDeque<Job>,
}

/// The guest that an interrupt is delivered to.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    /// The place of the virtual processor.
    pub(crate) node: usize,
    /// How long its routines execute.
    pub(crate) routines: Jobs,
}

impl InterruptState {
    /// An interrupt that never arrives before it is reset to a history.
    pub(crate) fn new(system: &System, id: InterruptId, quiet: &History, places: &Places) -> Self {
        let interrupt = system.interrupt(id);
        let guest = interrupt.delivery.as_ref().map(|delivery| Guest {
            node: places.node(delivery.vcpu),
            routines: quiet.guest_routines(system, id),
        });
        Self {
            id,
            priority: interrupt.priority.0,
            merges: interrupt.storm.is_some(),
            around: system.costs.interrupt_entry + system.costs.interrupt_exit,
            vm_exit: interrupt.end_of_interrupt(system.costs.vm_exit),
            wakes: interrupt.wakes.map(|woken| places.task(woken)),
            guest,
            pseudo_vcpu: places.pseudo_vcpu(id),
            held: VecDeque::new(),
            has_routine: interrupt.has_routine(),
            has_source: !interrupt.is_external(),
            kick: None,
            raised: None,
            jobs: quiet.jobs_of_interrupt(system, id),
            next: None,
            unhandled: VecDeque::new(),
        }
    }

    /// Resets it to the start of a history.
    pub(crate) fn reset(&mut self, system: &System, history: &History) {
        self.jobs = history.jobs_of_interrupt(system, self.id);
        self.next = if self.has_source { None } else { self.jobs.next() };
        self.raised = None;
        self.unhandled.clear();
        self.held.clear();
        if let Some(guest) = &mut self.guest {
            guest.routines = history.guest_routines(system, self.id);
        }
    }

    /// Its card raises it, or the routine of another core whose interrupt arrived then.
    pub(crate) fn raise(&mut self, arrival: Instant) {
        self.raised = Some(arrival);
    }

    /// When the next request comes.
    pub(crate) fn due(&self) -> Instant {
        self.raised.or(self.next.map(|plan| plan.release)).unwrap_or(Instant::NEVER)
    }

    /// The request that comes next; the one after it is prepared.
    pub(crate) fn take_next(&mut self) -> Plan {
        if let Some(arrival) = self.raised.take() {
            let (number, execution) = self.jobs.draw();
            return Plan { number, arrival, release: arrival, execution, yields: false };
        }
        let plan = self.next.expect("it is due");
        self.next = self.jobs.next();
        plan
    }

    /// The timer that delivers it expired then, and is called back now.
    pub(crate) fn expire(&mut self, due: Instant, now: Instant) -> Plan {
        let (number, execution) = self.jobs.draw();
        Plan { number, arrival: due, release: now, execution, yields: false }
    }

    /// A request has merged and is no longer separate.
    pub(crate) fn forget(&mut self, job: &Job) {
        let place = self.unhandled.iter().rposition(|other| other.number == job.number);
        self.unhandled.remove(place.expect("it is not handled"));
    }
}
