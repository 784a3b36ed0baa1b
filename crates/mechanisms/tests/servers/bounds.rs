//! Random histories: no window holds more consumption than the theory allows.

use crate::driver::{
    Around, Fresh, TICK, Tick, drawn, drive, drive_charging, excess, level_starts,
};
use proptest::prelude::*;
use vorrang_mechanisms::server::{
    AnyServer, CbsHard, CbsSoft, Deferrable, Periodic, Polling, PosixSporadic, RefillQueue,
    SchedDeadline, Server, Sporadic, Table,
};
use vorrang_time::{Duration, Instant};

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

/// The first interval in which more than the bandwidth was consumed by its deadlines.
fn over_bandwidth(
    server: &mut impl Server,
    (budget, period): (u64, u64),
    around: &[Around],
) -> Option<(u64, u64)> {
    let ticks = drive(server, around);
    let ends = TICKS as u64;
    (0..ends)
        .flat_map(|from| (from..ends).map(move |to| (from, to)))
        .find(|&(from, to)| demand(&ticks, period, from, to) > (to - from) * budget / period)
}

/// What was used by each tick after those of [`TICKS`], if the guest always wants time, nothing more urgent
/// does, and the kernel is entered as stated.
fn entered(server: &mut RefillQueue, entries: &[bool]) -> Vec<u64> {
    let first = TICKS as u64;
    let mut used = vec![0];
    server.sleep(Instant::from_ns(first));
    server.wake(Instant::from_ns(first));
    for (now, enters) in (first..).map(Instant::from_ns).zip(entries) {
        if server.due() <= now {
            server.replenish(now);
        }
        if *enters {
            server.stop(now);
        }
        let ran = !server.budget().is_zero();
        if ran {
            server.consume(now + TICK, TICK);
        }
        used.push(used[used.len() - 1] + u64::from(ran));
    }
    used
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
    fn polling_is_a_periodic_task((budget, period, phase) in server(), around in surroundings()) {
        let mut server = Polling::new(ns(budget), ns(period), ns(phase));
        let ticks = drive(&mut server, &around);
        let begins = |at| level_starts(&ticks, at);
        prop_assert_eq!(excess(&ticks, begins, |x| x.div_ceil(period) * budget), None);
    }

    /// However short the queue is.
    #[test]
    fn a_refill_queue_is_a_periodic_task(
        (budget, period, _) in server(),
        refills in 2_usize..9,
        least in 0_u64..20,
        around in surroundings(),
    ) {
        let server = RefillQueue::with_max_refills(ns(budget), ns(period), refills);
        let mut server = server.with_least_budget(ns(least));
        let ticks = drive(&mut server, &around);
        let begins = |at| level_starts(&ticks, at);
        prop_assert_eq!(excess(&ticks, begins, |x| x.div_ceil(period) * budget), None);
    }

    /// In any window in which the guest wants time, and nothing more urgent does, the queue provides what
    /// one of Q − m + 1 does after twice its gap: wherever the kernel is entered, which joins what is too little.
    #[test]
    fn a_refill_queue_provides_all_but_less_than_its_least_budget(
        (budget, period, _) in server(),
        refills in 2_usize..9,
        least in 0_u64..20,
        around in surroundings(),
        entries in prop::collection::vec(prop::bool::weighted(0.2), 5 * TICKS),
    ) {
        let server = RefillQueue::with_max_refills(ns(budget), ns(period), refills);
        let mut server = server.with_least_budget(ns(least));
        drive(&mut server, &around);
        let used = entered(&mut server, &entries);
        let provided = budget - least.min(budget).saturating_sub(1);
        let gap = period - provided;
        for from in 0..used.len() {
            for to in from..used.len() {
                let (length, had) = ((to - from) as u64, used[to] - used[from]);
                let after = length.saturating_sub(2 * gap);
                let least = after / period * provided + (after % period).min(provided);
                prop_assert!(had >= least, "{had} of {least} in {from}..{to}");
            }
        }
    }

    #[test]
    fn cbs_keeps_its_bandwidth_by_deadlines(
        (budget, period, _) in server(),
        around in surroundings(),
    ) {
        let mut hard = CbsHard::new(ns(budget), ns(period));
        prop_assert_eq!(over_bandwidth(&mut hard, (budget, period), &around), None);
        let mut soft = CbsSoft::new(ns(budget), ns(period));
        prop_assert_eq!(over_bandwidth(&mut soft, (budget, period), &around), None);
    }

    /// With a deadline shorter than the period the bandwidth of its windows is Q/D.
    #[test]
    fn sched_deadline_keeps_its_bandwidth_by_deadlines(
        (budget, deadline, _) in server(),
        longer in 0_u64..15,
        around in surroundings(),
    ) {
        let mut server = SchedDeadline::new(ns(budget), ns(deadline), ns(deadline + longer));
        prop_assert_eq!(over_bandwidth(&mut server, (budget, deadline), &around), None);
    }

    /// In how many pieces consumption is charged makes no difference.
    #[test]
    fn charging_every_tick_is_the_same(
        (budget, period, phase) in server(),
        around in surroundings(),
    ) {
        let (budget, period, phase) = (ns(budget), ns(period), ns(phase));
        let kinds = [
            AnyServer::Periodic(Periodic::new(budget, period, phase)),
            AnyServer::Polling(Polling::new(budget, period, phase)),
            AnyServer::Deferrable(Deferrable::new(budget, period, phase)),
            AnyServer::Sporadic(Sporadic::new(budget, period)),
            AnyServer::RefillQueue(RefillQueue::with_max_refills(budget, period, 3)),
            AnyServer::PosixSporadic(PosixSporadic::new(budget, period)),
            AnyServer::CbsHard(CbsHard::new(budget, period)),
            AnyServer::CbsSoft(CbsSoft::new(budget, period)),
            AnyServer::SchedDeadline(SchedDeadline::new(budget, period, period + phase)),
        ];
        for kind in kinds {
            let whole = drive(&mut kind.clone(), &around);
            let ticks = drive_charging(&mut kind.clone(), &around, TICK);
            prop_assert_eq!(drawn(&whole), drawn(&ticks), "{:?}", kind);
            let deadlines = |ticks: &[Tick]| ticks.iter().map(|t| t.deadline).collect::<Vec<_>>();
            prop_assert_eq!(deadlines(&whole), deadlines(&ticks), "{:?}", kind);
        }
    }

    #[test]
    fn a_slot_is_where_it_is_said_to_be(
        (budget, period, offset) in server(),
        around in surroundings(),
    ) {
        let mut server = Table::slot(ns(budget), ns(period), ns(offset));
        let ticks = drive(&mut server, &around);
        for (now, tick) in ticks.iter().enumerate() {
            let inside = (now as u64 + period - offset) % period < budget;
            prop_assert_eq!(tick.ran, inside && !around[now].preempted);
        }
    }
}
