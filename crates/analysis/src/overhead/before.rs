//! What the kernel takes before a member of its core, by what decides there.
//!
//! **Model.** That of [`super::kernel`]: a scheduling event of something as urgent begins a ready interval, which
//! ends; what is less urgent waits, and calls once as it gets ready, and whenever a budget returns.
//!
//! **Assumptions.** Those of [`super::kernel`].
//!
//! Theory: docs/theory/scheduler-costs.md.

use super::caller::Caller;
use super::kernel::Kernel;
use super::slices;
use crate::arrival::Arrivals;
use crate::demand::{Interference, Load};
use crate::ground::Source;
use crate::request::{Competitor, Urgency};
use vorrang_model::system::{Member, TaskId};
use vorrang_time::Duration;

impl<'s> Kernel<'s> {
    /// What comes before a member of a core that goes by priority; what a job of a task takes
    /// besides counts with it, see [`Kernel::around_job`].
    pub(crate) fn before(&self, own: Competitor, urgency: Urgency) -> Interference<'s> {
        let mut before = Interference::default();
        let section_loss = self.caller(own).section_loss.unwrap_or_default();
        // What is more urgent may interrupt the section that holds it up.
        let section =
            |by: &Caller<'s>| if by.urgency > urgency { section_loss } else { Duration::ZERO };
        for caller in &self.callers {
            if caller.who == own {
                self.own(caller, &mut before);
                before.blocking += self.around_section(own);
                if self.has_equals(caller) {
                    // Those kept waiting by its earlier ready intervals come before it now.
                    self.stretches(caller, Duration::ZERO, &mut before);
                }
            } else if caller.urgency >= urgency {
                let resumed = self.resumed(caller, urgency).max(section(caller));
                self.stretches(caller, resumed, &mut before);
            } else {
                self.calls(caller, &mut before);
            }
        }
        before.loads.extend(self.slice_ends(|caller| caller.urgency >= urgency));
        before
    }

    /// Whether a server is as urgent as another member.
    fn has_equals(&self, own: &Caller<'s>) -> bool {
        let is_server = matches!(own.who, Competitor::Member(Member::Server(_)));
        let equals = self.callers.iter().filter(|other| other.urgency == own.urgency);
        is_server && equals.count() > 1
    }

    /// What comes before a decision for something no more urgent than that.
    pub(crate) fn above(&self, urgency: Urgency) -> Interference<'s> {
        let mut before = Interference { loads: Vec::new(), blocking: self.until_decision() };
        let above = self.callers.iter().filter(|caller| caller.urgency > urgency);
        // One section may hold one of them up, and be interrupted by any.
        let around = above.clone().map(|caller| self.around_section(caller.who)).max();
        before.blocking += around.unwrap_or_default();
        let section = above.filter_map(|caller| caller.section_loss).max().unwrap_or_default();
        for caller in &self.callers {
            if caller.urgency > urgency {
                let resumed = self.resumed(caller, urgency).max(section);
                self.stretches(caller, resumed, &mut before);
            } else {
                self.calls(caller, &mut before);
            }
        }
        before.loads.extend(self.slice_ends(|caller| caller.urgency > urgency));
        before
    }

    /// What all members of a core that goes by priority take besides their work, in windows in which each may get ready and fall asleep
    /// many times, but for the sections that hold them up.
    pub(crate) fn of_all(&self) -> Interference<'s> {
        let mut all = Interference { loads: Vec::new(), blocking: self.until_decision() };
        let least = self.callers.iter().map(|caller| caller.urgency).min();
        for caller in &self.callers {
            let resumed = least.map_or(Duration::ZERO, |least| self.resumed(caller, least));
            self.stretches(caller, resumed, &mut all);
        }
        all.loads.extend(self.slice_ends(|_| true));
        all
    }

    /// What comes before every member of a core that goes by deadline; what a job of a task takes
    /// besides counts with it, see [`Kernel::around_job`].
    pub(crate) fn before_deadlines(&self) -> Interference<'s> {
        let mut before = Interference::default();
        // A pseudo-VCPU before all deadlines makes what runs on it fall asleep at any time.
        let by_deadline = self.callers.iter().filter(|caller| caller.urgency >= Urgency::Most);
        let is_alone = by_deadline.count() == 1;
        for caller in &self.callers {
            if caller.urgency < Urgency::Most {
                self.calls(caller, &mut before);
            } else if caller.is_task() {
                before.loads.extend(caller.each(self.call));
            } else if is_alone {
                self.alone(caller, &mut before);
            } else {
                // Also of a pseudo-VCPU before all deadlines, which is more urgent than what it interrupts.
                let resumed = self.resumed(caller, Urgency::Most);
                self.stretches(caller, resumed, &mut before);
            }
        }
        before
    }

    /// What the slots of a core lose. Guests of other slots may be awake when a window begins, and
    /// no slot interrupts another.
    pub(crate) fn before_slots(&self) -> Interference<'s> {
        let mut before = Interference { loads: Vec::new(), blocking: self.section() };
        for caller in &self.callers {
            before.loads.extend(caller.each(self.call * 2 + self.switch));
            before.loads.extend(caller.resumes().map(|wakes| caller.takes(self.switch, wakes)));
            before.blocking += self.call + self.section() * caller.ready_at_first();
        }
        before
    }

    /// The calls of a core whose members take turns, but for those at ends of turns ([`Kernel::at_turns`]): whatever wakes calls. A
    /// task sleeps at the end of a turn; a server may sleep at any time. Contexts of a reservation interrupt each other.
    pub(crate) fn before_turns(&self) -> Interference<'s> {
        // One call is under way, or due after a switch; switches belong to visits.
        let mut before = Interference { loads: Vec::new(), blocking: self.call };
        for caller in &self.callers {
            if matches!(caller.who, Competitor::Member(Member::Task(_))) {
                before.loads.extend(caller.each(self.call));
                continue;
            }
            before.loads.extend(caller.each(self.call * 2));
            before.loads.extend(caller.resumes().map(|wakes| caller.takes(self.switch * 2, wakes)));
            before.blocking += self.call + self.section() * caller.ready_at_first();
        }
        before
    }

    /// The same where turns are in any order, all of them: a turn begins after something woke, or after a turn that was used up.
    pub(crate) fn before_any_turns(&self) -> Interference<'s> {
        let mut before = self.before_turns();
        before.blocking += self.switch;
        for caller in &self.callers {
            let sleeps = match caller.who {
                Competitor::Member(Member::Task(_)) => self.call,
                // It is counted where it wakes.
                Competitor::Member(Member::Server(_)) | Competitor::PseudoVcpu(_) => Duration::ZERO,
            };
            before.loads.extend(caller.each(sleeps + self.switch + caller.loss));
        }
        let used_up = self.quantum.map(|turn| Arrivals::new(turn, Duration::ZERO));
        let source = Source::SliceEnds(self.core);
        let used_up = used_up.map(|turns| Load::of(source, self.another_turn(), turns));
        before.loads.extend(used_up);
        before
    }

    /// What one more turn takes of the core besides: a call, a switch, and the most that any member loses to a cold cache.
    pub(crate) fn another_turn(&self) -> Duration {
        let loss = self.callers.iter().map(|caller| caller.loss).max().unwrap_or_default();
        self.section() + loss
    }

    /// What so many turns in a row of one member take besides: the switch to it, and a call when each of them ends.
    pub(crate) fn at_turns(&self, turns: u64) -> Option<Duration> {
        self.call.checked_mul(turns)?.checked_add(self.switch)
    }

    /// What a job of a task takes besides its work: to get the core, and to leave it; where members take turns, these do.
    pub(crate) fn around_job(&self, task: TaskId) -> Duration {
        if self.quantum.is_some() {
            return Duration::ZERO;
        }
        let own = self.caller(Competitor::Member(Member::Task(task)));
        let by_deadline = own.urgency == Urgency::Most;
        let resumed = if by_deadline { self.resumed(own, own.urgency) } else { Duration::ZERO };
        self.call + self.switch * 2 + own.loss + resumed
    }

    /// What a credit of a pseudo-VCPU takes besides: to get the core, and to leave it.
    pub(crate) fn around_credit(&self) -> Duration {
        self.call + self.switch * 2
    }

    /// The overhead of the sections that block a member: switches to and from each, and its cache loss.
    pub(crate) fn around_section(&self, own: Competitor) -> Duration {
        let own = self.caller(own);
        let each = own.section_loss.map(|lost| self.call + self.switch * 2 + lost);
        each.unwrap_or_default() * own.sections
    }

    /// A task: every release calls. A server: one replenishment before it gets the core; whose budget
    /// returns in pieces may get and leave the core for each of them.
    fn own(&self, caller: &Caller<'s>, before: &mut Interference<'s>) {
        if matches!(caller.who, Competitor::Member(Member::Server(_))) {
            before.blocking += self.call;
            self.waking(caller, before);
            let again = caller.own.filter(|own| own.limit.is_some());
            before.loads.extend(again.map(|event| caller.takes(self.section() * 2, event)));
        } else {
            before.loads.extend(caller.own.map(|own| caller.takes(self.call, own)));
        }
    }

    /// A server that is the only one to go by deadline: in its own window it does not sleep, unless it idles its budget away.
    fn alone(&self, caller: &Caller<'s>, before: &mut Interference<'s>) {
        before.loads.extend(caller.own.map(|own| caller.takes(self.call, own)));
        self.waking(caller, before);
        if caller.idles() {
            self.wakes_within(caller, before);
        }
    }

    /// What was under way, a guest that wakes before its server gets the core, and the switch to that; contexts of a
    /// reservation interrupt each other.
    fn waking(&self, caller: &Caller<'s>, before: &mut Interference<'s>) {
        before.blocking += self.section() + self.call + self.switch;
        before.blocking += self.section() * caller.ready_at_first();
        let twice = self.section() * 2;
        before.loads.extend(caller.resumes().map(|event| caller.takes(twice, event)));
    }

    /// Stretches that begin and end, with what the interrupted contexts lose.
    fn stretches(&self, caller: &Caller<'s>, resumed: Duration, before: &mut Interference<'s>) {
        let cost = self.section() * 2 + caller.loss + resumed;
        before.blocking += self.section() * caller.ready_at_first();
        if caller.gets_up_with_budget() {
            before.loads.extend(caller.own.map(|own| caller.takes(cost, own)));
            self.wakes_within(caller, before);
        } else {
            before.loads.extend(caller.each(cost));
            if caller.idles() {
                before.blocking += self.call;
            }
        }
    }

    /// A guest that wakes, and may fall asleep, while that makes its server neither ready nor less so.
    fn wakes_within(&self, caller: &Caller<'s>, before: &mut Interference<'s>) {
        let sleeps = caller.idles() || caller.ends_below;
        let cost = if sleeps { self.call * 2 } else { self.call };
        before.loads.extend(caller.wakes.iter().map(|&wakes| caller.takes(cost, wakes)));
        if sleeps {
            before.blocking += self.call;
        }
    }

    /// What is less urgent waits: it gets ready once, and its budgets return.
    fn calls(&self, caller: &Caller<'s>, before: &mut Interference<'s>) {
        if caller.ends_below {
            before.loads.extend(caller.each(self.call * 2));
            before.blocking += self.call;
            return;
        }
        let own = caller.own.filter(|_| !caller.is_task());
        let returns = own.into_iter().chain(caller.waiting.returns.iter().copied());
        before.loads.extend(returns.map(|event| caller.takes(self.call, event)));
        before.blocking += self.call * caller.waiting.once;
    }

    /// The most that a task loses that is interrupted by a member, and is at least so urgent.
    fn resumed(&self, by: &Caller<'s>, urgency: Urgency) -> Duration {
        let interrupted = |other: &&Caller<'s>| {
            let by_deadline = by.urgency == Urgency::Most && other.who != by.who;
            by_deadline || (other.urgency >= urgency && by.urgency > other.urgency)
        };
        let most = |other: &Caller<'s>| match other.section_loss {
            Some(section) if by.urgency >= Urgency::Most => other.loss.max(section),
            _ => other.loss,
        };
        let losses = self.callers.iter().filter(interrupted).map(most);
        losses.max().unwrap_or_default()
    }

    /// What the ends of slices take of such members, with what a member, or the section that holds it up, loses when it gets
    /// the core again; none if none of them has a slice.
    fn slice_ends(&self, of: impl Fn(&Caller<'_>) -> bool) -> Option<Load<'static>> {
        let sliced = || self.callers.iter().filter(|caller| of(caller) && caller.slice.is_some());
        let slice = sliced().find_map(|caller| caller.slice)?;
        let loss = |caller: &Caller<'_>| caller.loss.max(caller.section_loss.unwrap_or_default());
        let cost = self.section() + sliced().map(loss).max().unwrap_or_default();
        Some(Load::of(Source::SliceEnds(self.core), cost, slices::ends(sliced().count(), slice)))
    }
}
