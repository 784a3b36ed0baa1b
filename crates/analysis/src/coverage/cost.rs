//! Where calls, switches and cold caches are not bounded.

use crate::feature::{CostFeature, InReservation, MachineCost};
use crate::server_kind::{Provides, Returns, Sheet};
use vorrang_model::system::{
    Costs, Interrupt, Member, Scheduler, Supply, SupplyId, System, TimerQueue,
};

/// What calls, switches or caches take on a core, if they take any time there.
pub(crate) fn kernel_takes(system: &System, core: SupplyId) -> Option<MachineCost> {
    let Costs {
        scheduler_call,
        context_switch,
        timer_expiry: _,
        interrupt_entry: _,
        interrupt_exit: _,
        vm_exit: _,
    } = &system.costs;
    let is_cold = || !system.caches.is_empty() && has_cache(system, core);
    if !scheduler_call.is_zero() {
        Some(MachineCost::SchedulerCalls)
    } else if !context_switch.is_zero() {
        Some(MachineCost::ContextSwitches)
    } else {
        is_cold().then_some(MachineCost::ColdCaches)
    }
}

/// Whether a supply or something inside it has a cache.
fn has_cache(system: &System, id: SupplyId) -> bool {
    let supply = system.supply(id);
    let inside = |&member: &Member| match member {
        Member::Task(task) => system.task(task).cache.is_some(),
        Member::Server(inner) => has_cache(system, inner),
    };
    supply.cache.is_some() || supply.members.iter().any(inside)
}

/// Whether contexts with caches interrupt each other in a reservation of the host.
pub(super) fn has_cold_contexts(system: &System, id: SupplyId) -> bool {
    let mut around = core::iter::successors(Some(id), |&id| system.supply(id).on());
    around.all(|id| system.supply(id).vm.is_none()) && has_cache(system, id)
}

/// Where calls of the kernel of a core are not bounded.
pub(super) fn about_kernel(system: &System, core: SupplyId) -> Option<CostFeature> {
    let cost = kernel_takes(system, core)?;
    let uncounted = system.paid_on(core).map(|id| system.interrupt(id)).find(|interrupt| {
        let delivery = interrupt.delivery.as_ref();
        delivery.is_some_and(|delivery| system.supply(delivery.vcpu).on() != Some(core))
    });
    if let Some(Interrupt { name, .. }) = uncounted {
        return Some(CostFeature::PseudoVcpu { cost, interrupt: name.clone() });
    }
    about_callers(system, core, cost, Inside::Host)
}

/// Where a supply is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Host,
    Guest,
    /// In a virtual processor with a cache.
    Cold,
}

/// The same below a supply.
fn about_callers(
    system: &System,
    parent: SupplyId,
    cost: MachineCost,
    inside: Inside,
) -> Option<CostFeature> {
    let servers = system.supply(parent).members.iter().filter_map(|&member| match member {
        Member::Task(_) => None,
        Member::Server(id) => Some(id),
    });
    let mut servers = servers.map(|id| (id, system.supply(id)));
    servers.find_map(|(id, supply)| {
        let server = || supply.name.clone();
        let sheet = Sheet::of_supply(system, id);
        if sheet.is_some_and(|sheet| returns_uncounted(system, parent, sheet.returns)) {
            return Some(CostFeature::Fragments { cost, server: server() });
        }
        let is_reservation = inside == Inside::Host && supply.vm.is_none();
        let has_cold_task = is_reservation && has_cache(system, id);
        let is_cold = supply.cache.is_some() || inside == Inside::Cold || has_cold_task;
        if is_cold && sheet.is_some_and(|sheet| sheet.provides == Provides::Ahead) {
            return Some(CostFeature::ColdSoftServer { server: server() });
        }
        if is_reservation && let Some(why) = about_reservation(system, supply) {
            return Some(CostFeature::Reservation { cost, server: server(), why });
        }
        let inside = match inside {
            Inside::Host if is_reservation => Inside::Host,
            _ if is_cold => Inside::Cold,
            _ => Inside::Guest,
        };
        about_callers(system, id, cost, inside)
    })
}

/// Why calls and switches inside a reservation of the host are not bounded.
fn about_reservation(system: &System, supply: &Supply) -> Option<InReservation> {
    let by_deadline = supply.scheduler == Scheduler::Edf && supply.members.len() > 1;
    if by_deadline {
        return Some(InReservation::Deadlines);
    }
    if supply.scheduler.takes_turns() {
        return Some(InReservation::Turns);
    }
    supply.members.iter().find_map(|&member| {
        let is_late = match member {
            Member::Task(_) => false,
            Member::Server(id) => Sheet::of_supply(system, id).is_some_and(Sheet::may_be_late),
        };
        // A job that is not preempted calls at its end, whether or not its next one waits.
        let keeps = matches!(member, Member::Task(id) if system.keeps(id));
        let late = is_late.then_some(InReservation::LateBudget);
        late.or_else(|| keeps.then_some(InReservation::Kept))
    })
}

/// Whether the replenishment fragments of a server are not bounded.
fn returns_uncounted(system: &System, parent: SupplyId, returns: Returns) -> bool {
    let parent_is_core = system.supply(parent).is_core();
    let Supply { timer_queue, .. } = system.supply(parent);
    // When routines end is not known yet where it is found out how late timers are.
    let is_shielded = *timer_queue == TimerQueue::TimerShield
        && system.timers_on(system.core_of(parent)).next().is_some();
    match returns {
        Returns::NotCovered => true,
        Returns::InPieces => !parent_is_core || is_shielded,
        Returns::WithPeriods
        | Returns::InRefills
        | Returns::AtDeadlines
        | Returns::WhenGone
        | Returns::InPlace
        | Returns::Never => false,
    }
}
