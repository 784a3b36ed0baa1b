//! Guests of servers that keep budgets, and sections in them.

use super::{alone_in, system, us};
use vorrang_analysis::{bounds, monotonic_bounds};

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
fn a_poll_may_be_missed_by_one_nanosecond() {
    // 10 ms less 1 ns until the next poll, a period, and the last millisecond.
    assert_eq!(alone_in("fixed-priority", "polling", "priority = 1"), Some(20_999));
    assert_eq!(alone_in("edf", "polling", ""), Some(20_999));
}
