//! Lost time has a cause, and no time is lost without one.
//!
//! **Model.** Core time is work (tasks, blocking sections, routines), idle, or lost; each interval of the
//! kernel, and the overhead of routines, is reported as lost to its cause:
//!
//! | time of | is |
//! |---|---|
//! | calls of the scheduler, switches | all lost, to that cause |
//! | the timer interrupt and batches | all lost: entry and exit, callbacks, VM exits |
//! | a routine of the core | execution, at most `isr`; lost: entry and exit, VM exits |
//! | a guest's routine | execution, at most its `isr`; lost: VM exits, cold caches |

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use vorrang_model::system::InterruptId;
use vorrang_sim::{Cause, Execution, Running, Section};
use vorrang_time::{Duration, Instant};

/// Time of the core that is not accounted for yet.
pub(super) struct Account {
    since: Instant,
    what: Running,
    calls: Open,
    switches: Open,
    timers: Open,
    /// By interrupt, for the routine of the core that is not over.
    routines: Vec<Open>,
    /// The same in the guest.
    guest_routines: Vec<Open>,
}

/// Time that was spent, and the part reported as lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Open {
    spent: Duration,
    lost: Duration,
}

impl Open {
    /// What is not lost; `None`: more is lost than was spent.
    fn rest(self) -> Option<Duration> {
        self.spent.as_ns().checked_sub(self.lost.as_ns()).map(Duration::from_ns)
    }
}

impl Account {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        let interrupts = picture.system.interrupts.len();
        Self {
            since: Instant::ZERO,
            what: Running::Idle,
            calls: Open::default(),
            switches: Open::default(),
            timers: Open::default(),
            routines: vec![Open::default(); interrupts],
            guest_routines: vec![Open::default(); interrupts],
        }
    }

    /// The account of the running entity's time and losses.
    fn open(&mut self) -> Option<&mut Open> {
        match self.what {
            Running::Kernel(Section::SchedulerCall) => Some(&mut self.calls),
            Running::Kernel(Section::ContextSwitch) => Some(&mut self.switches),
            Running::Kernel(Section::Timers) => Some(&mut self.timers),
            Running::Interrupt(id) => Some(&mut self.routines[id.0]),
            Running::GuestRoutine(id) => Some(&mut self.guest_routines[id.0]),
            _ => None,
        }
    }

    fn count(&mut self, now: Instant) {
        let spent = now.saturating_since(self.since);
        if let Some(open) = self.open() {
            open.spent += spent;
        }
        self.since = now;
    }

    fn lost(&mut self, cause: Cause, amount: Duration) {
        let open = match cause {
            Cause::SchedulerCall => Some(&mut self.calls),
            Cause::ContextSwitch => Some(&mut self.switches),
            // Those of a task are looked at where its work is.
            _ => self.open(),
        };
        if let Some(open) = open {
            open.lost += amount;
        }
    }

    fn served(
        &mut self,
        id: InterruptId,
        in_guest: bool,
        picture: &Picture<'_>,
        findings: &mut Findings,
    ) {
        let interrupt = picture.system.interrupt(id);
        let delivery = interrupt.delivery.as_ref();
        let (open, longest) = if in_guest {
            (&mut self.guest_routines[id.0], delivery.map(|delivery| delivery.isr))
        } else {
            (&mut self.routines[id.0], Some(interrupt.isr))
        };
        let work = core::mem::take(open).rest();
        let longest = longest.unwrap_or_default();
        let least = match picture.history.execution {
            Execution::Full | Execution::Drawn => longest,
            Execution::Random => longest.min(Duration::RESOLUTION),
        };
        let fits = work.is_some_and(|work| (least..=longest).contains(&work));
        findings.expect(fits, Invariant::Losses, picture.now, || {
            format!("a routine of {id:?} worked {work:?}, from {least} to {longest} are stated")
        });
    }

    /// The timer interrupt is never interrupted, so when something else runs all of it is told.
    fn runs(&mut self, what: Running, now: Instant, findings: &mut Findings) {
        self.what = what;
        if what == Running::Kernel(Section::Timers) {
            return;
        }
        let timers = core::mem::take(&mut self.timers);
        findings.expect(timers.spent == timers.lost, Invariant::Losses, now, || {
            format!("timers took {} and lost {}", timers.spent, timers.lost)
        });
    }

    fn ended(&mut self, now: Instant, findings: &mut Findings) {
        for (open, name) in [(self.calls, "calls of the scheduler"), (self.switches, "switches")] {
            findings.expect(open.spent == open.lost, Invariant::Losses, now, || {
                format!("{name} took {} and lost {}", open.spent, open.lost)
            });
        }
    }
}

impl Check for Account {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::LOST, Kinds::SERVED, Kinds::RUNS, Kinds::ENDED])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        self.count(picture.now);
        match *event {
            Event::Lost(_, cause, amount, _) => self.lost(cause, amount),
            Event::Served(id, in_guest, _) => self.served(id, in_guest, picture, findings),
            Event::Runs(what, at) => self.runs(what, at, findings),
            Event::Ended(at) => self.ended(at, findings),
            _ => {}
        }
    }
}
