//! Interference on a core besides service routines, computed once: timers, and the work of its kernel.
//!
//! Bounds, lost time and the charges of servers read it; nothing changes it.
//!
//! Theory: docs/theory/timers.md, docs/theory/scheduler-costs.md, docs/theory/sections.md.

use super::cache::ColdStarts;
use super::kernel::Kernel;
use super::section::section;
use super::timers::Timers;
use crate::demand::{Interference, Load};
use crate::ground::Reason;
use crate::request::reserved::Reserved;
use crate::request::{Competitor, Urgency};
use vorrang_model::system::{Member, Scheduler, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// The interference of one core with its members.
#[derive(Clone, Debug)]
pub(crate) struct CoreInterference<'a> {
    pub(crate) timers: Timers<'a>,
    /// The longest section of the kernel that a routine may find under way, besides timers.
    pub(crate) section: Duration,
    /// The longest time for which the core goes on with something less urgent.
    sections: Duration,
    kernel: Option<Kernel<'a>>,
}

impl<'a> CoreInterference<'a> {
    /// That of a core whose timers are known, and how often its kernel is called.
    pub(crate) fn new(
        (system, core): (&System, SupplyId),
        timers: Timers<'a>,
        kernel: Option<Kernel<'a>>,
    ) -> Self {
        let sections = system.supply(core).sections;
        Self { timers, section: section(system, core), sections, kernel }
    }

    /// Whether nothing comes before the members.
    pub(crate) fn is_idle(&self) -> bool {
        self.timers.is_empty() && self.sections.is_zero() && self.kernel.is_none()
    }

    /// What comes before a member, or a pseudo-VCPU, that is so urgent, where priority decides.
    pub(crate) fn before(&self, own: Competitor, urgency: Urgency) -> Interference<'a> {
        let kernel = self.kernel.as_ref().map(|kernel| kernel.before(own, urgency));
        self.before_urgency(urgency).and(kernel)
    }

    /// What all members take besides their work, where priority decides and none is less urgent than that: in windows in which each may
    /// get ready many times.
    pub(crate) fn of_all(&self, least: Urgency) -> Interference<'a> {
        self.before_urgency(least).and(self.kernel.as_ref().map(Kernel::of_all))
    }

    /// What a credit of a pseudo-VCPU takes besides.
    pub(crate) fn around_credit(&self) -> Duration {
        self.kernel.as_ref().map_or(Duration::ZERO, Kernel::around_credit)
    }

    /// What comes before all members alike, where something else decides.
    pub(crate) fn before_all(&self, scheduler: Scheduler) -> Interference<'a> {
        let kernel = self.kernel.as_ref().map(|kernel| match scheduler {
            Scheduler::Slots => kernel.before_slots(),
            Scheduler::RoundRobin | Scheduler::WeightedRoundRobin => kernel.before_turns(),
            Scheduler::Stride | Scheduler::Vtrr => kernel.before_any_turns(),
            _ => kernel.before_deadlines(),
        });
        self.before_urgency(Urgency::Most).and(kernel)
    }

    /// What so many turns in a row of one member take besides; `None` out of range.
    pub(crate) fn at_turns(&self, turns: u64) -> Option<Duration> {
        self.kernel.as_ref().map_or(Some(Duration::ZERO), |kernel| kernel.at_turns(turns))
    }

    /// What one more turn of any member takes of the core besides.
    pub(crate) fn another_turn(&self) -> Duration {
        self.kernel.as_ref().map_or(Duration::ZERO, Kernel::another_turn)
    }

    /// Why a member of the core has no bound although others may have one.
    pub(crate) fn uncounted(&self, member: Member) -> Option<&Reason> {
        self.kernel.as_ref()?.uncounted(member)
    }

    /// How often a member of the core gets it after another one.
    pub(crate) fn times_chosen(&self, member: Member, window: Duration) -> Result<u64, Reason> {
        self.kernel.as_ref().map_or(Ok(0), |kernel| kernel.times_chosen(member, window))
    }

    /// How often a section gets the core that holds up a member, besides where the member itself is interrupted, and what it loses each
    /// time; none if there is none.
    pub(crate) fn sections_before(
        &self,
        member: Member,
        window: Duration,
    ) -> Option<(u64, Duration)> {
        self.kernel.as_ref().and_then(|kernel| kernel.sections_before(member, window))
    }

    /// How often the budget of a server is back in a window of a length, where it returns in pieces.
    pub(crate) fn returns(&self, member: Member) -> Option<(u64, Duration)> {
        self.kernel.as_ref().and_then(|kernel| kernel.returns(member))
    }

    /// How often the scheduler of the core is called.
    pub(crate) fn calls(&self, window: Duration) -> u64 {
        self.kernel.as_ref().map_or(0, |kernel| kernel.calls_in(window))
    }

    /// The overhead of the section that blocks a member.
    pub(crate) fn around_section(&self, member: Member) -> Duration {
        let own = Competitor::Member(member);
        self.kernel.as_ref().map_or(Duration::ZERO, |kernel| kernel.around_section(own))
    }

    /// What a job of a task takes besides its work.
    pub(crate) fn around_job(&self, task: TaskId) -> Duration {
        self.kernel.as_ref().map_or(Duration::ZERO, |kernel| kernel.around_job(task))
    }

    /// What a server loses to cold caches, so much each time; `None`: how often is not bounded.
    pub(crate) fn cold_starts(&self, id: SupplyId, loss: Duration) -> Option<ColdStarts<'a>> {
        self.kernel
            .as_ref()
            .map_or_else(|| Some(ColdStarts::default()), |kernel| kernel.cold_starts(id, loss))
    }

    /// The calls at returns of a budget while some of it is left; none where each return counts as one that is waited for.
    pub(crate) fn at_returns(&self, id: SupplyId) -> Option<Load<'a>> {
        let kernel = self.kernel.as_ref()?;
        let caller = kernel.caller(Competitor::Member(Member::Server(id)));
        let returns = caller.own.filter(|returns| returns.limit.is_none())?;
        Some(caller.takes(kernel.call, returns))
    }

    /// How often at most something else comes between while a pseudo-VCPU has credit, within a time;
    /// `None`: that is not bounded.
    pub(crate) fn times_interrupted(&self, own: Reserved, within: Duration) -> Option<u64> {
        self.kernel.as_ref().map_or(Some(0), |kernel| kernel.times_interrupted(own, within))
    }

    /// The same machine once it is known how late budgets of servers with deadlines are.
    pub(crate) fn late_by(&self, late: Option<Duration>) -> Self {
        let kernel = self.kernel.as_ref().map(|kernel| kernel.late_by(late));
        Self { kernel, ..self.clone() }
    }

    /// The sections in any window while a server has the core; `None`: they are not bounded.
    pub(crate) fn meanwhile(&self, own: SupplyId) -> Option<Interference<'a>> {
        self.kernel
            .as_ref()
            .map_or_else(|| Some(Interference::default()), |kernel| kernel.meanwhile(own))
    }

    /// What the kernel does before all members alike that go by deadline.
    pub(crate) fn kernel_before_deadlines(&self) -> Interference<'a> {
        self.kernel.as_ref().map(Kernel::before_deadlines).unwrap_or_default()
    }

    /// The timers and sections before something so urgent.
    fn before_urgency(&self, urgency: Urgency) -> Interference<'a> {
        let timers = self.timers.before(urgency);
        Interference { blocking: timers.blocking + self.sections, ..timers }
    }
}
