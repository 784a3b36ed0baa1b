//! What tells the kinds of servers apart, drawn: one character per millisecond.

use crate::build::{core, server, task, time};
use crate::drawing::{arrivals, at, draw};
use vorrang_model::system::{Scheduler, ServerKind, ServerRule, SupplyId, System};
use vorrang_sim::{History, Observer, simulate};
use vorrang_time::{Duration, Instant};

const CORE: SupplyId = SupplyId(0);

/// A server on the core with one task of four milliseconds, and a less urgent task beside it.
fn beside(kind: ServerKind, [budget, period]: [&str; 2], other: [&str; 2]) -> System {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, kind, [budget, period], 2);
    task(&mut system, "task.a", a, ["4ms", "30ms"], 1);
    task(&mut system, "task.b", CORE, other, 1);
    system
}

#[test]
fn a_polling_server_loses_what_it_does_not_use_at_once() {
    let system = beside(ServerKind::Polling, ["2ms", "5ms"], ["4ms", "30ms"]);
    assert_eq!(draw(&system, &[1, 0], 16), "bbbb.aa...aa....");
    // Released together with the replenishment: nothing is lost.
    assert_eq!(draw(&system, &[5, 0], 16), "bbbb.aa...aa....");
    // The guest is done at 6: the rest is gone, and so is what comes at 10.
    let mut short = system.clone();
    short.tasks[0].wcet = time("1ms");
    short.tasks[0].min_interarrival = time("6ms");
    assert_eq!(draw(&short, &[5, 0], 17), "bbbb.a.........a.");
}

#[test]
fn an_exhausted_posix_server_goes_on_in_the_background() {
    let kind = ServerKind::PosixSporadic;
    // Nothing else is ready from 3 on; a sporadic server waits for its refill at 6.
    let system = beside(kind, ["2ms", "6ms"], ["1ms", "30ms"]);
    assert_eq!(draw(&system, &[0, 1], 10), "aabaa.....");
    let corrected = beside(ServerKind::Sporadic, ["2ms", "6ms"], ["1ms", "30ms"]);
    assert_eq!(draw(&corrected, &[0, 1], 10), "aab...aa..");
    // At 6 there is capacity again.
    let system = beside(kind, ["2ms", "6ms"], ["5ms", "30ms"]);
    assert_eq!(draw(&system, &[0, 1], 10), "aabbbbaab.");
}

#[test]
fn a_soft_constant_bandwidth_server_never_waits() {
    let draw_kind = |kind| {
        let mut system = core(Scheduler::Edf);
        let a = server(&mut system, "vcpu.a", CORE, kind, ["2ms", "6ms"], 0);
        task(&mut system, "task.a", a, ["4ms", "20ms"], 1);
        task(&mut system, "task.b", CORE, ["1ms", "5ms"], 0);
        draw(&system, &[1, 0], 11)
    };
    assert_eq!(draw_kind(ServerKind::CbsHard), "baa..b.aa.b");
    assert_eq!(draw_kind(ServerKind::CbsSoft), "baaaab....b");
}

#[test]
fn a_soft_server_pays_with_its_deadline() {
    let mut system = core(Scheduler::Edf);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::CbsSoft, ["2ms", "6ms"], 0);
    task(&mut system, "task.a", a, ["4ms", "30ms"], 1);
    task(&mut system, "task.b", CORE, ["3ms", "10ms"], 0);
    // Until 2 it has the deadline 6, then 12, which is after b's 11.
    assert_eq!(draw(&system, &[0, 1], 10), "aabbbaa...");
}

#[test]
fn sched_deadline_keeps_what_fits_exactly() {
    let draw_kind = |kind| {
        let mut system = core(Scheduler::Edf);
        let a = server(&mut system, "vcpu.a", CORE, kind, ["2ms", "6ms"], 0);
        task(&mut system, "task.a", a, ["1ms", "30ms"], 2);
        task(&mut system, "task.b", a, ["2ms", "30ms"], 1);
        draw(&system, &[0, 3], 9)
    };
    // At 3 one unit is left for three: exactly the bandwidth.
    assert_eq!(draw_kind(ServerKind::SchedDeadline), "a..b..b..");
    assert_eq!(draw_kind(ServerKind::CbsHard), "a..bb....");
}

#[test]
fn sched_deadline_with_its_own_deadline_gets_what_is_left_of_it() {
    let mut system = core(Scheduler::Edf);
    let kind = ServerKind::SchedDeadline;
    let a = server(&mut system, "vcpu.a", CORE, kind, ["2ms", "10ms"], 0);
    system.supplies[a.0].server_mut().unwrap().rule =
        ServerRule::SchedDeadline { deadline: Some(time("4ms")), reclaims: false };
    task(&mut system, "task.a", a, ["1ms", "40ms"], 2);
    task(&mut system, "task.b", a, ["3ms", "40ms"], 1);
    // At 2 one unit fits before 4: kept. Throttled until 10, a period after the first wake-up.
    assert_eq!(draw(&system, &[0, 2], 15), "a.b.......bb...");
    // At 3 half a unit does: the revised rule; and after 4 it waits for the next period.
    let drawn = draw(&system, &[0, 5], 15);
    assert_eq!(drawn, "a.........bb...");
}

#[test]
fn what_others_leave_is_reclaimed() {
    let mut system = core(Scheduler::Linux);
    let kind = ServerKind::SchedDeadline;
    let a = server(&mut system, "server.a", CORE, kind, ["2ms", "6ms"], 0);
    let b = server(&mut system, "server.b", CORE, kind, ["2ms", "4ms"], 0);
    let x = task(&mut system, "task.a", a, ["5ms", "40ms"], 1);
    task(&mut system, "task.b", b, ["1ms", "40ms"], 1);
    assert_eq!(draw(&system, &[0, 20], 20), "aa....aa....a.......");
    system.supplies[a.0].server_mut().unwrap().rule =
        ServerRule::SchedDeadline { deadline: None, reclaims: true };
    assert_eq!(draw(&system, &[0, 20], 20), "aaaaa...............");
    // b is active from 1 to 3, its 0-lag time: until then five sixths of its time are charged to a, and a
    // third before and after. Of 2 it has 5/3 at 1 and 5/6 at 3, enough for 2.5 more, until 5.5.
    system.tasks[x.0].wcet = time("4ms");
    assert_eq!(draw(&system, &[0, 1], 20), "abaaa...............");
    system.tasks[x.0].wcet = time("6ms");
    let history = History { tasks: arrivals(&[0, 1]), ..History::quiet(&system) };
    let mut seen = Budgets(a, Vec::new());
    simulate(&system, CORE, &history, at(8), &mut seen).unwrap();
    let left = seen.1.iter().position(|&(left, _)| left.is_zero()).unwrap();
    let gone = seen.1[left].1;
    // Bandwidths are rounded up to parts of 2^-20.
    assert!((5_499_000..=5_500_000).contains(&gone.as_ns()), "{gone}");
}

/// The budgets of a server as they are told.
struct Budgets(SupplyId, Vec<(Duration, Instant)>);

impl Observer for Budgets {
    fn budget(&mut self, server: SupplyId, left: Duration, at: Instant) {
        if server == self.0 {
            self.1.push((left, at));
        }
    }
}

#[test]
fn linux_serves_deadlines_before_priorities() {
    let mut system = core(Scheduler::Linux);
    let kind = ServerKind::SchedDeadline;
    let a = server(&mut system, "server.a", CORE, kind, ["2ms", "6ms"], 0);
    let c = server(&mut system, "server.c", CORE, ServerKind::Sporadic, ["1ms", "9ms"], 50);
    task(&mut system, "task.a", a, ["4ms", "20ms"], 1);
    task(&mut system, "task.b", CORE, ["4ms", "20ms"], 99);
    task(&mut system, "task.c", c, ["2ms", "20ms"], 1);
    task(&mut system, "task.d", CORE, ["3ms", "20ms"], 1);
    // a is throttled from 3 to 7. The level of c is active from 0 on: back at 9.
    assert_eq!(draw(&system, &[1, 0, 0, 0], 14), "baabbbcaacddd.");
}
