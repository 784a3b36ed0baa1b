//! Random histories: no window holds more consumption than the theory allows.

use crate::driver::{Around, Fresh, Tick, drive, excess, level_starts};
use proptest::prelude::*;
use vorrang_mechanisms::server::{CbsHard, Deferrable, Periodic, Slot, Sporadic};
use vorrang_time::Duration;

const TICKS: usize = 120;

/// Runs of equal surroundings: independent ticks would hardly ever let a budget last.
fn surroundings() -> impl Strategy<Value = Vec<Around>> {
    let stretch = (any::<bool>(), prop::bool::weighted(0.3), 1_usize..12);
    prop::collection::vec(stretch, 40).prop_map(|stretches| {
        let ticks = stretches.into_iter().flat_map(|(work, preempted, length)| {
            std::iter::repeat_n(Around { work, preempted }, length)
        });
        ticks.take(TICKS).collect()
    })
}

/// Budget, period and phase.
fn server() -> impl Strategy<Value = (u64, u64, u64)> {
    (1_u64..=20).prop_flat_map(|period| (1..=period, Just(period), 0..period))
}

fn ns(time: u64) -> Duration {
    Duration::from_ns(time)
}

/// Ticks consumed by chunks of time that became available at `from` or later and whose deadline
/// is at most `to`.
fn demand(ticks: &[Tick], period: u64, from: u64, to: u64) -> u64 {
    let mut available = 0;
    let mut total = 0;
    for (now, tick) in ticks.iter().enumerate() {
        match tick.fresh {
            Some(Fresh::Woken) => available = now as u64,
            // Budget that is gone only after its deadline returns late, for the next period.
            Some(Fresh::Replenished) => available = tick.deadline.as_ns() - period,
            None => {}
        }
        total += u64::from(tick.ran && available >= from && tick.deadline.as_ns() <= to);
    }
    total
}

proptest! {
    #[test]
    fn periodic_is_a_periodic_task((budget, period, phase) in server(), around in surroundings()) {
        let mut server = Periodic::new(ns(budget), ns(period), ns(phase));
        let ticks = drive(&mut server, &around);
        // What is left at the start belongs to a period that began before.
        let begins = |at| level_starts(&ticks, at) && (at > 0 || phase == 0);
        prop_assert_eq!(excess(&ticks, begins, |x| x.div_ceil(period) * budget), None);
    }

    #[test]
    fn sporadic_is_a_periodic_task((budget, period, _) in server(), around in surroundings()) {
        let mut server = Sporadic::new(ns(budget), ns(period));
        let ticks = drive(&mut server, &around);
        let begins = |at| level_starts(&ticks, at);
        prop_assert_eq!(excess(&ticks, begins, |x| x.div_ceil(period) * budget), None);
    }

    #[test]
    fn deferrable_runs_at_most_twice_in_a_row(
        (budget, period, phase) in server(),
        around in surroundings(),
    ) {
        let mut server = Deferrable::new(ns(budget), ns(period), ns(phase));
        let ticks = drive(&mut server, &around);
        let bound = |x: u64| (x + period - budget).div_ceil(period) * budget;
        prop_assert_eq!(excess(&ticks, |_| true, bound), None);
    }

    #[test]
    fn cbs_keeps_its_bandwidth_by_deadlines(
        (budget, period, _) in server(),
        around in surroundings(),
    ) {
        let mut server = CbsHard::new(ns(budget), ns(period));
        let ticks = drive(&mut server, &around);
        for from in 0..TICKS as u64 {
            for to in from..TICKS as u64 {
                let most = (to - from) * budget / period;
                prop_assert!(demand(&ticks, period, from, to) <= most, "[{from}, {to})");
            }
        }
    }

    #[test]
    fn a_slot_is_where_it_is_said_to_be(
        (budget, period, offset) in server(),
        around in surroundings(),
    ) {
        let mut server = Slot::new(ns(budget), ns(period), ns(offset));
        let ticks = drive(&mut server, &around);
        for (now, tick) in ticks.iter().enumerate() {
            let inside = (now as u64 + period - offset) % period < budget;
            prop_assert_eq!(tick.ran, inside && !around[now].preempted);
        }
    }
}
