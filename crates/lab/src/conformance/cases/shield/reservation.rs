//! Timers beside reservations, and one that has waited for as long as it may.

use crate::conformance::case::{Case, PLAIN, job};

/// The parameter of the module that limits for how long a timer waits, in nanoseconds.
const MAX_DEFER: &str = "/sys/module/timer_shield/parameters/max_defer";

pub(super) const CASES: &[Case] = &[
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
        shows: "timers held back by a reservation fire when its runtime is exhausted",
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
        shows: "a timer less urgent than a reservation and more urgent than the preempted thread fires in between",
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
