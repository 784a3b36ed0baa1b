//! The routines of a core that are charged to a server, where those that interrupt it are.
//!
//! **Model.** Every routine, and every timer interrupt, that runs while a server has the core is charged to it
//! ([`Charges`]). How often one may be requested is known in windows that begin when none is pending; how often it runs, in any
//! window, from the longest time to its end.
//!
//! **Assumptions.** 1. Those of [`Charges`]. 2. Every routine of the core ends within its bound; one without a bound is an
//! error for everyone that pays for it.
//!
//! Theory: docs/theory/charged-interrupts.md.

use crate::arrival::Arrivals;
use crate::core::Why;
use crate::core::{Propagation, Stages};
use crate::coverage::ServerMember;
use crate::demand::Interference;
use crate::demand::Load;
use crate::ground::Reason;
use crate::ground::{Effort, LONGEST_WINDOW, NoBound, least_fixed_point};
use crate::overhead::{CoreInterference, pays_for_routines};
use crate::overhead::{events, has_pieces, overrun, overruns_of_others};
use crate::supply::{Charges, Stretches};
use vorrang_model::system::{Member, Scheduler, SupplyId, System};
use vorrang_time::Duration;

/// A supply whose members may be charged for routines: a core, with its overhead before its members; none of another supply.
#[derive(Clone, Copy)]
pub(crate) struct Core<'a, 'b, 's> {
    pub(crate) id: SupplyId,
    pub(crate) machine: Option<&'a CoreInterference<'a>>,
    pub(crate) arrivals: &'b Propagation<'s>,
    pub(crate) why: &'b Why<'s>,
}

/// What comes before the members of a core that are scheduled by deadline, if they all pay for
/// routines: those that run when a window begins, and what each has overdrawn in the end; and
/// the kernel, whose sections are charged to no server, one of which may be under way.
pub(crate) fn unpaid<'a>(
    core: Core<'a, '_, '_>,
    members: &[Member],
    effort: &Effort,
) -> Option<Interference<'a>> {
    let system = core.arrivals.system;
    let all = |&member: &Member| match member {
        Member::Server(id) if pays_for_routines(system, id) => ServerMember::of(system, id).ok(),
        Member::Server(_) | Member::Task(_) => None,
    };
    let servers: Vec<ServerMember<'_>> = members.iter().map(all).collect::<Option<_>>()?;
    let machine = core.machine.filter(|machine| !machine.timers.is_shielded())?;
    let charges = charges(core, *servers.first()?, effort).ok()??;
    let blocks = u64::try_from(1 + servers.len()).ok()?;
    let overruns = overruns_of_others(system, core.id, members.len());
    let mut before = machine.kernel_before_deadlines();
    before.blocking = before.blocking.checked_add(machine.section)?.checked_add(overruns)?;
    before.blocking = before.blocking.checked_add(charges.block.checked_mul(blocks)?)?;
    Some(before)
}

/// What is charged to a member of a core at interrupt level; `None`: nothing.
///
/// # Errors
/// Why nothing bounds that.
pub(crate) fn charges<'a, 's: 'a>(
    core: Core<'a, '_, 's>,
    ServerMember { id, server }: ServerMember<'_>,
    effort: &Effort,
) -> Result<Option<Charges<'a>>, Reason> {
    let (system, arrivals) = (core.arrivals.system, core.arrivals);
    let (budget, overrun) = (server.budget, overrun(system, id));
    let Some(machine) = core.machine.filter(|_| pays_for_routines(system, id)) else {
        return Ok((!overrun.is_zero()).then(|| Charges::of_overrun(budget, overrun)));
    };
    let (mut requested, mut run) = (Vec::new(), Vec::new());
    for interrupt in system.interrupts_on(core.id) {
        let Stages { at_core, after_core, .. } = &arrivals.stages[interrupt.0];
        let own = at_core.storm;
        let ends = after_core.clone()?.storm;
        requested.push(own);
        run.push(Load { cost: own.cost, ..ends });
    }
    for timer in &machine.timers.all {
        requested.push(timer.handled());
        run.push(timer.handled());
    }
    requested.extend(&machine.timers.budgets.anywhere);
    let section = machine.section;
    let block =
        block(&requested, section, effort).map_err(|why| core.why.no_bound(core.id, why))?;
    let until_decision = block + section;
    run.extend(machine.timers.budgets.anywhere.iter().map(|load| load.later(until_decision)));
    let stretches = stretches(core, machine, id, until_decision)?;
    Ok(Some(Charges { budget, requested, run, block, overrun, stretches }))
}

/// By how much a server exceeds a budget at most: its runtime ends late, and routines run then.
pub(crate) fn overdrawn(
    core: Core<'_, '_, '_>,
    own: ServerMember<'_>,
    effort: &Effort,
) -> Result<Duration, Reason> {
    let charges = charges(core, own, effort)?;
    let overdrawn = charges.map(|charges| charges.overrun.checked_add(charges.block));
    Ok(overdrawn.map_or(Duration::ZERO, |sum| sum.unwrap_or(Duration::MAX)))
}

/// What ends or lengthens the stretches of a server; `None`: that is not bounded.
fn stretches<'a>(
    core: Core<'_, '_, 'a>,
    machine: &CoreInterference<'a>,
    id: SupplyId,
    until_decision: Duration,
) -> Result<Option<Stretches<'a>>, Reason> {
    let system = core.arrivals.system;
    let often = |event| core.arrivals.often(event, &machine.timers, true);
    let mut breaks = Vec::new();
    for &member in &system.supply(core.id).members {
        if member == Member::Server(id) || !may_interrupt_by_deadline(system, core.id, member) {
            continue;
        }
        if has_pieces(system, member) {
            return Ok(None);
        }
        events(system, member, &often, &mut breaks)?;
    }
    // What a callback releases comes with its end, and what happens is decided on later.
    let later = |event: Arrivals<'a>| event.later(until_decision);
    Ok(machine.meanwhile(id).map(|meanwhile| Stretches {
        breaks: breaks.into_iter().map(later).collect(),
        section: machine.section,
        sections: meanwhile.loads.iter().map(|load| load.later(until_decision)).collect(),
        at_first: meanwhile.blocking,
    }))
}

/// Whether a member of a core has deadlines that servers of Linux look at.
fn may_interrupt_by_deadline(system: &System, core: SupplyId, member: Member) -> bool {
    let is_linux = match member {
        Member::Task(_) => false,
        Member::Server(id) => system.supply(id).is_of_linux(),
    };
    is_linux || system.supply(core).scheduler != Scheduler::Linux
}

/// The longest time for which routines run one after the other, from the end of a section on in
/// which the first ones may have been requested.
fn block(requested: &[Load<'_>], section: Duration, effort: &Effort) -> Result<Duration, NoBound> {
    let sum = |window: Duration| {
        let window = section.checked_add(window).filter(|&window| window <= LONGEST_WINDOW);
        let window = window.ok_or(NoBound::TooLong)?;
        requested.iter().try_fold(Duration::ZERO, |sum: Duration, load| {
            sum.checked_add(load.in_window(window)?).ok_or(NoBound::TooLong)
        })
    };
    effort.restart(requested.len());
    let start = sum(Duration::RESOLUTION)?;
    least_fixed_point(effort, requested.len(), start, sum)
}
