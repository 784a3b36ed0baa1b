//! Certificates by hand where calls and switches cost, and what happens when one number of them is another.

mod common;

use common::refused;
use vorrang_certificate::{
    Caller, Certificate, Kind, Member, Order, Point, Server, Supply, Times, as_coq, check,
};

fn times(period: u64) -> Vec<Times> {
    vec![Times { period, jitter: 0 }]
}

/// A task (3, 50) on a core with calls of 1 and switches of 2, above a server that is replenished every 25. Three may be
/// under way, the job takes six, the server calls twice: `3 + 3 + 6 + 2`.
fn with_calls() -> Certificate {
    let own = Caller::Above { returns: Vec::new(), wakes: times(50), idles: false };
    let callers = vec![own, Caller::Below { returns: times(25) }];
    Certificate {
        urgent: vec![Member::Kernel { call: 1, switch: 2, callers }],
        cost: 3,
        period: 50,
        bound: 14,
        length: 14,
        points: vec![Point { upto: 50, window: 14, below: Vec::new() }],
        ..Certificate::default()
    }
}

/// A task (3, 40) alone in a deferrable server (4, 20) with calls and switches of 1, above a task. A part r of the budget
/// takes `r + 7`: two under way, a call when it returns, one when its guest wakes and one of the task, two switches.
fn server_with_calls() -> Certificate {
    let callers = vec![Caller::Itself { period: 20 }, Caller::Below { returns: Vec::new() }];
    let server = Server {
        kind: Kind::Deferrable,
        budget: 4,
        period: 20,
        blocking: 0,
        urgent: vec![Member::Kernel { call: 1, switch: 1, callers }],
        full: vec![11],
        parent: Supply::Core,
    };
    Certificate {
        on: Supply::Server(Box::new(server)),
        cost: 3,
        period: 40,
        bound: 26,
        length: 26,
        length_below: vec![10],
        points: vec![Point { upto: 40, window: 26, below: vec![10] }],
        ..Certificate::default()
    }
}

#[test]
fn what_a_task_rests_on_where_calls_and_switches_cost() {
    // cost, period, jitter, bound, length; call, switch; when the task wakes, with its jitter; when the server returns, with
    // its jitter; offset, window; what blocks it.
    assert_eq!(refused(&with_calls()), [vec![0, 2, 5, 6, 11, 12, 13], vec![1, 3, 4, 12]]);
    assert!(!check(&Certificate { period: 13, ..with_calls() }));
}

#[test]
fn what_a_server_rests_on_where_calls_and_switches_cost() {
    // cost, period, jitter, bound, length, the window below; offset, window, the window below; what blocks the task; budget,
    // period, what blocks the server, its window; call, switch, its period.
    let more = vec![0, 2, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15];
    let less = vec![1, 3, 4, 5, 7, 8, 10, 13];
    assert_eq!(refused(&server_with_calls()), [more, less]);
}

/// The kernel of a server is none of a task, nor the other way round; and none of what has deadlines.
#[test]
fn a_kernel_is_that_of_what_is_looked_at() {
    let Supply::Server(server) = server_with_calls().on else { unreachable!("it is on a server") };
    let idle = |callers: Vec<Caller>| Member::Kernel { call: 0, switch: 0, callers };
    let of_task =
        |member| check(&Certificate { urgent: vec![member], bound: 99, ..alone_on_core() });
    assert!(of_task(idle(Vec::new())));
    assert!(!of_task(idle(vec![Caller::Itself { period: 20 }])));
    assert!(!of_task(idle(vec![Caller::Below { returns: times(0) }])));
    let of_server = |callers| {
        let server = Server { urgent: vec![idle(callers)], ..(*server).clone() };
        check(&Certificate { on: Supply::Server(Box::new(server)), ..server_with_calls() })
    };
    assert!(of_server(vec![Caller::Itself { period: 20 }]));
    assert!(!of_server(Vec::new()));
    assert!(!of_server(vec![Caller::Itself { period: 0 }]));
    assert!(!of_server(vec![Caller::Itself { period: 20 }, Caller::Itself { period: 20 }]));
    let deadlines = Order::Deadline { relative: 9, rivals: Vec::new() };
    let by_deadline = Certificate { order: deadlines, ..alone_on_core() };
    assert!(check(&by_deadline));
    assert!(!check(&Certificate { urgent: vec![idle(Vec::new())], ..by_deadline }));
}

/// A task (3, 9).
fn alone_on_core() -> Certificate {
    Certificate {
        cost: 3,
        period: 9,
        bound: 3,
        length: 3,
        points: vec![Point { upto: 9, window: 3, below: Vec::new() }],
        ..Certificate::default()
    }
}

#[test]
fn coq_reads_the_same_callers() {
    let term = "Certificate (Core) [Kernel_of 1 2 [Above [] [(50, 0)] false; Below [(25, 0)]]] (By_priority 0) 3 50 0 14 14 [] \
                [Point 50 14 []]";
    assert_eq!(as_coq(&with_calls()), term);
    assert!(as_coq(&server_with_calls()).contains("[Kernel_of 1 1 [Itself 20; Below []]]"));
}
