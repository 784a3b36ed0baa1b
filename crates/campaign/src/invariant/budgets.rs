//! Budgets and deadlines of the servers with short rules, restated in intervals.
//!
//! | kind | budget | deadline |
//! |---|---|---|
//! | periodic, deferrable, polling | full at each multiple of the period, less what was charged; of a polling server nothing while its guest has nothing ready | the next multiple |
//! | cbs-hard, cbs-soft | the wake-up rule of 1998; a deadline later when it is gone | told by these |
//! | sched-deadline | the rules of Linux, for one that does not reclaim | told by these |
//!
//! **Assumptions.** 1. A rule looks at what is ready at the end of each instant. Where callbacks that take no time
//!    wake something, an instant has several ends, which are not told: the constant-bandwidth
//!    servers are then left alone for the rest of the history, polling ones for the instant.
//!
//! **Does not cover** sporadic servers and queues of refills (see [`super::windows`]), GRUB.

use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use vorrang_model::system::{Server, ServerKind, SupplyId, TimerId};
use vorrang_sim::{History, Payer};
use vorrang_time::{Duration, Instant};

/// The budget of a server by its rule.
pub(super) enum Rule {
    /// Full at multiples of the period; the next one.
    Aligned { next: Instant, is_polling: bool },
    /// A constant-bandwidth server.
    Cbs { deadline: Instant, waits: bool },
    /// One of Linux; when its throttling ends.
    Linux { deadline: Option<Instant>, throttled: Option<Instant> },
}

/// A server by its rule.
pub(super) struct Budget {
    pub(super) id: SupplyId,
    full: Duration,
    period: Duration,
    relative: Duration,
    left: Duration,
    /// The overrun, which is taken off the next budget.
    owed: Duration,
    rule: Rule,
    had_work: bool,
    /// Something was woken between two ends of one instant.
    is_lost: bool,
}

/// When a supply is started: only a periodic server waits for one of its periods.
pub(super) fn start(picture: &Picture<'_>, history: &History, supply: SupplyId) -> Instant {
    let Some(on) = picture.system.supply(supply).on() else { return Instant::ZERO };
    let parent = start(picture, history, on);
    let periodic = picture.server(supply).filter(|own| own.kind() == ServerKind::Periodic);
    let Some(server) = periodic else { return parent };
    let phase = history.phases[supply.0].modulo(server.period);
    let mut begin = Instant::ZERO + phase;
    while begin < parent {
        begin += server.period;
    }
    begin
}

impl Budget {
    /// Of a server whose rule is stated here.
    pub(super) fn new(id: SupplyId, picture: &Picture<'_>) -> Option<Self> {
        let server = picture.server(id)?;
        let (full, period, kind) = (server.budget, server.period, server.kind());
        let phase = Instant::ZERO + picture.history.phases[id.0].modulo(period);
        let (left, rule) = match kind {
            ServerKind::Periodic => {
                let next = start(picture, &picture.history, id);
                (Duration::ZERO, Rule::Aligned { next, is_polling: false })
            }
            ServerKind::Polling => {
                (Duration::ZERO, Rule::Aligned { next: phase, is_polling: true })
            }
            ServerKind::Deferrable => (full, Rule::Aligned { next: phase, is_polling: false }),
            ServerKind::CbsHard => (full, Rule::Cbs { deadline: Instant::ZERO, waits: true }),
            ServerKind::CbsSoft => (full, Rule::Cbs { deadline: Instant::ZERO, waits: false }),
            ServerKind::SchedDeadline if server.reclaims() || picture.ends_late(id) => return None,
            ServerKind::SchedDeadline => (full, Rule::Linux { deadline: None, throttled: None }),
            ServerKind::Sporadic
            | ServerKind::Slot
            | ServerKind::Table
            | ServerKind::PosixSporadic
            | ServerKind::RefillQueue
            | ServerKind::Share
            | ServerKind::Level => return None,
        };
        let (relative, owed) = (server.relative_deadline(), Duration::ZERO);
        Some(Self { id, full, period, relative, left, owed, rule, had_work: false, is_lost: false })
    }

    /// Its deadline, if it is known.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.rule {
            Rule::Aligned { next, .. } => Some(next),
            _ if self.is_lost => None,
            Rule::Cbs { deadline, .. } => Some(deadline),
            Rule::Linux { deadline, .. } => deadline,
        }
    }

    /// It was charged this much, up to now.
    fn pay(&mut self, amount: Duration, now: Instant) {
        self.owed += amount.saturating_sub(self.left);
        self.left = self.left.saturating_sub(amount);
        let (period, relative) = (self.period, self.relative);
        if !self.left.is_zero() {
            return;
        }
        match &mut self.rule {
            Rule::Cbs { deadline, waits: false } => {
                (self.left, *deadline) = (self.full, *deadline + period);
            }
            Rule::Linux { deadline, throttled } => {
                let until = deadline.map(|deadline| (deadline + period - relative).max(now));
                *throttled = throttled.or(until);
            }
            _ => {}
        }
    }

    /// Steps 3 and 5 of an instant.
    fn settle(&mut self, now: Instant, has_work: bool) {
        let before = core::mem::replace(&mut self.had_work, has_work);
        let wakes = has_work && !before;
        let Self { full, period, relative, left, owed, .. } = self;
        let (full, period, relative) = (*full, *period, *relative);
        match &mut self.rule {
            Rule::Aligned { next, is_polling } => {
                while *next <= now {
                    (*left, *next) = (full, *next + period);
                }
                if *is_polling && !has_work {
                    *left = Duration::ZERO;
                }
            }
            Rule::Cbs { deadline, .. } => {
                if left.is_zero() && *deadline <= now {
                    (*left, *deadline) = (full, *deadline + period);
                }
                let is_late = *deadline <= now || exceeds(*left, period, *deadline, now, full) >= 0;
                if wakes && is_late {
                    (*left, *deadline) = (full, now + period);
                }
            }
            Rule::Linux { deadline, throttled } => {
                if let (Some(until), Some(at)) = (*throttled, *deadline)
                    && until <= now
                {
                    let periods = owed.div_floor(full) + 1;
                    *throttled = None;
                    *left = full * periods - core::mem::take(owed);
                    let next = at + period * periods;
                    *deadline = Some(if next < now { now + relative } else { next });
                    if next < now {
                        *left = full;
                    }
                }
                if wakes && throttled.is_none() {
                    let after = wake(*left, *deadline, (full, relative, period), now);
                    (*left, *deadline, *throttled) = after;
                }
            }
        }
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        let now = picture.now;
        match *event {
            Event::Paid(Payer::Server(id), from, to) if id == self.id => {
                self.pay(to.saturating_since(from), now);
            }
            Event::Expired(id, ..) if wakes_in_no_time(id, picture) => {
                self.is_lost = true;
            }
            Event::Decided(..) | Event::Runs(..) => {
                self.settle(now, picture.has_work(self.id));
                self.compare(event, picture, findings);
            }
            _ => {}
        }
    }

    /// Compares the reported budget with the rule.
    fn compare(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        let told = picture.budgets[self.id.0];
        if self.is_lost {
            if let Rule::Aligned { .. } = self.rule {
                self.left = told;
                self.is_lost = !matches!(event, Event::Runs(..));
            }
            return;
        }
        findings.expect(told == self.left, Invariant::Budget, picture.now, || {
            format!("{:?} has {told}, by its rule {}", self.id, self.left)
        });
    }
}

/// Whether the callback of a timer releases a job, or delivers something, between two ends of an instant.
pub(super) fn wakes_in_no_time(id: TimerId, picture: &Picture<'_>) -> bool {
    let (system, at_once) = (picture.system, picture.system.costs.timer_expiry.is_zero());
    at_once && (system.timer(id).wakes || system.delivered_by(id).is_some())
}

/// The sign of `left / full` beside `(deadline − now) / period`.
fn exceeds(
    left: Duration,
    period: Duration,
    deadline: Instant,
    now: Instant,
    full: Duration,
) -> i128 {
    let until = deadline.saturating_since(now);
    let product = |a: Duration, b: Duration| i128::from(a.as_ns()) * i128::from(b.as_ns());
    product(left, period) - product(until, full)
}

/// The wake-up rule of Linux: what is left, the deadline, until when it is throttled.
fn wake(
    left: Duration,
    deadline: Option<Instant>,
    (full, relative, period): (Duration, Duration, Duration),
    now: Instant,
) -> (Duration, Option<Instant>, Option<Instant>) {
    let fresh = (full, Some(now + relative), None);
    let Some(at) = deadline else { return fresh };
    let next = at + period - relative;
    let is_constrained = relative < period;
    if is_constrained && at < now && now < next {
        return (Duration::ZERO, deadline, Some(next));
    }
    if at < now {
        return fresh;
    }
    if exceeds(left, relative, at, now, full) <= 0 {
        return (left, deadline, None);
    }
    if !is_constrained {
        return fresh;
    }
    let until = u128::from(at.saturating_since(now).as_ns());
    let share = until * u128::from(full.as_ns()) / u128::from(relative.as_ns());
    let left = Duration::from_ns(u64::try_from(share).expect("at most the budget"));
    (left, deadline, left.is_zero().then(|| next.max(now)))
}

/// All servers of a core whose rule is stated here.
pub(super) struct Budgets {
    pub(super) all: Vec<Budget>,
}

impl Budgets {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        Self { all: picture.servers.iter().filter_map(|&id| Budget::new(id, picture)).collect() }
    }
}

impl Budgets {
    pub(super) fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        for budget in &mut self.all {
            budget.hear(event, picture, findings);
        }
    }
}

/// Since when servers have been without budget.
struct Starvation {
    empty: Vec<Option<Instant>>,
}

/// No server with work waits longer than a period for budget.
pub(super) fn all<'s>(picture: &Picture<'s>) -> Vec<Box<dyn Check + 's>> {
    if picture.servers.is_empty() {
        return Vec::new();
    }
    vec![Box::new(Starvation { empty: vec![None; picture.system.supplies.len()] })]
}

impl Check for Starvation {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::BUDGET, Kinds::RUNS])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        match *event {
            // Before its first budget a server waits for its start.
            Event::Budget(Payer::Server(id), left, at) if at > Instant::ZERO => {
                let since = self.empty[id.0].unwrap_or(at);
                self.empty[id.0] = left.is_zero().then_some(since);
            }
            Event::Runs(_, at) => {
                for &id in &picture.servers {
                    let Some(since) = self.empty[id.0] else { continue };
                    let Some(&Server { period, .. }) = picture.server(id) else { continue };
                    let owes = picture.may_overrun(id) || picture.ends_late(id);
                    let starves = since + period < at && picture.has_work(id) && !owes;
                    findings.expect(!starves, Invariant::Starvation, at, || {
                        format!("{id:?} has work and no budget since {since}, {period} ago")
                    });
                }
            }
            _ => {}
        }
    }
}
