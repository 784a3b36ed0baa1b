//! Small systems whose bounds can be followed with a pencil, from description to number.

use vorrang_analysis::{Assumption, Bounds, bounds, explain, monotonic_bounds};
use vorrang_model::system::{RequirementKind, System};
use vorrang_model::{Format, read};

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The bound of a task in microseconds.
fn us(system: &System, bounds: &Bounds, name: &str) -> Option<u64> {
    let found = (0..system.tasks.len())
        .map(vorrang_model::system::TaskId)
        .find(|&id| system.task(id).name == name)
        .unwrap_or_else(|| panic!("no {name}"));
    bounds.task(found).bound().map(|bound| bound.as_ns() / 1_000)
}

#[test]
fn a_virtual_machine_on_a_fixed_slot_has_one_gap() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "slots"
        [vcpu.b]
        on = "core.0"
        server = "slot"
        offset = "40ms"
        budget = "50ms"
        period = "100ms"
        [task.t]
        on = "vcpu.b"
        wcet = "33ms"
        period = "101ms"
        "#,
    );
    assert_eq!(us(&system, &bounds(&system), "task.t"), Some(83_000));
}

#[test]
fn a_virtual_machine_in_a_table_waits_from_the_worst_of_the_ends() {
    let table = |wcet: &str, interrupt: &str| {
        let text = format!(
            r#"
            version = 1
            [core.0]
            scheduler = "slots"
            [vcpu.b]
            on = "core.0"
            server = "table"
            windows = {{ "0s" = "2ms", "5ms" = "1ms" }}
            period = "10ms"
            [task.t]
            on = "vcpu.b"
            wcet = "{wcet}"
            period = "101ms"
            {interrupt}
            "#
        );
        let system = system(&text);
        us(&system, &bounds(&system), "task.t")
    };
    // 1 ms from the end at 6 ms on: 4 ms until the next period, then itself. 2 ms take 6 ms there, from 2 ms on 3 + 1 + 4 + 1.
    for (wcet, worst) in [("1ms", 5_000), ("2ms", 9_000), ("3ms", 10_000), ("4ms", 15_000)] {
        assert_eq!(table(wcet, ""), Some(worst), "{wcet}");
    }
    // A routine of 100 us may take a part of each window; 1.1 ms take 5.1 ms from 6 ms on, and 3 + 1 + 4 + 0.1 from 2 ms on.
    let routine = "[interrupt.i]\non = \"core.0\"\nmin-interarrival = \"50ms\"\nisr = \"100us\"";
    assert_eq!(table("1ms", routine), Some(8_100));
}

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

#[test]
fn a_server_inside_a_server_waits_for_both() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.outer]
        on = "core.0"
        server = "periodic"
        budget = "5ms"
        period = "10ms"
        [server.inner]
        on = "vcpu.outer"
        server = "deferrable"
        budget = "2ms"
        period = "20ms"
        [task.t]
        on = "server.inner"
        wcet = "1ms"
        period = "100ms"
        "#,
    );
    // inner: nothing for 20 - 2; then 1 ms of what outer provides: nothing for 10 - 5, then 1.
    let by_budgets = us(&system, &monotonic_bounds(&system), "task.t");
    assert_eq!(by_budgets, Some(18_000 + 5_000 + 1_000));
    // But inner has its budget, for nothing else uses it.
    assert_eq!(us(&system, &bounds(&system), "task.t"), Some(5_000 + 1_000));
}

/// A deferrable or sporadic server of 4 in 10 ms below 1 ms in every 5, with one task, or two.
fn in_kept(kind: &str, wcet: u64, period: u64, other: &str) -> Option<u64> {
    let system = system(&format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [task.above]
        on = "core.0"
        wcet = "1ms"
        period = "5ms"
        priority = 3
        [vcpu.v]
        on = "core.0"
        server = "{kind}"
        budget = "4ms"
        period = "10ms"
        priority = 2
        [task.t]
        on = "vcpu.v"
        wcet = "{wcet}ms"
        period = "{period}ms"
        deadline = "none"
        priority = 2
        {other}
        "#
    ));
    us(&system, &bounds(&system), "task.t")
}

fn less_urgent(wcet: u64, period: u64) -> String {
    format!(
        "[task.other]\non = \"vcpu.v\"\nwcet = \"{wcet}ms\"\nperiod = \"{period}ms\"\n\
         deadline = \"none\"\npriority = 1\n"
    )
}

#[test]
fn a_guest_finds_the_budget_that_it_has_not_used() {
    for kind in ["deferrable", "sporadic"] {
        // 3 and what is above it, as if there were no server.
        assert_eq!(in_kept(kind, 3, 20, ""), Some(4_000), "{kind}");
        // 1 ms of something else, once, leaves enough.
        assert_eq!(in_kept(kind, 3, 20, &less_urgent(1, 100)), Some(4_000), "{kind}");
        // 2 ms of it do not: they are used just before, 1 is missing until the budget returns 8 ms later, and
        // waits for what is above.
        assert_eq!(in_kept(kind, 3, 20, &less_urgent(2, 100)), Some(8_000 + 2_000), "{kind}");
        // What always wants more uses all: 6 ms without budget.
        assert_eq!(in_kept(kind, 3, 20, &less_urgent(1, 1)), Some(6_000 + 4_000), "{kind}");
    }
    // 5 need a second budget. A whole period and the last 1 ms with 1 above it; where a deferrable server's
    // first period ends early, what is above has come twice: 4 ms of budget take 5.
    assert_eq!(in_kept("sporadic", 5, 40, ""), Some(10_000 + 2_000));
    assert_eq!(in_kept("deferrable", 5, 40, ""), Some(10_000 + 2_000 + 1_000));
}

#[test]
fn a_guest_finds_the_budget_that_it_has_not_used_under_edf() {
    let waits = |wcet: u64, period: u64, other: &str| {
        let system = system(&format!(
            r#"
            version = 1
            [core.0]
            scheduler = "edf"
            [task.above]
            on = "core.0"
            wcet = "1ms"
            period = "5ms"
            [vcpu.v]
            on = "core.0"
            server = "deferrable"
            budget = "4ms"
            period = "10ms"
            scheduler = "fixed-priority"
            [task.t]
            on = "vcpu.v"
            wcet = "{wcet}ms"
            period = "{period}ms"
            deadline = "none"
            priority = 2
            {other}
            "#
        ));
        us(&system, &bounds(&system), "task.t")
    };
    // 3, and 1 with an earlier deadline.
    assert_eq!(waits(3, 20, ""), Some(4_000));
    // 1 ms of something else, once, is before it in the period, but not in a window in which it waits.
    assert_eq!(waits(3, 20, &less_urgent(1, 100)), Some(4_000));
    // 2 ms of it are used just before, and 1 is missing until the budget returns 8 ms later. That may wait for 2:
    // with 4 of its own before, two jobs of the other come in the 7 ms that all takes.
    assert_eq!(waits(3, 20, &less_urgent(2, 100)), Some(8_000 + 3_000));
    // 5 need a second budget: of the first period 4 take 5, and 1 is left for the next but one.
    assert_eq!(waits(5, 40, ""), Some(1_000 + 10_000 + 3_000));
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
fn a_section_delays_what_else_a_guest_has_used() {
    let section = |below: &str| format!("blocking = \"1ms\"\n{below}");
    let below = less_urgent(1, 100) + "blocking = \"0s\"\n";
    for kind in ["deferrable", "sporadic"] {
        // The section and 2 ms, alone in the guest: 3 and 1 above.
        assert_eq!(in_kept(kind, 2, 20, &section("")), Some(4_000), "{kind}");
        // With less urgent work no more than 4 ms is used in 10 ms, so the budget lasts.
        assert_eq!(in_kept(kind, 2, 20, &section(&below)), Some(4_000), "{kind}");
        // The section comes before less urgent work in each busy window, so nothing says when that is done: all
        // of the budget may be used just before, and 3 and 1 above come 6 ms later.
        let below = less_urgent(2, 100) + "blocking = \"0s\"\n";
        assert_eq!(in_kept(kind, 2, 20, &section(&below)), Some(6_000 + 4_000), "{kind}");
    }
}

#[test]
fn a_section_delays_what_is_in_an_equally_urgent_server() {
    let waits = |section: &str| {
        let system = system(&format!(
            r#"
            version = 1
            [core.0]
            scheduler = "fixed-priority"
            [server.s]
            on = "core.0"
            server = "deferrable"
            budget = "5ms"
            period = "20ms"
            priority = 2
            blocking = "{section}"
            [task.inside]
            on = "server.s"
            wcet = "1ms"
            period = "100ms"
            [task.t]
            on = "core.0"
            wcet = "2ms"
            period = "100ms"
            priority = 2
            blocking = "3ms"
            "#
        ));
        us(&system, &bounds(&system), "task.t")
    };
    // What is in the server has waited for such a section, too: 3 and 2, and its 1 ms.
    assert_eq!(waits("3ms"), Some(6_000));
    // It is not known to be complete in time beside a section that is longer than the server's own: 3 and 2, and both
    // budgets that may come in 15 ms.
    assert_eq!(waits("2ms"), Some(15_000));
}

#[test]
fn what_is_not_covered_is_named() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [server.p]
        on = "core.0"
        server = "posix-sporadic"
        budget = "1ms"
        period = "2ms"
        priority = 1
        [task.t]
        on = "core.0"
        wcet = "1ms"
        period = "10ms"
        priority = 2
        "#,
    );
    let bounds = bounds(&system);
    let finding = bounds.requirement(&system.requirements[0]);
    assert_eq!(finding.bound(), None);
    let reason = finding.reason().expect("no bound without a reason").to_string();
    assert!(reason.contains("server.p"), "{reason}");
}

#[test]
fn an_unguaranteed_server_leaves_its_guests_without_a_bound_and_others_alone() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [task.hog]
        on = "core.0"
        wcet = "6ms"
        period = "10ms"
        priority = 3
        [vcpu.v]
        on = "core.0"
        server = "periodic"
        budget = "5ms"
        period = "10ms"
        priority = 2
        [task.t]
        on = "vcpu.v"
        wcet = "1ms"
        period = "100ms"
        "#,
    );
    let found = bounds(&system);
    assert_eq!(us(&system, &found, "task.hog"), Some(6_000));
    assert_eq!(us(&system, &found, "task.t"), None);
    let reason = found.requirement(&system.requirements[1]).reason().unwrap().to_string();
    assert_eq!(
        reason,
        "vcpu.v may take 17ms to receive its budget, longer than its period of 10ms"
    );
}

#[test]
fn an_explanation_names_every_term() {
    let system = system(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [interrupt.nic]
        on = "core.0"
        isr = "100us"
        min-interarrival = "2ms"
        [vcpu.v]
        on = "core.0"
        server = "deferrable"
        budget = "4ms"
        period = "10ms"
        priority = 2
        [task.high]
        on = "vcpu.v"
        wcet = "1ms"
        period = "20ms"
        priority = 2
        [task.low]
        on = "vcpu.v"
        wcet = "4ms"
        period = "100ms"
        blocking = "500us"
        priority = 1
        "#,
    );
    let low = RequirementKind::Deadline(vorrang_model::system::TaskId(1));
    let text = explain(&system, low).to_string();
    for term in
        ["task.high", "interrupt.nic", "vcpu.v", "blocking", "iteration", "Bril, Cuijpers 2006"]
    {
        assert!(text.contains(term), "{term} is missing in\n{text}");
    }
}

/// A task of 3 ms in a server of 2 ms in 10 ms, alone on its core.
fn alone_in(scheduler: &str, server: &str, lines: &str) -> Option<u64> {
    let system = system(&format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n[server.s]\non = \"core.0\"\nserver = \"{server}\"\nbudget = \"2ms\"\nperiod = \"10ms\"\n{lines}\n[task.t]\non = \"server.s\"\nwcet = \"3ms\"\nperiod = \"1s\"\n"
    ));
    us(&system, &bounds(&system), "task.t")
}

#[test]
fn a_poll_may_be_missed_by_one_nanosecond() {
    // 10 ms less 1 ns until the next poll, a period, and the last millisecond.
    assert_eq!(alone_in("fixed-priority", "polling", "priority = 1"), Some(20_999));
    assert_eq!(alone_in("edf", "polling", ""), Some(20_999));
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

#[test]
fn who_takes_turns_waits_for_all_others_before_each_of_its_own() {
    let text = |scheduler: &str| {
        let [two, one] = match scheduler {
            "round-robin" => ["", ""],
            _ => ["share = 2", "share = 1"],
        };
        format!(
            r#"
        version = 1
        [core.0]
        scheduler = "{scheduler}"
        quantum = "2ms"
        [server.s]
        on = "core.0"
        server = "share"
        {two}
        scheduler = "rate-monotonic"
        [task.guest]
        on = "server.s"
        wcet = "5ms"
        period = "1s"
        [task.short]
        on = "core.0"
        {one}
        wcet = "1ms"
        period = "1s"
        [task.long]
        on = "core.0"
        {one}
        wcet = "3ms"
        period = "1s"
        "#
        )
    };
    let plain = system(&text("round-robin"));
    let bounds_of_plain = bounds(&plain);
    // Two turns, after 2 + 1 ms each; one, after 2 + 2 ms; three, after 1 + 2 ms each.
    assert_eq!(us(&plain, &bounds_of_plain, "task.long"), Some(9_000));
    assert_eq!(us(&plain, &bounds_of_plain, "task.short"), Some(5_000));
    assert_eq!(us(&plain, &bounds_of_plain, "task.guest"), Some(14_000));
    let weighted = system(&text("weighted-round-robin"));
    let bounds_of_weighted = bounds(&weighted);
    // Two turns, after 4 + 1 ms each; two visits of up to 4 ms, after 1 + 2 ms each.
    assert_eq!(us(&weighted, &bounds_of_weighted, "task.long"), Some(13_000));
    assert_eq!(us(&weighted, &bounds_of_weighted, "task.guest"), Some(11_000));
    // Whatever the shares, no member waits for more than the work of the others.
    for scheduler in ["stride", "vtrr"] {
        let system = system(&text(scheduler));
        let bounds = bounds(&system);
        for task in ["task.long", "task.short", "task.guest"] {
            assert_eq!(us(&system, &bounds, task), Some(9_000), "{task}, {scheduler}");
        }
    }
}

/// Turns of 2 ms. The long task wants all that there is; it has one turn in a cycle, and what wakes it adds two.
#[test]
fn beside_members_that_want_all_a_share_has_its_turns_in_each_cycle() {
    let text = |scheduler: &str| {
        let members = [("long", 1, 1000, 1000), ("control", 3, 10, 100), ("short", 1, 1, 50)];
        let task = |(name, share, wcet, period)| {
            format!(
                "[task.{name}]\non = \"core.0\"\nshare = {share}\nwcet = \"{wcet}ms\"\nperiod = \"{period}ms\"\n"
            )
        };
        let tasks = members.map(task).concat();
        format!("version = 1\n[core.0]\nscheduler = \"{scheduler}\"\nquantum = \"2ms\"\n{tasks}")
    };
    let found = |scheduler: &str, task: &str| {
        let system = system(&text(scheduler));
        us(&system, &bounds(&system), task)
    };
    // Own work, two cycles of 2 and 6 ms, a turn of each that ends with its sleep, and 4 and 8 ms for what wakes them.
    assert_eq!(found("vtrr", "task.short"), Some(1_000 + 2 * 8_000 + 2 * 2_000 + 4_000 + 8_000));
    // Own work in two cycles after one of 2 ms, with that task's jobs one at a time.
    assert_eq!(found("vtrr", "task.control"), Some(10_000 + 3 * 2_000 + 2_000 + 4_000 + 2 * 1_000));
    assert_eq!(found("vtrr", "task.long"), None);
    assert_eq!(found("stride", "task.control"), None);
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

#[test]
fn equals_come_first_that_were_ready_first() {
    let waits = |equals: &str, wcet: u64| {
        let system = system(&format!(
            r#"
            version = 1
            [core.0]
            scheduler = "fixed-priority"
            {equals}
            [task.t]
            on = "core.0"
            wcet = "{wcet}ms"
            period = "20ms"
            priority = 3
            "#
        ));
        let known = bounds(&system);
        let before = us(&system, &monotonic_bounds(&system), "task.t");
        (us(&system, &known, "task.t"), before)
    };
    let task = |name: &str, on: &str, wcet: u64, period: u64| {
        format!(
            "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ms\"\nperiod = \"{period}ms\"\n\
             priority = 3\ndeadline = \"none\"\n"
        )
    };
    // One job of each, 2 and 3 ms, and 7 of its own; in the 12 ms that takes, both come again, behind it.
    let tasks = task("a", "core.0", 2, 10) + &task("b", "core.0", 3, 10);
    assert_eq!(waits(&tasks, 7), (Some(12_000), Some(17_000)));
    let server = |inside: &str| {
        format!(
            "[server.s]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"2ms\"\nperiod = \"8ms\"\n\
             scheduler = \"fixed-priority\"\npriority = 3\n{inside}"
        )
    };
    // The server has something to do for 1 ms, then it is behind the task.
    assert_eq!(waits(&server(&task("i", "server.s", 1, 16)), 3), (Some(4_000), Some(7_000)));
    // What always wants more takes all that is left of a budget, and the next if that comes before; if 1 ns
    // were not left, the server would be exhausted when it comes, and behind the task.
    let hog = task("i", "server.s", 1, 1);
    assert_eq!(waits(&server(&hog), 3), (Some(6_999), Some(7_000)));
}
