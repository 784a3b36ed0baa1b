//! A certificate by hand, and what happens when one number of it is another.

use vorrang_certificate::{Certificate, Kind, Member, Point, Server, Supply, as_coq, check};

/// A task (3, 20) alone in a deferrable server (4, 10) below a task (1, 5). A part r of the budget takes `y(3) = 4` and
/// `y(4) = 5`, so the job has its 3 units `10 − 4 + 4 = 10` after its arrival.
fn by_hand() -> Certificate {
    let server = Server {
        kind: Kind::Deferrable,
        budget: 4,
        period: 10,
        blocking: 0,
        urgent: vec![Member::Jobs { cost: 1, period: 5, jitter: 0 }],
        full: vec![5],
        parent: Supply::Core,
    };
    Certificate {
        on: Supply::Server(Box::new(server)),
        urgent: Vec::new(),
        blocked_by: 0,
        cost: 3,
        period: 20,
        jitter: 0,
        bound: 10,
        length: 10,
        length_below: vec![4],
        points: vec![Point { upto: 20, window: 10, below: vec![4] }],
    }
}

fn with(change: impl FnOnce(&mut Certificate)) -> bool {
    let mut changed = by_hand();
    change(&mut changed);
    check(&changed)
}

fn with_server(change: impl FnOnce(&mut Server)) -> bool {
    with(|certificate| match &mut certificate.on {
        Supply::Server(server) => change(server),
        Supply::Core => unreachable!("it is on a server"),
    })
}

#[test]
fn it_is_accepted() {
    assert!(check(&by_hand()));
    assert!(with(|of| of.bound = 11));
    assert!(with(|of| of.cost = 2));
}

#[test]
fn no_number_may_be_too_good() {
    assert!(!with(|of| of.bound = 9));
    assert!(!with(|of| of.points[0].window = 9));
    assert!(!with(|of| of.points[0].below = vec![3]));
    assert!(!with(|of| of.points[0].below.clear()));
    assert!(!with(|of| of.length = 9));
    assert!(!with(|of| of.length_below = vec![3]));
    assert!(!with_server(|of| of.full = vec![4]));
}

#[test]
fn no_number_of_the_system_may_be_worse() {
    assert!(!with(|of| of.cost = 4));
    assert!(!with(|of| of.period = 9));
    assert!(!with(|of| of.jitter = 1));
    assert!(!with(|of| of.blocked_by = 1));
    assert!(!with(|of| of.urgent.push(Member::Jobs { cost: 1, period: 100, jitter: 0 })));
    assert!(!with_server(|of| of.budget = 3));
    assert!(!with_server(|of| of.period = 11));
    assert!(!with_server(|of| of.blocking = 1));
    assert!(!with_server(|of| of.kind = Kind::Polling));
    assert!(!with_server(|of| of.urgent[0] = Member::Jobs { cost: 2, period: 5, jitter: 0 }));
    assert!(!with_server(|of| of.urgent[0] = Member::Jobs { cost: 1, period: 4, jitter: 0 }));
    assert!(!with_server(|of| of.urgent[0] = Member::Jobs { cost: 1, period: 5, jitter: 1 }));
}

#[test]
fn offsets_may_not_be_left_out() {
    assert!(!with(|of| of.points.clear()));
    assert!(!with(|of| of.points[0].upto = 9));
    assert!(!with(|of| of.length = 0));
}

#[test]
fn no_number_ends_the_checker() {
    for number in [0, u64::MAX] {
        let all = |of: &mut Server| {
            (of.budget, of.period, of.blocking) = (number, number, number);
            of.urgent = vec![Member::Jobs { cost: number, period: number, jitter: number }];
        };
        assert!(!with_server(all));
        assert!(!with(|of| of.period = 0));
        assert!(!with(|of| (of.cost, of.blocked_by) = (number.max(4), number)));
    }
}

#[test]
fn coq_reads_the_same_numbers() {
    let term = "Certificate (Server (Fixed Deferrable) 4 10 0 [Jobs_of 1 5 0] [5] (Core)) [] 0 3 20 0 10 10 [4] \
                [Point 20 10 [4]]";
    assert_eq!(as_coq(&by_hand()), term);
}
