//! The directed histories reach worst cases that are known.

use crate::build::{core, interrupt, server, task, time};
use vorrang_model::system::{
    Activation, InterruptTime, Scheduler, ServerKind, ServerRule, SupplyId, System, TaskId, Window,
};
use vorrang_sim::{Search, Source, Worst, search};

const CORE: SupplyId = SupplyId(0);

/// No random histories and no climbs.
fn directed(system: &System, task: TaskId) -> Worst {
    let directed = Search { runs: 0, climbs: 0, ..Search::default() };
    search(system, &directed).tasks[task.0].clone().unwrap()
}

/// A server `[3ms, 10ms]` with a task of 2 ms and less urgent work, below a server `[2ms, 7ms]`
/// with more work than it has budget.
fn two_servers(kind: ServerKind, above: ServerKind) -> (System, TaskId) {
    let mut system = core(Scheduler::FixedPriority);
    let busy = server(&mut system, "vcpu.above", CORE, above, ["2ms", "7ms"], 2);
    let own = server(&mut system, "vcpu.own", CORE, kind, ["3ms", "10ms"], 1);
    task(&mut system, "task.above", busy, ["6ms", "100ms"], 1);
    let x = task(&mut system, "task.x", own, ["2ms", "40ms"], 2);
    task(&mut system, "task.y", own, ["5ms", "40ms"], 1);
    (system, x)
}

#[test]
fn a_task_in_a_server_meets_the_worst_case_of_davis_and_burns() {
    // Budget gone after 3 ms, back after 7; then 2 ms of the other server and 2 ms of its own;
    // a deferrable server above runs for two budgets on end.
    for (kind, above, worst) in [
        (ServerKind::Periodic, ServerKind::Periodic, "11ms"),
        (ServerKind::Deferrable, ServerKind::Periodic, "11ms"),
        (ServerKind::Sporadic, ServerKind::Sporadic, "11ms"),
        (ServerKind::Periodic, ServerKind::Deferrable, "13ms"),
        (ServerKind::Deferrable, ServerKind::Deferrable, "13ms"),
        // Budget lost as the period begins: all of it is waited for.
        (ServerKind::Polling, ServerKind::Periodic, "13999999ns"),
    ] {
        let (system, x) = two_servers(kind, above);
        let seen = directed(&system, x);
        assert_eq!(seen.response, time(worst), "{kind:?} below {above:?}: {seen:?}");
        assert!(seen.pattern.to_string().starts_with("exhausted:task."), "{seen:?}");
    }
}

#[test]
fn a_less_urgent_section_adds_to_the_wait_for_budget() {
    let (mut system, x) = two_servers(ServerKind::Deferrable, ServerKind::Periodic);
    system.tasks[x.0].blocking = time("1ms");
    let seen = directed(&system, x);
    assert_eq!(seen.response, time("12ms"));
    assert!(seen.pattern.to_string().starts_with("blocked:task.x:"));
    assert!(seen.pattern.counts(&system, Source::Task(x)));
    assert!(!seen.pattern.counts(&system, Source::Task(TaskId(0))));
}

#[test]
fn a_task_in_a_slot_waits_for_the_next_one() {
    let mut system = core(Scheduler::Slots);
    let slot = server(&mut system, "vcpu.a", CORE, ServerKind::Slot, ["3ms", "10ms"], 0);
    system.supplies[slot.0].server_mut().unwrap().rule = ServerRule::Slot { offset: time("4ms") };
    let x = task(&mut system, "task.x", slot, ["4ms", "50ms"], 1);
    assert_eq!(directed(&system, x).response, time("18ms"));
}

#[test]
fn a_task_in_a_table_waits_from_the_end_before_the_longest_gap() {
    let mut system = core(Scheduler::Slots);
    let table = server(&mut system, "vcpu.a", CORE, ServerKind::Table, ["3ms", "10ms"], 0);
    let window = |offset, length| Window { offset: time(offset), length: time(length) };
    system.supplies[table.0].windows = vec![window("0s", "2ms"), window("5ms", "1ms")];
    let x = task(&mut system, "task.x", table, ["1ms", "50ms"], 1);
    assert_eq!(directed(&system, x).response, time("5ms"));
}

#[test]
fn equal_priority_declared_later_still_comes_first() {
    let mut system = core(Scheduler::FixedPriority);
    let x = task(&mut system, "task.x", CORE, ["1ms", "20ms"], 1);
    task(&mut system, "task.y", CORE, ["5ms", "20ms"], 1);
    assert_eq!(directed(&system, x).response, time("6ms") - time("1ns"));
}

#[test]
fn under_turns_all_other_members_come_first() {
    let ahead = time("4ms") - time("1ns");
    for (scheduler, response) in [
        (Scheduler::RoundRobin, ahead + time("2ms")),
        (Scheduler::WeightedRoundRobin, ahead + time("4ms")),
        // A nanosecond of the global pass puts z's second turn before x's first.
        (Scheduler::Stride, ahead + time("4ms")),
    ] {
        let mut system = core(scheduler);
        system.supplies[0].quantum = time("2ms");
        let x = task(&mut system, "task.x", CORE, ["2ms", "40ms"], 0);
        for name in ["task.y", "task.z"] {
            task(&mut system, name, CORE, ["5ms", "40ms"], 0);
        }
        system.tasks[2].share = 2;
        assert_eq!(directed(&system, x).response, response, "{scheduler:?}");
    }
}

#[test]
fn a_task_that_an_interrupt_wakes_is_released_at_the_worst_instant() {
    let (mut system, x) = two_servers(ServerKind::Deferrable, ServerKind::Periodic);
    let i = interrupt(&mut system, "interrupt.i", ["1us", "40ms"]);
    system.interrupts[i.0].wakes = Some(x);
    system.tasks[x.0].activation = Activation::Interrupt(i);
    let seen = directed(&system, x);
    // As without the interrupt, but the budget is gone a routine later, or it takes a part.
    assert!(seen.response >= time("11ms"), "{seen:?}");
    assert!(seen.pattern.to_string().starts_with("exhausted:task."), "{seen:?}");
}

#[test]
fn a_storm_is_found_and_only_what_others_suffer_counts() {
    let mut system = core(Scheduler::FixedPriority);
    let x = task(&mut system, "task.x", CORE, ["5ms", "20ms"], 1);
    let y = task(&mut system, "task.y", CORE, ["1ms", "20ms"], 2);
    let i = interrupt(&mut system, "interrupt.i", ["10us", "20ms"]);
    system.interrupts[i.0].storm = Some(time("20us"));
    system.interrupts[i.0].wakes = Some(y);
    system.tasks[y.0].activation = Activation::Interrupt(i);
    let seen = search(&system, &Search { runs: 1, climbs: 0, ..Search::default() });
    // Half of the time is the routine's, and y is woken all the time.
    let worst = seen.tasks[x.0].as_ref().unwrap();
    assert!(!worst.finished && worst.pattern.to_string().starts_with("storm:"), "{worst:?}");
    let own = seen.tasks[y.0].as_ref().unwrap();
    assert_eq!(own.response, time("1010us"), "{own:?}");
    assert_eq!(seen.interrupts[i.0].as_ref().unwrap().response, time("1010us"));
}

#[test]
fn an_interrupt_waits_for_all_others() {
    let mut system = core(Scheduler::FixedPriority);
    let first = interrupt(&mut system, "interrupt.a", ["10us", "1ms"]);
    interrupt(&mut system, "interrupt.b", ["20us", "1ms"]);
    interrupt(&mut system, "interrupt.c", ["30us", "1ms"]);
    let seen = search(&system, &Search { runs: 0, climbs: 0, ..Search::default() });
    let worst = seen.interrupts[first.0].as_ref().unwrap();
    assert_eq!(worst.response, time("60us") - time("1ns"));
    assert_eq!(worst.pattern.to_string(), "last:interrupt.a");
}

/// 15 of a runtime of 10 that ends late are used by 15, a routine of 6 follows, and at 50 both are paid by two budgets that come at once:
/// 15 again before the rest of 31.
#[test]
fn what_is_charged_when_a_runtime_ends_brings_budgets_early() {
    let mut system = core(Scheduler::Linux);
    system.supplies[CORE.0].interrupt_time = InterruptTime::Charged;
    system.supplies[CORE.0].overrun = time("5ns");
    let s = server(&mut system, "server.s", CORE, ServerKind::SchedDeadline, ["10ns", "50ns"], 0);
    task(&mut system, "task.hog", s, ["1us", "2us"], 1);
    let low = task(&mut system, "task.low", CORE, ["31ns", "1us"], 1);
    interrupt(&mut system, "interrupt.i", ["6ns", "1us"]);
    let seen = search(&system, &Search { runs: 0, climbs: 0, ..Search::default() });
    let worst = seen.tasks[low.0].as_ref().unwrap();
    assert_eq!(worst.response, time("66ns"), "{worst:?}");
    assert_eq!(worst.pattern.to_string(), "charged:server.s");
}
