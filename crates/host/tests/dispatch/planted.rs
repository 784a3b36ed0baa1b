//! Errors that are planted are noticed.

use crate::memory::Memory;
use crate::simulated::{Case, service};
use crate::stated::{job, server};
use vorrang_model::system::{Scheduler, ServerKind};
use vorrang_time::{Duration, Instant};

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
