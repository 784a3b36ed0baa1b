//! A proxy process that a global scheduler may shift is no slot at a fixed offset: a task that
//! passes the test for fixed slots misses its deadline, at an instant known from independent
//! scripts.

use crate::build::{core, server, task};
use vorrang_model::system::{Scheduler, ServerKind, SupplyId, System};
use vorrang_sim::{Search, search};
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

#[test]
fn the_witnesses_of_the_shifted_proxy_are_found() {
    for (first, miss) in
        [(["40ms", "80ms"], 5151), (["45ms", "90ms"], 3535), (["35ms", "70ms"], 4444)]
    {
        let system = proxies(first);
        let seen = search(&system, &Search::default());
        let found = seen.tasks[0].as_ref().unwrap().miss.as_ref().unwrap();
        assert_eq!(found.pattern.to_string(), "synchronous");
        assert_eq!(found.deadline, Instant::from_ns(miss * 1_000_000), "{first:?}");
        assert_eq!(found.arrival, found.deadline - Duration::from_ms(101));
    }
}
