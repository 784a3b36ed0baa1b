//! The timers of a core: what is armed, and how far the timer interrupt has come.
//!
//! ```text
//!   expiry ── request ─[ entry | callback | callback | … | exit ]      the timer interrupt
//!   decision for something less urgent ─[ callback | … ]               a batch at the switch
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
    /// How urgent what the core runs is.
    pub(crate) running: Urgency,
    /// What the timer interrupt does; `None`: it is not requested.
    pub(crate) step: Option<Step>,
    /// The callback that a batch has come to.
    pub(crate) batch: Option<Callback>,
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
            timers,
            running: Urgency::LEAST,
            step: None,
            batch: None,
            callback: system.costs.timer_expiry,
            entry: system.costs.interrupt_entry,
            exit: system.costs.interrupt_exit,
        }
    }

    /// As at the start of a history.
    pub(crate) fn reset(&mut self, system: &System, history: &History) {
        self.queue = Queue::new(system, self.core, self.timers.len());
        (self.running, self.step, self.batch) = (Urgency::LEAST, None, None);
        for place in 0..self.timers.len() {
            self.timers[place].expiries = history.expiries(system, self.timers[place].id);
            self.arm_next(place);
        }
    }

    /// When the timer interrupt is requested next.
    pub(crate) fn next_request(&self) -> Instant {
        if self.step.is_some() || self.batch.is_some() {
            return Instant::NEVER;
        }
        self.queue.next_event(self.running).unwrap_or(Instant::NEVER)
    }

    /// Begins the callback of the next timer that has expired and may be handled now.
    pub(crate) fn expire(&mut self, now: Instant) -> Option<Callback> {
        let due = self.queue.next_event(self.running)?;
        let timer = match &mut self.queue {
            Queue::HrTimer(queue) => queue.expire(now, self.running),
            Queue::TimerShield(queue) => queue.expire(now, self.running),
        }? as usize;
        self.arm_next(timer);
        Some(Callback { timer, due })
    }

    /// Whether a switch to something of this urgency handles expired timers first.
    pub(crate) fn defers(&self, to: Urgency) -> bool {
        matches!(self.queue, Queue::TimerShield(_)) && self.running.is_more_urgent_than(to)
    }

    /// The expiries before an instant whose callbacks have begun and are not complete; each with the
    /// place of its timer.
    pub(crate) fn under_way(&self, before: Instant) -> impl Iterator<Item = (usize, Instant)> {
        let under_way = match self.step {
            Some(Step::Callback(callback)) => Some(callback),
            _ => None,
        };
        let begun = self.batch.into_iter().chain(under_way);
        begun.filter(move |own| own.due < before).map(|Callback { timer, due }| (timer, due))
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

impl Queue {
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
