//! What a core does before its members: routines, timers and kernel, each found after what it depends on.
//!
//! ```text
//!   requests ─▶ timers ─▶ releases by timers ─▶ ends of routines ─▶ calls of the kernel
//! ```
//!
//! Bounds and lost time both begin here.

use crate::core::Why;
use crate::core::{Propagation, jobs};
use crate::coverage::kernel_takes;
use crate::demand::Interference;
use crate::demand::Load;
use crate::ground::Reason;
use crate::ground::{Effort, NoBound};
use crate::interrupt::{End, Level, Routine, Routines, of_level};
use crate::overhead::{
    CoreInterference, Kernel, Timers, besides_budgets, overrun, section, with_overruns,
};
use crate::request::Requests;
use crate::request::{Competitor, Urgency};
use crate::supply::Dedicated;
use vorrang_model::system::{InterruptId, Member, SupplyId, System};
use vorrang_time::Duration;

/// The interrupt level of a core.
pub(crate) struct CoreLevel<'s, 'a> {
    system: &'s System,
    core: SupplyId,
    pub(crate) ids: Vec<InterruptId>,
    requests: Vec<Requests<'s>>,
    /// What the routines take at their worst.
    pub(crate) loads: Vec<Load<'s>>,
    routines: Vec<Routine<'s>>,
    pub(crate) timers: Timers<'a>,
    /// What the timers take, in any window.
    before: Vec<Load<'a>>,
    /// When each routine ends.
    pub(crate) ends: Vec<End>,
}

impl<'s: 'a, 'a> CoreLevel<'s, 'a> {
    /// That of a core. From now on it is known how often its routines, and what they and its timers release, come.
    ///
    /// # Errors
    /// Why timers may never be handled, or nothing bounds what comes before them.
    pub(crate) fn new(
        (system, core): (&'s System, SupplyId),
        arrivals: &mut Propagation<'s>,
        why: &Why<'_>,
        effort: &Effort,
    ) -> Result<Self, Reason> {
        let ids: Vec<InterruptId> = system.interrupts_on(core).collect();
        let requests = arrivals.requested_at_core(&ids);
        let loads: Vec<Load<'s>> = requests.iter().map(|requests| requests.storm).collect();
        let routines =
            of_level(system, &ids, &requests, |system, id| system.interrupt(id).priority);
        let no_bound = |error| why.no_bound(core, error);
        let timers = timers((system, core), &routines, arrivals, (&no_bound, effort))?;
        arrivals.release(core, &timers);
        let before = timers.anywhere();
        let ends = Vec::with_capacity(ids.len());
        let mut level = Self { system, core, ids, requests, loads, routines, timers, before, ends };
        for (index, id) in level.ids.clone().into_iter().enumerate() {
            let end = End::of(&level.level(), index, effort);
            let after = end.after(&level.requests[index]);
            arrivals.stages[id.0].after_core = after.map_err(no_bound);
            level.ends.push(end);
        }
        Ok(level)
    }

    /// The routines.
    pub(crate) fn routines(&self) -> Routines<'_> {
        Routines { ids: &self.ids, requests: &self.requests, loads: &self.loads }
    }

    /// Routines and timers.
    pub(crate) fn level(&self) -> Level<'_> {
        Level {
            supply: &Dedicated,
            order: self.system.supply(self.core).interrupt_order,
            routines: &self.routines,
            timers: &self.before,
            section: section(self.system, self.core),
        }
    }

    /// What the core does before its members besides its routines.
    ///
    /// # Errors
    /// What nothing bounds, so that nothing on the core has a bound.
    pub(crate) fn interference(
        &self,
        arrivals: &Propagation<'s>,
    ) -> Result<CoreInterference<'a>, Reason> {
        let Self { system, core, .. } = *self;
        let mut kernel = None;
        if kernel_takes(system, core).is_some() {
            for id in &self.ids {
                if let Err(reason) = &arrivals.stages[id.0].after_core {
                    return Err(reason.clone());
                }
            }
            for id in system.devices_on(core) {
                arrivals.delays[id.0].clone()?;
            }
            let often = |event| arrivals.often(event, &self.timers, true);
            kernel = Kernel::new(system, core, often)?;
        }
        Ok(CoreInterference::new((system, core), self.timers.clone(), kernel))
    }
}

/// The timers of a core with these routines.
fn timers<'s: 'a, 'a>(
    (system, core): (&'s System, SupplyId),
    routines: &[Routine<'s>],
    arrivals: &Propagation<'s>,
    (no_bound, effort): (&dyn Fn(NoBound) -> Reason, &Effort),
) -> Result<Timers<'a>, Reason> {
    let order = system.supply(core).interrupt_order;
    let section = section(system, core);
    let level = Level { supply: &Dedicated, order, routines, timers: &[], section };
    let paid = arrivals.pseudo_vcpus_on(core)?;
    let more_urgent = |urgency, timers: &Timers<'a>| -> Result<Interference<'a>, Reason> {
        let members = system.supply(core).members.iter();
        let members = members.filter(|&&member| Urgency::of_member(system, member) > urgency);
        // Runtimes that end late, and the section that is under way when nothing had the core.
        let sections = system.supply(core).sections;
        // Each budget counts with its overrun below, so what is charged brings no more.
        let overdrawn = |member| match member {
            Member::Server(id) => overrun(system, id),
            Member::Task(_) => Duration::ZERO,
        };
        let late = members.clone().try_fold(sections, |sum, &member| {
            sum.checked_add(besides_budgets(system, member, overdrawn(member))?)
        });
        // A section of something less urgent that holds one of them up is as urgent meanwhile.
        let held = members.clone().map(|&member| system.blocking(member)).max().unwrap_or_default();
        let blocking = late.and_then(|late| late.checked_add(held));
        let blocking = blocking.ok_or_else(|| no_bound(NoBound::TooLong))?;
        // Whether a server is in time is known after this.
        let load = |&member: &Member| match member {
            Member::Task(id) if arrivals.woken(id).is_none() => {
                arrivals.read_in_time(id)?;
                Ok(jobs(system, id, timers, &arrivals.delays))
            }
            _ => Ok(with_overruns(system, member, arrivals.load_of(member)?)),
        };
        let mut loads: Vec<Load<'a>> = members.map(load).collect::<Result<_, _>>()?;
        let paid = paid.iter().filter(|own| match own.who {
            Competitor::PseudoVcpu(own) => Urgency::of_pseudo_vcpu(system, own) > urgency,
            Competitor::Member(_) => false,
        });
        loads.extend(paid.map(|own| own.takes.storm));
        let often = |event| arrivals.often(event, timers, false);
        let kernel = Kernel::new(system, core, often)?;
        let kernel = kernel.map(|kernel| kernel.above(urgency));
        Ok(Interference { loads, blocking }.and(kernel))
    };
    Timers::new((system, core), level, more_urgent, (no_bound, &effort.another()))
}
