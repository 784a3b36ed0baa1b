//! What a server that reclaims takes from others. docs/theory/reclaiming.md

use crate::build::{core, interrupt, server, task, time};
use crate::drawing::{CORE, arrivals, at, draw, draw_history};
use vorrang_model::system::{Scheduler, ServerKind, ServerRule, SupplyId, System};
use vorrang_sim::{Arrivals, History};

fn reclaim(system: &mut System, id: SupplyId) {
    system.supplies[id.0].server_mut().unwrap().rule =
        ServerRule::SchedDeadline { deadline: None, reclaims: true };
}

/// At 16 the first sleeps, and an eighth of the second's time is charged: its runtime of 1 ms lasts for 8, past the deadline of
/// the third, which does not reclaim.
#[test]
fn an_interrupt_makes_others_later_than_without() {
    let mut system = core(Scheduler::Linux);
    let kind = ServerKind::SchedDeadline;
    let ids = [("12ms", "12ms"), ("1ms", "12ms"), ("1ms", "1ms")].map(|(budget, wcet)| {
        let id = server(&mut system, "server", CORE, kind, [budget, "16ms"], 0);
        task(&mut system, "task", id, [wcet, "100ms"], 1);
        id
    });
    interrupt(&mut system, "interrupt", ["4ms", "100ms"]);
    let history = History {
        tasks: arrivals(&[0, 0, 0]),
        interrupts: vec![Arrivals::from(at(0))],
        ..History::quiet(&system)
    };
    assert_eq!(draw_history(&system, &history, 20), "0000aaaaaaaaaaaabcb.");
    reclaim(&mut system, ids[1]);
    assert_eq!(draw_history(&system, &history, 26), "0000aaaaaaaaaaaabbbbbbbbcb");
}

/// Tasks with deadlines are not counted among the active bandwidths.
#[test]
fn a_task_with_a_deadline_is_late_beside_one_that_reclaims() {
    let mut system = core(Scheduler::Edf);
    let kind = ServerKind::SchedDeadline;
    let id = server(&mut system, "server", CORE, kind, ["4ms", "8ms"], 0);
    task(&mut system, "in it", id, ["20ms", "100ms"], 1);
    let due = task(&mut system, "due at 10", CORE, ["5ms", "100ms"], 0);
    system.tasks[due.0].deadline = Some(time("10ms"));
    assert_eq!(draw(&system, &[0, 0], 10), "aaaabbbbba");
    reclaim(&mut system, id);
    assert_eq!(draw(&system, &[0, 0], 14), "aaaaaaaabbbbba");
}
