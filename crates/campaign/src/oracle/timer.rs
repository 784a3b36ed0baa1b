//! Timers in both queues.

use super::choose::Chosen;
use super::{Core, Ran, listed};
use core::cmp::Reverse;
use vorrang_model::system::{InterruptId, Member, Scheduler, TimerId, TimerQueue};

/// Urgencies on a core, from nothing at all to what every timer may interrupt.
const BACKGROUND: u64 = 1;
const LOWEST: u64 = 2;
const CEILING: u64 = 1 << 40;
const ANY: u64 = u64::MAX;

/// A part of the timer interrupt.
#[derive(Clone, Copy, Debug)]
enum Part {
    Entry,
    Callback(Expired),
    Exit,
    /// Between two of them.
    Next,
}

/// A timer that has expired: when, and which.
type Expired = (u64, usize);

/// The timers of the core.
#[derive(Clone, Debug, Default)]
pub(super) struct Timers {
    /// Expired, the callback not begun.
    expired: Vec<Expired>,
    /// When and in which step of the instant the timer interrupt was requested, and whether that
    /// took a guest from the core.
    requested: Option<((u64, u8), bool)>,
    running: Option<(Part, u64)>,
    /// A callback has released something.
    pub(super) called_back: bool,
    /// The most urgent timer whose callback has released something since the last decision.
    pub(super) released: u64,
}

impl Core<'_> {
    /// Step 4.
    pub(super) fn timers_expire(&mut self) {
        for id in self.system.timers_on(self.id) {
            let history = self.history;
            for &at in listed(&history.timers, id.0).iter().filter(|&&at| at == self.now) {
                self.timers.expired.push((at, id.0));
            }
        }
        self.request_timer_interrupt(4);
    }

    /// The urgency of the choice on the core; zero for none.
    pub(super) fn urgency(&self, chosen: Option<Chosen>) -> u64 {
        match chosen {
            None => 0,
            Some(Chosen::Task(id)) => self.urgency_of(Member::Task(id)),
            Some(Chosen::Server(id)) if self.server(id).place.background => BACKGROUND,
            Some(Chosen::Server(id)) => self.urgency_of(Member::Server(id)),
            Some(Chosen::Pseudo(id)) => {
                self.pseudo_priority(id).map_or(CEILING, |own| LOWEST + u64::from(own.0))
            }
        }
    }

    fn urgency_of(&self, member: Member) -> u64 {
        let scheduler = self.system.supply(self.id).scheduler;
        if !matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux)
            || self.is_linux_server(member)
        {
            return ANY;
        }
        LOWEST + u64::from(self.priority(member).0)
    }

    fn urgency_of_timer(&self, id: usize) -> u64 {
        let task = self.system.timer(TimerId(id)).armed_by;
        let mut member = Member::Task(task);
        let mut supply = self.system.task(task).on;
        while let Some(on) = self.system.supply(supply).on() {
            member = Member::Server(supply);
            supply = on;
        }
        self.urgency_of(member)
    }

    /// The next timer that may be handled; whatever runs, if its deferral has ended before that instant.
    fn eligible(&self, before: u64) -> Option<Expired> {
        let supply = self.system.supply(self.id);
        let expired = || self.timers.expired.iter().copied();
        if supply.timer_queue == TimerQueue::HrTimer {
            return expired().min();
        }
        let least = self.kernel.urgency.max(self.timers.released);
        let may = expired().filter(|&(_, id)| self.urgency_of_timer(id) >= least);
        let first = may.min_by_key(|&own| (Reverse(self.urgency_of_timer(own.1)), own));
        let too_long =
            |&(at, _): &Expired| supply.max_defer.is_some_and(|most| at + most.as_ns() < before);
        first.or_else(|| expired().filter(too_long).min())
    }

    /// The releases of a callback have been decided about, if needed: timers that it held back may fire.
    pub(super) fn look_at_timers_again(&mut self) {
        self.timers.released = 0;
        self.request_timer_interrupt(5);
    }

    fn request_timer_interrupt(&mut self, step: u8) {
        // It handles them itself, or is requested again when it is over.
        if self.timers.running.is_some() {
            return;
        }
        // A deferral that ends at this instant ends in step 4, like what expires.
        let before = if step < 4 { self.now } else { self.now + 1 };
        if self.timers.requested.is_none() && self.eligible(before).is_some() {
            self.timers.requested = Some(((self.now, step), self.last.vcpu));
        }
    }

    /// Since when, and since which step, if it is requested or runs.
    pub(super) fn timer_interrupt_requested(&self) -> Option<(u64, u8)> {
        match self.timers.running {
            Some(_) => Some((0, 0)),
            None => self.timers.requested.map(|(at, _)| at),
        }
    }

    /// For a tick; `None` if it was over in no time.
    pub(super) fn run_timer_interrupt(&mut self) -> Option<Ran> {
        if self.timers.running.is_none() {
            let (_, from_guest) = self.timers.requested.take().expect("it is requested");
            let costs = &self.system.costs;
            let exit = if from_guest { costs.vm_exit.as_ns() } else { 0 };
            self.timers.running = Some((Part::Entry, costs.interrupt_entry.as_ns() + exit));
            self.end_timer_part();
        }
        self.begin_timer_part();
        let (_, left) = self.timers.running.as_mut()?;
        *left -= 1;
        self.last = super::Last::default();
        Some(Ran::Timers)
    }

    /// Step 1: a part of the timer interrupt is over.
    pub(super) fn end_timer_part(&mut self) {
        let Some((part, 0)) = self.timers.running else { return };
        if let Part::Callback((due, id)) = part {
            self.call_back(due, id);
        }
        self.timers.running = match part {
            Part::Exit => None,
            _ => Some((Part::Next, 0)),
        };
        // What has expired during the exit.
        self.request_timer_interrupt(1);
    }

    /// Step 5: what comes next in the timer interrupt, known all that has expired by now.
    fn begin_timer_part(&mut self) {
        while let Some((Part::Next, _)) = self.timers.running {
            self.timers.running = Some(self.next_part());
            self.end_timer_part();
        }
    }

    fn next_part(&mut self) -> (Part, u64) {
        let costs = &self.system.costs;
        match self.eligible(self.now + 1) {
            Some(first) => {
                self.timers.expired.retain(|expired| *expired != first);
                (Part::Callback(first), costs.timer_expiry.as_ns())
            }
            None => (Part::Exit, costs.interrupt_exit.as_ns()),
        }
    }

    /// A callback is complete.
    fn call_back(&mut self, due: u64, id: usize) {
        let timer = self.system.timer(TimerId(id));
        let urgency = self.urgency_of_timer(id);
        if timer.wakes {
            self.timers.released = self.timers.released.max(urgency);
            self.release(timer.armed_by, due);
            self.timers.called_back = true;
        }
        // Of a guest: its routine is pending there.
        if let Some(interrupt) = self.delivered_by_timer(id) {
            self.timers.released = self.timers.released.max(urgency);
            self.raise_in_guest(interrupt, due);
            self.timers.called_back = true;
        }
    }

    fn delivered_by_timer(&self, id: usize) -> Option<InterruptId> {
        let own = self.system.interrupts.iter().position(|own| own.timer == Some(TimerId(id)))?;
        Some(InterruptId(own))
    }
}
