//! One small schedule per kind, checked by hand.

use crate::driver::{around, drawn, drive};
use vorrang_mechanisms::server::{
    CbsHard, CbsSoft, Deferrable, Periodic, Polling, PosixSporadic, RefillQueue, Sporadic, Table,
};
use vorrang_time::Duration;

fn ns(time: u64) -> Duration {
    Duration::from_ns(time)
}

#[test]
fn periodic_idles_its_budget_away() {
    let ticks = drive(&mut Periodic::new(ns(2), ns(5), ns(0)), &around("......##.. ^^..."));
    assert_eq!(drawn(&ticks), "##...##.....##.");
    // Before its phase it is not started.
    let ticks = drive(&mut Periodic::new(ns(3), ns(5), ns(4)), &around(".........."));
    assert_eq!(drawn(&ticks), "....###..#");
    let ticks = drive(&mut Periodic::new(ns(3), ns(5), ns(2)), &around(".........."));
    assert_eq!(drawn(&ticks), "..###..###");
}

#[test]
fn polling_loses_its_budget_when_nothing_is_ready() {
    let ticks = drive(&mut Polling::new(ns(2), ns(5), ns(0)), &around("...####... ##"));
    assert_eq!(drawn(&ticks), ".....##...##");
    // Between two pieces of work it is lost, and so is what comes while nothing is ready.
    let ticks = drive(&mut Polling::new(ns(3), ns(5), ns(0)), &around("#.### ..### ####"));
    assert_eq!(drawn(&ticks), "#.........###.");
    // Waiting for something more urgent is no sleep.
    let ticks = drive(&mut Polling::new(ns(2), ns(5), ns(0)), &around("xxx## #####"));
    assert_eq!(drawn(&ticks), "...####...");
    // Before its phase it has none.
    let ticks = drive(&mut Polling::new(ns(2), ns(5), ns(3)), &around("##########"));
    assert_eq!(drawn(&ticks), "...##...##");
}

#[test]
fn deferrable_keeps_its_budget_until_the_period_ends() {
    let ticks = drive(&mut Deferrable::new(ns(2), ns(5), ns(0)), &around("...#### ... ##^x##"));
    assert_eq!(drawn(&ticks), "...####...##...#");
}

#[test]
fn sporadic_returns_time_one_period_after_its_level_became_active() {
    // Preempted from 1: active since 1, consumed in [3, 5), back at 7.
    let ticks = drive(&mut Sporadic::new(ns(2), ns(6)), &around(".^x####### ######"));
    assert_eq!(drawn(&ticks), "...##..##....##.");
    // Consumed in two activations, it returns in two pieces.
    let ticks = drive(&mut Sporadic::new(ns(2), ns(6)), &around("#..#............"));
    assert_eq!(drawn(&ticks), "#..#............");
    let ticks = drive(&mut Sporadic::new(ns(2), ns(6)), &around("#..############"));
    assert_eq!(drawn(&ticks), "#..#..#..#..#..");
}

#[test]
fn a_refill_queue_returns_time_one_period_after_it_could_be_used() {
    let ticks = drive(&mut RefillQueue::new(ns(2), ns(6)), &around("#..############"));
    assert_eq!(drawn(&ticks), "#..#..#..#..#..");
    // Ready since 1, running from 3 on: the time counts from 1.
    let ticks = drive(&mut RefillQueue::new(ns(2), ns(6)), &around(".xx####### ####"));
    assert_eq!(drawn(&ticks), "...##..##....#");
    // Two units that are back while nothing is ready are one piece from 9 on.
    let ticks = drive(&mut RefillQueue::new(ns(2), ns(6)), &around("#..#..... #########"));
    assert_eq!(drawn(&ticks), "#..#.....##....##.");
}

/// Three pieces in a queue for two: the first waits for the second; the third uses its refill up, which
/// leaves room for it.
#[test]
fn a_full_queue_puts_its_last_refill_off() {
    let pieces = around("#..#..#..... ############");
    let mut server = RefillQueue::with_max_refills(ns(3), ns(12), 2);
    let ticks = drive(&mut server, &pieces);
    assert_eq!(drawn(&ticks), "#..#..#.......##..#.....");
    let ticks = drive(&mut RefillQueue::new(ns(3), ns(12)), &pieces);
    assert_eq!(drawn(&ticks), "#..#..#.....#..#..#.....");
    // Awake at 5, the unit that is there reaches to the one of 6: one piece, and room for another.
    let mut server = RefillQueue::with_max_refills(ns(2), ns(6), 2);
    let ticks = drive(&mut server, &around("#....#########"));
    assert_eq!(drawn(&ticks), "#....##....##.");
}

/// As in seL4: what is used up as a whole leaves the queue full, and a preemption in the middle of a
/// refill puts the last one off. At 9 there are 12:1 14:1 16:2, and at 17, when the first unit of 16:2 is
/// charged, 24:1 26:1 behind it: the last waits until 27, where the rest joins it.
#[test]
fn a_preemption_in_the_middle_of_a_window_puts_the_last_refill_off() {
    let history = around("#.#.##...########xx############");
    let mut server = RefillQueue::with_max_refills(ns(4), ns(12), 3);
    let ticks = drive(&mut server, &history);
    assert_eq!(drawn(&ticks), "#.#.##......#.#.#..#....#..###.");
}

#[test]
fn posix_goes_on_in_the_background() {
    let mut server = PosixSporadic::new(ns(2), ns(6));
    let ticks = drive(&mut server, &around("#...###.. ####"));
    assert_eq!(drawn(&ticks), "#...#=#..=#=#");
    // With two replenishments pending it is exhausted, whatever its capacity: at 4 one unit, until
    // the first is back at 6.
    let mut server = PosixSporadic::new(ns(3), ns(6)).with_max_replenishments(2);
    let ticks = drive(&mut server, &around("#.#.#########"));
    assert_eq!(drawn(&ticks), "#.#.==###===#");
}

#[test]
fn soft_cbs_never_waits() {
    let ticks = drive(&mut CbsSoft::new(ns(2), ns(5)), &around(".#####...."));
    assert_eq!(drawn(&ticks), ".#####....");
    let deadlines: Vec<_> = ticks[1..6].iter().map(|tick| tick.deadline.as_ns()).collect();
    assert_eq!(deadlines, [6, 6, 11, 11, 16]);
    // Awake again at 9 with one unit until 16, and 1·5 < 7·2: the pair is kept.
    let mut server = CbsSoft::new(ns(2), ns(5));
    let ticks = drive(&mut server, &around(".#####...##"));
    let deadlines: Vec<_> = ticks[9..].iter().map(|tick| tick.deadline.as_ns()).collect();
    assert_eq!(deadlines, [16, 21]);
}

#[test]
fn cbs_waits_for_its_deadline() {
    let ticks = drive(&mut CbsHard::new(ns(2), ns(5)), &around(".###########"));
    assert_eq!(drawn(&ticks), ".##...##...#");
    // Awake again at 4 with one unit until 6: more than its bandwidth, so it starts afresh.
    let ticks = drive(&mut CbsHard::new(ns(2), ns(5)), &around(".#..########"));
    assert_eq!(drawn(&ticks), ".#..##...##.");
    // Awake again at 3 with one unit until 6, and 1·5 < 3·2: the pair is kept.
    let ticks = drive(&mut CbsHard::new(ns(2), ns(5)), &around(".#.#########"));
    assert_eq!(drawn(&ticks), ".#.#..##...#");
}

#[test]
fn a_table_has_its_windows_by_the_clock() {
    let windows = |all: &[(u64, u64)]| -> Vec<_> {
        all.iter().map(|&(start, length)| (ns(start), ns(length))).collect()
    };
    let table = |all: &[(u64, u64)], period| Table::new(&windows(all), ns(period));
    let ticks = drive(&mut table(&[(0, 2), (4, 1)], 7), &around("..........^^..."));
    assert_eq!(drawn(&ticks), "##..#..##.....#");
    // Windows that touch are one, also around the end of the period.
    let ticks = drive(&mut table(&[(0, 1), (3, 1), (4, 1)], 5), &around("............"));
    assert_eq!(drawn(&ticks), "#..###..###.");
    let ticks = drive(&mut table(&[(0, 2), (2, 3)], 5), &around("........"));
    assert_eq!(drawn(&ticks), "########");
}

#[test]
fn a_slot_ends_by_the_clock() {
    let ticks = drive(&mut Table::slot(ns(2), ns(5), ns(4)), &around("..........^^..."));
    assert_eq!(drawn(&ticks), "#...##...#....#");
    let ticks = drive(&mut Table::slot(ns(5), ns(5), ns(3)), &around("......"));
    assert_eq!(drawn(&ticks), "######");
}

/// As in seL4 with its `MIN_BUDGET`: what is left when the server stops, or comes first when a refill is
/// used up, joins the next refill if it is too little, and waits for it.
#[test]
fn less_than_the_least_budget_waits_for_the_next_refill() {
    let queue = |least| RefillQueue::new(ns(4), ns(10)).with_least_budget(ns(least));
    let preempted = around("##xx####################");
    assert_eq!(drawn(&drive(&mut queue(2), &preempted)), "##..##....####......####");
    assert_eq!(drawn(&drive(&mut queue(3), &preempted)), "##......####......####..");
    // At 7 the refill of 10 is next, with one unit: it waits for that of 14, and ends with it.
    let slept = around("#...#############");
    assert_eq!(drawn(&drive(&mut queue(1), &slept)), "#...###...#...###");
    assert_eq!(drawn(&drive(&mut queue(3), &slept)), "#...###......####");
}
