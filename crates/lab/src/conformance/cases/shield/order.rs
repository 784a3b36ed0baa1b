//! Which timers wait for urgent work, and which comes first when it is complete.

use crate::conformance::case::{Case, PLAIN, job};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "expiry-behind-urgent",
        shows: "a timer of less urgent work waits until what is more urgent is complete",
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

[task.low]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.low]
armed-by = "task.low"
period = "100ms"
wakes = true
"#,
        script: &[("urgent", &[job(0, 10)]), ("low", &[job(1, 2)])],
        drawn: "urgent   10#
                low      .9-##",
        ..PLAIN
    },
    Case {
        name: "urgent-expiry",
        shows: "a timer of more urgent work does not wait",
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

[task.top]
on = "core.0"
priority = 90
wcet = "2ms"
deadline = "none"

[timer.top]
armed-by = "task.top"
period = "100ms"
wakes = true
"#,
        script: &[("urgent", &[job(0, 10)]), ("top", &[job(3, 2)])],
        drawn: "urgent   3#--7#
                top      ...##",
        ..PLAIN
    },
    Case {
        name: "equal-expiry",
        shows: "work as urgent as what runs is released, and waits for its turn",
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

[task.equal]
on = "core.0"
priority = 80
wcet = "2ms"
deadline = "none"

[timer.equal]
armed-by = "task.equal"
period = "100ms"
wakes = true
"#,
        script: &[("urgent", &[job(0, 10)]), ("equal", &[job(3, 2)])],
        drawn: "urgent   10#
                equal    ...7-##",
        ..PLAIN
    },
    Case {
        name: "batch-at-the-switch",
        shows: "of what was held back the most urgent comes first, whenever it expired",
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

[task.ten]
on = "core.0"
priority = 10
wcet = "2ms"
deadline = "none"

[timer.ten]
armed-by = "task.ten"
period = "100ms"
wakes = true

[task.thirty]
on = "core.0"
priority = 30
wcet = "2ms"
deadline = "none"

[timer.thirty]
armed-by = "task.thirty"
period = "100ms"
wakes = true

[task.twenty]
on = "core.0"
priority = 20
wcet = "2ms"
deadline = "none"

[timer.twenty]
armed-by = "task.twenty"
period = "100ms"
wakes = true
"#,
        script: &[
            ("urgent", &[job(0, 10)]),
            ("ten", &[job(1, 2)]),
            ("thirty", &[job(2, 2)]),
            ("twenty", &[job(3, 2)]),
        ],
        drawn: "urgent   10#
                ten      .13-##
                thirty   ..8-##
                twenty   ...9-##",
        ..PLAIN
    },
    Case {
        name: "step-down",
        shows: "at a switch to less urgent work only timers at least as urgent as that are let through",
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
wcet = "5ms"
period = "100ms"
deadline = "none"

[task.above]
on = "core.0"
priority = 50
wcet = "2ms"
deadline = "none"

[timer.above]
armed-by = "task.above"
period = "100ms"
wakes = true

[task.below]
on = "core.0"
priority = 30
wcet = "2ms"
deadline = "none"

[timer.below]
armed-by = "task.below"
period = "100ms"
wakes = true
"#,
        script: &[
            ("urgent", &[job(0, 6)]),
            ("middle", &[job(1, 5)]),
            ("above", &[job(2, 2)]),
            ("below", &[job(3, 2)]),
        ],
        drawn: "urgent   6#
                middle   .7-5#
                above    ..4-##
                below    ...10-##",
        ..PLAIN
    },
];
