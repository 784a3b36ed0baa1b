//! A certificate by hand, and what happens when one number of it is another.

mod common;

use common::refused;
use vorrang_certificate::{
    Beside, Certificate, Credit, Kind, Member, Order, Other, Point, Reservation, Rival, Server,
    Sharing, Slot, Supply, as_coq, check, covering,
};

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
        order: Order::Priority { blocked_by: 0 },
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
        _ => unreachable!("it is on a server"),
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
    assert!(!with(|of| of.order = Order::Priority { blocked_by: 1 }));
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
        let order = Order::Priority { blocked_by: number };
        assert!(!with(|of| (of.cost, of.order) = (number.max(4), order)));
    }
}

#[test]
fn coq_reads_the_same_numbers() {
    let term = "Certificate (Server (Fixed Deferrable) 4 10 0 [Jobs_of 1 5 0] [5] (Core)) [] (By_priority 0) 3 20 0 10 10 \
                [4] [Point 20 10 [4]]";
    assert_eq!(as_coq(&by_hand()), term);
}

/// A reservation (4, 10) beside another (3, 10) on a core of which routines (1, 10) take a tenth: all of it in 10, with
/// 1 that comes at once, is at most 9. So a budget that was kept may be late: by 2, for `1 + 2 / 10` is no more than 2.
fn reserved() -> Reservation {
    Reservation {
        budget: 4,
        period: 10,
        urgent: vec![Member::Jobs { cost: 1, period: 10, jitter: 0 }],
        rivals: vec![Rival::Bandwidth { budget: 3, period: 10 }],
        unit: 10,
        late: 2,
    }
}

/// A task (8, 20) alone in it: two budgets, `8 + 2 (10 − 4) = 20`.
fn alone() -> Certificate {
    let on = Supply::Reservation(reserved());
    let order = Order::Alone;
    Certificate { on, order, cost: 8, period: 20, bound: 20, ..Certificate::default() }
}

/// A task (1, 20) with the deadline 20 there beside one of (2, 30) and the deadline 30: after 10 ahead of its own
/// deadline that of the other is near. All of 3 takes `2 (10 − 4) + 3 = 15`.
fn by_deadline() -> Certificate {
    let rivals = vec![Rival::Jobs { cost: 2, period: 30, jitter: 0, relative: 30 }];
    let point = |upto, window| Point { upto, window, below: Vec::new() };
    Certificate {
        on: Supply::Reservation(reserved()),
        order: Order::Deadline { relative: 20, rivals },
        cost: 1,
        period: 20,
        bound: 13,
        length: 15,
        points: vec![point(10, 13), point(20, 15)],
        ..Certificate::default()
    }
}

/// An interrupt (20) that is in its guest when a routine of 1 is over, and takes 3 there, on a credit of 3 that is back in
/// 20: `1 + 3` and the routine once more.
fn by_credit() -> Certificate {
    Certificate {
        urgent: vec![Member::Jobs { cost: 1, period: 20, jitter: 0 }],
        order: Order::Credit(Credit { blocked_by: 0, credit: 3, credits: 1, back: 20, routine: 1 }),
        cost: 3,
        period: 20,
        jitter: 1,
        bound: 5,
        length: 4,
        points: vec![Point { upto: 20, window: 4, below: Vec::new() }],
        ..Certificate::default()
    }
}

#[test]
fn what_a_task_that_is_alone_rests_on() {
    // cost, period, jitter, bound, length; budget, period, unit, late; the routine: cost, period, jitter; the other
    // reservation: budget, period.
    assert_eq!(refused(&alone()), [vec![0, 2, 6, 7, 9], vec![1, 3, 5, 6, 8]]);
}

#[test]
fn what_a_task_by_deadline_rests_on() {
    // cost, period, jitter, bound, length; both points: offset, window; the deadline; the other task: cost, period,
    // jitter, deadline; then the reservation as above.
    let more = vec![0, 2, 5, 6, 7, 9, 10, 12, 15, 16, 18];
    assert_eq!(refused(&by_deadline()), [more, vec![1, 3, 4, 6, 8, 13, 14, 15, 17]]);
}

#[test]
fn what_an_interrupt_with_a_credit_rests_on() {
    // cost, period, jitter, bound, length; the routine: cost, period, jitter; offset, window; what blocks it, the credit,
    // how many there are, when one is back, the routine of the core.
    let less = vec![1, 2, 3, 4, 9, 11, 12];
    assert_eq!(refused(&by_credit()), [vec![0, 2, 5, 8, 9, 10, 13, 14], less]);
    // The next request comes before this one is handled.
    assert!(!check(&Certificate { bound: 21, ..by_credit() }));
}

/// The same with 2 of its own, beside an interrupt (30) of which one routine of 1 may be pending.
fn by_sharing() -> Certificate {
    let Order::Credit(paid) = by_credit().order else { unreachable!("it has a credit") };
    let others = vec![Other { isr: 1, every: 30, bound: 25 }];
    Certificate { order: Order::Sharing(Sharing { paid, own: 2, others }), ..by_credit() }
}

#[test]
fn what_an_interrupt_that_shares_its_guest_rests_on() {
    // As above, then its own routine; of the other interrupt the routine, the period, the bound.
    let less = vec![0, 1, 2, 3, 4, 9, 11, 12];
    assert_eq!(refused(&by_sharing()), [vec![0, 2, 5, 8, 9, 10, 13, 14, 15, 16], less]);
    // Two of the other one may be pending.
    let of = |bound| covering(&[Other { isr: 1, every: 30, bound }]);
    assert_eq!([of(30), of(31)], [Some(1), Some(2)]);
    let term = as_coq(&by_sharing());
    assert!(term.contains("(By_sharing 0 2 3 1 20 1 [(1, 30, 25)])"), "{term}");
}

#[test]
fn only_a_reservation_has_a_task_alone() {
    let elsewhere = |on| check(&Certificate { on, ..alone() });
    assert!(!elsewhere(Supply::Core) && !elsewhere(by_hand().on));
}

#[test]
fn coq_reads_the_same_numbers_of_deadlines() {
    let on = "(Reservation 4 10 [Jobs_of 1 10 0] [Bandwidth_of 3 10] 10 2)";
    assert_eq!(as_coq(&alone()), format!("Certificate {on} [] (By_itself) 8 20 0 20 0 [] []"));
    let order = "(By_deadline 20 [Dated_jobs 2 30 0 30])";
    let points = "[Point 10 13 []; Point 20 15 []]";
    let term = format!("Certificate {on} [] {order} 1 20 0 13 15 [] {points}");
    assert_eq!(as_coq(&by_deadline()), term);
    let order = "(By_credit 0 3 1 20 1)";
    let term = format!("Certificate (Core) [Jobs_of 1 20 0] {order} 3 20 1 5 4 [] [Point 20 4 []]");
    assert_eq!(as_coq(&by_credit()), term);
}

/// A task (3, 20, 1) alone in a `SCHED_DEADLINE` server (6, 12) below routines (1, 9): with 2 that may be under way and
/// 1 after the job `3 + 1 + 2 + ceil(8/9) = 7` is less than 8, and `3 + 1` less than a runtime of 5.
fn never_used_up() -> Certificate {
    let urgent = vec![Member::Jobs { cost: 1, period: 9, jitter: 0 }];
    let order = Order::Reserved { blocked_by: 2, after: 1, budget: 5, every: 19, longest: 8 };
    Certificate {
        urgent,
        order,
        cost: 3,
        period: 20,
        jitter: 1,
        bound: 9,
        ..Certificate::default()
    }
}

#[test]
fn what_a_runtime_that_is_never_used_up_rests_on() {
    // cost, period, jitter, bound, length; the routine: cost, period, jitter; what blocks, what follows; the server:
    // runtime, period; the window.
    assert_eq!(refused(&never_used_up()), [vec![0, 2, 5, 8, 9, 11, 12], vec![1, 3, 10, 12]]);
    let elsewhere = Certificate { on: by_hand().on, ..never_used_up() };
    assert!(!check(&elsewhere));
}

#[test]
fn coq_reads_the_same_numbers_of_a_runtime() {
    let term = "Certificate (Core) [Jobs_of 1 9 0] (In_reservation 2 1 5 19 8) 3 20 1 9 0 [] []";
    assert_eq!(as_coq(&never_used_up()), term);
}

/// A task (2, 60) below a reservation (3, 10) whose runtimes are exceeded by 2 at most: `2 + floor(9 x 3 / 10) + 3 + 2 = 9`.
fn below_a_runtime() -> Certificate {
    Certificate {
        urgent: vec![Member::Runtime { budget: 3, period: 10, exceeded: 2 }],
        cost: 2,
        period: 60,
        bound: 9,
        length: 9,
        points: vec![Point { upto: 60, window: 9, below: Vec::new() }],
        ..Certificate::default()
    }
}

#[test]
fn what_a_task_below_a_runtime_rests_on() {
    // cost, period, jitter, bound, length; the server: budget, period, excess; offset, window; blocking.
    // With a budget of 2, or an excess of 3, two budgets may come at once.
    assert_eq!(refused(&below_a_runtime()), [vec![0, 2, 5, 7, 8, 9, 10], vec![1, 3, 4, 5, 6, 9]]);
    let exceeded = |exceeded| Certificate {
        urgent: vec![Member::Runtime { budget: 3, period: 10, exceeded }],
        bound: 1_000,
        points: vec![Point { upto: 60, window: 1_000, below: Vec::new() }],
        length: 20,
        ..below_a_runtime()
    };
    assert!(check(&exceeded(2)) && !check(&exceeded(3)));
}

#[test]
fn coq_reads_the_same_numbers_of_a_server_that_ends_late() {
    let points = "[Point 60 9 []]";
    let term =
        format!("Certificate (Core) [Runtime_of 3 10 2] (By_priority 0) 2 60 0 9 9 [] {points}");
    assert_eq!(as_coq(&below_a_runtime()), term);
}

#[test]
fn a_runtime_above_all_deadlines_is_part_of_the_shares() {
    let urgent = |exceeded| vec![Member::Runtime { budget: 2, period: 20, exceeded }];
    let of = |exceeded| Reservation { urgent: urgent(exceeded), late: 3, ..reserved() };
    let on = |exceeded| Certificate { on: Supply::Reservation(of(exceeded)), ..alone() };
    // 7 of 10 are reserved; in 10 it takes 1 as its share and 2 at once, 3 if it is exceeded by 1.
    assert!(check(&on(0)) && !check(&on(1)));
}

/// A task (4, 20, 1) alone in a reservation (5, 10) beside one (2, 10), each exceeded by 1 at most, with routines (1, 20)
/// that are charged. Of 20 parts of the core 1 goes to routines, and once 3 are taken: `(3 x 20 + 1) / 19` is less than
/// 4, so servers are late by less. `4 + 1` fit into a budget, which is over 10 + 4 after the release.
fn beside_another() -> Certificate {
    let of = Beside {
        goes_on_for: 0,
        runtime: 5,
        every: 10,
        exceeded: 1,
        routines: vec![Member::Jobs { cost: 1, period: 20, jitter: 0 }],
        others: vec![Member::Runtime { budget: 2, period: 10, exceeded: 1 }],
        unit: 20,
        late: 4,
        apart: 2,
        budgets: vec![1],
        again: 2,
    };
    let order = Order::Beside(Box::new(of));
    Certificate { order, cost: 4, period: 20, jitter: 1, bound: 15, ..Certificate::default() }
}

fn with_beside(change: impl FnOnce(&mut Beside)) -> bool {
    let mut changed = beside_another();
    let Order::Beside(of) = &mut changed.order else { unreachable!("it is beside another") };
    change(of);
    check(&changed)
}

#[test]
fn what_a_task_in_one_of_several_reservations_rests_on() {
    // cost, period, jitter, bound, length; what goes on; the server: runtime, period, excess; unit, lateness, window,
    // budgets again; the routine: cost, period, jitter; the other server: budget, period, excess; the budgets.
    let more = vec![0, 2, 5, 7, 8, 10, 12, 13, 18, 19];
    assert_eq!(refused(&beside_another()), [more, vec![1, 3, 6, 10, 11, 16, 19]]);
    // What is only in time with less, or with more.
    assert!(!with_beside(|of| of.others[0] = Member::Jobs { cost: 2, period: 10, jitter: 0 }));
    assert!(!with_beside(|of| of.budgets.clear()) && !with_beside(|of| of.budgets.push(1)));
    assert!(!with_beside(|of| of.budgets[0] = 2) && !with_beside(|of| of.exceeded = 5));
    assert!(!with_beside(|of| (of.again, of.late) = (u64::MAX, u64::MAX)));
    assert!(!check(&Certificate { on: by_hand().on, ..beside_another() }));
}

#[test]
fn coq_reads_the_same_numbers_of_several_reservations() {
    let of = "Beside_others 0 5 10 1 [Jobs_of 1 20 0] [Runtime_of 2 10 1] 20 4 2 [1] 2";
    let term = format!("Certificate (Core) [] (Beside ({of})) 4 20 1 15 0 [] []");
    assert_eq!(as_coq(&beside_another()), term);
}

/// A task (3, 20) in a slot (4, 10) that begins at 2, on a core with a routine (1, 5). In 19 that comes four times, so
/// the slot has to have 7: one of it whole and 3 of the next, after two gaps of 6.
fn in_a_slot() -> Certificate {
    let urgent = vec![Member::Jobs { cost: 1, period: 5, jitter: 0 }];
    Certificate {
        on: Supply::Slot(Slot { offset: 2, budget: 4, period: 10, urgent }),
        cost: 3,
        period: 20,
        bound: 19,
        length: 19,
        length_below: vec![19],
        points: vec![Point { upto: 20, window: 19, below: vec![19] }],
        ..Certificate::default()
    }
}

#[test]
fn what_a_task_in_a_slot_rests_on() {
    // cost, period, jitter, bound, length; its slot; the point: upto, window, slot; blocking; offset, budget, period;
    // the routine: cost, period, jitter.
    let [more, less] = [vec![0, 2, 5, 6, 7, 8, 9, 12, 13], vec![1, 3, 4, 5, 7, 8, 11, 14]];
    assert_eq!(refused(&in_a_slot()), [more, less]);
    let mut last = in_a_slot();
    last.on = Supply::Slot(Slot { offset: 6, budget: 4, period: 10, urgent: Vec::new() });
    assert!(check(&last));
    last.on = Supply::Slot(Slot { offset: 7, budget: 4, period: 10, urgent: Vec::new() });
    assert!(!check(&last), "it leaves its period");
}

#[test]
fn coq_reads_the_same_numbers_of_a_slot() {
    let term = "Certificate (Slot 2 4 10 [Jobs_of 1 5 0]) [] (By_priority 0) 3 20 0 19 19 [19] [Point 20 19 [19]]";
    assert_eq!(as_coq(&in_a_slot()), term);
}
