//! The timers of a core: what is armed, and how far the timer interrupt has come.
//!
//! ```text
//!   expiry ──┐
//!   decision ┴─ request ─[ entry | callback | callback | … | exit ]      the timer interrupt
//! ```
//!
//! **Model.** "Timers" in `docs/model.md`, on the queues of `vorrang-timer`. A timer has one place
//! in the queue: it is armed again for its next expiry when its callback begins.

use crate::history::History;
use crate::jobs::Jobs;
use vorrang_model::system::{InterruptId, SupplyId, System, TimerId, TimerQueue as Kind};
use vorrang_time::{Duration, Instant};
use vorrang_timer::{HrTimer, TimerQueue as _, TimerShield, Urgency};

/// The timers of one core.
#[derive(Clone, Debug)]
pub(crate) struct Expiries {
    core: SupplyId,
    queue: Queue,
    pub(crate) timers: Vec<Timer>,
    /// Their urgencies, the most urgent first, without repetition.
    urgencies: Vec<Urgency>,
    /// The urgency of what the core runs, or of what a callback has released since the last decision.
    pub(crate) running: Urgency,
    /// The longest deferral of a timer (`max-defer`).
    max_defer: Option<Duration>,
    /// What the timer interrupt does; `None`: it is not requested.
    pub(crate) step: Option<Step>,
    /// What the callback of a timer takes.
    pub(crate) callback: Duration,
    pub(crate) entry: Duration,
    pub(crate) exit: Duration,
}

/// One timer.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    pub(crate) id: TimerId,
    /// The task whose job it releases, by its place.
    pub(crate) wakes: Option<usize>,
    /// The interrupt that it delivers to the guest of its task, by its place.
    pub(crate) delivers: Option<usize>,
    urgency: Urgency,
    expiries: Jobs,
}

/// A part of the timer interrupt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// It waits, or it enters.
    Entry,
    Callback(Callback),
    /// Between two of the others, within an instant.
    Next,
    /// It leaves.
    Exit,
}

/// The callback of a timer, by its place, that expired at `due`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callback {
    pub(crate) timer: usize,
    pub(crate) due: Instant,
}

/// A queue of either kind.
#[derive(Clone, Debug)]
enum Queue {
    HrTimer(HrTimer),
    TimerShield(TimerShield),
}

impl Expiries {
    /// The timers of a core, as [`Expiries::new`] has them, if it has any.
    pub(crate) fn of_core(
        system: &System,
        core: SupplyId,
        task: impl Fn(TimerId) -> (usize, Urgency),
    ) -> Option<Self> {
        system.timers_on(core).next()?;
        Some(Self::new(system, core, &History::quiet(system), task))
    }

    /// The timers of a core, none of them armed; each with the place of its task and its urgency.
    fn new(
        system: &System,
        core: SupplyId,
        quiet: &History,
        task: impl Fn(TimerId) -> (usize, Urgency),
    ) -> Self {
        let interrupts: Vec<InterruptId> = system.interrupts_of(core).collect();
        let timers: Vec<Timer> = system
            .timers_on(core)
            .map(|id| {
                let (task, urgency) = task(id);
                let wakes = system.timer(id).wakes.then_some(task);
                let delivers = system.delivered_by(id).map(|id| {
                    interrupts.binary_search(&id).expect("its guest is on the same core")
                });
                Timer { id, wakes, delivers, urgency, expiries: quiet.expiries(system, id) }
            })
            .collect();
        Self {
            core,
            queue: Queue::new(system, core, timers.len()),
            urgencies: urgencies(&timers),
            timers,
            running: Urgency::LEAST,
            max_defer: system.supply(core).max_defer,
            step: None,
            callback: system.costs.timer_expiry,
            entry: system.costs.interrupt_entry,
            exit: system.costs.interrupt_exit,
        }
    }

    /// Resets them to the start of a history.
    pub(crate) fn reset(&mut self, system: &System, history: &History) {
        self.queue = Queue::new(system, self.core, self.timers.len());
        (self.running, self.step) = (Urgency::LEAST, None);
        for place in 0..self.timers.len() {
            self.timers[place].expiries = history.expiries(system, self.timers[place].id);
            self.arm_next(place);
        }
    }

    /// When the timer interrupt is requested next.
    pub(crate) fn next_request(&self) -> Instant {
        if self.step.is_some() {
            return Instant::NEVER;
        }
        let next = self.queue.next_event(self.running).unwrap_or(Instant::NEVER);
        self.first_overdue().map_or(next, |overdue| next.min(overdue))
    }

    /// When the first timer reaches its longest deferral.
    fn first_overdue(&self) -> Option<Instant> {
        let max_defer = self.max_defer.filter(|_| self.queue.shields())?;
        self.queue.next_event(Urgency::LEAST)?.checked_add(max_defer)
    }

    /// Begins the callback of the next timer that has expired and may be handled now.
    pub(crate) fn expire(&mut self, now: Instant) -> Option<Callback> {
        let least = self.next_urgency(now)?;
        let due = self.queue.next_event(least)?;
        let timer = match &mut self.queue {
            Queue::HrTimer(queue) => queue.expire(now, least),
            Queue::TimerShield(queue) => queue.expire(now, least),
        }? as usize;
        self.arm_next(timer);
        Some(Callback { timer, due })
    }

    /// The timer that is handled next, of at least this urgency. Behind a shield: one of the most urgent that
    /// have expired and may be handled, or the first that has reached its longest deferral.
    fn next_urgency(&self, now: Instant) -> Option<Urgency> {
        if !self.queue.shields() {
            return Some(self.running);
        }
        let has_expired =
            |least: &Urgency| self.queue.next_event(*least).is_some_and(|at| at <= now);
        let may = self.urgencies.iter().filter(|own| !self.running.is_more_urgent_than(**own));
        let overdue = || self.first_overdue().filter(|&at| at <= now).map(|_| Urgency::LEAST);
        may.copied().find(has_expired).or_else(overdue)
    }

    /// The callback of a timer has released something: less urgent timers wait until the next decision.
    pub(crate) fn released_by(&mut self, timer: usize) {
        self.running = self.running.max(self.timers[timer].urgency);
    }

    /// The expiries before an instant whose callbacks have begun and are not complete; each with the
    /// place of its timer.
    pub(crate) fn under_way(&self, before: Instant) -> impl Iterator<Item = (usize, Instant)> {
        let under_way = match self.step {
            Some(Step::Callback(callback)) => Some(callback),
            _ => None,
        };
        under_way
            .into_iter()
            .filter(move |own| own.due < before)
            .map(|Callback { timer, due }| (timer, due))
    }

    /// The next expiry of a timer that releases or delivers something whose callback has not begun,
    /// if that is before an instant; the timer is armed for the one after it.
    pub(crate) fn take_pending(&mut self, timer: usize, before: Instant) -> Option<Instant> {
        let Timer { wakes, delivers, .. } = self.timers[timer];
        wakes.or(delivers)?;
        let slot = u32::try_from(timer).expect("timers are limited");
        let armed = match &self.queue {
            Queue::HrTimer(queue) => queue.expiry(slot),
            Queue::TimerShield(queue) => queue.expiry(slot),
        };
        let due = armed.filter(|&due| due < before)?;
        self.arm_next(timer);
        Some(due)
    }

    fn arm_next(&mut self, timer: usize) {
        let Timer { urgency, expiries, .. } = &mut self.timers[timer];
        let at = expiries.next().map_or(Instant::NEVER, |plan| plan.release);
        let slot = u32::try_from(timer).expect("timers are limited");
        match &mut self.queue {
            Queue::HrTimer(queue) => queue.arm(slot, at, *urgency),
            Queue::TimerShield(queue) => queue.arm(slot, at, *urgency),
        }
    }
}

/// The urgencies of timers, the most urgent first, without repetition.
fn urgencies(timers: &[Timer]) -> Vec<Urgency> {
    let mut all: Vec<Urgency> = timers.iter().map(|timer| timer.urgency).collect();
    all.sort_unstable_by_key(|&urgency| core::cmp::Reverse(urgency));
    all.dedup();
    all
}

impl Queue {
    fn shields(&self) -> bool {
        matches!(self, Self::TimerShield(_))
    }

    fn next_event(&self, running: Urgency) -> Option<Instant> {
        match self {
            Self::HrTimer(queue) => queue.next_event(running),
            Self::TimerShield(queue) => queue.next_event(running),
        }
    }

    fn new(system: &System, core: SupplyId, timers: usize) -> Self {
        let capacity = u32::try_from(timers).expect("timers are limited");
        match system.supply(core).timer_queue {
            Kind::HrTimer => Self::HrTimer(HrTimer::with_capacity(capacity)),
            Kind::TimerShield => Self::TimerShield(TimerShield::with_capacity(capacity)),
        }
    }
}
