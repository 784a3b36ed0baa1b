//! What the machine takes for its own work: calls of the scheduler, switches, cold caches.
//!
//! **Model.** "Costs of the machine" in `docs/model.md`. Two sections of the kernel, and the
//! context that has the core with the time it has run since:
//!
//! ```text
//!            something happens to a member of a supply of the host
//!            |       the decision: another context
//!   #########[ call ][ switch ]%%%%%%%%%########      % slow: the cache is cold
//! ```
//!
//! **Cost.** Without costs, one test at each decision.

use crate::observer::{Cause, Context, Observer, Section};
use vorrang_mechanisms::switch_cost::Recovery;
use vorrang_model::system::{CacheId, CacheModel, Costs, Member, SupplyId, System};
use vorrang_time::{Duration, Instant};

/// The kernel of one core.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    costs: Costs,
    /// Whether a call, a switch, a cold cache or a non-preemptible section costs anything on this core.
    pub(super) is_charged: bool,
    /// Something happened to a member of a supply of the host since the last call began.
    pub(super) is_called: bool,
    /// The rest of the section that runs.
    section: Option<(Section, Duration)>,
    /// The length of non-preemptible sections in this history.
    sections: Duration,
    /// Calls of the scheduler whose decision is pending.
    undecided: Duration,
    /// The context that has the core, or had it last.
    holder: Option<Context>,
    /// How the holder's work progresses.
    recovery: Recovery,
    /// How long the holder has run since it got the core.
    ran: Duration,
}

impl Kernel {
    pub(super) fn new(system: &System, core: SupplyId) -> Self {
        let on_core = |supply: SupplyId| system.core_of(supply) == core;
        let mut of_supplies = system.supplies.iter().enumerate();
        let is_cold = of_supplies.any(|(id, own)| own.cache.is_some() && on_core(SupplyId(id)))
            || system.tasks.iter().any(|task| task.cache.is_some() && on_core(task.on));
        let Costs { scheduler_call, context_switch, .. } = system.costs;
        Self {
            costs: system.costs,
            is_charged: is_cold
                || !scheduler_call.is_zero()
                || !context_switch.is_zero()
                || !system.supply(core).sections.is_zero(),
            is_called: false,
            section: None,
            sections: Duration::ZERO,
            undecided: Duration::ZERO,
            holder: None,
            recovery: Recovery::Full,
            ran: Duration::ZERO,
        }
    }

    /// Resets it to the start of a history with such sections: no context has had the core.
    pub(super) fn reset(&mut self, sections: Duration) {
        self.sections = sections;
        (self.is_called, self.section, self.holder) = (false, None, None);
        (self.undecided, self.ran) = (Duration::ZERO, Duration::ZERO);
        self.recovery = Recovery::Full;
    }

    /// The context that has the core, or had it last.
    #[inline]
    pub(super) fn holder(&self) -> Option<Context> {
        self.holder
    }

    /// The section that has the core, and the rest of it.
    #[inline]
    pub(super) fn section(&self) -> Option<(Section, Duration)> {
        self.section
    }

    /// Begins a call of the scheduler if one is due.
    #[inline]
    pub(super) fn call(&mut self, now: Instant, observer: &mut impl Observer) {
        if core::mem::take(&mut self.is_called) {
            observer.called(now);
            if !self.costs.scheduler_call.is_zero() {
                self.section = Some((Section::SchedulerCall, self.costs.scheduler_call));
            }
        }
    }

    /// Something has become ready while the core was idle: a non-preemptible section begins.
    pub(super) fn go_on(&mut self) {
        if self.section.is_none() && !self.sections.is_zero() {
            self.begin_section(Section::NonPreemptible, self.sections);
        }
    }

    /// A section begins.
    pub(super) fn begin_section(&mut self, section: Section, length: Duration) {
        self.section = Some((section, length));
    }

    /// The section has run for `amount`, up to `now`.
    pub(super) fn run(&mut self, amount: Duration, now: Instant, observer: &mut impl Observer) {
        let (section, left) = self.section.as_mut().expect("the one that runs");
        *left -= amount;
        match section {
            Section::SchedulerCall => self.undecided += amount,
            Section::ContextSwitch => {
                observer.lost(self.holder, Cause::ContextSwitch, amount, now);
            }
            Section::Timers | Section::NonPreemptible => {}
        }
    }

    /// Ends the section that is over, after all events of the instant; returns whether a decision is due; it
    /// takes into account what happened during the call, so that no further call is needed.
    pub(super) fn end_section(&mut self) -> bool {
        let Some((section, _)) = self.section.take_if(|(_, left)| left.is_zero()) else {
            return false;
        };
        let decides = match section {
            Section::SchedulerCall => true,
            Section::ContextSwitch | Section::NonPreemptible | Section::Timers => false,
        };
        self.is_called &= !decides;
        decides
    }

    /// The decision gives the core to a context, or to none.
    #[inline]
    pub(super) fn give(
        &mut self,
        system: &System,
        to: Option<Context>,
        now: Instant,
        observer: &mut impl Observer,
    ) {
        if !self.undecided.is_zero() {
            let call = core::mem::take(&mut self.undecided);
            observer.lost(to, Cause::SchedulerCall, call, now);
        }
        if let Some(context) = to
            && to != self.holder
        {
            self.switch(system, context, now, observer);
        }
    }

    /// The context is another than the last one.
    fn switch(&mut self, system: &System, to: Context, now: Instant, observer: &mut impl Observer) {
        observer.switched(self.holder, to, now);
        (self.holder, self.ran) = (Some(to), Duration::ZERO);
        if self.is_charged {
            self.recovery = recovery(system, to);
            if !self.costs.context_switch.is_zero() {
                self.section = Some((Section::ContextSwitch, self.costs.context_switch));
            }
        }
    }

    /// The time that the holder needs for this much work.
    #[inline]
    pub(super) fn time_for(&self, work: Duration) -> Duration {
        match self.recovery {
            Recovery::Full => work,
            recovery => recovery.time_for(self.ran, work),
        }
    }

    /// The work that the holder has done in this time, up to `now`.
    #[inline]
    pub(super) fn progress(
        &mut self,
        time: Duration,
        now: Instant,
        observer: &mut impl Observer,
    ) -> Duration {
        if self.recovery == Recovery::Full {
            return time;
        }
        let before = self.recovery.work(self.ran);
        self.ran += time;
        let work = self.recovery.work(self.ran) - before;
        if work < time {
            observer.lost(self.holder, Cause::ColdCache, time - work, now);
        }
        work
    }

    /// The run ends: calls without a decision belong to no context.
    pub(super) fn report(&self, horizon: Instant, observer: &mut impl Observer) {
        if !self.undecided.is_zero() {
            observer.lost(None, Cause::SchedulerCall, self.undecided, horizon);
        }
    }
}

fn recovery(system: &System, context: Context) -> Recovery {
    let cache: Option<CacheId> = match context {
        Context::Vcpu(id) => system.supply(id).cache,
        Context::Task(id) => system.task(id).cache,
        Context::Section(member) => coldest(system, member),
    };
    cache.map_or(Recovery::Full, |id| {
        let cache = system.cache(id);
        let (useful_ppm, sustained) = (cache.useful_ppm, cache.sustained);
        match cache.model {
            CacheModel::Flood => Recovery::Flood { useful_ppm, sustained },
            CacheModel::Exponential => Recovery::Exponential { useful_ppm, sustained },
        }
    })
}

/// The cache of the possible owner of the section that blocks a member: of the one that loses most.
fn coldest(system: &System, member: Member) -> Option<CacheId> {
    let lost = |id: CacheId| {
        let cache = system.cache(id);
        let useless = 1_000_000_u128.saturating_sub(cache.useful_ppm.into());
        u128::from(cache.sustained.as_ns()) * useless
    };
    let caches = system.less_urgent(member).filter_map(|owner| system.cache_of(owner));
    caches.reduce(|first, other| if lost(other) > lost(first) { other } else { first })
}
