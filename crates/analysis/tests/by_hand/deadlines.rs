//! Servers with deadlines.

use super::{alone_in, system, us};
use vorrang_analysis::{Assumption, Bounds, bounds, monotonic_bounds};

#[test]
fn the_only_task_of_a_hard_cbs_starts_with_a_full_budget() {
    let text = r#"
        version = 1
        [core.0]
        scheduler = "edf"
        [server.rt]
        on = "core.0"
        server = "cbs-hard"
        budget = "4ms"
        period = "10ms"
        [task.rt]
        on = "server.rt"
        wcet = "19ms"
        period = "50ms"
        [server.other]
        on = "core.0"
        server = "cbs-hard"
        budget = "6ms"
        period = "10ms"
        [task.other]
        on = "server.other"
        wcet = "1ms"
        period = "1ms"
        deadline = "none"
    "#;
    let alone = system(text);
    // Four budgets, and 3 ms of the fifth behind 6 ms of the other server: 49 ms, and what rounding of its demand adds.
    assert_eq!(us(&alone, &bounds(&alone), "task.rt"), Some(49_017));
    // 1 ms more often, and a job may find the server with what is left of a budget, which is no later.
    let dense = system(&text.replace("50ms", "49ms"));
    assert_eq!(us(&dense, &bounds(&dense), "task.rt"), Some(49_017));
}

#[test]
fn a_server_with_deadlines_takes_no_more_than_the_work_in_it() {
    // Budget and period, the only task of the guest, and what is beside it.
    let server = |kind: &str, name: &str, [budget, period]: [u64; 2], task: &str| {
        format!(
            "[server.{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ms\"\n\
             period = \"{period}ms\"\n[task.{name}]\non = \"server.{name}\"\n{task}\n"
        )
    };
    let bound = |members: &str| {
        let system = system(&format!("version = 1\n[core.0]\nscheduler = \"edf\"\n{members}"));
        let of = |bounds: &Bounds| us(&system, bounds, "task.t");
        (of(&bounds(&system)), of(&monotonic_bounds(&system)))
    };
    let task = |wcet: u64, period: u64| {
        format!("[task.t]\non = \"core.0\"\nwcet = \"{wcet}ms\"\nperiod = \"{period}ms\"\n")
    };
    // 3 ms, and a job of the other server, not its bandwidth in 24 ms.
    let one = "wcet = \"1ms\"\nperiod = \"9ms\"";
    let three = "wcet = \"3ms\"\nperiod = \"30ms\"";
    let soft = server("cbs-soft", "other", [3, 4], one) + &server("cbs-soft", "t", [1, 8], three);
    assert_eq!(bound(&soft), (Some(4_000), Some(24_000)));
    // 2 ms on the core, and 1 of a guest that never uses up its budget.
    let inside = "wcet = \"1ms\"\nperiod = \"7ms\"";
    let deferrable = server("deferrable", "s", [3, 8], inside) + &task(2, 11);
    assert_eq!(bound(&deferrable), (Some(3_000), Some(8_000)));
    // As much where the task is in a server of the guest; but all budgets where a section blocks it.
    let nested = "[server.inside]\non = \"server.s\"\nserver = \"deferrable\"\nbudget = \"1ms\"\nperiod = \"40ms\"\npriority = 1\n";
    let seldom = "wcet = \"1ms\"\nperiod = \"80ms\"";
    let within = server("deferrable", "s", [3, 8], seldom)
        .replace("\"server.s\"\nwcet", "\"server.inside\"\nwcet");
    let within = within + nested + &task(2, 11);
    assert_eq!(bound(&within).0, Some(3_000));
    let blocked = inside.to_owned() + "\nblocking = \"1ms\"";
    assert_eq!(bound(&(server("deferrable", "s", [3, 8], &blocked) + &task(2, 11))).0, Some(8_000));
    // A guest that waits has used up a budget just before: of two jobs that can be pending in 13 ms, 5 ms are left.
    let waits = |period: u64, core: &str| {
        let own = format!("wcet = \"4ms\"\nperiod = \"{period}ms\"");
        bound(&(server("deferrable", "s", [3, 8], &own) + core)).0
    };
    assert_eq!(waits(20, &task(8, 17)), Some(13_000));
    // Both in 16 ms, where a third one may have used it up.
    assert_eq!(waits(16, &task(11, 25)), Some(19_000));
    // Each job starts the server afresh, with a deadline after 5 ms. If it is released up to 8 late, the next may
    // find a pair that is due before.
    let (fresh, late) = ("wcet = \"2ms\"\nperiod = \"11ms\"", "\njitter = \"8ms\"");
    let hard = |lines: &str| server("cbs-hard", "s", [3, 5], lines) + &task(1, 3);
    assert_eq!(bound(&hard(fresh)), (Some(1_000), Some(2_937)));
    assert_eq!(bound(&hard(&(fresh.to_owned() + late))), (Some(2_875), Some(2_937)));
    // The task on the core has an earlier deadline only if it comes 2 ms before: it is complete then, and so are earlier jobs.
    let own = "wcet = \"1ms\"\nperiod = \"8ms\"";
    let beside = server("cbs-soft", "t", [3, 6], own) + &task(2, 8).replace("task.t", "task.other");
    assert_eq!(bound(&beside).0, Some(1_000));
}

#[test]
fn sched_deadline_provides_by_its_deadline() {
    // Alone, each job begins with a full budget: a period, and 1 ms of the next budget.
    assert_eq!(alone_in("edf", "sched-deadline", ""), Some(11_000));
    // 10 − 2 ms without anything, for a budget comes at once, then 3 ms with one wait of 8 ms.
    assert_eq!(alone_in("edf", "sched-deadline", "deadline = \"4ms\""), Some(19_000));
}

#[test]
fn a_task_that_is_alone_in_a_soft_server_knows_how_far_its_deadline_is() {
    // It goes on with the next deadline.
    assert_eq!(alone_in("edf", "cbs-soft", ""), Some(3_000));
}

#[test]
fn under_linux_servers_with_deadlines_come_before_every_priority() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "linux"
        fair-server = "none"
        [server.d]
        on = "core.0"
        server = "sched-deadline"
        budget = "2ms"
        deadline = "4ms"
        period = "10ms"
        [task.d]
        on = "server.d"
        wcet = "2ms"
        period = "20ms"
        [task.short]
        on = "core.0"
        wcet = "1ms"
        period = "100ms"
        priority = 99
        [task.long]
        on = "core.0"
        wcet = "4ms"
        period = "100ms"
        priority = 1
        "#,
    );
    let bounds = bounds(&system);
    // A budget and own work.
    assert_eq!(us(&system, &bounds, "task.short"), Some(3_000));
    // 5 ms of work, a budget that comes just before 8 ms, and what is left 2 ms before its deadline
    // of the one before: less than 1 ms.
    assert_eq!(us(&system, &monotonic_bounds(&system), "task.long"), Some(7_999));
    // Of these budgets one is asked for.
    assert_eq!(us(&system, &bounds, "task.long"), Some(7_000));
    // What is left of a budget comes by the deadline, and a full one a period later; nothing has an earlier deadline.
    assert_eq!(us(&system, &monotonic_bounds(&system), "task.d"), Some(12_000));
    assert_eq!(us(&system, &bounds, "task.d"), Some(10_000));
    // What kernels do not always keep is said of each of them.
    for id in (0..system.tasks.len()).map(vorrang_model::system::TaskId) {
        assert!(bounds.task(id).assumptions().contains(&Assumption::Runtimes));
    }
}

/// A soft server of 2 in 10 ms with one task of 3 ms beside an interrupt of 1 ms every 50 ms, alone and
/// beside a task.
#[test]
fn a_soft_server_with_one_task_has_a_bound_beside_interrupts() {
    let text = |server: &str, interrupt: &str, more: &str| {
        format!(
            "version = 1\n[core.0]\nscheduler = \"edf\"\n{interrupt}[server.s]\non = \"core.0\"\nserver = \"{server}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n[task.t]\non = \"server.s\"\nwcet = \"3ms\"\nperiod = \"1s\"\n{more}"
        )
    };
    let interrupt = "[interrupt.i]\non = \"core.0\"\nisr = \"1ms\"\nmin-interarrival = \"50ms\"\n";
    let found = |text: String, name: &str| {
        let system = system(&text);
        us(&system, &bounds(&system), name)
    };
    // The interrupt and its work; or the second budget after a period, with that before it.
    assert_eq!(found(text("cbs-soft", interrupt, ""), "task.t"), Some(4_000));
    assert_eq!(found(text("cbs-hard", interrupt, ""), "task.t"), Some(12_000));
    // 7 of the task, the interrupt, and 2 ms later a fifth of 10.625 ms less 1 ns of the server, whose slope is cut there: nothing
    // of it is due before 10 ms.
    let other =
        "[task.o]\non = \"core.0\"\nwcet = \"7ms\"\nperiod = \"20ms\"\ndeadline = \"8ms\"\n";
    assert_eq!(found(text("cbs-soft", interrupt, other), "task.o"), Some(8_124));
    // All of these, and its own work.
    assert_eq!(found(text("cbs-soft", interrupt, other), "task.t"), Some(11_000));
    // Beside a server of 7.5 ms its work, 8 of the other task, and the interrupt. The same beside one of 8, though that and interrupts are
    // more than the core: the work in servers is not.
    let more = "[server.o]\non = \"core.0\"\nserver = \"cbs-soft\"\nbudget = \"8ms\"\nperiod = \"10ms\"\n[task.o]\non = \"server.o\"\nwcet = \"8ms\"\nperiod = \"100ms\"\n";
    let busy = interrupt.replace("50ms", "500ms");
    assert_eq!(found(text("cbs-soft", &busy, more), "task.t"), Some(12_000));
    let more = more.replace("budget = \"8ms\"", "budget = \"7500us\"");
    assert_eq!(found(text("cbs-soft", &busy, &more), "task.t"), Some(12_000));
}

/// A server of a half beside one of 30 %, with best-effort work in both.
const HALF_AND_MORE: &str = r#"
    version = 1
    [core.0]
    scheduler = "edf"
    [server.rt]
    on = "core.0"
    server = "cbs-hard"
    budget = "3ms"
    period = "10ms"
    scheduler = "fixed-priority"
    [task.rt]
    on = "server.rt"
    wcet = "2ms"
    period = "20ms"
    priority = 2
    [task.hog]
    priority = 1
    on = "server.rt"
    wcet = "1ms"
    period = "1ms"
    deadline = "none"
    [server.other]
    on = "core.0"
    server = "cbs-hard"
    budget = "5ms"
    period = "10ms"
    [task.other]
    on = "server.other"
    wcet = "1ms"
    period = "1ms"
    deadline = "none"
"#;

#[test]
fn a_budget_comes_by_its_response_time() {
    let bound = |text: &str| {
        let system = system(text);
        (
            us(&system, &bounds(&system), "task.rt"),
            us(&system, &monotonic_bounds(&system), "task.rt"),
        )
    };
    // A budget comes within 8 ms: 7 ms after one that was used at once, and 7 ms for 2 of 3.
    assert_eq!(bound(HALF_AND_MORE), (Some(14_000), Some(16_000)));
    // Of one task the server starts afresh: 2 ms, and 5 of the other server.
    let hog = r#"
    [task.hog]
    priority = 1
    on = "server.rt"
    wcet = "1ms"
    period = "1ms"
    deadline = "none""#;
    let alone = HALF_AND_MORE.replace(hog, "");
    assert_ne!(alone, HALF_AND_MORE);
    assert_eq!(bound(&alone), (Some(7_000), Some(10_000)));
    // 4 ms are in two budgets, the second of which comes after 10 ms: 1 ms of it, and 5 ms.
    assert_eq!(bound(&alone.replace("2ms", "4ms")), (Some(16_000), Some(20_000)));
    // A soft one has it all by then, of what is due in 20 ms: 10 of the other.
    let soft = alone.replace("2ms", "4ms").replacen("cbs-hard", "cbs-soft", 1);
    assert_eq!(bound(&soft), (Some(14_000), Some(20_000)));
    // Deferrable ones with 3 and 2 ms: in 10 ms and 2 before them 3 and 2 more of the own and 4 of the other are due, 9, or 7
    // after the 2. So it has nothing for 11 ms.
    let deferrable = HALF_AND_MORE.replace("cbs-hard", "deferrable").replace("5ms", "2ms");
    assert_eq!(bound(&deferrable), (Some(13_000), Some(16_000)));
}
