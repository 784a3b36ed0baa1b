//! Timers expire when they are due, in order, and no callback delays work that the queue shields.
//!
//! **Model.** "Timers" in `docs/model.md`: a callback ends no earlier than its length after the
//! expiry; each expiry of the history has one; of two that were due and might be handled, the one
//! due earlier comes first, ties by declaration. Under `timershield`, the more urgent one comes first, and a timer
//! that is less urgent than the member that was decided for last is handled only when it has waited for `max-defer`.

use super::competitor::Competitor;
use super::event::{Event, Kinds};
use super::picture::Picture;
use super::{Check, Findings, Invariant};
use core::cmp::Reverse;
use core::iter::Peekable;
use vorrang_model::system::{Member, Scheduler, ServerKind, SupplyId, TimerId, TimerQueue};
use vorrang_sim::{Jobs, Running, Section};
use vorrang_time::{Duration, Instant};

/// How urgent, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Most,
    /// A pseudo-VCPU above all priorities.
    Ceiling(Duration),
    Priority(Reverse<u32>),
    Background,
    Least,
}

/// The timers of a core.
pub(super) struct Timers {
    own: Vec<Own>,
    /// Whether it shields what is more urgent.
    shields: bool,
    callback: Duration,
    max_defer: Option<Duration>,
    /// What was decided for last.
    decided: Urgency,
    /// The most urgent that was ready when the callbacks began that are under way.
    ready: Option<Urgency>,
}

struct Own {
    id: TimerId,
    urgency: Urgency,
    expiries: Peekable<Jobs>,
}

impl Own {
    fn due(&mut self) -> Option<Instant> {
        self.expiries.peek().map(|plan| plan.release)
    }
}

impl Timers {
    pub(super) fn new(picture: &Picture<'_>) -> Self {
        let system = picture.system;
        let own = |id: TimerId| Own {
            id,
            urgency: of_timer(id, picture),
            expiries: picture.history.expiries(system, id).peekable(),
        };
        let core = system.supply(picture.core);
        Self {
            own: system.timers_on(picture.core).map(own).collect(),
            shields: core.timer_queue == TimerQueue::TimerShield && is_ordered(picture),
            callback: system.costs.timer_expiry,
            max_defer: core.max_defer,
            decided: Urgency::Least,
            ready: None,
        }
    }

    fn expired(
        &mut self,
        id: TimerId,
        due: Instant,
        picture: &Picture<'_>,
        findings: &mut Findings,
    ) {
        let now = picture.now;
        let Some(place) = self.own.iter().position(|own| own.id == id) else { return };
        let urgency = self.own[place].urgency;
        let expected = self.own[place].due();
        self.own[place].expiries.next();
        let begun =
            Instant::ZERO + now.saturating_since(Instant::ZERO).saturating_sub(self.callback);
        let too_long = |at: Instant| {
            let last = self.max_defer.and_then(|most| at.checked_add(most));
            self.shields && last.is_some_and(|last| last <= begun)
        };
        let is_overdue = too_long(due);
        let in_time = expected == Some(due) && due + self.callback <= now;
        findings.expect(in_time, Invariant::Timers, now, || {
            format!("{id:?} is handled for {due}, {expected:?} is due")
        });
        for other in &mut self.own {
            let Some(at) = other.due() else { continue };
            let is_earlier = (at, other.id) < (due, id);
            let comes_first = if self.shields {
                let is_more_urgent = other.urgency < urgency && at <= begun;
                let waited = is_overdue && too_long(at) && urgency > self.decided;
                is_more_urgent && !is_overdue || is_earlier && (other.urgency == urgency || waited)
            } else {
                is_earlier
            };
            findings.expect(!comes_first, Invariant::Timers, now, || {
                format!("{:?} was due before {id:?}, due {due}", other.id)
            });
        }
        let ready = *self.ready.get_or_insert_with(|| most_urgent(picture));
        let shielded = self.shields && urgency > self.decided && urgency > ready && !is_overdue;
        findings.expect(!shielded, Invariant::Shield, now, || {
            let decided = self.decided;
            format!("{id:?}, {urgency:?}, is handled before {decided:?}, {ready:?} is ready")
        });
    }

    fn ended(&mut self, at: Instant, picture: &Picture<'_>, findings: &mut Findings) {
        let deferred = self.shields;
        for own in &mut self.own {
            // At interrupt level others may come first, but nothing else.
            let waits = own.due().is_some_and(|due| due < at);
            let may = deferred || !is_open(picture.runs);
            findings.expect(!waits || may, Invariant::Timers, at, || {
                format!("{:?} was due and is not handled at the end", own.id)
            });
        }
    }
}

impl Check for Timers {
    fn hears(&self) -> Kinds {
        Kinds::of([Kinds::DECIDED, Kinds::RUNS, Kinds::EXPIRED, Kinds::ENDED])
    }

    fn hear(&mut self, event: &Event, picture: &Picture<'_>, findings: &mut Findings) {
        match *event {
            Event::Decided(what, _) => {
                self.ready = None;
                self.decided = of_running(what, picture);
            }
            Event::Runs(Running::Kernel(Section::Timers), _) => {
                self.ready.get_or_insert_with(|| most_urgent(picture));
            }
            Event::Runs(what, at) => {
                self.ready = None;
                if is_open(what) {
                    self.nothing_waits(at, findings);
                }
            }
            Event::Expired(id, due, _) => self.expired(id, due, picture, findings),
            Event::Ended(at) => self.ended(at, picture, findings),
            _ => {}
        }
    }
}

impl Timers {
    /// What runs below interrupt level has nothing above it that waits.
    fn nothing_waits(&mut self, now: Instant, findings: &mut Findings) {
        for own in &mut self.own {
            let is_due = own.due().is_some_and(|due| due <= now);
            let last = own.due().and_then(|due| due.checked_add(self.max_defer?));
            let may =
                self.shields && own.urgency > self.decided && last.is_none_or(|last| last > now);
            findings.expect(!is_due || may, Invariant::Timers, now, || {
                format!("{:?} is due and is not handled", own.id)
            });
        }
    }
}

/// Whether it is below interrupt level.
fn is_open(what: Running) -> bool {
    !matches!(what, Running::Interrupt(_) | Running::Kernel(_))
}

/// Whether urgencies are compared on the core.
fn is_ordered(picture: &Picture<'_>) -> bool {
    let scheduler = picture.system.supply(picture.core).scheduler;
    matches!(scheduler, Scheduler::FixedPriority | Scheduler::Linux)
}

/// The member of the core through which a supply has its time.
fn outermost(supply: SupplyId, picture: &Picture<'_>) -> Option<SupplyId> {
    picture.servers_from(supply).last()
}

fn of_timer(id: TimerId, picture: &Picture<'_>) -> Urgency {
    let task = picture.system.timer(id).armed_by;
    let on = picture.system.task(task).on;
    let reserved =
        |id: SupplyId| picture.system.supply(id).server_kind() == Some(ServerKind::SchedDeadline);
    let member = outermost(on, picture);
    if !is_ordered(picture) || member.is_some_and(reserved) {
        return Urgency::Most;
    }
    // Exhausted or not: by its priority.
    member.map_or_else(
        || Urgency::Priority(Reverse(picture.system.task(task).priority.0)),
        |server| Urgency::Priority(Reverse(picture.system.supply(server).priority().0)),
    )
}

fn of_member(member: Competitor, picture: &Picture<'_>) -> Urgency {
    let system = picture.system;
    match member {
        Competitor::Task(id) => Urgency::Priority(Reverse(system.task(id).priority.0)),
        Competitor::Server(id)
            if picture.system.supply(id).server_kind() == Some(ServerKind::SchedDeadline) =>
        {
            Urgency::Most
        }
        Competitor::Server(id) if picture.is_in_background(id) => Urgency::Background,
        Competitor::Server(id) => {
            Urgency::Priority(Reverse(picture.system.supply(id).priority().0))
        }
        Competitor::PseudoVcpu(id) => {
            let delivery = system.interrupt(id).delivery.as_ref();
            let own = delivery.and_then(|delivery| delivery.pseudo_vcpu.as_ref());
            let priority = own.and_then(|own| own.priority);
            let ceiling = own.map_or(Duration::ZERO, |own| own.period);
            priority.map_or(Urgency::Ceiling(ceiling), |priority| {
                Urgency::Priority(Reverse(priority.0))
            })
        }
    }
}

/// The most urgent member of the core that is ready.
fn most_urgent(picture: &Picture<'_>) -> Urgency {
    let members = picture.competitors[picture.core.0].iter();
    let ready = members.filter(|&&member| picture.is_ready(member));
    ready.map(|&member| of_member(member, picture)).min().unwrap_or(Urgency::Least)
}

/// The urgency of the member of the core that what was chosen has its time from.
fn of_running(what: Running, picture: &Picture<'_>) -> Urgency {
    let Some(supply) = picture.supply_of(what) else { return Urgency::Least };
    match (outermost(supply, picture), what) {
        (Some(server), _) => {
            let pseudo_vcpus = picture.pseudo_vcpus(server).map(Competitor::PseudoVcpu);
            let all = std::iter::once(Competitor::Server(server)).chain(pseudo_vcpus);
            let ready = all.filter(|&one| picture.is_ready(one));
            let urgencies = ready.map(|one| of_member(one, picture));
            urgencies.min().unwrap_or(Urgency::Least)
        }
        (None, Running::Task(id) | Running::Blocking(Member::Task(id))) => {
            of_member(Competitor::Task(id), picture)
        }
        (None, Running::Blocking(Member::Server(id))) => of_member(Competitor::Server(id), picture),
        _ => Urgency::Least,
    }
}
