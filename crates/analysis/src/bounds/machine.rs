//! What a core does before its members besides service routines: the timers of its tasks, and the
//! work of its kernel ([`Kernel`]).
//!
//! **Model.** An expiry takes `interrupt-entry`, its callback and `interrupt-exit`, and `vm-exit`
//! where there are virtual processors. With a shield ([`Shield`]) a timer less urgent than a member
//! takes time from it only before the first decision of a busy window, and one at least as urgent
//! may be handled late: then what its callback takes is a load with jitter, and the rest, which
//! only an expiry in the window brings, one without.
//!
//! **Assumptions.** 1. Each expiry is charged an entry and an exit of its own, although several
//! may share them.
//!
//! Derived in docs/analysis.md.

use super::budget_timer::BudgetTimers;
use super::fixed_priority::Who;
use super::kernel::{ColdStarts, Kernel};
use super::label::Labels;
use super::server_of;
use super::shield::Shield;
use crate::effort::{Effort, NoBound};
use crate::finding::Reason;
use crate::interrupt::{Level, Routine, around};
use crate::load::Load;
use vorrang_model::system::{
    Member, Priority, Scheduler, Server, ServerKind, SupplyId, System, TaskId, TimerId, TimerQueue,
};
use vorrang_time::Duration;

/// How urgent a timer is, or what the core runs; the greater the more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Urgency {
    /// That of a member of the core.
    Of(Priority),
    /// That of a pseudo-VCPU without a priority.
    AbovePriorities,
    /// That of what goes by deadline.
    Most,
}

impl Urgency {
    /// That of a member of a core that goes by priority.
    pub(super) fn of_member(system: &System, member: Member) -> Self {
        match member {
            Member::Task(id) => Self::Of(system.task(id).priority),
            Member::Server(id) => match server_of(system, id) {
                Server { kind: ServerKind::SchedDeadline, .. } => Self::Most,
                Server { priority, .. } => Self::Of(*priority),
            },
        }
    }

    /// That of a task's timers: of the member of the core through which the task runs.
    fn of_timers(system: &System, task: TaskId) -> Self {
        let (mut member, mut supply) = (Member::Task(task), system.task(task).on);
        while let Some(server) = &system.supply(supply).server {
            (member, supply) = (Member::Server(supply), server.on);
        }
        Self::of_member(system, member)
    }
}

/// A timer, and how late it may be handled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timer<'a> {
    pub(super) id: TimerId,
    pub(super) urgency: Urgency,
    /// What comes around its callback.
    pub(super) around: Load<'a>,
    pub(super) callback: Load<'a>,
    /// From an expiry to the end of its callback.
    pub(super) latency: Duration,
}

impl<'a> Timer<'a> {
    /// The whole at once.
    fn load(&self) -> Load<'a> {
        Load { cost: self.around.cost + self.callback.cost, ..self.around }
    }
}

/// What comes before one member of a core, besides service routines.
#[derive(Clone, Debug, Default)]
pub(super) struct Before<'a> {
    pub(super) loads: Vec<Load<'a>>,
    /// What may hold it up once in each busy window.
    pub(super) blocking: Duration,
}

impl Before<'_> {
    /// Both.
    pub(super) fn and(mut self, other: Option<Self>) -> Self {
        if let Some(Self { loads, blocking }) = other {
            self.loads.extend(loads);
            self.blocking += blocking;
        }
        self
    }
}

/// The machine of one core.
#[derive(Clone, Debug)]
pub(super) struct Machine<'a> {
    pub(super) timers: Vec<Timer<'a>>,
    /// By which budgets return and end: as urgent as any.
    pub(super) budgets: BudgetTimers<'a>,
    /// Where less urgent timers are deferred.
    shield: Option<Shield>,
    /// A call of the scheduler and the switch after it.
    section: Duration,
    /// The longest time for which the core goes on with something less urgent.
    sections: Duration,
    kernel: Option<Kernel<'a>>,
}

impl<'a> Machine<'a> {
    /// The machine of a core, whose timers are not yet handled.
    pub(super) fn new(system: &'a System, core: SupplyId, labels: &'a Labels) -> Self {
        let costs = &system.costs;
        let around = around(system, core);
        let timer = |(id, label): (TimerId, &'a String)| {
            let timer = system.timer(id);
            let load = |name, cost| Load::new(name, cost, timer.period, Duration::ZERO);
            Timer {
                id,
                urgency: Urgency::of_timers(system, timer.armed_by),
                around: load(timer.name.as_str(), around),
                callback: load(label.as_str(), costs.timer_expiry),
                latency: Duration::ZERO,
            }
        };
        let timers = system.timers_on(core).zip(&labels.callbacks).map(timer).collect();
        let shield = is_shielded(system, core).then(Shield::default);
        let section = costs.scheduler_call + costs.context_switch;
        let sections = system.supply(core).sections;
        let budgets = BudgetTimers::new(system, core, labels);
        Self { timers, budgets, shield, section, sections, kernel: None }
    }

    /// Finds out how late each timer is handled, given the service routines of the core and its
    /// members that are more urgent than something, with what the kernel does for them.
    ///
    /// # Errors
    /// Why timers may never be handled.
    pub(super) fn handle(
        &mut self,
        level: Level<'_>,
        call: Duration,
        more_urgent: impl Fn(Urgency, &Self) -> Before<'a>,
        effort: &Effort,
    ) -> Result<(), NoBound> {
        if self.is_shielded() {
            let routines: Vec<Load<'_>> = level.routines.iter().map(|own| own.storm).collect();
            let until_decision = self.section + call;
            self.shield = Some(Shield::new(self, &routines, more_urgent, until_decision, effort)?);
            return Ok(());
        }
        self.handle_at_once(level, effort)
    }

    /// Timers that nothing defers wait for what is at interrupt level only.
    fn handle_at_once(&mut self, level: Level<'_>, effort: &Effort) -> Result<(), NoBound> {
        for place in 0..self.timers.len() {
            let own = self.timers[place].load();
            // Callbacks that take no time are over when one that takes any could end: what they
            // release comes after the other events of the instant.
            let own = Load { cost: own.cost.max(Duration::RESOLUTION), ..own };
            let own = Routine { calm: own, storm: own, merges: false, priority: MOST_URGENT };
            let others = self.timers.iter().enumerate().filter(|(other, _)| *other != place);
            let others = others.map(|(_, timer)| timer.load());
            let others: Vec<Load<'_>> =
                others.chain(self.budgets.anywhere.iter().copied()).collect();
            let mut routines = level.routines.to_vec();
            routines.push(own);
            let timers = others.as_slice();
            let index = routines.len() - 1;
            effort.restart(routines.len() + timers.len());
            let level = Level { routines: &routines, timers, ..level };
            self.timers[place].latency = level.delay(index, effort)?;
        }
        Ok(())
    }

    /// Whether timers wait for something as urgent as they are.
    pub(super) fn is_shielded(&self) -> bool {
        self.shield.is_some()
    }

    /// Adds the kernel, once it is known how often it is called.
    pub(super) fn add(&mut self, kernel: Kernel<'a>) {
        self.kernel = Some(kernel);
    }

    /// Whether nothing comes before the members.
    pub(super) fn is_idle(&self) -> bool {
        let has_timers = !self.timers.is_empty() || !self.budgets.is_empty();
        !has_timers && self.sections.is_zero() && self.kernel.is_none()
    }

    /// The longest section of the kernel that a routine may find under way, besides timers.
    pub(super) fn section(&self) -> Duration {
        self.section + self.sections
    }

    /// What all timers take, in any window.
    pub(super) fn timers(&self) -> Vec<Load<'a>> {
        self.timers_as_urgent_as(None, &self.budgets.anywhere)
    }

    fn timers_as_urgent_as(&self, urgency: Option<Urgency>, budgets: &[Load<'a>]) -> Vec<Load<'a>> {
        let urgent = self.timers.iter();
        let urgent = urgent.filter(|timer| urgency.is_none_or(|least| timer.urgency >= least));
        let mut loads: Vec<Load<'a>> = if self.is_shielded() {
            urgent.flat_map(|timer| [timer.around, timer.callback]).collect()
        } else {
            urgent.map(Timer::load).collect()
        };
        loads.extend(budgets);
        loads
    }

    /// What comes before a member, or a pseudo-VCPU, that is so urgent, where priority decides.
    pub(super) fn before(&self, own: Who, urgency: Urgency) -> Before<'a> {
        let kernel = self.kernel.as_ref().map(|kernel| kernel.before(own, urgency));
        self.before_urgency(urgency).and(kernel)
    }

    /// What a credit of a pseudo-VCPU takes besides.
    pub(super) fn around_credit(&self) -> Duration {
        self.kernel.as_ref().map_or(Duration::ZERO, Kernel::around_credit)
    }

    /// What comes before all members alike, where something else decides.
    pub(super) fn before_all(&self, scheduler: Scheduler) -> Before<'a> {
        let kernel = self.kernel.as_ref().map(|kernel| match scheduler {
            Scheduler::Slots => kernel.before_slots(),
            _ => kernel.before_deadlines(),
        });
        self.before_urgency(Urgency::Most).and(kernel)
    }

    /// Why a member of the core has no bound although others may have one.
    pub(super) fn uncounted(&self, member: Member) -> Option<&Reason> {
        self.kernel.as_ref()?.uncounted(member)
    }

    /// How often a member of the core gets it after another one.
    pub(super) fn times_chosen(&self, member: Member, window: Duration) -> Result<u64, Reason> {
        self.kernel.as_ref().map_or(Ok(0), |kernel| kernel.times_chosen(member, window))
    }

    /// How often the budget of a server is back in a period, where it returns in pieces.
    pub(super) fn returns(&self, member: Member) -> Option<u64> {
        self.kernel.as_ref().and_then(|kernel| kernel.returns(member))
    }

    /// How often the scheduler of the core is called.
    pub(super) fn calls(&self, window: Duration) -> u64 {
        self.kernel.as_ref().map_or(0, |kernel| kernel.calls_in(window))
    }

    /// What the section takes besides its work that holds a member up.
    pub(super) fn around_section(&self, member: Member) -> Duration {
        let own = Who::Member(member);
        self.kernel.as_ref().map_or(Duration::ZERO, |kernel| kernel.around_section(own))
    }

    /// What a job of a task takes besides its work.
    pub(super) fn around_job(&self, task: TaskId) -> Duration {
        self.kernel.as_ref().map_or(Duration::ZERO, |kernel| kernel.around_job(task))
    }

    /// What a server loses to cold caches, so much each time; `None`: nobody counts how often.
    pub(super) fn cold_starts(&self, id: SupplyId, loss: Duration) -> Option<ColdStarts<'a>> {
        self.kernel
            .as_ref()
            .map_or_else(|| Some(ColdStarts::default()), |kernel| kernel.cold_starts(id, loss))
    }

    /// The same machine once it is known how late budgets of servers with deadlines are.
    pub(super) fn late_by(&self, late: Option<Duration>) -> Self {
        let kernel = self.kernel.as_ref().map(|kernel| kernel.late_by(late));
        Self { kernel, ..self.clone() }
    }

    /// The sections in any window while a server has the core; `None`: nobody counts them.
    pub(super) fn meanwhile(&self, own: SupplyId) -> Option<Before<'a>> {
        self.kernel.as_ref().map_or_else(|| Some(Before::default()), |kernel| kernel.meanwhile(own))
    }

    /// What the kernel does before all members alike that go by deadline.
    pub(super) fn kernel_before_deadlines(&self) -> Before<'a> {
        self.kernel.as_ref().map(Kernel::before_deadlines).unwrap_or_default()
    }

    /// The timers before something so urgent; where nothing is deferred, all.
    fn before_urgency(&self, urgency: Urgency) -> Before<'a> {
        let least = self.shield.as_ref().map(|_| urgency);
        let loads = self.timers_as_urgent_as(least, &self.budgets.before_members);
        let less_urgent = |shield: &Shield| shield.blocking(&self.timers, urgency);
        let of_timers = self.shield.as_ref().map_or(Duration::ZERO, less_urgent);
        Before { loads, blocking: of_timers + self.sections }
    }

    /// How much later than its expiry the job is released that a timer wakes.
    pub(super) fn latency(&self, id: TimerId) -> Duration {
        let own = self.timers.iter().find(|timer| timer.id == id);
        own.expect("a timer of the core").latency
    }
}

/// That of the timer interrupt.
const MOST_URGENT: Priority = Priority(u32::MAX);

/// Whether timers of a core wait for something as urgent as they are.
fn is_shielded(system: &System, core: SupplyId) -> bool {
    let supply = system.supply(core);
    supply.timer_queue == TimerQueue::TimerShield
        && matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux)
        && system.timers_on(core).next().is_some()
}
