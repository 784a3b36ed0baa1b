//! Which of several ready threads runs.

use crate::conformance::case::{Case, PLAIN, job};

pub(super) const CASES: &[Case] = &[
    // The deadlines of the first jobs are 20, 9 and 32.
    Case {
        name: "earliest-deadline",
        shows: "of several reservations the one with the earliest deadline runs",
        tables: r#"
[server.medium]
on = "core.0"
server = "sched-deadline"
budget = "5ms"
period = "20ms"

[task.medium]
on = "server.medium"
wcet = "4ms"
period = "20ms"

[server.short]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "8ms"

[task.short]
on = "server.short"
wcet = "2ms"
period = "8ms"

[server.long]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "30ms"

[task.long]
on = "server.long"
wcet = "1ms"
period = "30ms"
"#,
        script: &[
            ("medium", &[job(0, 4)]),
            ("short", &[job(1, 2), job(10, 2)]),
            ("long", &[job(2, 1)]),
        ],
        drawn: "medium #--###
                short  .##.......##
                long   ..----#",
        ..PLAIN
    },
    Case {
        name: "deadline-over-fifo",
        shows: "a reservation with runtime left runs before the highest priority, and one without does not",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "4ms"
period = "10ms"
deadline = "none"

[task.fifo]
on = "core.0"
priority = 99
wcet = "14ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(2, 2), job(12, 4)]), ("fifo", &[job(0, 14)])],
        drawn: "reserved ..##........###xxxxxxx#
                fifo     ##--########---####",
        ..PLAIN
    },
    Case {
        name: "fifo",
        shows: "of two SCHED_FIFO threads the higher priority runs, and the lower one goes on after it",
        tables: r#"
[task.high]
on = "core.0"
priority = 50
wcet = "2ms"
period = "10ms"

[task.low]
on = "core.0"
priority = 10
wcet = "6ms"
period = "12ms"
"#,
        script: &[("high", &[job(3, 2), job(13, 2)]), ("low", &[job(0, 6), job(12, 3)])],
        drawn: "high ...##........##
                low  ###--###....#--##",
        ..PLAIN
    },
    Case {
        name: "fifo-equal",
        shows: "of equal priorities the first to become ready runs, and one that is preempted stays the first",
        tables: r#"
[task.high]
on = "core.0"
priority = 30
wcet = "1ms"
period = "50ms"

[task.first]
on = "core.0"
priority = 20
wcet = "5ms"
period = "7ms"
deadline = "none"

[task.second]
on = "core.0"
priority = 20
wcet = "3ms"
period = "50ms"
"#,
        script: &[
            ("high", &[job(2, 1)]),
            ("first", &[job(0, 5), job(7, 2)]),
            ("second", &[job(1, 3)]),
        ],
        drawn: "high   ..#
                first  ##-###.--##
                second .-----###",
        ..PLAIN
    },
    // At 3 the first one has its next job already, and does not go to sleep.
    Case {
        name: "fifo-next-job",
        shows: "a thread that does its next job without sleeping stays before those of its priority",
        tables: r#"
[task.first]
on = "core.0"
priority = 20
wcet = "3ms"
period = "1ms"
deadline = "none"

[task.second]
on = "core.0"
priority = 20
wcet = "2ms"
period = "50ms"
"#,
        script: &[("first", &[job(0, 3), job(1, 2)]), ("second", &[job(2, 2)])],
        drawn: "first  #####
                second ..---##",
        ..PLAIN
    },
    // A turn ends with the fifth tick, and the first one begins just after a tick.
    Case {
        name: "round-robin",
        shows: "threads of SCHED_RR take turns of a quantum, which ends with a tick",
        tables: r#"
[core.0]
scheduler = "round-robin"
quantum = "20ms"

[task.first]
on = "core.0"
wcet = "50ms"
period = "200ms"

[task.second]
on = "core.0"
wcet = "30ms"
period = "200ms"
"#,
        script: &[("first", &[job(0, 50)]), ("second", &[job(1, 30)])],
        drawn:
            "first  ####################--------------------####################----------##########
                second .-------------------####################--------------------##########",
        settings: &[("/proc/sys/kernel/sched_rr_timeslice_ms", "20")],
        ..PLAIN
    },
    // The kernel serves SCHED_OTHER by a server of its own, 50 ms every second, but defers it to the
    // last instant: nothing of it was served for 950 ms. (The thread has to be ready before the
    // other one runs, for its timer is served at the lowest real-time priority. What it receives until
    // then 6.12 adds to the 950 ms, and 7.2 does not.)
    Case {
        name: "fair-server",
        shows: "a thread of SCHED_OTHER that starved for 950 ms runs before SCHED_FIFO",
        tables: r#"
[server.fair]
on = "core.0"
server = "sched-deadline"
budget = "50ms"
period = "1s"

[task.hog]
on = "server.fair"
wcet = "40ms"
jitter = "950ms"
period = "2s"

[task.fifo]
on = "core.0"
priority = 50
wcet = "1200ms"
period = "2s"
"#,
        script: &[("hog", &[job(0, 40).deferred(950)]), ("fifo", &[job(0, 1200).after(40)])],
        drawn: "hog  950-40#
                fifo 950#40-250#",
        ..PLAIN
    },
];
