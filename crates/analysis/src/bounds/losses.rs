//! Lost time: an upper bound on it, by context and cause.
//!
//! **Model.** In the first `x` of any history a context gets the core after another one at most once
//! for each of its own scheduling events (`overhead/kernel.rs`) and for each of what may interrupt it. Each time it is
//! charged a switch and all that its cache can lose, which for a server is paid from its budget. A section that holds it up is
//! charged to it in the same way, once more for each of its own events. A virtual processor gets the core as its pseudo-VCPUs, too. Each
//! event on the core calls the scheduler twice at most, and once more where a section ends; each request and expiry enters and leaves, an expiry on a
//! core with a shield perhaps twice (`overhead/timer_shield.rs`).
//!
//! **Assumptions.** 1. The context that is charged is the one of the simulator (docs/model.md): calls, entries,
//! callbacks and exits may all fall to the same context. So there is one bound for the core, which
//! holds for each context, too. 2. What is interrupted an unbounded number of times loses its budget.
//!
//! **Does not cover** cores that [`crate::coverage`] names.
//!
//! Theory: docs/theory/lost-time.md.

use super::Fold;
use super::woken::settled;
use crate::core::CoreLevel;
use crate::coverage::not_covered;
use crate::demand::Load;
use crate::ground::NoBound;
use crate::ground::Reason;
use crate::overhead::{CoreInterference, loss_of_job, loss_of_server, with_overruns};
use crate::request::has_guest;
use crate::request::reserved::has_pseudo_vcpu;
use vorrang_model::system::{Member, SupplyId, System};
use vorrang_time::Duration;

/// What one core loses at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Losses {
    /// What its members lose, in their order.
    pub contexts: Vec<ContextLosses>,
    /// To calls of the scheduler.
    pub scheduler_calls: Duration,
    /// To callbacks of timers.
    pub timer_expiries: Duration,
    /// To entering and leaving routines.
    pub interrupt_entries: Duration,
    /// To leaving guests and coming back.
    pub vm_exits: Duration,
}

/// What a context loses at most, by what only the context itself is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextLosses {
    /// A task or virtual processor of the core; of a reservation, all contexts in it.
    pub member: Member,
    /// To cold caches, at most the budget; `None`: nothing bounds it.
    pub cold_caches: Option<Duration>,
    /// To switches to it; `None`: nothing bounds it.
    pub context_switches: Option<Duration>,
    /// Of a server whose budget returns in pieces (`overhead/pieces.rs`): how often at most in any window
    /// that is so long. That is its period, less what a queue of refills leaves behind.
    pub returns: Option<(u64, Duration)>,
}

/// What a core loses at most in the first `window` of any history.
///
/// # Errors
/// What no analysis covers, or why there is no bound.
pub fn losses(system: &System, core: SupplyId, window: Duration) -> Result<Losses, Reason> {
    let system = &*settled(system, None, &|| false);
    if let Some(what) = not_covered(system, core) {
        return Err(Reason::NotCovered { what });
    }
    let mut fold = Fold::new(system);
    fold.know_delays();
    let Fold { arrivals, why, effort, .. } = &mut fold;
    let level = CoreLevel::new((system, core), arrivals, why, effort)?;
    let machine = level.interference(arrivals)?;
    lost((system, core), &level, &machine, window).map_err(|error| why.no_bound(core, error))
}

/// What a core loses, given its interrupt level and what comes before its members.
fn lost(
    (system, core): (&System, SupplyId),
    level: &CoreLevel<'_, '_>,
    machine: &CoreInterference<'_>,
    window: Duration,
) -> Result<Losses, NoBound> {
    let (timers, ids, loads) = (&machine.timers, &level.ids, &level.loads);
    let product = |count: u64, cost: Duration| cost.checked_mul(count).ok_or(NoBound::TooLong);
    let expiries = timers.all.iter().map(|timer| timer.expiries.occurrences(window));
    let expiries: u64 = expiries.sum();
    let budgets = timers.budgets.before_members.iter().map(|load| load.occurrences(window));
    let budgets: u64 = budgets.sum();
    let requests = loads.iter().map(|load| load.occurrences(window));
    let entries: u64 = requests.sum::<u64>() + expiries * timers.entries + budgets;
    let costs = &system.costs;
    // A routine may interrupt a guest, and a guest's ends with an exit.
    let delivered =
        ids.iter().zip(loads).filter(|(id, _)| system.interrupt(**id).delivery.is_some());
    let by_timers = timers.all.iter().filter(|timer| system.delivered_by(timer.id).is_some());
    let by_timers = by_timers.map(|timer| timer.expiries.occurrences(window));
    let in_guests = delivered.map(|(_, load)| load.occurrences(window)).chain(by_timers);
    let in_guests: u64 = in_guests.sum();
    let exits = if has_guest(system, core) { entries + in_guests } else { 0 };
    let contexts = system.supply(core).members.iter();
    // Throttling begins and ends once in a period at most, and both call the scheduler.
    let throttled = system.supply(core).rt_throttling.limit();
    let throttled = throttled.map_or(0, |limit| 2 * (window.div_ceil(limit.period) + 1));
    Ok(Losses {
        contexts: contexts.map(|&member| context(system, machine, member, window)).collect(),
        scheduler_calls: product(machine.calls(window) + throttled, costs.scheduler_call)?,
        timer_expiries: product(expiries + budgets, costs.timer_expiry)?,
        interrupt_entries: product(entries, costs.interrupt_entry + costs.interrupt_exit)?,
        vm_exits: product(exits, costs.vm_exit)?,
    })
}

/// What switches to a member of the core take, and the cold caches that they leave.
fn context(
    system: &System,
    machine: &CoreInterference<'_>,
    member: Member,
    window: Duration,
) -> ContextLosses {
    let times = machine.times_chosen(member, window).ok();
    let (sections, section_loss) = machine.sections_before(member, window).unwrap_or_default();
    let loss = match member {
        Member::Task(id) => loss_of_job(system, id),
        Member::Server(id) => loss_of_server(system, id),
    };
    // It is paid from the budget, and one that ends late is longer; with pseudo-VCPUs from their credits, too.
    let budgets = match member {
        Member::Server(id) if !loss.is_zero() && !has_pseudo_vcpu(system, id) => {
            Load::of_member(system, member)
        }
        _ => None,
    };
    let paid = budgets.and_then(|load| with_overruns(system, member, load).in_window(window).ok());
    let cold = times.and_then(|times| loss.checked_mul(times)).into_iter().chain(paid).min();
    // The section that holds it up is interrupted as it is.
    let in_sections =
        times.and_then(|times| section_loss.checked_mul(times.checked_add(sections)?));
    let cold = if loss.is_zero() { Some(Duration::ZERO) } else { cold };
    let cold = cold.zip(if section_loss.is_zero() { Some(section_loss) } else { in_sections });
    let switch = system.costs.context_switch;
    let switches = times.and_then(|times| switch.checked_mul(times.checked_add(sections)?));
    ContextLosses {
        member,
        cold_caches: cold.and_then(|(own, section)| own.checked_add(section)),
        context_switches: if switch.is_zero() { Some(switch) } else { switches },
        returns: machine.returns(member),
    }
}
