//! The supply of a `SCHED_DEADLINE` thread with more or less work than its runtime.

use crate::conformance::case::{Case, PLAIN, job};

/// All bandwidth is there for reservations, and none is kept for `SCHED_OTHER`: kernels treat kept bandwidth
/// differently (`docs/lab-measurements.md`).
const ALL_BANDWIDTH: &[(&str, &str)] = &[
    ("/proc/sys/kernel/sched_rt_runtime_us", "1000000"),
    ("/sys/kernel/debug/sched/fair_server/cpu0/runtime", "0"),
];

pub(super) const CASES: &[Case] = &[
    Case {
        name: "throttling",
        shows: "a thread with more work than its runtime waits for the next period",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "5ms"
period = "40ms"

[task.hog]
on = "core.0"
priority = 2
wcet = "20ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 5), job(40, 5)]), ("hog", &[job(0, 20)])],
        drawn: "reserved ##xxxxxxxx##xxxxxxxx#...................##xxxxxxxx##xxxxxxxx#
                hog      --########--########-####",
        ..PLAIN
    },
    Case {
        name: "throttling-constrained",
        shows: "with a deadline shorter than the period, a throttled thread waits for the period, not the deadline",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
deadline = "5ms"
period = "12ms"

[task.reserved]
on = "server.reserved"
wcet = "3ms"
period = "40ms"

[task.hog]
on = "core.0"
priority = 2
wcet = "12ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 3)]), ("hog", &[job(0, 12)])],
        drawn: "reserved ##xxxxxxxxxx#
                hog      --##########-##",
        ..PLAIN
    },
    // The second job finds what the first one left of the runtime that came at 12.
    Case {
        name: "overrun",
        shows: "a job that takes longer than planned delays its own successor and no other reservation",
        tables: r#"
[server.late]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "12ms"

[task.late]
on = "server.late"
wcet = "4ms"
period = "12ms"
deadline = "none"

[server.other]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "8ms"

[task.other]
on = "server.other"
wcet = "2ms"
period = "8ms"

[task.hog]
on = "core.0"
priority = 2
wcet = "8ms"
period = "50ms"
"#,
        script: &[
            ("late", &[job(0, 4), job(12, 1)]),
            ("other", &[job(0, 2), job(8, 2), job(16, 2)]),
            ("hog", &[job(0, 8)]),
        ],
        drawn: "late  --###xxxxxxx##
                other ##......##......##
                hog   -----###--##--##--#",
        ..PLAIN
    },
    Case {
        name: "yield",
        shows: "sched_yield gives up the rest of the runtime until the next period",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "2ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 2
wcet = "12ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 1).yielding(), job(2, 1)]), ("hog", &[job(0, 12)])],
        drawn: "reserved #xxxxxxxxx#
                hog      -#########-###",
        ..PLAIN
    },
    // At 10 the deadline is 20, before the other one's 21.
    Case {
        name: "yield-deadline",
        shows: "sched_yield costs one period: the next deadline is one period later, not two",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "2ms"
deadline = "none"

[server.other]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
period = "12ms"

[task.other]
on = "server.other"
wcet = "3ms"
period = "12ms"
"#,
        script: &[("reserved", &[job(0, 1).yielding(), job(2, 1)]), ("other", &[job(9, 3)])],
        drawn: "reserved #xxxxxxxxx#
                other    .........#-##",
        ..PLAIN
    },
    // Both hold a quarter of the core: the runtime falls by one half while both are active. The other
    // one is done at 5, past its 0-lag time: from then on it falls by one quarter.
    Case {
        name: "reclaiming",
        shows: "a reservation that reclaims has the bandwidth of those that are not active",
        tables: r#"
[server.reclaiming]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "8ms"
reclaim = true

[task.reclaiming]
on = "server.reclaiming"
wcet = "9ms"
period = "50ms"
deadline = "none"

[server.other]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "12ms"

[task.other]
on = "server.other"
wcet = "1ms"
period = "12ms"
"#,
        script: &[("reclaiming", &[job(0, 9)]), ("other", &[job(0, 1)])],
        drawn: "reclaiming ####xxxx#####
                other      ----#",
        settings: ALL_BANDWIDTH,
        ..PLAIN
    },
    // The other one sleeps from 2 on, with 1 of 3 ms left: it counts until 8.
    Case {
        name: "reclaiming-zero-lag",
        shows: "a sleeping thread counts as active up to its 0-lag time",
        tables: r#"
[server.reclaiming]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "8ms"
reclaim = true

[task.reclaiming]
on = "server.reclaiming"
wcet = "8ms"
period = "50ms"
deadline = "none"

[server.other]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "12ms"

[task.other]
on = "server.other"
wcet = "2ms"
period = "12ms"
"#,
        script: &[("reclaiming", &[job(3, 8)]), ("other", &[job(0, 2)])],
        drawn: "reclaiming ...####xxxx####
                other      ##",
        settings: ALL_BANDWIDTH,
        ..PLAIN
    },
];
