//! The timers of a core: those of its tasks, and those by which budgets return and end.
//!
//! **Model.** An expiry takes `interrupt-entry`, its callback and `interrupt-exit`, and `vm-exit`
//! where there are virtual processors. With a shield ([`Shield`]) a timer less urgent than a member
//! takes time from it only before the first decision of a busy window, and one at least as urgent
//! may be handled late: then it is a load with jitter.
//!
//! **Assumptions.** 1. Each expiry is charged an entry and an exit of its own, although several
//! may share them.
//!
//! Derived in docs/theory/timers.md, docs/theory/timer-shield.md.

use super::budget_timer::BudgetTimers;
use super::section::section;
use super::timer::Timer;
use super::timer_shield::{Shield, until_idle};
use crate::demand::Interference;
use crate::demand::Load;
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::{Effort, NoBound};
use crate::interrupt::{Level, Routine};
use crate::request::Urgency;
use crate::request::around;
use vorrang_model::system::{Priority, Scheduler, SupplyId, System, TimerId, TimerQueue};
use vorrang_time::Duration;

/// All timers of a core.
#[derive(Clone, Debug)]
pub(crate) struct Timers<'a> {
    pub(crate) all: Vec<Timer<'a>>,
    /// By which budgets return and end: of the highest urgency.
    pub(crate) budgets: BudgetTimers<'a>,
    /// How often the timer interrupt is entered for one expiry at most.
    pub(crate) entries: u64,
    /// Where less urgent timers are deferred.
    shield: Option<Shield>,
}

impl<'a> Timers<'a> {
    /// The timers of a core whose interrupts are `level`, each with its latency. Where a shield defers them it depends
    /// on the members that are more urgent than something, with what the kernel does for them.
    ///
    /// # Errors
    /// Why timers may never be handled, or nothing bounds one of those members.
    pub(crate) fn new(
        (system, core): (&'a System, SupplyId),
        level: Level<'_>,
        more_urgent: impl Fn(Urgency, &Self) -> Result<Interference<'a>, Reason>,
        (no_bound, effort): (&dyn Fn(NoBound) -> Reason, &Effort),
    ) -> Result<Self, Reason> {
        let around = around(system, core);
        // A call may decide for something more urgent than what has requested the interrupt meanwhile.
        let may_find_nothing = is_shielded(system, core) && !system.costs.scheduler_call.is_zero();
        let entries = if may_find_nothing { 2 } else { 1 };
        let timer = |id: TimerId| {
            let timer = system.timer(id);
            let cost = around * entries + system.costs.timer_expiry;
            Timer {
                id,
                urgency: Urgency::of_timers(system, timer.armed_by),
                expiries: Load::new(Source::Timer(id), cost, timer.period, Duration::ZERO),
                callback: system.costs.timer_expiry,
                latency: Duration::ZERO,
            }
        };
        let all = system.timers_on(core).map(timer).collect();
        let budgets = BudgetTimers::new(system, core);
        let shield = is_shielded(system, core).then(Shield::default);
        let mut timers = Self { all, budgets, entries, shield };
        if timers.is_shielded() {
            let found = timers.shield_from((system, core), level, more_urgent, (no_bound, effort));
            match (found, system.supply(core).max_defer) {
                (found, None) => found?,
                (Ok(()), Some(most)) if timers.all.iter().all(|own| own.latency < most) => {}
                (_, Some(most)) => {
                    timers.defer_at_most(most, level, effort).map_err(no_bound)?;
                }
            }
        } else {
            timers.handle_at_once(level, effort).map_err(no_bound)?;
        }
        Ok(timers)
    }

    /// Latencies grow from zero until none grows any more.
    fn shield_from(
        &mut self,
        (system, core): (&System, SupplyId),
        level: Level<'_>,
        more_urgent: impl Fn(Urgency, &Self) -> Result<Interference<'a>, Reason>,
        (no_bound, effort): (&dyn Fn(NoBound) -> Reason, &Effort),
    ) -> Result<(), Reason> {
        let routines: Vec<Load<'_>> = level.routines.iter().map(|own| own.storm).collect();
        let another = around(system, core);
        effort.restart_for_all();
        loop {
            let mut has_grown = false;
            for place in 0..self.all.len() {
                let urgency = self.all[place].urgency;
                let mut before = more_urgent(urgency, self)?;
                let mut others = if is_never_deferred(system, core, urgency) {
                    before.blocking += another;
                    self.at_once()
                } else {
                    self.anywhere()
                };
                others.append(&mut before.loads);
                let latency =
                    until_idle(&routines, &others, before.blocking, effort).map_err(no_bound)?;
                let own = &mut self.all[place];
                has_grown |= latency > own.latency;
                own.latency = latency;
            }
            if !has_grown {
                break;
            }
        }
        let blocking = section(system, core) + system.costs.scheduler_call + another;
        let first = until_idle(&routines, &self.at_once(), blocking, effort).map_err(no_bound)?;
        self.shield = Some(Shield { first_decision: first, another, may_be_overdue: false });
        Ok(())
    }

    /// Timers that wait for so long come before everything.
    fn defer_at_most(
        &mut self,
        most: Duration,
        level: Level<'_>,
        effort: &Effort,
    ) -> Result<(), NoBound> {
        let routines: Vec<Load<'_>> = level.routines.iter().map(|own| own.storm).collect();
        let mut timers: Vec<Load<'_>> =
            self.all.iter().map(|own| own.expiries.later(most)).collect();
        timers.extend(&self.budgets.anywhere);
        effort.restart(routines.len() + timers.len());
        let handled = until_idle(&routines, &timers, level.section, effort)?;
        let latency = most.checked_add(handled).ok_or(NoBound::TooLong)?;
        self.all.iter_mut().for_each(|own| own.latency = latency);
        self.shield = Some(Shield { may_be_overdue: true, ..Shield::default() });
        Ok(())
    }

    /// Timers that nothing defers wait for what is at interrupt level only.
    fn handle_at_once(&mut self, level: Level<'_>, effort: &Effort) -> Result<(), NoBound> {
        for place in 0..self.all.len() {
            let own = self.all[place].expiries;
            // Callbacks that take no time are over when one that takes any could end: what they
            // release comes after the other events of the instant.
            let own = Load { cost: own.cost.max(Duration::RESOLUTION), ..own };
            let own = Routine { calm: own, storm: own, merges: false, priority: MOST_URGENT };
            let others = self.all.iter().enumerate().filter(|(other, _)| *other != place);
            let others = others.map(|(_, timer)| timer.expiries);
            let others: Vec<Load<'_>> =
                others.chain(self.budgets.anywhere.iter().copied()).collect();
            let mut routines = level.routines.to_vec();
            routines.push(own);
            let timers = others.as_slice();
            let index = routines.len() - 1;
            effort.restart(routines.len() + timers.len());
            let level = Level { routines: &routines, timers, ..level };
            self.all[place].latency = level.delay(index, effort)?;
        }
        Ok(())
    }

    /// Whether timers wait for something as urgent as they are.
    pub(crate) fn is_shielded(&self) -> bool {
        self.shield.is_some()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.budgets.is_empty()
    }

    /// What all timers take, in any window.
    pub(crate) fn anywhere(&self) -> Vec<Load<'a>> {
        self.as_urgent_as(None, &self.budgets.anywhere)
    }

    /// The same in windows in which at most one timer interrupt is requested by something else than an expiry in
    /// them, but for what comes around that one.
    fn at_once(&self) -> Vec<Load<'a>> {
        let mut loads: Vec<Load<'a>> = self.all.iter().flat_map(Timer::handled_at_once).collect();
        loads.extend(&self.budgets.anywhere);
        loads
    }

    fn as_urgent_as(&self, urgency: Option<Urgency>, budgets: &[Load<'a>]) -> Vec<Load<'a>> {
        let urgent = self.all.iter();
        let urgent = urgent.filter(|timer| urgency.is_none_or(|least| timer.urgency >= least));
        let mut loads: Vec<Load<'a>> = if self.is_shielded() {
            urgent.map(Timer::handled).collect()
        } else {
            urgent.map(|timer| timer.expiries).collect()
        };
        loads.extend(budgets);
        loads
    }

    /// The timers before something so urgent; where nothing is deferred, all.
    pub(crate) fn before(&self, urgency: Urgency) -> Interference<'a> {
        let shield = self.shield.filter(|shield| !shield.may_be_overdue);
        let loads = self.as_urgent_as(shield.map(|_| urgency), self.budgets.before(urgency));
        let blocking = shield.map_or(Duration::ZERO, |shield| shield.blocking(&self.all, urgency));
        Interference { loads, blocking }
    }

    /// How much later than its expiry the job is released that a timer wakes. It is one of the core: [`Timers::new`]
    /// has looked at each of them.
    pub(crate) fn latency(&self, id: TimerId) -> Duration {
        let own = self.all.iter().find(|timer| timer.id == id);
        own.expect("a timer of the core").latency
    }
}

/// Whether nothing on a core is more urgent, so that a timer as urgent as that never waits for it.
fn is_never_deferred(system: &System, core: SupplyId, urgency: Urgency) -> bool {
    let mut members = system.supply(core).members.iter();
    members.all(|&member| Urgency::of_member(system, member) <= urgency)
        && system.paid_on(core).next().is_none()
}

/// That of the timer interrupt.
const MOST_URGENT: Priority = Priority(u32::MAX);

/// Whether timers of a core wait for something as urgent as they are.
pub(crate) fn is_shielded(system: &System, core: SupplyId) -> bool {
    let supply = system.supply(core);
    supply.timer_queue == TimerQueue::TimerShield
        && matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux)
        && system.timers_on(core).next().is_some()
}
