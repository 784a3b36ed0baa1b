//! Lost time: an upper bound on it, by context and cause.
//!
//! **Model.** In the first `x` of any history a context gets the core after another one at most once
//! for each of its own scheduling events (`overhead/kernel.rs`) and for each of what may interrupt it. Each time it is
//! charged a switch and all that its cache can lose, which for a server is paid from its budget. Each
//! event on the core calls the scheduler twice at most; each request and expiry enters and leaves, an expiry on a
//! core with a shield perhaps twice (`overhead/shield.rs`).
//!
//! **Assumptions.** 1. The context that is charged is the one of the simulator (docs/model.md): calls, entries,
//! callbacks and exits may all fall to the same context. So there is one bound for the core, which
//! holds for each context, too. 2. What is interrupted an unbounded number of times loses its budget.
//!
//! **Does not cover** cores that [`crate::coverage`] names.
//!
//! Theory: docs/theory/lost-time.md.

use super::Fold;
use crate::core_level::CoreLevel;
use crate::coverage::not_covered;
use crate::demand::Load;
use crate::effort::NoBound;
use crate::interrupt::has_guest;
use crate::overhead::{CoreInterference, loss, loss_of_server};
use crate::reason::Reason;
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
    let mut fold = Fold::new(system);
    fold.know_delays();
    fold.losses(core, window)
}

impl Fold<'_> {
    fn losses(&mut self, core: SupplyId, window: Duration) -> Result<Losses, Reason> {
        if let Some(what) = not_covered(self.system, core) {
            return Err(Reason::NotCovered { what });
        }
        let (arrivals, why) = (&mut self.arrivals, &self.why);
        let level = CoreLevel::new((self.system, core), arrivals, why, &self.effort);
        let level = level?;
        let machine = level.interference(&self.arrivals)?;
        let (timers, ids, loads) = (&machine.timers, &level.ids, &level.loads);
        let product = |count: u64, cost: Duration| {
            cost.checked_mul(count).ok_or_else(|| self.why.no_bound(core, NoBound::TooLong))
        };
        let expiries = timers.all.iter().map(|timer| timer.expiries.occurrences(window));
        let expiries: u64 = expiries.sum();
        let budgets = timers.budgets.before_members.iter().map(|load| load.occurrences(window));
        let budgets: u64 = budgets.sum();
        let requests = loads.iter().map(|load| load.occurrences(window));
        let entries: u64 = requests.sum::<u64>() + expiries * timers.entries + budgets;
        let costs = &self.system.costs;
        // A routine may interrupt a guest, and a guest's ends with an exit.
        let delivered =
            ids.iter().zip(loads).filter(|(id, _)| self.system.interrupt(**id).delivery.is_some());
        let by_timers =
            timers.all.iter().filter(|timer| self.system.delivered_by(timer.id).is_some());
        let by_timers = by_timers.map(|timer| timer.expiries.occurrences(window));
        let in_guests = delivered.map(|(_, load)| load.occurrences(window)).chain(by_timers);
        let in_guests: u64 = in_guests.sum();
        let exits = if has_guest(self.system, core) { entries + in_guests } else { 0 };
        let contexts = self.system.supply(core).members.iter().map(|&member| {
            let (cold_caches, context_switches) = self.charged(&machine, member, window);
            let returns = machine.returns(member);
            ContextLosses { member, cold_caches, context_switches, returns }
        });
        Ok(Losses {
            contexts: contexts.collect(),
            scheduler_calls: product(machine.calls(window), costs.scheduler_call)?,
            timer_expiries: product(expiries + budgets, costs.timer_expiry)?,
            interrupt_entries: product(entries, costs.interrupt_entry + costs.interrupt_exit)?,
            vm_exits: product(exits, costs.vm_exit)?,
        })
    }

    /// What switches to a member of the core take, and the cold caches that they leave.
    fn charged(
        &self,
        machine: &CoreInterference<'_>,
        member: Member,
        window: Duration,
    ) -> (Option<Duration>, Option<Duration>) {
        let times = machine.times_chosen(member, window).ok();
        let loss = match member {
            Member::Task(id) => {
                let cache = self.system.task(id).cache;
                cache.map_or(Duration::ZERO, |id| loss(self.system, id))
            }
            Member::Server(id) => loss_of_server(self.system, id),
        };
        if loss.is_zero() {
            return (Some(Duration::ZERO), self.switches(times));
        }
        // It is paid from the budget.
        let budgets = match member {
            Member::Task(_) => None,
            Member::Server(_) => Load::of_member(self.system, member),
        };
        let paid = budgets.and_then(|load| load.in_window(window).ok());
        let cold = times.and_then(|times| loss.checked_mul(times));
        (cold.into_iter().chain(paid).min(), self.switches(times))
    }

    fn switches(&self, times: Option<u64>) -> Option<Duration> {
        let each = self.system.costs.context_switch;
        if each.is_zero() { Some(each) } else { each.checked_mul(times?) }
    }
}
