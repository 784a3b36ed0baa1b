//! `SCHED_DEADLINE` case by case: the rules of Linux against numbers worked out by hand.

use crate::driver::{around, drawn, drive};
use proptest::prelude::*;
use vorrang_mechanisms::server::{Bandwidth, CbsHard, SchedDeadline, Server};
use vorrang_time::{Duration, Instant};

fn ns(time: u64) -> Duration {
    Duration::from_ns(time)
}

fn at(time: u64) -> Instant {
    Instant::from_ns(time)
}

/// With a deadline equal to the period.
fn implicit(full: u64, period: u64) -> SchedDeadline {
    SchedDeadline::new(ns(full), ns(period), ns(period))
}

#[test]
fn it_waits_for_its_deadline() {
    let ticks = drive(&mut implicit(2, 5), &around(".###########"));
    assert_eq!(drawn(&ticks), ".##...##...#");
}

/// Awake at 4 with one unit until 7, and 1·6 = 3·2: exactly the bandwidth. The rule of 1998
/// starts afresh, Linux keeps the pair.
#[test]
fn at_equality_linux_keeps_what_the_rule_of_1998_refills() {
    let history = around(".#..##########");
    let ticks = drive(&mut CbsHard::new(ns(2), ns(6)), &history);
    assert_eq!(drawn(&ticks), ".#..##....##..");
    assert_eq!(ticks[4].deadline, at(10));
    let ticks = drive(&mut implicit(2, 6), &history);
    assert_eq!(drawn(&ticks), ".#..#..##....#");
    assert_eq!(ticks[4].deadline, at(7));
}

/// One tick of sleep more and both start afresh.
#[test]
fn above_the_bandwidth_it_starts_afresh() {
    let ticks = drive(&mut implicit(2, 6), &around(".#...########"));
    assert_eq!(drawn(&ticks), ".#...##....##");
    assert_eq!(ticks[5].deadline, at(11));
}

/// Budget 4 until the deadline 8 of a period of 16.
#[test]
fn a_constrained_deadline_is_kept_with_what_fits_before_it() {
    let server = || SchedDeadline::new(ns(4), ns(8), ns(16));
    // At 4 three units are left, but only half of the 4 ticks until 8 are its own.
    let ticks = drive(&mut server(), &around("#...################"));
    assert_eq!(drawn(&ticks), "#...##..........####");
    assert_eq!([ticks[4].deadline, ticks[16].deadline], [at(8), at(24)]);
    // At 2 exactly three of six are: all are kept.
    let ticks = drive(&mut server(), &around("#.##################"));
    assert_eq!(drawn(&ticks), "#.###...........####");
    // At the deadline itself nothing is left of it.
    let ticks = drive(&mut server(), &around("#.......############"));
    assert_eq!(drawn(&ticks), "#...............####");
}

#[test]
fn after_a_constrained_deadline_the_next_period_is_waited_for() {
    let server = || SchedDeadline::new(ns(4), ns(8), ns(16));
    let ticks = drive(&mut server(), &around("#..........#########"));
    assert_eq!(drawn(&ticks), "#...............####");
    assert_eq!(ticks[16].deadline, at(24));
    // From then on it starts when it wants to.
    let ticks = drive(&mut server(), &around("#................###"));
    assert_eq!(drawn(&ticks), "#................###");
    assert_eq!(ticks[17].deadline, at(25));
}

#[test]
fn overruns_are_paid() {
    let mut server = implicit(2, 5).with_granularity(ns(3));
    let ticks = drive(&mut server, &around("########################"));
    assert_eq!(drawn(&ticks), "###..###..###.......###.");
    let deadlines = [0, 5, 10, 20].map(|tick: usize| ticks[tick].deadline.as_ns());
    assert_eq!(deadlines, [5, 10, 20, 25]);
}

#[test]
fn a_deadline_that_has_passed_is_not_replenished_for() {
    let mut server = implicit(2, 5);
    server.wake(at(0));
    server.consume(at(2), ns(2));
    assert_eq!((server.budget(), server.due()), (ns(0), at(5)));
    // The caller was busy until 13.
    server.replenish(at(13));
    assert_eq!((server.budget(), server.deadline()), (ns(2), at(18)));
}

#[test]
fn who_gives_up_waits_for_the_next_period() {
    let mut server = implicit(3, 5);
    server.give_up();
    server.wake(at(0));
    assert_eq!(server.budget(), ns(3));
    server.consume(at(1), ns(1));
    server.give_up();
    assert_eq!((server.budget(), server.due()), (ns(0), at(5)));
    server.replenish(at(5));
    assert_eq!((server.budget(), server.deadline()), (ns(3), at(10)));
}

/// What was consumed counts until the 0-lag time d − q·T/Q.
#[test]
fn bandwidth_is_held_until_the_zero_lag_time() {
    let half = Bandwidth::of(ns(1), ns(2));
    // (runtime used, asleep at, 0-lag time; none if it has passed)
    for (used, asleep, zero_lag) in
        [(1, 1, Some(2)), (1, 2, None), (3, 3, Some(6)), (5, 5, Some(10)), (2, 8, None)]
    {
        let mut server = implicit(5, 10);
        assert_eq!(server.bandwidth(), Bandwidth::NONE);
        server.wake(at(0));
        assert_eq!(server.bandwidth(), half);
        server.consume(at(used), ns(used));
        server.sleep(at(asleep));
        if let Some(zero_lag) = zero_lag {
            assert_eq!((server.bandwidth(), server.due()), (half, at(zero_lag)));
            server.replenish(at(zero_lag));
        }
        assert_eq!(server.bandwidth(), Bandwidth::NONE);
        server.wake(at(20));
        assert_eq!(server.bandwidth(), half);
    }
}

/// A quarter of the processor with a runtime of 8 in 32.
#[test]
fn reclaiming_stretches_the_runtime() {
    let own = Bandwidth::of(ns(1), ns(4));
    let mut server = implicit(8, 32).reclaiming();
    server.wake(at(0));
    // Alone: a unit of time costs a quarter.
    server.reclaim(own);
    assert_eq!(server.budget(), ns(32));
    server.consume(at(16), ns(16));
    // With another quarter in use the rest of 4 lasts for 8.
    server.reclaim(own + own);
    assert_eq!(server.budget(), ns(8));
    // Never more than one for one, however much is in use, and never less than its own.
    server.reclaim(Bandwidth::WHOLE + own);
    assert_eq!(server.budget(), ns(4));
    server.reclaim(Bandwidth::NONE);
    assert_eq!(server.budget(), ns(16));
    // A server that does not reclaim is charged one for one.
    let mut plain = implicit(8, 32);
    plain.wake(at(0));
    plain.reclaim(own);
    assert_eq!(plain.budget(), ns(8));
}

#[test]
fn bandwidth_is_rounded_up() {
    let parts = |budget, period| Bandwidth::of(ns(budget), ns(period));
    assert_eq!(parts(1, 1), Bandwidth::WHOLE);
    assert_eq!(parts(7, 5), Bandwidth::WHOLE);
    assert!(parts(1, 3) + parts(1, 3) + parts(1, 3) > Bandwidth::WHOLE);
    assert!(parts(1, u64::MAX) > Bandwidth::NONE);
    assert_eq!(parts(1, 2) - parts(1, 4), parts(1, 4));
}

/// Servers on one processor by earliest deadline first, tick by tick.
struct Processor {
    servers: Vec<SchedDeadline>,
    had_work: Vec<bool>,
    runs: Option<usize>,
}

impl Processor {
    /// As many of the servers (runtime, period, whether it reclaims) as fit.
    fn new(parameters: &[(u64, u64, bool)]) -> Self {
        let mut reserved = Bandwidth::NONE;
        let mut servers = Vec::new();
        for &(full, period, reclaims) in parameters {
            let more = reserved + Bandwidth::of(ns(full), ns(period));
            if full <= period && more <= Bandwidth::WHOLE {
                reserved = more;
                let server = implicit(full, period);
                servers.push(if reclaims { server.reclaiming() } else { server });
            }
        }
        let had_work = vec![false; servers.len()];
        Self { servers, had_work, runs: None }
    }

    /// Everything up to `now`, and the server that runs then.
    fn step(&mut self, now: Instant, has_work: impl Fn(usize) -> bool) {
        if let Some(runs) = self.runs {
            self.servers[runs].consume(now, ns(1));
        }
        for (place, server) in self.servers.iter_mut().enumerate() {
            while server.due() <= now {
                server.replenish(now);
            }
            match (self.had_work[place], has_work(place)) {
                (false, true) => server.wake(now),
                (true, false) => server.sleep(now),
                _ => {}
            }
            self.had_work[place] = has_work(place);
        }
        let active = self.servers.iter().fold(Bandwidth::NONE, |sum, s| sum + s.bandwidth());
        for server in &mut self.servers {
            server.reclaim(active);
            assert_eq!(server.check(), Ok(()));
        }
        let deadline = |place: usize| (self.servers[place].deadline(), place);
        self.runs = (0..self.servers.len())
            .filter(|&place| self.is_ready(place))
            .min_by_key(|&p| deadline(p));
    }

    fn is_ready(&self, place: usize) -> bool {
        self.had_work[place] && !self.servers[place].budget().is_zero()
    }
}

/// B (1/2) sleeps from 5 on, when its runtime is used up: what A (1/2) could reclaim of it is
/// consumed already, so A gets no more than its own until B's deadline, and all of it then.
#[test]
fn what_is_used_up_is_not_reclaimed() {
    let mut processor = Processor::new(&[(5, 10, true), (5, 10, false)]);
    let mut ran = String::new();
    for now in 0..35 {
        processor.step(at(now), |place| place == 0 && now > 0 || place == 1 && now < 5);
        ran.push(['A', 'B', '.'][processor.runs.unwrap_or(2)]);
    }
    // At 10 B is inactive; A, whose deadline is 11, has used 5 since 5.
    assert_eq!(ran, "BBBBBAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA");
}

proptest! {
    /// As long as not more than all of the time is reserved, every server with work exhausts its runtime
    /// before its deadline, whatever others reclaim. Runtime that is gone between two ticks is missed at
    /// the later one, so each server may be in the way for a part of a tick.
    #[test]
    fn reclaiming_makes_nobody_late(
        parameters in prop::collection::vec((1_u64..9, 4_u64..30, any::<bool>()), 2..6),
        stretches in prop::collection::vec(prop::collection::vec(1_usize..200, 40), 5),
    ) {
        let scaled =
            parameters.iter().map(|&(full, period, reclaims)| (16 * full, 16 * period, reclaims));
        let mut processor = Processor::new(&scaled.collect::<Vec<_>>());
        // Work and sleep in turn.
        let works: Vec<Vec<bool>> = stretches
            .iter()
            .map(|lengths| {
                let stretch = |(index, &length): (usize, &usize)| vec![index % 2 == 0; length];
                lengths.iter().enumerate().flat_map(stretch).collect()
            })
            .collect();
        let late = ns(processor.servers.len() as u64);
        for now in 0..2_000 {
            processor.step(at(now as u64), |place| works[place].get(now) == Some(&true));
            for place in 0..processor.servers.len() {
                let deadline = processor.servers[place].deadline();
                let in_time = !processor.is_ready(place) || at(now as u64) < deadline + late;
                prop_assert!(in_time, "{place} at {now}");
            }
        }
    }
}

#[test]
fn a_runtime_that_ends_late_is_paid_by_the_next() {
    let late = |by| implicit(2, 5).overrun_by(ns(by));
    let ticks = drive(&mut late(1), &around("################"));
    assert_eq!(drawn(&ticks), "###..##...##...#");
    // Two budgets are added at once where one does not cover the overrun.
    let ticks = drive(&mut late(3), &around("#####################"));
    assert_eq!(drawn(&ticks), "#########......####..");
}

/// A guest that sleeps does not go on with what is not there.
#[test]
fn a_runtime_ends_when_the_guest_sleeps_below_it() {
    let mut server = implicit(2, 5).overrun_by(ns(2));
    let ticks = drive(&mut server, &around("###.############"));
    assert_eq!(drawn(&ticks), "###..###..####..");
}

/// Interrupts may be charged to one whose guest sleeps: its runtime ends in time.
#[test]
fn a_runtime_ends_late_while_the_guest_has_work_only() {
    let mut server = implicit(2, 5).overrun_by(ns(2));
    server.wake(at(0));
    assert_eq!(server.budget(), ns(4));
    server.sleep(at(0));
    assert_eq!(server.budget(), ns(2));
    server.consume(at(0), ns(2));
    assert_eq!(server.budget(), ns(0));
}
