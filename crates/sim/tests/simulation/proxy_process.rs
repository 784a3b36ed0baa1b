//! A proxy process that a global scheduler may shift is no slot at a fixed offset: a task that
//! passes the test for fixed slots misses its deadline, at an instant known from independent
//! scripts.

use crate::build::{core, server, task};
use vorrang_model::system::{Scheduler, ServerKind, SupplyId, System};
use vorrang_sim::{Arrivals, History, Job, Observer, simulate};
use vorrang_time::{Duration, Instant};

const CORE: SupplyId = SupplyId(0);

/// EDF over two idling proxies, ties to the first; one task in the second.
fn proxies(first: [&str; 2]) -> System {
    let mut system = core(Scheduler::Edf);
    server(&mut system, "vcpu.a", CORE, ServerKind::Periodic, first, 0);
    let b = server(&mut system, "vcpu.b", CORE, ServerKind::Periodic, ["50ms", "100ms"], 0);
    task(&mut system, "task.x", b, ["33ms", "101ms"], 1);
    system
}

/// The absolute deadline of the first job that is not complete by then.
#[derive(Default)]
struct FirstMiss(Option<Instant>);

impl Observer for FirstMiss {
    fn completed(&mut self, job: &Job, at: Instant) {
        let deadline = job.arrival + Duration::from_ms(101);
        if at > deadline {
            self.0.get_or_insert(deadline);
        }
    }
}

#[test]
fn the_witnesses_of_the_shifted_proxy_are_reproduced() {
    for (first, miss) in
        [(["40ms", "80ms"], 5151), (["45ms", "90ms"], 3535), (["35ms", "70ms"], 4444)]
    {
        let system = proxies(first);
        let mut history = History::quiet(&system);
        history.tasks[0] = Arrivals::from(Instant::ZERO);
        let mut first_miss = FirstMiss::default();
        let horizon = Instant::from_ns(10_000_000_000);
        simulate(&system, CORE, &history, horizon, &mut first_miss).unwrap();
        assert_eq!(first_miss.0, Some(Instant::from_ns(miss * 1_000_000)), "{first:?}");
    }
}
