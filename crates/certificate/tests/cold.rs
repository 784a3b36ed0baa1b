//! Certificates by hand where caches are cold, and what happens when one number of them is another.

mod common;

use common::refused;
use vorrang_certificate::{
    Certificate, Cold, ColdContext, Kind, Member, Order, Point, Server, Supply, Times, as_coq,
    check,
};

fn times(period: u64) -> Vec<Times> {
    vec![Times { period, jitter: 0 }]
}

/// A task (5, 100) that loses 3, below one (4, 50) that loses 2: `5 + 3`, and `4 + 2 + 3` for what interrupts it.
fn interrupted() -> Certificate {
    let own = ColdContext { urgency: 1, loss: 3, ready_from: times(100) };
    let above = ColdContext { urgency: 2, loss: 2, ready_from: times(50) };
    let jobs = Member::Jobs { cost: 4, period: 50, jitter: 0 };
    Certificate {
        urgent: vec![jobs, Member::Cold { contexts: vec![above, own] }],
        cost: 5,
        period: 100,
        bound: 17,
        length: 17,
        points: vec![Point { upto: 100, window: 17, below: Vec::new() }],
        ..Certificate::default()
    }
}

/// A task (3, 100) alone in a deferrable server (8, 20), whose context loses 2 at first and at each return: it takes 7 of a
/// budget, for which it waits 12.
fn in_guest() -> Certificate {
    let server = Server {
        kind: Kind::Deferrable,
        budget: 8,
        period: 20,
        blocking: 0,
        urgent: Vec::new(),
        full: vec![8],
        parent: Supply::Core,
    };
    let parent = Supply::Server(Box::new(server));
    Certificate {
        on: Supply::Cold(Box::new(Cold { loss: 2, starts: times(20), parent })),
        cost: 3,
        period: 100,
        bound: 19,
        length: 19,
        length_below: vec![19, 7],
        points: vec![Point { upto: 100, window: 19, below: vec![19, 7] }],
        ..Certificate::default()
    }
}

#[test]
fn what_a_task_rests_on_whose_cache_is_cold() {
    // cost, period, jitter, bound, length; the jobs (5 to 7); urgency, loss, period and jitter of what is above (8 to 11),
    // and of its own; offset, window (16, 17); what blocks it.
    assert_eq!(refused(&interrupted()), [vec![0, 2, 5, 9, 13, 16, 17, 18], vec![1, 3, 4, 17]]);
    // What interrupts nothing makes nothing cold.
    let mut alike = interrupted();
    alike.bound = 14;
    assert!(!check(&alike));
    let Member::Cold { contexts } = &mut alike.urgent[1] else { unreachable!("it is cold") };
    contexts[0].urgency = 1;
    alike.length = 14;
    alike.points[0].window = 14;
    assert!(check(&alike));
}

#[test]
fn what_a_guest_rests_on_whose_context_is_cold() {
    // cost, period, jitter, bound, length and the windows below; offset, window and those below (7 to 10); what blocks it;
    // loss, period and jitter of its starts (12 to 14); budget, period, what blocks the server, its window.
    let more = vec![0, 2, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17];
    assert_eq!(refused(&in_guest()), [more, vec![1, 3, 4, 5, 6, 8, 9, 10, 15, 18]]);
}

/// Cold caches are none of what has deadlines.
#[test]
fn cold_caches_are_those_of_a_core_by_priority() {
    let order = Order::Deadline { relative: 50, rivals: Vec::new() };
    assert!(!check(&Certificate { order, ..interrupted() }));
}

#[test]
fn a_certificate_with_cold_caches_is_a_term_of_coq() {
    let term = as_coq(&interrupted());
    let contexts = "Cold_of [Cold_context 2 2 [(50, 0)]; Cold_context 1 3 [(100, 0)]]";
    assert!(term.contains(contexts), "{term}");
    let term = as_coq(&in_guest());
    let guest = "Certificate (Cold 2 [(20, 0)] (Server (Fixed Deferrable) 8 20 0 [] [8] (Core)))";
    assert!(term.starts_with(guest), "{term}");
}
