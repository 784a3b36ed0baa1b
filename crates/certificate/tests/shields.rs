//! A certificate by hand of a task whose core keeps less urgent timers away, and what happens when one number is another.

mod common;

use common::refused;
use vorrang_certificate::{Certificate, Member, Order, Point, Shield, Shielded, as_coq, check};

fn timer(urgency: u64, latency: u64) -> Shielded {
    Shielded { urgency, takes: 1, period: 50, latency, wakes: 0 }
}

/// A task (3, 50) of urgency 5 beside a timer as urgent and a less urgent one, each 1 every 50, and a routine (1, 50). Of
/// 4 the routine and both timers leave something; the less urgent timer waits for the task too, which is 7. Before the first
/// decision both take 1 each in 4: `3 + 1 + 1 + 1`.
fn shielded(deferral: Option<u64>) -> Certificate {
    let shield = Shield {
        beside: 5,
        deferral,
        at_last: 4,
        timers: vec![timer(5, 4), timer(2, 7)],
        first: vec![Member::Jobs { cost: 1, period: 50, jitter: 0 }],
        others: vec![(5, Member::Jobs { cost: 3, period: 50, jitter: 0 })],
        decided_in: 4,
    };
    Certificate {
        urgent: vec![
            Member::Jobs { cost: 1, period: 50, jitter: 0 },
            Member::Timers(Box::new(shield)),
        ],
        order: Order::Priority { blocked_by: 0 },
        cost: 3,
        period: 50,
        bound: 6,
        length: 6,
        points: vec![Point { upto: 50, window: 6, below: Vec::new() }],
        ..Certificate::default()
    }
}

fn with(deferral: Option<u64>, change: impl FnOnce(&mut Shield)) -> bool {
    let mut changed = shielded(deferral);
    let Some(Member::Timers(shield)) = changed.urgent.last_mut() else { unreachable!("it is") };
    change(shield);
    check(&changed)
}

#[test]
fn what_a_task_rests_on_beside_a_shield() {
    // cost, period, jitter, bound, length; routine; beside, at last, decided in; of each timer urgency, takes, period,
    // latency, wakes; routine; the task with its urgency; offset, window; what blocks it.
    assert_eq!(
        refused(&shielded(None)),
        [vec![0, 2, 5, 12, 15, 17, 21, 24, 25, 28, 29, 30], vec![1, 3, 4, 10, 11, 14, 19, 29]]
    );
}

#[test]
fn no_latency_may_be_too_low() {
    assert!(!with(None, |of| of.timers[0].latency = 3));
    assert!(!with(None, |of| of.timers[1].latency = 6));
    assert!(!with(None, |of| of.decided_in = 3));
    // A timer above the task does not wait for it.
    assert!(with(None, |of| (of.timers[1].urgency, of.timers[1].latency) = (5, 4)));
    // One that wakes something more urgent delays the others.
    assert!(!with(None, |of| of.timers[0].wakes = 1));
    assert!(with(None, |of| (of.timers[0].wakes, of.timers[1].latency) = (1, 8)));
}

#[test]
fn what_waits_for_the_longest_deferral_comes_before_everything() {
    // No timer waits for so long.
    assert!(with(Some(7), |_| {}));
    // All may: their latency is `D + 4`, and each counts in any window.
    let late = |of: &mut Shield| of.timers.iter_mut().for_each(|timer| timer.latency = 9);
    assert!(with(Some(5), late));
    // With windows of which more urgent work leaves nothing they end by the longest deferral alone.
    let busy =
        |of: &mut Shield| of.others.push((9, Member::Jobs { cost: 50, period: 50, jitter: 0 }));
    assert!(!with(None, busy));
    assert!(!with(Some(5), busy));
    assert!(with(Some(5), |of| {
        late(of);
        busy(of);
    }));
    assert!(!with(Some(5), |of| {
        late(of);
        busy(of);
        of.at_last = 3;
    }));
    assert!(!with(Some(6), |of| {
        late(of);
        busy(of);
    }));
}

#[test]
fn coq_reads_the_same_numbers() {
    let term = "Timers_of 5 (Some 9) 4 [Shielded 5 1 50 4 0; Shielded 2 1 50 7 0] [Jobs_of 1 50 0] [(5, Jobs_of 3 50 0)] 4";
    assert!(as_coq(&shielded(Some(9))).contains(term), "{}", as_coq(&shielded(Some(9))));
    assert!(as_coq(&shielded(None)).contains("Timers_of 5 None 4 "));
}
