//! One small schedule per kind, checked by hand.

use crate::driver::{around, drawn, drive};
use vorrang_mechanisms::server::{CbsHard, Deferrable, Periodic, Slot, Sporadic};
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
fn a_slot_ends_by_the_clock() {
    let ticks = drive(&mut Slot::new(ns(2), ns(5), ns(4)), &around("..........^^..."));
    assert_eq!(drawn(&ticks), "#...##...#....#");
    let ticks = drive(&mut Slot::new(ns(5), ns(5), ns(3)), &around("......"));
    assert_eq!(drawn(&ticks), "######");
}
