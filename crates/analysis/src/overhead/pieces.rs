//! In how many pieces the budget of a server returns.
//!
//! **Model.** *Returns* are instants at which budget is back; so many of them at most are in any
//! window as long as the period. A queue of refills holds so many; with a least budget the window is shorter by what
//! that leaves behind. A sporadic server on a core keeps as many times as its guest makes, bounded as follows.
//!
//! ```text
//!   level active   ┌───────┐        ┌──┐     ┌───────┐
//!   guest sleeps───┘woken  └────────┘  └─────┘       └──
//!                  α                          α + T: returns what was used of the time α
//! ```
//!
//! * A return at `τ` goes back to an *origin* `α = τ − k T`: there the level became active, with
//!   budget left, so the guest slept before. What has the time `α` is used, returns at `α + T`, is
//!   used, and so on, `k` times.
//! * Between the first uses of `α + j T` and `α + (j + 1) T` the whole budget is used. So the guest
//!   took `(k − 1) Q` in a window of `k T` before which it slept, and more than it wants it does not
//!   take: that bounds `k`.
//! * Returns in one period have different origins, each with a wake of the guest in it before the
//!   next one: at most one more than the guest wakes in `k T`.
//!
//! **Assumptions.** 1. What the guest takes is its demand and what it loses to a cold cache, which
//! depends on the returns so far: the least number that is enough for itself. 2. Nanoseconds cannot
//! be cut: never more returns than the budget has.
//!
//! **Cost.** One look at all loads per `k`, at most [`MOST`] of them, for each number that is tried.
//!
//! **Does not cover** sporadic servers inside guests, and POSIX's.
//!
//! Derived in docs/theory/replenishments.md.

use super::event::{SchedulingEvent, returns};
use crate::arrival::Arrivals;
use crate::demand::{Load, Loads};
use crate::ground::LONGEST_WINDOW;
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::deliveries;
use crate::request::{Card, routine_in_guest};
use crate::server_kind::{Returns, Sheet};
use vorrang_model::system::{Member, Server, SupplyId, System};
use vorrang_time::Duration;

/// Longer replenishment chains, or more returns, than this are not looked at.
const MOST: u64 = 1_000;

/// The guest of a sporadic server on a core.
pub(crate) struct Guest<'g, 'a> {
    pub(crate) server: &'g Server,
    /// What it wants of its server's time, in windows before which it slept.
    pub(crate) demand: &'g [Load<'a>],
    /// What can wake it, in any window.
    pub(crate) wakes: &'g [Arrivals<'a>],
    /// What it loses whenever its cache is cold.
    pub(crate) loss: Duration,
    /// What may interrupt it, in windows that begin with its level.
    pub(crate) interrupted: &'g [Arrivals<'a>],
}

impl Guest<'_, '_> {
    /// How often budget is back at most in a period; `None` if nothing bounds that.
    pub(crate) fn most_returns(&self) -> Option<u64> {
        let pieces = self.server.budget.as_ns();
        let mut count = 1;
        while count < pieces.min(MOST) {
            let Some(generations) = self.generations(count) else { break };
            let window = within(self.server.period, generations)?;
            let wakes = |event: &Arrivals<'_>| event.in_window(window);
            let needed = 1 + self.wakes.iter().map(wakes).sum::<u64>();
            if needed <= count {
                return Some(count);
            }
            count = needed;
        }
        (pieces <= MOST).then_some(pieces)
    }

    /// The largest `k` with `(k − 1) Q <= demand(k T)`, if so often budget is back.
    fn generations(&self, count: u64) -> Option<u64> {
        let Server { budget, period, .. } = *self.server;
        let mut last = 1;
        for k in 2..=self.enough(count)? {
            if budget.checked_mul(k - 1)? <= self.taken(within(period, k)?, count)? {
                last = k;
            }
        }
        Some(last)
    }

    /// What the guest takes in a window before which it slept.
    fn taken(&self, window: Duration, count: u64) -> Option<Duration> {
        let wanted = Loads::new(self.demand).in_window(window).ok()?;
        wanted.checked_add(self.lost(window, count)?)
    }

    fn lost(&self, window: Duration, count: u64) -> Option<Duration> {
        let returns = returns(count, self.server.period);
        let starts = self.wakes.iter().chain(self.interrupted).chain([&returns]);
        let starts: u64 = starts.map(|event| event.in_window(window)).sum();
        self.loss.checked_mul(1 + starts)
    }

    /// A `k` from which on the budget is more than the guest can take: `A k + B < Q (k − 1)` with what
    /// it takes in a period in the long run and at once; `None` without one below [`MOST`].
    fn enough(&self, count: u64) -> Option<u64> {
        let Server { budget, period, .. } = *self.server;
        let returns = returns(count, period);
        let starts = self.wakes.iter().chain(self.interrupted).chain([&returns]);
        let starts = starts.map(|event| (self.loss, *event));
        let demand = self.demand.iter().map(|load| (load.cost, load.arrivals));
        let (mut rate, mut at_once) = (0, u128::from(self.loss.as_ns()));
        for (cost, arrivals) in demand.chain(starts) {
            let (apart, jitter, times) = if let Some(limit) = arrivals.limit {
                (limit.period, limit.jitter, limit.count)
            } else {
                let (count, time) = arrivals.spacing().cycle();
                (time, arrivals.jitter, count)
            };
            let cost = u128::from(cost.as_ns()) * u128::from(times);
            let scaled = cost.checked_mul(u128::from(period.as_ns()))?.checked_mul(PARTS)?;
            rate += scaled.div_ceil(u128::from(apart.as_ns()));
            at_once += cost + (cost * u128::from(jitter.as_ns())).div_ceil(apart.as_ns().into());
        }
        let budget = u128::from(budget.as_ns());
        let spare = (budget * PARTS).checked_sub(rate).filter(|spare| *spare > 0)?;
        let enough = ((budget + at_once) * PARTS).div_ceil(spare) + 1;
        u64::try_from(enough).ok().filter(|enough| *enough <= MOST)
    }
}

/// Of a rate.
const PARTS: u128 = 1 << 20;

fn within(period: Duration, times: u64) -> Option<Duration> {
    period.checked_mul(times).filter(|window| *window <= LONGEST_WINDOW)
}

/// What a guest wants of the time of its server, in windows before which it slept; `None` where
/// nothing is known of that.
pub(crate) fn demand<'a>(
    system: &'a System,
    guest: SupplyId,
    often: &impl Fn(SchedulingEvent) -> Result<Arrivals<'a>, Reason>,
) -> Result<Option<Vec<Load<'a>>>, Reason> {
    let mut found = Vec::new();
    for (id, _) in deliveries(system, guest) {
        let cost = routine_in_guest(system, id);
        found.push(Load::of(Source::Interrupt(id), cost, often(SchedulingEvent::Delivery(id))?));
    }
    for &member in &system.supply(guest).members {
        let id = match member {
            Member::Task(id) => {
                let (task, event) = (system.task(id), SchedulingEvent::Release(id));
                let released = Load::of(Source::Task(id), task.wcet, often(event)?);
                let card = Card::polled_by(system, id);
                let cost = card.map_or(task.wcet, |card| card.polling(system, released).cost);
                found.push(Load { cost: cost + task.blocking, ..released });
                continue;
            }
            Member::Server(id) => id,
        };
        // What it has left is known only where its level is the guest's.
        let returns = Sheet::of_supply(system, id).map(|sheet| sheet.returns);
        let load = match returns {
            Some(Returns::WithPeriods | Returns::InRefills) => Load::of_member(system, member),
            Some(
                Returns::InPieces
                | Returns::AtDeadlines
                | Returns::WhenGone
                | Returns::InPlace
                | Returns::Never
                | Returns::NotCovered,
            )
            | None => None,
        };
        let Some(load) = load else { return Ok(None) };
        found.push(load);
    }
    Ok(Some(found))
}
