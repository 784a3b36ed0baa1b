//! When the servers of a processor can give way to those of another description, so that none of them loses a budget.
//!
//! **Model.** At the *instant of the change* the schedule of a processor ends and another one begins, with all its
//! budgets. By fixed priority and EDF that is an instant at which no server has both budget and work, and no task on the
//! core itself has work: each has received what its period had for it. Slots do not have such instants, so it is a common multiple of their periods,
//! at which all of them begin anew.
//!
//! **Assumptions.** 1. Less than the whole processor is reserved: so there is such an instant after every busy period.
//! 2. No slot is open at the common multiple.
//!
//! Theorem: docs/theory/change-of-description.md.

use crate::processor::Order;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use vorrang_model::system::SupplyKind;
use vorrang_time::{Duration, Instant};

/// A longer wait for a change is none.
const LONGEST_WAIT: Duration = Duration::from_ms(10_000);

/// How long a task on the core is waited for before it is looked at again.
const AGAIN: Duration = Duration::from_ms(1);

/// When it can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Changeover {
    /// Whenever no server has both budget and work, and no task on the core itself has work.
    Idle,
    /// At every multiple of this many nanoseconds since the beginning.
    EveryNs(u64),
    /// Never, with the reason as a clause.
    Never(String),
}

/// A slot: where in its period it begins, its length, and its period.
type Place = (Duration, Duration, Duration);

impl Changeover {
    /// That of a core that is run.
    pub fn of_scope(scope: &Scope) -> Self {
        Self::of(scope.order, scope.servers.iter().map(|one| &one.server))
    }

    /// That of servers in this order.
    pub fn of<'a>(order: Order, servers: impl Iterator<Item = &'a SupplyKind>) -> Self {
        let slots = servers.filter_map(|kind| {
            let server = kind.server()?;
            Some((server.slot_offset()?, server.budget, server.period))
        });
        match order {
            Order::FixedPriority | Order::Edf => Self::Idle,
            Order::Slots => of_slots(&slots.collect::<Vec<_>>()),
            Order::Turns => {
                Self::Never("its servers take turns, which no instant ends for all".to_owned())
            }
        }
    }

    /// The instant of the change that has been asked for, if it is known: `now` where the processor `is_idle` and tasks on the
    /// core rest. If only these do not, the instant at which to look again. `before`: what was planned.
    pub fn planned(
        &self,
        before: Option<Instant>,
        now: Instant,
        is_idle: bool,
        do_tasks_rest: impl FnOnce() -> bool,
    ) -> Option<Instant> {
        match *self {
            Self::Idle if !is_idle => None,
            Self::Idle if do_tasks_rest() => Some(now),
            Self::Idle => now.checked_add(AGAIN),
            Self::EveryNs(every) => {
                before.or_else(|| now.as_ns().checked_next_multiple_of(every).map(Instant::from_ns))
            }
            Self::Never(_) => None,
        }
    }
}

fn of_slots(slots: &[Place]) -> Changeover {
    let wraps = |&(offset, length, period): &Place| offset.modulo(period) + length > period;
    if slots.iter().any(wraps) {
        return Changeover::Never("a slot goes on over the end of its period".to_owned());
    }
    let mut periods = slots.iter().map(|(.., period)| period.as_ns());
    let common = periods.try_fold(1, common_multiple);
    match common.filter(|&common| common <= LONGEST_WAIT.as_ns()) {
        Some(common) => Changeover::EveryNs(common),
        None => Changeover::Never(format!(
            "the periods of its slots have no common multiple of {LONGEST_WAIT} or less"
        )),
    }
}

fn common_multiple(one: u64, other: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (one, other);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (one / divisor).checked_mul(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_ms;

    #[test]
    fn slots_change_where_all_begin_anew() {
        let slots = [(MS(0), MS(2), MS(10)), (MS(12), MS(3), MS(15))];
        let changeover = of_slots(&slots);
        assert_eq!(changeover, Changeover::EveryNs(30_000_000));
        let at = |ns| changeover.planned(None, Instant::from_ns(ns), true, || true);
        assert_eq!(at(30_000_001), Some(Instant::from_ns(60_000_000)));
        assert_eq!(at(60_000_000), Some(Instant::from_ns(60_000_000)), "it has not begun yet");
        let planned = changeover.planned(at(1), Instant::from_ns(30_000_001), true, || true);
        assert_eq!(planned, at(1), "it stays");
    }

    #[test]
    fn a_slot_is_not_cut() {
        let ends_with_it = [(MS(8), MS(2), MS(10))];
        assert_eq!(of_slots(&ends_with_it), Changeover::EveryNs(10_000_000));
        let goes_on = [(MS(8), MS(3), MS(10))];
        assert!(matches!(of_slots(&goes_on), Changeover::Never(_)));
    }

    #[test]
    fn a_change_is_not_waited_for_in_vain() {
        let prime = |ms| (MS(0), MS(1), MS(ms));
        let slots = [prime(97), prime(89), prime(83)];
        assert!(matches!(of_slots(&slots), Changeover::Never(_)));
    }
}
