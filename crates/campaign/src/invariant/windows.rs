//! The consumption of a server in any window.
//!
//! **Model.** From the charges alone:
//!
//! | kind | at most |
//! |---|---|
//! | periodic, polling, deferrable, a pseudo-VCPU by *deferrable* | Q in each period from its phase on |
//! | slot | the slot |
//! | cbs-hard, sched-deadline that does not reclaim | `Q + w·Q/T` in any window of length w that begins when its guest gets work |
//! | refill-queue | `⌈w/T⌉·Q` in any window that begins when its guest gets work |
//! | sporadic | `⌈w/T⌉·Q` in any window that begins when its level becomes active |
//!
//! The third row: a server that begins anew has consumed at most the share Q/T of the time since it
//! last did, by the wake-up rule, or a period has passed. The last two: at the beginning of such a
//! window every piece of budget has a time that is not before it, and comes back a period later at
//! the earliest. In windows that begin elsewhere a server that had to wait may catch up, as a
//! periodic task may.
//!
//! **Does not cover** cbs-soft, which never waits; posix-sporadic, whose defects break every bound
//! of these (a test shows it); GRUB; shares, whose rule is [`super::turns`]; servers of Linux that are
//! charged for interrupts, which may overrun their budget.

use super::budgets::start;
use super::competitor::{Competitor, in_slot};
use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use std::collections::VecDeque;
use vorrang_model::system::{PseudoVcpuRule, ServerKind, SupplyId};
use vorrang_sim::{Payer, Running, Section};
use vorrang_time::{Duration, Instant};

/// A bound on the consumption of one budget.
struct Window {
    payer: Payer,
    law: Law,
}

/// Which bound.
enum Law {
    Aligned(Aligned),
    Slot(SupplyId),
    Bursts { bursts: Bursts, of: Burst },
}

/// Where a window of a sporadic server begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Burst {
    /// Something on the parent is as urgent.
    Level(SupplyId),
    /// Its guest has work.
    Work(SupplyId),
}

/// At most `full` in each period.
struct Aligned {
    full: Duration,
    period: Duration,
    /// Where the current period ends.
    next: Instant,
    left: Duration,
}

impl Aligned {
    fn new(full: Duration, period: Duration, next: Instant, left: Duration) -> Self {
        Self { full, period, next, left }
    }

    fn pays(&mut self, from: Instant, to: Instant) -> bool {
        while self.next <= from {
            (self.next, self.left) = (self.next + self.period, self.full);
        }
        let amount = to.saturating_since(from);
        let may = to <= self.next && amount <= self.left;
        self.left = self.left.saturating_sub(amount);
        may
    }
}

/// So many windows are followed at once.
const WINDOWS: usize = 8;

/// The most that may be charged in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Most {
    /// `⌈w/T⌉·Q`.
    Whole,
    /// `Q + w·Q/T`.
    Rate,
}

/// At most so much in each window that began at certain instants.
pub(super) struct Bursts {
    full: Duration,
    period: Duration,
    most: Most,
    /// When each began, and the charges since.
    windows: VecDeque<(Instant, Duration)>,
    was_active: bool,
}

impl Bursts {
    /// None has begun.
    pub(super) fn new(full: Duration, period: Duration, most: Most) -> Self {
        Self { full, period, most, windows: VecDeque::new(), was_active: false }
    }

    /// A window begins if `begins` and it was not active; whether it is from now on.
    pub(super) fn settle(&mut self, now: Instant, begins: bool, is_active: bool) {
        if begins && !self.was_active {
            if self.windows.len() == WINDOWS {
                self.windows.pop_front();
            }
            self.windows.push_back((now, Duration::ZERO));
        }
        self.was_active = is_active;
    }

    /// Whether so much may be paid.
    pub(super) fn pays(&mut self, from: Instant, to: Instant) -> bool {
        let (full, period) = (i128::from(self.full.as_ns()), i128::from(self.period.as_ns()));
        let most = self.most;
        let mut may = true;
        for (begin, paid) in &mut self.windows {
            *paid += to.saturating_since(from);
            let window = i128::from(to.saturating_since(*begin).as_ns());
            let times = match most {
                Most::Whole => (window + period - 1) / period * period,
                Most::Rate => window + period,
            };
            may &= i128::from(paid.as_ns()) * period <= times * full;
        }
        may
    }
}

/// All of a core.
pub(super) fn all<'s>(picture: &Picture<'s>) -> Vec<Box<dyn Check + 's>> {
    let mut checks: Vec<Box<dyn Check + 's>> = Vec::new();
    let mut add = |payer, law| checks.push(Box::new(Window { payer, law }));
    for &id in &picture.servers {
        let Some(server) = picture.server(id) else { continue };
        let (payer, full, period) = (Payer::Server(id), server.budget, server.period);
        let phase = Instant::ZERO + picture.history.phases[id.0].modulo(period);
        let bursts = |most| Bursts::new(full, period, most);
        match server.kind() {
            ServerKind::Periodic => {
                let next = start(picture, &picture.history, id);
                add(payer, Law::Aligned(Aligned::new(full, period, next, Duration::ZERO)));
            }
            ServerKind::Polling => {
                add(payer, Law::Aligned(Aligned::new(full, period, phase, Duration::ZERO)));
            }
            ServerKind::Deferrable => {
                add(payer, Law::Aligned(Aligned::new(full, period, phase, full)));
            }
            ServerKind::Slot | ServerKind::Table => add(payer, Law::Slot(id)),
            ServerKind::SchedDeadline
                if server.reclaims() || picture.may_overrun(id) || picture.ends_late(id) => {}
            ServerKind::CbsHard | ServerKind::SchedDeadline => {
                add(payer, Law::Bursts { bursts: bursts(Most::Rate), of: Burst::Work(id) });
            }
            ServerKind::Sporadic => {
                add(payer, Law::Bursts { bursts: bursts(Most::Whole), of: Burst::Level(id) });
            }
            ServerKind::RefillQueue => {
                add(payer, Law::Bursts { bursts: bursts(Most::Whole), of: Burst::Work(id) });
            }
            ServerKind::CbsSoft
            | ServerKind::PosixSporadic
            | ServerKind::Share
            | ServerKind::Level => {}
        }
    }
    for id in picture.system.paid_on(picture.core) {
        let delivery = picture.system.interrupt(id).delivery.as_ref();
        let Some(own) = delivery.and_then(|delivery| delivery.pseudo_vcpu.as_ref()) else {
            continue;
        };
        if own.rule == PseudoVcpuRule::Deferrable {
            let phase = picture.history.pseudo_vcpu_phases[id.0].modulo(own.period);
            let first = Instant::ZERO + phase;
            let aligned = Aligned::new(own.budget, own.period, first, own.budget);
            add(Payer::PseudoVcpu(id), Law::Aligned(aligned));
        }
    }
    checks
}

impl Window {
    fn settle(&mut self, picture: &Picture<'_>) {
        let Law::Bursts { bursts, of } = &mut self.law else { return };
        match *of {
            Burst::Work(id) => {
                let has_work = picture.has_work(id);
                bursts.settle(picture.now, has_work, has_work);
            }
            Burst::Level(id) => {
                let is_up = level_is_active(id, picture);
                // The timer interrupt is a service routine. No window begins with it, nor with a callback that
                // had to wait: the level may be active since the timer was due. Nor with the end of
                // a section: the interrupt may wait for that, even if it finds nothing to handle.
                let timers = picture.runs == Running::Kernel(Section::Timers)
                    || picture.late_callback == Some(picture.now);
                let has_timers = picture.system.timers_on(picture.core).next().is_some()
                    || picture.may_time_budgets();
                let may_wait = has_timers && matches!(picture.runs, Running::Kernel(_));
                bursts.settle(picture.now, is_up && !timers, is_up || timers || may_wait);
            }
        }
    }
}

impl Check for Window {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::PAID, Kinds::RUNS])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        match *event {
            Event::Paid(payer, from, to) if payer == self.payer => {
                let (may, law) = match &mut self.law {
                    Law::Aligned(own) => (own.pays(from, to), "a period"),
                    Law::Bursts { bursts, .. } => (bursts.pays(from, to), "a busy window"),
                    Law::Slot(id) => {
                        let inside = |at| in_slot(picture.system.supply(*id), at);
                        let last = Instant::from_ns(to.as_ns().saturating_sub(1));
                        (inside(from) && inside(last), "its slot")
                    }
                };
                findings.expect(may, Invariant::Window, to, || {
                    format!("{payer:?} pays for [{from}, {to}), more than {law} allows")
                });
            }
            Event::Runs(..) => self.settle(picture),
            _ => {}
        }
    }
}

/// Whether something on the parent of a server is at least as urgent as that, or a routine waits.
fn level_is_active(id: SupplyId, picture: &Picture<'_>) -> bool {
    let supply = picture.system.supply(id);
    let (own, Some(on)) = (supply.priority(), supply.on()) else { return false };
    let at_level = |competitor: &Competitor| {
        let is_up = match *competitor {
            Competitor::Task(other) => picture.system.task(other).priority >= own,
            Competitor::Server(other) if picture.is_in_background(other) => false,
            Competitor::Server(other) => {
                let is_of_linux =
                    picture.system.supply(other).server_kind() == Some(ServerKind::SchedDeadline);
                is_of_linux || picture.system.supply(other).priority() >= own
            }
            Competitor::PseudoVcpu(other) => {
                let delivery = picture.system.interrupt(other).delivery.as_ref();
                let pseudo_vcpu = delivery.and_then(|delivery| delivery.pseudo_vcpu.as_ref());
                let priority = pseudo_vcpu.and_then(|own| own.priority);
                priority.is_none_or(|priority| priority >= own)
            }
        };
        is_up && picture.is_ready(*competitor)
    };
    let routines = if on == picture.core {
        !picture.requests.at_core().is_empty()
    } else {
        !picture.requests.pending(on).is_empty()
    };
    routines || picture.competitors[on.0].iter().any(at_level)
}
