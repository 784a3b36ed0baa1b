//! Small cases with the answers written down.

use vorrang_time::Instant;
use vorrang_timer::{HrTimer, TimerQueue, TimerShield, Urgency};

fn at(ns: u64) -> Instant {
    Instant::from_ns(ns)
}

fn priority(level: u32) -> Urgency {
    Urgency::of_priority(level)
}

/// Takes out all that may run by `now`.
fn expired<Q: TimerQueue>(queue: &mut Q, now: u64, running: Urgency) -> Vec<u32> {
    core::iter::from_fn(|| queue.expire(at(now), running)).collect()
}

#[test]
fn hrtimers_expire_in_order_whatever_runs() {
    let mut queue = HrTimer::with_capacity(4);
    for (timer, expiry) in [(0, 30), (1, 10), (2, 20), (3, 10)] {
        queue.arm(timer, at(expiry), priority(timer));
    }
    assert_eq!(queue.next_event(Urgency::MOST), Some(at(10)));
    assert_eq!(expired(&mut queue, 9, Urgency::LEAST), []);
    assert_eq!(expired(&mut queue, 20, Urgency::MOST), [1, 3, 2]);
    assert_eq!(queue.next_event(Urgency::LEAST), Some(at(30)));
}

#[test]
fn a_shield_lets_only_the_urgent_through() {
    let mut queue = TimerShield::with_capacity(4);
    for (timer, expiry) in [(0, 30), (1, 10), (2, 20), (3, 10)] {
        queue.arm(timer, at(expiry), priority(timer));
    }
    assert_eq!(queue.next_event(priority(2)), Some(at(10)));
    assert_eq!(expired(&mut queue, 40, priority(2)), [3, 2]);
    assert_eq!(queue.next_event(priority(2)), None);
    assert_eq!(queue.next_event(priority(1)), Some(at(10)));
    assert_eq!(expired(&mut queue, 40, Urgency::LEAST), [1, 0]);
}

#[test]
fn an_idle_core_and_the_most_urgent_are_beyond_every_priority() {
    let mut queue = TimerShield::with_capacity(3);
    queue.arm(0, at(1), priority(0));
    queue.arm(1, at(2), priority(u32::MAX));
    queue.arm(2, at(3), Urgency::MOST);
    assert_eq!(queue.next_event(Urgency::MOST), Some(at(3)));
    assert_eq!(queue.next_event(priority(u32::MAX)), Some(at(2)));
    assert_eq!(expired(&mut queue, 3, Urgency::LEAST), [0, 1, 2]);
}

#[test]
fn a_timer_that_is_armed_again_moves() {
    let mut queue = TimerShield::with_capacity(2);
    queue.arm(0, at(5), priority(1));
    queue.arm(0, at(8), priority(3));
    assert_eq!(queue.expire(at(5), Urgency::LEAST), None);
    assert_eq!(queue.next_event(priority(2)), Some(at(8)));
    assert!(queue.cancel(0));
    assert!(!queue.cancel(0));
    assert_eq!(queue.next_event(Urgency::LEAST), None);
}

#[test]
fn never_is_not_pending() {
    let mut queue = HrTimer::with_capacity(1);
    queue.arm(0, Instant::NEVER, Urgency::MOST);
    assert_eq!(queue.expiry(0), None);
    assert_eq!(queue.expire(Instant::NEVER, Urgency::LEAST), None);
}

#[test]
fn a_level_that_lost_its_last_timer_makes_room() {
    let mut queue = TimerShield::with_levels(10, 2);
    queue.arm(0, at(1), priority(10));
    for level in 0..10 {
        queue.arm(1, at(2), priority(level));
        assert_eq!(queue.next_event(priority(level)), Some(at(if level == 10 { 2 } else { 1 })));
    }
    assert_eq!(expired(&mut queue, 2, Urgency::LEAST), [0, 1]);
}

#[test]
#[should_panic(expected = "more urgencies than the queue is made for")]
fn too_many_urgencies_are_a_bug_of_the_caller() {
    let mut queue = TimerShield::with_levels(3, 2);
    (0..3).for_each(|timer| queue.arm(timer, at(1), priority(timer)));
}

/// 1000 timers in one level are 72 buckets below three tiers of blocks; they go to another level one
/// by one, and back.
#[test]
fn levels_grow_and_shrink_by_whole_tiers() {
    const TIMERS: u32 = 1000;
    let mut queue = TimerShield::with_levels(TIMERS, 2);
    // 7 and 1000 have no divisor in common: every expiry once.
    let expiry = |timer: u32| at(u64::from(timer * 7 % TIMERS));
    (0..TIMERS).for_each(|timer| queue.arm(timer, expiry(timer), priority(1)));
    for (from, to) in [(1, 2), (2, 1)] {
        for moved in 0..TIMERS {
            let timer = moved * 11 % TIMERS;
            assert_eq!(queue.urgency(timer), priority(from));
            queue.rekey(timer, priority(to));
            assert_eq!(queue.next_event(Urgency::LEAST), Some(at(0)));
        }
    }
    let order: Vec<Instant> =
        expired(&mut queue, TIMERS.into(), priority(1)).into_iter().map(expiry).collect();
    assert_eq!(order, (0..u64::from(TIMERS)).map(at).collect::<Vec<_>>());
}
