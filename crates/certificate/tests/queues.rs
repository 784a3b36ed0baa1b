//! Certificates of queues of refills, with each of their numbers moved by one.

mod common;

use common::refused;
use vorrang_certificate::{Certificate, Kind, Member, Point, Server, Supply, as_coq, check};

/// A task (3, 40) in a queue (4, 10) of two refills with the least budget 2, below a task (1, 5): each period brings
/// `4 - 2 + 1 = 3`, the first after `2 (10 - 3) = 14`, and then 3 take 4. The whole budget takes 5.
fn in_a_queue() -> Certificate {
    let server = Server {
        kind: Kind::Refills { most: 2, least: 2 },
        budget: 4,
        period: 10,
        blocking: 0,
        urgent: vec![Member::Jobs { cost: 1, period: 5, jitter: 0 }],
        full: vec![5],
        parent: Supply::Core,
    };
    Certificate {
        on: Supply::Server(Box::new(server)),
        cost: 3,
        period: 40,
        bound: 18,
        length: 18,
        length_below: vec![4],
        points: vec![Point { upto: 40, window: 18, below: vec![4] }],
        ..Certificate::default()
    }
}

/// A task (2, 60) below a queue (3, 10): `2 + 3`.
fn below_a_queue(most: u64, least: u64, budget: u64) -> Certificate {
    Certificate {
        urgent: vec![Member::Budgets { kind: Kind::Refills { most, least }, budget, period: 10 }],
        cost: 2,
        period: 60,
        bound: 5,
        length: 5,
        points: vec![Point { upto: 60, window: 5, below: Vec::new() }],
        ..Certificate::default()
    }
}

#[test]
fn what_a_task_in_a_queue_rests_on() {
    // cost, period, jitter, bound, length, below it; the point: upto, window, below; blocking; most, least, budget,
    // period, blocking, full; the task above: cost, period, jitter.
    let more = vec![0, 2, 5, 6, 7, 8, 9, 11, 12, 13, 14, 16, 18];
    assert_eq!(refused(&in_a_queue()), [more, vec![1, 3, 4, 5, 7, 8, 10, 12, 15, 17]]);
}

#[test]
fn what_a_task_below_a_queue_rests_on() {
    assert!(check(&below_a_queue(2, 1, 3)) && check(&below_a_queue(9, 3, 3)));
    // Too short a queue, no least budget, one above the budget, a slice, more than is in time.
    for (most, least, budget) in [(1, 1, 3), (2, 0, 3), (2, 4, 3), (2, 1, 10), (2, 1, 4)] {
        let wrong = Certificate { bound: 50, length: 50, ..below_a_queue(most, least, budget) };
        assert!(!check(&wrong), "{most}, {least}, {budget}");
    }
    for number in [0, u64::MAX] {
        assert!(!check(&below_a_queue(number, number, number)));
    }
}

#[test]
fn coq_reads_the_same_numbers() {
    let term = "Certificate (Server (Refills 2 2) 4 10 0 [Jobs_of 1 5 0] [5] (Core)) [] (By_priority 0) 3 40 0 18 18 \
                [4] [Point 40 18 [4]]";
    assert_eq!(as_coq(&in_a_queue()), term);
}
