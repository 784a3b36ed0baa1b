//! Service routines of the core and of guests, and what follows from their end.
//!
//! **Assumptions.** An interrupt is handled when the last of these is complete: its routine, the
//! guest's, the job of the task that it wakes. One with a pending bit merges with a request of
//! its own that waits and has not begun, at the core and in the guest. A routine that takes no time is over at once.

use super::one_core::{Choice, OneCore};
use crate::backlog::Live;
use crate::job::{Job, Source};
use crate::jobs::Plan;
use crate::observer::{Cause, Context, Observer, Running};
use crate::routines::Work;
use vorrang_time::{Duration, Instant};

impl OneCore<'_> {
    /// An interrupt arrives at the core. It merges with a request of its own that waits, or is
    /// held back, or is requested.
    pub(super) fn request(&mut self, interrupt: usize, now: Instant, observer: &mut impl Observer) {
        let state = &mut self.tree.interrupts[interrupt];
        let plan = state.take_next();
        let core = &self.tree.nodes[0].routines;
        if state.merges && (!state.held.is_empty() || core.has_waiting(interrupt)) {
            observer.merged(state.id, now);
        } else if self.passes(interrupt, plan, now, observer) {
            self.begin_request(interrupt, plan, now, observer);
        }
        self.set_interrupt_timer(interrupt);
    }

    /// The routine of the core is requested; what has none is in the guest at once.
    pub(super) fn begin_request(
        &mut self,
        interrupt: usize,
        plan: Plan,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let left_guest = self.runs_guest();
        let state = &mut self.tree.interrupts[interrupt];
        let job = Job { release: now, ..plan.job(Source::Interrupt(state.id)) };
        if !state.has_routine {
            state.unhandled.push_back(job);
            observer.released(&job);
            return self.deliver(interrupt, &job, now, observer);
        }
        let exit = if left_guest { state.vm_exit } else { Duration::ZERO };
        let work = Work::Routine { interrupt, job, left_guest };
        let length = plan.execution + state.around + exit;
        state.unhandled.push_back(job);
        observer.released(&job);
        if length.is_zero() {
            return self.end_work(0, work, now, observer);
        }
        let core = &mut self.tree.nodes[0].routines;
        core.request(work, state.priority, length);
        self.unsettled.insert(0);
    }

    /// Whether a virtual processor had the core just before this instant.
    pub(super) fn runs_guest(&self) -> bool {
        match (self.runs, self.what) {
            (Choice::Idle | Choice::Kernel | Choice::Routine(0), _) => false,
            // An idling server of the host is not a context that was interrupted.
            (Choice::Server, Running::Idling(id)) => {
                let mut nodes = self.tree.nodes.iter();
                nodes.any(|node| node.id == id && !node.is_host())
            }
            _ => matches!(self.kernel.holder(), Some(Context::Vcpu(_))),
        }
    }

    /// Whether what is first at the interrupt level of a node is a routine of that interrupt.
    pub(super) fn runs_routine_of(&self, node: usize, of: usize) -> bool {
        self.tree.nodes[node].routines.first().is_some_and(|request| request.is_of(of))
    }

    /// The first request at the interrupt level of a node had its supply for this long.
    pub(super) fn advance_routine(
        &mut self,
        node: usize,
        now: Instant,
        amount: Duration,
        observer: &mut impl Observer,
    ) {
        let work = if node == 0 { amount } else { self.kernel.progress(amount, now, observer) };
        if let Some(done) = self.tree.nodes[node].routines.progress(work) {
            self.is_done = true;
            self.end_work(node, done, now, observer);
        }
    }

    /// The first request at the interrupt level of a node is complete.
    pub(super) fn end_work(
        &mut self,
        node: usize,
        done: Work,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        self.unsettled.insert(node);
        let (interrupt, job, left_guest) = match done {
            Work::Routine { interrupt, job, left_guest } => (interrupt, job, left_guest),
            Work::Timers { left_guest } => return self.end_step(left_guest, now, observer),
            Work::Budget { left_guest } => {
                return self.end_budget_timer(left_guest, now, observer);
            }
        };
        let state = &self.tree.interrupts[interrupt];
        let (around, vm_exit) = if node == 0 {
            (state.around, if left_guest { state.vm_exit } else { Duration::ZERO })
        } else {
            (Duration::ZERO, state.vm_exit)
        };
        self.lose(Cause::InterruptEntry, around, now, observer);
        self.lose(Cause::VmExit, vm_exit, now, observer);
        observer.served(self.tree.interrupts[interrupt].id, node > 0, now);
        self.note_kick(interrupt, job.arrival);
        if node == 0 && self.tree.interrupts[interrupt].guest.is_some() {
            self.deliver(interrupt, &job, now, observer);
        } else {
            self.end_routine(interrupt, &job, now, observer);
        }
    }

    /// The context that has the core, or had it last, lost this much to that cause.
    pub(super) fn lose(
        &self,
        cause: Cause,
        amount: Duration,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        if !amount.is_zero() {
            observer.lost(self.kernel.holder(), cause, amount, now);
        }
    }

    /// The interrupt is pending in its virtual processor.
    fn deliver(&mut self, interrupt: usize, job: &Job, now: Instant, observer: &mut impl Observer) {
        let state = &mut self.tree.interrupts[interrupt];
        let guest = state.guest.as_mut().expect("it is delivered to one");
        let level = &mut self.tree.nodes[guest.node].routines;
        if state.merges && level.has_waiting(interrupt) {
            state.forget(job);
            observer.merged(state.id, now);
            self.enter_guest(interrupt, true, now, observer);
            return;
        }
        let (_, execution) = guest.routines.draw();
        let work = Work::Routine { interrupt, job: *job, left_guest: false };
        level.request(work, state.priority, execution + state.vm_exit);
        self.unsettled.insert(guest.node);
        self.enter_guest(interrupt, false, now, observer);
    }

    /// The callback of the timer that delivers an interrupt is complete.
    pub(super) fn deliver_expiry(
        &mut self,
        interrupt: usize,
        due: Instant,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let plan = self.tree.interrupts[interrupt].expire(due, now);
        if self.passes(interrupt, plan, now, observer) {
            self.begin_request(interrupt, plan, now, observer);
        }
    }

    /// The last routine of an interrupt is complete.
    fn end_routine(
        &mut self,
        interrupt: usize,
        job: &Job,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        match self.tree.interrupts[interrupt].wakes {
            Some(task) => self.activate(task, job.arrival, now, true, observer),
            None => self.handled(interrupt, now, observer),
        }
    }

    /// The first request of an interrupt that is not handled is.
    pub(super) fn handled(&mut self, interrupt: usize, now: Instant, observer: &mut impl Observer) {
        let job = self.tree.interrupts[interrupt].unhandled.pop_front();
        observer.completed(&job.expect("it was requested"), now);
        self.leave_guest(interrupt, now, observer);
    }

    /// A job of a task that does not arrive by itself is released.
    pub(super) fn activate(
        &mut self,
        task: usize,
        arrival: Instant,
        now: Instant,
        handles: bool,
        observer: &mut impl Observer,
    ) {
        let blocking = self.take_blocking(task, now);
        let state = &mut self.tree.tasks[task];
        let (number, remaining) = state.jobs.draw();
        let job = Job { source: Source::Task(state.id), number, arrival, release: now };
        let live = Live { job, blocking, remaining, handles, yields: false };
        self.make_ready(task, &live, now);
        self.tree.tasks[task].backlog.push_activated(live);
        observer.released(&job);
    }
}
