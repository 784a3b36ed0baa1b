//! Timers that expire while something less urgent runs, nothing does, or urgent work sleeps between.

use crate::conformance::case::{Case, PLAIN, job};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "expiry-beside-less-urgent",
        shows: "a timer that expires while something less urgent runs does not wait",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[task.low]
on = "core.0"
priority = 5
wcet = "10ms"
period = "100ms"
deadline = "none"

[task.ten]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.ten]
armed-by = "task.ten"
period = "100ms"
wakes = true
"#,
        script: &[("low", &[job(0, 10)]), ("ten", &[job(3, 2)])],
        drawn: "low      3#--7#
                ten      ...##",
        ..PLAIN
    },
    Case {
        name: "expires-after-a-switch",
        shows: "a timer waits for work that began when something more urgent had completed",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[task.urgent]
on = "core.0"
priority = 80
wcet = "6ms"
period = "100ms"
deadline = "none"

[task.middle]
on = "core.0"
priority = 40
wcet = "4ms"
period = "100ms"
deadline = "none"

[task.low]
on = "core.0"
priority = 20
wcet = "2ms"
deadline = "none"

[timer.low]
armed-by = "task.low"
period = "100ms"
wakes = true
"#,
        script: &[("urgent", &[job(0, 6)]), ("middle", &[job(1, 4)]), ("low", &[job(7, 2)])],
        drawn: "urgent   6#
                middle   .5-4#
                low      7.---##",
        ..PLAIN
    },
    Case {
        name: "urgent-sleeps-between",
        shows: "held back timers fire when urgent work sleeps, however short",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[task.urgent]
on = "core.0"
priority = 80
wcet = "5ms"
period = "8ms"
deadline = "none"

[task.first]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.first]
armed-by = "task.first"
period = "100ms"
wakes = true

[task.second]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.second]
armed-by = "task.second"
period = "100ms"
wakes = true
"#,
        script: &[
            ("urgent", &[job(0, 5), job(8, 5)]),
            ("first", &[job(2, 2)]),
            ("second", &[job(9, 2)]),
        ],
        drawn: "urgent   5#...5#
                first    ..---##
                second   9.4-##",
        ..PLAIN
    },
    Case {
        name: "equals-held-back",
        shows: "equally urgent timers that were held back come in the order of their expiry",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[task.urgent]
on = "core.0"
priority = 80
wcet = "10ms"
period = "100ms"
deadline = "none"

[task.one]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.one]
armed-by = "task.one"
period = "100ms"
wakes = true

[task.two]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.two]
armed-by = "task.two"
period = "100ms"
wakes = true
"#,
        script: &[("urgent", &[job(0, 10)]), ("one", &[job(1, 2)]), ("two", &[job(2, 2)])],
        drawn: "urgent   10#
                one      .9-##
                two      ..10-##",
        ..PLAIN
    },
    Case {
        name: "idle",
        shows: "an idle processor holds nothing back",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[task.low]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.low]
armed-by = "task.low"
period = "100ms"
wakes = true

[task.high]
on = "core.0"
priority = 90
wcet = "2ms"
deadline = "none"

[timer.high]
armed-by = "task.high"
period = "100ms"
wakes = true
"#,
        script: &[("low", &[job(2, 2)]), ("high", &[job(7, 2)])],
        drawn: "low      ..##
                high     7.##",
        ..PLAIN
    },
];
