//! The timers of the kernel by which budgets return and end.
//!
//! **Model.** Where interrupts and timers cost something, each return of a budget of the host is a
//! timer interrupt with one callback, and so is each end: entry, callback, exit, and an exit of the
//! guest that ran. A period has one return and at most one end of a budget, from `Q` behind the
//! return on:
//!
//! ```text
//!   return            end (earliest)                    end (latest) = next return
//!   |<------ Q ------>|<-------------- T - Q --------------->|
//! ```
//!
//! so in any window there are at most `ceil(x / T)` returns and `ceil((x + T - Q) / T)` ends.
//!
//! A hard constant-bandwidth server, or one of Linux, may be late: a budget then ends behind its
//! deadline, and the next one returns at once. In a window before which none of what matters was
//! ready, one budget that was kept may end, and then at most one in each period: `ceil(x / T)` returns
//! and `ceil((x + T) / T)` ends.
//!
//! In windows that begin anywhere, and inside reservations, nothing is claimed of lateness. Between
//! two ends, and between two returns, a whole budget is used, less what the one before was overrun by:
//! `n` of them take `(n - 1) Q - X` at least. With `D < T` a wake-up may leave a part of a budget only.
//! Then a whole one is used from each to the next but one, and twice as many count.
//!
//! A pseudo-VCPU that comes before all deadlines may begin to wait while servers are late. Where
//! interrupts are charged, these servers pay for its interrupts. So its windows begin anywhere.
//!
//! **Assumptions.** 1. Each is an interrupt of its own, although several may share one.
//!
//! **Does not cover** budgets that do not return once in a period: of sporadic servers, queues of
//! refills, soft constant-bandwidth servers, and of pseudo-VCPUs; and slots and turns ([`uncounted`]).
//!
//! Theory: docs/theory/budget-timers.md.

use super::overrun::overrun;
use crate::demand::Load;
use crate::ground::Source;
use crate::request::{Urgency, around};
use crate::server_kind::{Returns, Sheet};
use core::iter::successors;
use vorrang_model::system::{InterruptTime, Server, SupplyId, System};
use vorrang_time::Duration;

/// What the timers of the budgets of a core take.
#[derive(Clone, Debug, Default)]
pub(crate) struct BudgetTimers<'a> {
    /// In windows before which what is as urgent as a member was not ready.
    pub(crate) before_members: Vec<Load<'a>>,
    /// In any window.
    pub(crate) anywhere: Vec<Load<'a>>,
    /// Interrupts use up budgets of servers that are less urgent than what the window is of.
    are_charged: bool,
}

impl<'a> BudgetTimers<'a> {
    /// Those of a core.
    pub(crate) fn new(system: &System, core: SupplyId) -> Self {
        let cost = cost(system, core);
        let are_charged = system.supply(core).interrupt_time == InterruptTime::Charged;
        let mut timers = Self { are_charged, ..Self::default() };
        for (id, server) in counted(system, core) {
            let Server { on, budget, period, .. } = *server;
            let (returns, ends) = (Source::Returns(id), Source::Ends(id));
            let load = |source, period, jitter| Load::new(source, cost, period, jitter);
            let once = |late| [load(returns, period, Duration::ZERO), load(ends, period, late)];
            // A pair that is cut at a wake-up ends soon, and no two of them in a row are.
            let is_cut = server.relative_deadline() < period;
            let twice = if is_cut { cost * 2 } else { cost };
            let apart =
                [returns, ends].map(|source| Load::new(source, twice, budget, overrun(system, id)));
            let (members, anywhere) = match Sheet::of_server(server).returns == Returns::AtDeadlines
            {
                true if on == core => (once(period), apart),
                // Inside a reservation it may be ready whatever is ready on the core.
                true => (apart, apart),
                false => (once(period - budget), once(period - budget)),
            };
            timers.before_members.extend(members);
            timers.anywhere.extend(anywhere);
        }
        if cost.is_zero() { Self::default() } else { timers }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.anywhere.is_empty()
    }

    /// In windows before which nothing so urgent was ready. That of a pseudo-VCPU which comes before all deadlines may
    /// begin with servers that are late; where interrupts are charged, these end one budget after the other.
    pub(crate) fn before(&self, urgency: Urgency) -> &[Load<'a>] {
        let are_late = self.are_charged && urgency > Urgency::Most;
        if are_late { &self.anywhere } else { &self.before_members }
    }
}

/// The servers of the host whose budgets return once in a period.
pub(crate) fn counted(
    system: &System,
    core: SupplyId,
) -> impl Iterator<Item = (SupplyId, &Server)> {
    let servers = of_host(system, core).filter_map(|id| Some((id, system.supply(id).server()?)));
    servers.filter(|(_, server)| returns_once(Sheet::of_server(server)))
}

/// The same, without their ids.
pub(crate) fn budgets_by_timers(system: &System, core: SupplyId) -> impl Iterator<Item = &Server> {
    counted(system, core).map(|(_, server)| server)
}

/// Whether budgets of a core return and end by interrupts that are counted.
pub(crate) fn interrupts(system: &System, core: SupplyId) -> bool {
    !cost(system, core).is_zero() && counted(system, core).next().is_some()
}

/// Whether budgets of a core return and end at a cost that is not counted.
pub(crate) fn uncounted(system: &System, core: SupplyId) -> bool {
    let others = |id| !Sheet::of_supply(system, id).is_some_and(returns_once);
    !cost(system, core).is_zero()
        && (of_host(system, core).any(others) || system.paid_on(core).next().is_some())
}

fn returns_once(sheet: Sheet) -> bool {
    matches!(sheet.returns, Returns::WithPeriods | Returns::AtDeadlines)
}

/// One timer interrupt with its callback.
fn cost(system: &System, core: SupplyId) -> Duration {
    around(system, core) + system.costs.timer_expiry
}

/// The servers of a core that stand in no virtual processor.
fn of_host(system: &System, core: SupplyId) -> impl Iterator<Item = SupplyId> + '_ {
    let within = |id: &SupplyId| system.supply(*id).on();
    system.supplies_within(core).into_iter().filter(move |id| {
        let mut around = successors(within(id), within);
        *id != core && around.all(|id| system.supply(id).vm.is_none())
    })
}
