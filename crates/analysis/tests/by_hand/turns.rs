//! Members that take turns, and equals.

use super::{system, us};
use vorrang_analysis::{bounds, monotonic_bounds};

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
