//! Errors that are planted are noticed.

use crate::memory::Memory;
use crate::simulated::{Case, service};
use crate::stated::{BY_PRIORITY, job, server};
use vorrang_host::control::{Control, Course};
use vorrang_host::processor::Order;
use vorrang_host::{Processor, dispatch, rule};
use vorrang_model::system::{Scheduler, ServerKind};
use vorrang_time::{Duration, Instant};

/// So many decisions.
struct AtMost(u32);

impl Control for AtMost {
    fn goes_on(&mut self, _processor: &Processor, _course: &Course) -> bool {
        self.0 -= 1;
        self.0 > 0
    }
}

/// A thread that is ready and does not go on when it is lent to: a decision for each event, not one after the other.
#[test]
fn a_loan_without_effect_is_not_repeated_at_once() {
    for kind in BY_PRIORITY {
        let server = server(kind, [3000, 10_000], 1);
        let (wake_ups, mechanism) = (rule::wake_ups(kind), rule::mechanism(&server));
        let empty = Processor::new(Order::FixedPriority, Duration::from_ms(1), Duration::ZERO);
        let mut processor =
            empty.with(mechanism.expect("it is run"), 1, wake_ups.expect("it is run"));
        let mut machine = Memory::of(&[Vec::new()]);
        machine.stuck = Some(0);
        let horizon = Instant::from_ns(100_000_000);
        let course = dispatch::run(&mut processor, &mut machine, horizon, AtMost(1000));
        assert!(course.steps <= 250, "{kind:?}: {}", course.steps);
    }
}

/// A loan that ends late shows in what runs, and in the service of that period.
#[test]
fn a_thread_that_is_parked_late_is_noticed() {
    let case = Case {
        scheduler: Scheduler::FixedPriority,
        quantum: Duration::ZERO,
        servers: vec![
            server(ServerKind::Deferrable, [3000, 10_000], 2),
            server(ServerKind::Periodic, [2000, 20_000], 1),
        ],
        jobs: vec![vec![job(0, 10_000_000)]; 2],
        interrupts: Vec::new(),
        tasks: Vec::new(),
        rest: false,
        look: Duration::from_ms(1),
        horizon: Instant::from_ns(200_000_000),
    };
    let mut late = Memory::of(&case.jobs);
    late.ends_late = Some(6);
    let (ours, simulated) = (case.dispatched_on(late), case.simulated());
    assert_ne!(ours, simulated);
    let most = |ran| service(ran, 0, Duration::from_ms(10), case.horizon).into_iter().max();
    assert_eq!(most(&simulated), Some(3_000_000));
    assert!(most(&ours) > Some(3_000_000), "{:?}", most(&ours));
}
