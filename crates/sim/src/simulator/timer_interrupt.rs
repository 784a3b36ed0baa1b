//! The timer interrupt.
//!
//! **Assumptions.** Every part is complete before the next begins; steps without a duration happen at once. A
//! timer that expires while others are handled is handled with them.

use super::one_core::OneCore;
use crate::expiries::{Callback, Expiries, Step};
use crate::observer::{Cause, Observer};
use crate::routines::Work;
use vorrang_time::{Duration, Instant};
use vorrang_timer::Urgency;

impl OneCore<'_> {
    /// A timer has expired that may interrupt what the core runs.
    pub(super) fn request_timers(&mut self) {
        let left_guest = self.runs_guest();
        let expiries = self.expiries.as_mut().expect("one of its timers expires");
        expiries.step = Some(Step::Entry);
        let exit = if left_guest { self.system.costs.vm_exit } else { Duration::ZERO };
        let work = Work::Timers { left_guest };
        self.tree.nodes[0].routines.request_timers(work, expiries.entry + exit);
        self.unsettled.insert(0);
        self.set_expiries_timer();
    }

    /// Step 1: the step of the timer interrupt is over. What comes next is known in step 5, with
    /// all that has expired by then.
    pub(super) fn end_step(
        &mut self,
        left_guest: bool,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let expiries = self.expiries.as_mut().expect("its interrupt has the core");
        match expiries.step.replace(Step::Next) {
            Some(Step::Exit) => return self.end_timer_interrupt(left_guest, now, observer),
            Some(Step::Callback(callback)) => self.end_callback(callback, now, observer),
            Some(Step::Entry | Step::Next) | None => {}
        }
        self.tree.nodes[0].routines.go_on(Work::Timers { left_guest }, Duration::ZERO);
    }

    /// Step 5: the next step of the timer interrupt that takes time begins; what takes none is
    /// over at once.
    pub(super) fn begin_steps(&mut self, now: Instant, observer: &mut impl Observer) {
        let Some(Work::Timers { left_guest }) =
            self.tree.nodes[0].routines.progress(Duration::ZERO)
        else {
            unreachable!("only the timer interrupt has steps that take no time")
        };
        self.unsettled.insert(0);
        loop {
            let (step, length) = self.next_step(now);
            self.expiries.as_mut().expect("its interrupt has the core").step = Some(step);
            if !length.is_zero() {
                return self.tree.nodes[0].routines.go_on(Work::Timers { left_guest }, length);
            }
            match step {
                Step::Callback(callback) => self.end_callback(callback, now, observer),
                _ => return self.end_timer_interrupt(left_guest, now, observer),
            }
        }
    }

    /// The next callback, or the exit, and how long it takes.
    fn next_step(&mut self, now: Instant) -> (Step, Duration) {
        let callback = self.next_callback(now);
        let expiries = self.expiries.as_ref().expect("its interrupt has the core");
        match callback {
            Some(callback) => (Step::Callback(callback), expiries.callback),
            None => (Step::Exit, expiries.exit),
        }
    }

    /// The callback of the next timer that has expired; none where the history ends.
    fn next_callback(&mut self, now: Instant) -> Option<Callback> {
        self.take_step();
        if self.is_stuck() {
            return None;
        }
        self.expiries.as_mut().expect("its timers are handled").expire(now)
    }

    fn end_timer_interrupt(
        &mut self,
        left_guest: bool,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let expiries = self.expiries.as_mut().expect("its interrupt has the core");
        expiries.step = None;
        let around = expiries.entry + expiries.exit;
        self.unsettled.insert(0);
        self.lose(Cause::InterruptEntry, around, now, observer);
        if left_guest {
            self.lose(Cause::VmExit, self.system.costs.vm_exit, now, observer);
        }
        // What has expired during the exit requests it at once, before budgets end at this instant. Where no callback could begin, as
        // the history ends, it would do so for ever.
        let expiries = self.expiries.as_ref().expect("its interrupt is over");
        if expiries.next_request() < now && !self.is_stuck() {
            self.request_timers();
        } else {
            self.set_expiries_timer();
        }
    }

    /// The callback of a timer is complete.
    fn end_callback(
        &mut self,
        Callback { timer, due }: Callback,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        let expiries = self.expiries.as_ref().expect("one of its timers has expired");
        let (own, callback) = (&expiries.timers[timer], expiries.callback);
        let (wakes, delivers) = (own.wakes, own.delivers);
        observer.expired(own.id, due, now);
        self.lose(Cause::TimerExpiry, callback, now, observer);
        if wakes.is_some() || delivers.is_some() {
            self.expiries.as_mut().expect("it has timers").released_by(timer);
        }
        if let Some(task) = wakes {
            self.activate(task, due, now, false, observer);
        }
        if let Some(interrupt) = delivers {
            self.deliver_expiry(interrupt, due, now, observer);
        }
    }

    /// The core is decided for something: expired timers that may be handled from now on request the interrupt.
    /// It makes levels active at this instant; the decision stands.
    pub(super) fn let_timers_through(&mut self, now: Instant, observer: &mut impl Observer) {
        let to = self.decided_urgency();
        let expiries = self.expiries.as_mut().expect("it has timers");
        if expiries.running == to {
            return;
        }
        expiries.running = to;
        if expiries.next_request() <= now {
            self.request_timers();
            self.settle(now, observer);
        } else {
            self.set_expiries_timer();
        }
    }

    /// The urgency of the member that the last decision gave the core to: none while all that is ready is throttled.
    fn decided_urgency(&self) -> Urgency {
        let core = &self.tree.nodes[0];
        match self.chosen_of_core() {
            None => Urgency::LEAST,
            Some(_) if !core.is_ordered() => Urgency::MOST,
            Some(first) => {
                let chosen = self.goes_on(0, first);
                self.tree.urgency(core.members[chosen as usize])
            }
        }
    }

    pub(super) fn set_expiries_timer(&mut self) {
        let next = self.expiries.as_ref().map_or(Instant::NEVER, Expiries::next_request);
        self.timers.set(self.entities.expiries, next);
    }
}
