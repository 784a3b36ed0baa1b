//! Any sequence of operations: the same answers, and invariants that hold.

use crate::sorted_list::SortedList;
use proptest::prelude::*;
use vorrang_time::Instant;
use vorrang_timer::{HrTimer, TimerQueue, TimerShield, Urgency};

#[derive(Clone, Copy, Debug)]
enum Operation {
    Arm(u32, u64, Urgency),
    Restart(u32, u64),
    Cancel(u32),
    Rekey(u32, Urgency),
    Expire(u64, Urgency),
}

/// Few instants and few urgencies, so that many are equal; at times any urgency, or never.
fn operation(timers: u32, urgencies: u32) -> impl Strategy<Value = Operation> {
    let instant = || prop_oneof![12 => 0_u64..40, 1 => Just(u64::MAX)];
    let urgency = move || {
        prop_oneof![
            1 => Just(Urgency::LEAST),
            1 => Just(Urgency::MOST),
            8 => (0..urgencies).prop_map(|priority| Urgency::of_priority(priority * 7)),
        ]
    };
    prop_oneof![
        4 => (0..timers, instant(), urgency()).prop_map(|(t, at, u)| Operation::Arm(t, at, u)),
        2 => (0..timers, instant()).prop_map(|(t, at)| Operation::Restart(t, at)),
        1 => (0..timers).prop_map(Operation::Cancel),
        2 => (0..timers, urgency()).prop_map(|(t, u)| Operation::Rekey(t, u)),
        3 => (0_u64..40, urgency()).prop_map(|(now, u)| Operation::Expire(now, u)),
    ]
}

/// What an operation answers.
fn apply<Q: TimerQueue>(queue: &mut Q, operation: Operation) -> Option<u32> {
    match operation {
        Operation::Arm(timer, at, urgency) => queue.arm(timer, Instant::from_ns(at), urgency),
        Operation::Restart(timer, at) => queue.restart(timer, Instant::from_ns(at)),
        Operation::Cancel(timer) => return queue.cancel(timer).then_some(timer),
        Operation::Rekey(timer, urgency) => queue.rekey(timer, urgency),
        Operation::Expire(now, running) => return queue.expire(Instant::from_ns(now), running),
    }
    None
}

fn agree<Q: TimerQueue>(
    queue: &mut Q,
    shields: bool,
    operations: &[Operation],
) -> Result<(), TestCaseError> {
    let mut list = SortedList::new(queue.capacity(), shields);
    for &operation in operations {
        prop_assert_eq!(apply(queue, operation), apply(&mut list, operation), "{:?}", operation);
        prop_assert_eq!(queue.check(), Ok(()));
        prop_assert!(queue.iter().eq(list.iter()), "{:?}", operation);
        let ends = [Urgency::LEAST, Urgency::BACKGROUND, Urgency::MOST];
        for running in (0..30).map(Urgency::of_priority).chain(ends) {
            prop_assert_eq!(queue.next_event(running), list.next_event(running));
        }
    }
    // What is left comes out in the same order.
    let all = Operation::Expire(u64::MAX, Urgency::LEAST);
    while let Some(timer) = apply(&mut list, all) {
        prop_assert_eq!(apply(queue, all), Some(timer));
    }
    prop_assert_eq!(apply(queue, all), None);
    Ok(())
}

proptest! {
    #[test]
    fn an_hrtimer_queue_is_a_list_sorted_by_expiry(
        timers in 1_u32..80,
        operations in prop::collection::vec(operation(80, 4), 0..300),
    ) {
        let operations: Vec<_> = operations.into_iter().map(|o| within(o, timers)).collect();
        agree(&mut HrTimer::with_capacity(timers), false, &operations)?;
    }

    #[test]
    fn a_shield_is_a_sorted_list_of_which_the_urgent_part_is_seen(
        timers in 1_u32..80,
        operations in (1_u32..5)
            .prop_flat_map(|urgencies| prop::collection::vec(operation(80, urgencies), 0..300)),
    ) {
        let operations: Vec<_> = operations.into_iter().map(|o| within(o, timers)).collect();
        agree(&mut TimerShield::with_capacity(timers), true, &operations)?;
        // Up to four urgencies, idle and the most urgent.
        agree(&mut TimerShield::with_levels(timers, 6), true, &operations)?;
    }

    #[test]
    fn levels_come_and_go_within_their_room(
        timers in 1_u32..40,
        operations in prop::collection::vec(operation(40, 1000), 0..300),
    ) {
        let operations: Vec<_> = operations.into_iter().map(|o| within(o, timers)).collect();
        agree(&mut TimerShield::with_capacity(timers), true, &operations)?;
    }
}

/// The operation on one of the timers that there are.
fn within(operation: Operation, timers: u32) -> Operation {
    match operation {
        Operation::Arm(timer, at, urgency) => Operation::Arm(timer % timers, at, urgency),
        Operation::Restart(timer, at) => Operation::Restart(timer % timers, at),
        Operation::Cancel(timer) => Operation::Cancel(timer % timers),
        Operation::Rekey(timer, urgency) => Operation::Rekey(timer % timers, urgency),
        Operation::Expire(now, running) => Operation::Expire(now, running),
    }
}
