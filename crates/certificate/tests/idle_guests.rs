//! A certificate of a guest from idle on, with each of its numbers moved by one.

mod common;

use common::refused;
use vorrang_certificate::{
    Certificate, GuestTask, Kind, Member, Offset, Order, Server, Stretch, Supply, as_coq, check,
};

fn stretch(upto: u64, below: &[u64]) -> Stretch {
    Stretch { upto, below: below.to_vec() }
}

fn offset(upto: u64, window: u64, below: u64, stretches: Vec<Stretch>) -> Vec<Offset> {
    vec![Offset { upto, window, below: vec![below], stretches }]
}

/// Tasks a (3, 20) and b (2, 40) in a deferrable server (4, 10) below a task (1, 5). A part r takes `y(1) = 2`, `y(3) = 4`
/// and `y(4) = 5`.
///
/// a wants 3. With what was used in 4 before, 7 take `10 + 4`, less 4; if it was longer ago, all is two jobs of a and one of
/// b, which take `10 + 5`, less 5. So a takes 10. b wants 5, a job of a first. If a period ends before the budget is used up,
/// that is `5 − 4` later at most, and then 5 take `10 + 2`. With what was used in 2 before, 7 take 14, less 2; if it was
/// longer ago, all is 8 again. So b takes 13. From any state on `3 + 1` take `6 + 5`, and `5 + 1` take `6 + 10 + 3`.
fn in_a_guest() -> Certificate {
    let server = Server {
        kind: Kind::Deferrable,
        budget: 4,
        period: 10,
        blocking: 0,
        urgent: vec![Member::Jobs { cost: 1, period: 5, jitter: 0 }],
        full: vec![5],
        parent: Supply::Core,
    };
    let of_a = vec![stretch(1, &[]), stretch(5, &[4]), stretch(10, &[5])];
    let a = GuestTask {
        urgency: 1,
        cost: 3,
        period: 20,
        jitter: 0,
        due: 10,
        length: 11,
        length_below: vec![5],
        offsets: offset(11, 10, 4, of_a),
    };
    let of_b = vec![stretch(3, &[4]), stretch(10, &[5])];
    let b = GuestTask {
        urgency: 0,
        cost: 2,
        period: 40,
        jitter: 0,
        due: 13,
        length: 19,
        length_below: vec![3],
        offsets: offset(19, 13, 2, of_b),
    };
    Certificate {
        on: Supply::Server(Box::new(server)),
        order: Order::FromIdle { guest: vec![a, b], which: 1 },
        cost: 2,
        period: 40,
        bound: 13,
        ..Certificate::default()
    }
}

fn with(change: impl FnOnce(&mut Vec<GuestTask>)) -> bool {
    let mut changed = in_a_guest();
    let Order::FromIdle { guest, .. } = &mut changed.order else { unreachable!("it is so") };
    change(guest);
    check(&changed)
}

#[test]
fn what_a_guest_from_idle_on_rests_on() {
    // cost, period, jitter, bound, length; its place; a from 6 on: urgency, cost, period, jitter, bound, length, below it;
    // the offset from 13 on: upto, window, below, three stretches; b from 21 on; budget, period, blocking, full; the task
    // above: cost, period, jitter.
    let more = vec![
        0, 1, 2, 5, 7, 9, 11, 12, 14, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 33,
        35, 36, 37, 38, 39, 41,
    ];
    let less = vec![
        0, 1, 3, 5, 6, 7, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 25, 26, 27, 28, 29, 30,
        32, 33, 34, 35, 38, 40,
    ];
    assert_eq!(refused(&in_a_guest()), [more, less]);
}

#[test]
fn nothing_of_a_guest_may_be_left_out() {
    assert!(with(|_| {}));
    // Another one, a task without offsets, without a stretch, without the windows of one.
    assert!(!with(|guest| guest.push(guest[1].clone())));
    assert!(!with(|guest| guest[0].offsets.clear()));
    assert!(!with(|guest| guest[1].offsets[0].stretches.truncate(1)));
    assert!(!with(|guest| guest[1].offsets[0].stretches[1].below.clear()));
    assert!(!with(|guest| guest[1].offsets[0].below.clear()));
    assert!(!with(|guest| guest[1].length_below.clear()));
    // A less urgent member counts before the window only, one that is as urgent in it, too.
    assert!(!with(|guest| guest[1].urgency = 1));
    assert!(!with(|guest| guest.reverse()));
}

#[test]
fn only_what_keeps_its_budget_is_a_guest_from_idle_on() {
    for kind in [Kind::Periodic, Kind::Polling, Kind::Sporadic, Kind::Refills { most: 2, least: 1 }]
    {
        let mut other = in_a_guest();
        let Supply::Server(server) = &mut other.on else { unreachable!("it is a server") };
        server.kind = kind;
        assert!(!check(&other), "{kind:?}");
    }
    assert!(!check(&Certificate { on: Supply::Core, ..in_a_guest() }));
}

#[test]
fn no_number_ends_the_checker() {
    let count = in_a_guest().numbers().len();
    for place in 0..count {
        for number in [0, u64::MAX] {
            let mut changed = in_a_guest();
            *changed.numbers().swap_remove(place) = number;
            let _ = check(&changed);
        }
    }
}

#[test]
fn coq_reads_the_same_numbers() {
    let term = "Certificate (Server (Fixed Deferrable) 4 10 0 [Jobs_of 1 5 0] [5] (Core)) [] (From_idle \
                [Guest_task 1 3 20 0 10 11 [5] [Offset 11 10 [4] [Stretch 1 []; Stretch 5 [4]; Stretch 10 [5]]]; \
                Guest_task 0 2 40 0 13 19 [3] [Offset 19 13 [2] [Stretch 3 [4]; Stretch 10 [5]]]] 1) 2 40 0 13 0 [] []";
    assert_eq!(as_coq(&in_a_guest()), term);
}
