//! The order in which schedulers serve the ready members.

use proptest::prelude::*;
use vorrang_mechanisms::scheduler::{Key, ReadyQueue, edf, fixed_priority, linux};
use vorrang_time::Instant;

fn at(ns: u64) -> Instant {
    Instant::from_ns(ns)
}

/// The members in the order in which they are served.
fn order(keys: &[Key]) -> Vec<u32> {
    let mut queue = ReadyQueue::with_capacity(keys.len());
    for &key in keys {
        queue.insert(key);
    }
    let mut served = Vec::new();
    while let Some(key) = queue.first() {
        served.push(key.member());
        queue.remove(key.member());
    }
    served
}

#[test]
fn larger_priority_first_then_first_come_then_first_declared() {
    let key = fixed_priority::key;
    assert_eq!(order(&[key(1, at(0), 0), key(2, at(9), 1)]), [1, 0]);
    assert_eq!(order(&[key(1, at(5), 0), key(1, at(4), 1)]), [1, 0]);
    assert_eq!(order(&[key(1, at(5), 1), key(1, at(5), 0)]), [0, 1]);
    assert_eq!(order(&[key(0, at(0), 0), key(u32::MAX, at(u64::MAX), 1)]), [1, 0]);
}

#[test]
fn earlier_deadline_first_then_first_declared_and_none_last() {
    assert_eq!(order(&[edf::key(at(7), 0), edf::key(at(6), 1)]), [1, 0]);
    assert_eq!(order(&[edf::key(at(6), 1), edf::key(at(6), 0)]), [0, 1]);
    assert_eq!(order(&[edf::key(Instant::NEVER, 0), edf::key(at(6), 1)]), [1, 0]);
}

#[test]
fn at_least_as_urgent_is_by_priority_or_deadline_alone() {
    let key = fixed_priority::key(5, at(3), 0);
    let urgent = |priority| fixed_priority::is_at_least_as_urgent(key, priority);
    assert_eq!([4, 5, 6].map(urgent), [true, true, false]);
    let urgent = |deadline| edf::is_at_least_as_urgent(edf::key(at(5), 0), at(deadline));
    assert_eq!([4, 5, 6].map(urgent), [false, true, true]);
}

#[test]
fn linux_serves_deadlines_then_priorities_then_the_background() {
    let background = [Key::background(at(3), 0), Key::background(at(2), 1)];
    let [low, high] = [linux::priority_key(0, at(0), 2), linux::priority_key(u32::MAX, at(9), 3)];
    let deadlines = [linux::deadline_key(at(8), 4), linux::deadline_key(at(7), 5)];
    assert_eq!(order(&[background, [low, high], deadlines].concat()), [5, 4, 3, 2, 1, 0]);
    assert!(linux::is_at_least_as_urgent(deadlines[0], u32::MAX));
    assert!(!linux::is_at_least_as_urgent(low, 1) && linux::is_at_least_as_urgent(low, 0));
    assert!(!linux::is_at_least_as_urgent(background[0], 0));
    assert!(!fixed_priority::is_at_least_as_urgent(background[0], 0));
    assert_eq!([background[0], low, deadlines[0]].map(Key::is_background), [true, false, false]);
}

/// From few to many and back, twice.
#[test]
fn many_members_are_served_in_order() {
    let mut queue = ReadyQueue::with_capacity(300);
    for round in 0..2 {
        // 7 and 300 have no common divisor: every deadline once.
        for member in 0..300 {
            queue.insert(edf::key(at(u64::from(7 * member % 300)), member));
        }
        for deadline in 0..300 {
            let key = queue.first().expect("not all are served");
            assert_eq!(u64::from(7 * key.member() % 300), deadline, "round {round}");
            queue.remove(key.member());
        }
        assert!(queue.is_empty());
    }
}

proptest! {
    /// After any insertions and removals the first is the least, among few members and many.
    #[test]
    fn the_first_is_always_the_least(
        members in prop_oneof![Just(12_u32), Just(600)],
        changes in prop::collection::vec((0_u32..600, 0_u32..300, 0_u64..4), 1..3000),
    ) {
        let mut queue = ReadyQueue::with_capacity(members as usize);
        let mut model: Vec<Key> = Vec::new();
        for (member, priority, since) in changes {
            // Every fourth time the first is served, otherwise any member comes or goes.
            let served = queue.first().filter(|_| since == 0).map(Key::member);
            let member = served.unwrap_or(member % members);
            if let Some(place) = model.iter().position(|key| key.member() == member) {
                queue.remove(member);
                model.remove(place);
            } else {
                let key = fixed_priority::key(priority, at(since), member);
                queue.insert(key);
                model.push(key);
            }
            prop_assert_eq!(queue.first(), model.iter().min().copied());
            prop_assert_eq!(queue.is_empty(), model.is_empty());
        }
        queue.clear();
        prop_assert!(queue.is_empty());
        queue.insert(fixed_priority::key(0, at(0), 0));
    }
}
