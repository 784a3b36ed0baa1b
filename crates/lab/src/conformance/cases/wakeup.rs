//! The runtime of a `SCHED_DEADLINE` thread at its wake-up.

use crate::conformance::case::{Case, PLAIN, job};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "wakeup",
        shows: "a reservation with runtime left runs before all others as soon as it wakes up",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "10ms"

[task.hog]
on = "core.0"
priority = 0
wcet = "12ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 1), job(10, 1), job(20, 1)]), ("hog", &[job(0, 12)])],
        drawn: "reserved #.........#.........#
                hog      -#########-###",
        ..PLAIN
    },
    // At 6, 2 ms are left for 4 ms: more than 4 of 10. Kept, they would be gone at 8.
    Case {
        name: "wakeup-afresh",
        shows: "runtime that is too much for the time to the deadline begins afresh, with a new deadline",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "3ms"
period = "6ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 2
wcet = "8ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 2), job(6, 3)]), ("hog", &[job(0, 8)])],
        drawn: "reserved ##....###
                hog      --####---####",
        ..PLAIN
    },
    // At 3, 2 ms are left for 7 ms: that is not too much.
    Case {
        name: "wakeup-kept",
        shows: "runtime that is not too much for the time to the deadline is kept, and so is the deadline",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "3ms"
period = "3ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 2
wcet = "8ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 2), job(3, 3)]), ("hog", &[job(0, 8)])],
        drawn: "reserved ##.##xxxxx#
                hog      --#--#####-##",
        ..PLAIN
    },
    // At 4, 3 ms are left for 4 ms: more than 4 of 8. It receives 2, and waits for its period.
    Case {
        name: "wakeup-revised",
        shows: "with a deadline shorter than the period, runtime that is too much is cut to what fits",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
deadline = "8ms"
period = "20ms"

[task.reserved]
on = "server.reserved"
wcet = "3ms"
period = "4ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 2
wcet = "20ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 1), job(4, 3)]), ("hog", &[job(0, 20)])],
        drawn: "reserved #...##xxxxxxxxxxxxxx#
                hog      -###--##############-###",
        ..PLAIN
    },
    Case {
        name: "wakeup-too-late",
        shows: "with a deadline shorter than the period, a thread that wakes up between the two waits for the period",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
deadline = "5ms"
period = "12ms"

[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "7ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 2
wcet = "12ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 1), job(7, 1)]), ("hog", &[job(0, 12)])],
        drawn: "reserved #......xxxxx#
                hog      -###########-#",
        ..PLAIN
    },
    Case {
        name: "wakeup-first",
        shows: "the first period begins with the first wake-up",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "2ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "3ms"
period = "50ms"

[task.hog]
on = "core.0"
priority = 2
wcet = "12ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(3, 3)]), ("hog", &[job(0, 12)])],
        drawn: "reserved ...##xxxxxxxx#
                hog      ###--########-#",
        ..PLAIN
    },
    // At 15 the period is over. Runtime of 2 is gone at 17, and the period from 15 ends at 27.
    Case {
        name: "wakeup-next-period",
        shows: "with a deadline shorter than the period, a thread that wakes up after the period begins afresh",
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
period = "15ms"

[task.hog]
on = "core.0"
priority = 2
wcet = "26ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 1), job(15, 3)]), ("hog", &[job(0, 26)])],
        drawn: "reserved #..............##xxxxxxxxxx#
                hog      -##############--##########-##",
        ..PLAIN
    },
    // At 4, 3 ms are left for 6 ms: not more than 6 of 10, but more than 6 of 20.
    Case {
        name: "wakeup-fits",
        shows: "with a deadline shorter than the period, it is the deadline that runtime must fit into",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "6ms"
deadline = "10ms"
period = "20ms"

[task.reserved]
on = "server.reserved"
wcet = "4ms"
period = "4ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 2
wcet = "16ms"
period = "50ms"
"#,
        script: &[("reserved", &[job(0, 3), job(4, 4)]), ("hog", &[job(0, 16)])],
        drawn: "reserved ###.###xxxxxxxxxxxxx#
                hog      ---#---#############-##",
        ..PLAIN
    },
];
