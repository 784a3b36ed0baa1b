//! Timers that wait while something more urgent runs: the shield of the module `timer_shield`.

use crate::conformance::case::{Case, PLAIN, job};

/// The parameter of the module that limits for how long a timer waits, in nanoseconds.
pub(super) const MAX_DEFER: &str = "/sys/module/timer_shield/parameters/max_defer";

/// The module is loaded before. The last one changes its parameter.
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
        shows: "what is held back comes when urgent work sleeps, however short",
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
        name: "reservation-holds-back",
        shows: "beside a reservation that has the processor timers of all priorities wait",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "6ms"
period = "50ms"

[task.reserved]
on = "server.reserved"
wcet = "5ms"
deadline = "none"
period = "100ms"

[task.top]
on = "core.0"
priority = 99
wcet = "2ms"
deadline = "none"

[timer.top]
armed-by = "task.top"
period = "100ms"
wakes = true
"#,
        script: &[("reserved", &[job(1, 5)]), ("top", &[job(3, 2)])],
        drawn: "reserved .5#
                top      ...---##",
        ..PLAIN
    },
    Case {
        name: "timer-of-a-reservation",
        shows: "a timer of work in a reservation does not wait for the highest priority",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "50ms"

[task.reserved]
on = "server.reserved"
wcet = "2ms"
deadline = "none"

[timer.reserved]
armed-by = "task.reserved"
period = "100ms"
wakes = true

[task.fifo]
on = "core.0"
priority = 99
wcet = "8ms"
period = "100ms"
deadline = "none"
"#,
        script: &[("reserved", &[job(3, 2)]), ("fifo", &[job(0, 8)])],
        drawn: "reserved ...##
                fifo     3#--5#",
        ..PLAIN
    },
    Case {
        name: "throttled-reservation",
        shows: "what a reservation held back comes when its runtime is gone",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "20ms"

[task.reserved]
on = "server.reserved"
wcet = "5ms"
deadline = "none"
period = "100ms"

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
        script: &[("reserved", &[job(0, 5)]), ("low", &[job(1, 2)])],
        drawn: "reserved 3#17x##
                low      .--##",
        ..PLAIN
    },
    Case {
        name: "reservation-before-priority",
        shows: "a timer less urgent than a reservation and more urgent than what that preempted comes in between",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"

[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
period = "50ms"

[task.reserved]
on = "server.reserved"
wcet = "3ms"
deadline = "none"
period = "100ms"

[task.urgent]
on = "core.0"
priority = 80
wcet = "8ms"
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
        script: &[("reserved", &[job(2, 3)]), ("urgent", &[job(0, 8)]), ("top", &[job(3, 2)])],
        drawn: "reserved ..###
                urgent   ##5-6#
                top      ...--##",
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
    Case {
        name: "max-defer",
        shows: "a timer that has waited for as long as it may fires beside something more urgent, and its owner waits",
        tables: r#"
[core.0]
scheduler = "linux"
fair-server = "none"
timers = "timershield"
max-defer = "2ms"

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
        settings: &[(MAX_DEFER, "2000000")],
        ..PLAIN
    },
];
