//! Interrupts at three rates, and their effects on threads of every kind.
//!
//! There are no drawings: the times depend on the costs of interrupts.

use crate::conformance::case::{Case, Job, PLAIN, job};
use crate::conformance::machine::{Kind, Source};

/// Thousands a second.
const RATES: &[u64] = &[1, 10, 20];
/// Each timer of `SCHED_OTHER` needs a thread.
const SOFT_RATES: &[u64] = &[1, 2];

/// Each of the threads at every rate.
pub(super) fn cases() -> Vec<Case> {
    let at = |kind, rates: &'static [u64], cases: &'static [Case]| {
        let one = move |&khz: &u64, &case| Case { source: Some(Source { kind, khz }), ..case };
        cases.iter().flat_map(move |case| rates.iter().map(move |khz| one(khz, case)))
    };
    let with_timers = at(Kind::Timer, RATES, BESIDE_TIMERS);
    let with_threads = at(Kind::Threads, RATES, BESIDE_THREADS);
    let with_soft = at(Kind::Soft, SOFT_RATES, BESIDE_SOFT);
    TICKS.iter().copied().chain(with_timers).chain(with_threads).chain(with_soft).collect()
}

/// A job of a millisecond in each millisecond.
const fn every_ms<const JOBS: usize>() -> [Job; JOBS] {
    let mut jobs = [job(0, 1); JOBS];
    let mut at = 0;
    while at < JOBS {
        jobs[at] = job(at as u64, 1);
        at += 1;
    }
    jobs
}

const SATURATED: Case = Case {
    name: super::SATURATED,
    shows: "interrupts are charged to the reservation that they interrupt: less work in each period",
    tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
period = "10ms"

[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "1ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 5
wcet = "22ms"
period = "100ms"
"#,
    script: &[("reserved", &every_ms::<22>()), ("hog", &[job(0, 22)])],
    ..PLAIN
};

const CONSTRAINED: Case = Case {
    name: "saturated-constrained",
    shows: "the same with a deadline shorter than the period",
    tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "3ms"
deadline = "6ms"
period = "15ms"

[task.reserved]
on = "server.reserved"
wcet = "13ms"
period = "100ms"

[task.hog]
on = "core.0"
priority = 5
wcet = "40ms"
period = "100ms"
"#,
    script: &[("reserved", &[job(0, 13)]), ("hog", &[job(0, 40)])],
    ..PLAIN
};

const TWO: Case = Case {
    name: "two-reservations",
    shows: "of two reservations each is charged for its interrupts, and the earliest deadline runs",
    tables: r#"
[server.short]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
period = "12ms"

[task.short]
on = "server.short"
wcet = "14ms"
period = "100ms"

[server.long]
on = "core.0"
server = "sched-deadline"
budget = "5ms"
period = "30ms"

[task.long]
on = "server.long"
wcet = "13ms"
period = "200ms"

[task.hog]
on = "core.0"
priority = 5
wcet = "20ms"
period = "100ms"
"#,
    script: &[("short", &[job(0, 14)]), ("long", &[job(0, 13)]), ("hog", &[job(0, 20)])],
    ..PLAIN
};

const FIFO: Case = Case {
    name: "fifo-interrupted",
    shows: "a SCHED_FIFO thread is late by what interrupts take, and so is the one below it",
    tables: r#"
[task.high]
on = "core.0"
priority = 50
wcet = "6ms"
period = "20ms"

[task.low]
on = "core.0"
priority = 10
wcet = "30ms"
period = "100ms"
"#,
    script: &[("high", &[job(0, 6), job(20, 6)]), ("low", &[job(2, 18)])],
    ..PLAIN
};

const EQUAL: Case = Case {
    name: "fifo-equal-interrupted",
    shows: "interrupts do not change the order of equal priorities",
    tables: r#"
[task.high]
on = "core.0"
priority = 50
wcet = "2ms"
period = "100ms"

[task.first]
on = "core.0"
priority = 40
wcet = "20ms"
period = "100ms"

[task.second]
on = "core.0"
priority = 40
wcet = "15ms"
period = "100ms"
"#,
    script: &[("high", &[job(5, 2)]), ("first", &[job(0, 20)]), ("second", &[job(1, 15)])],
    ..PLAIN
};

/// At 1 kHz the work fits into the runtime, with more interrupts it does not.
const USED_UP: Case = Case {
    name: "budget-used-up",
    shows: "a job that would fit into its runtime is throttled because interrupts were charged to it",
    tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "16100us"
period = "40ms"

[task.reserved]
on = "server.reserved"
wcet = "16ms"
period = "40ms"
deadline = "none"

[task.hog]
on = "core.0"
priority = 5
wcet = "20ms"
period = "100ms"
"#,
    script: &[("reserved", &[job(0, 16)]), ("hog", &[job(0, 20)])],
    ..PLAIN
};

const BESIDE_TIMERS: &[Case] = &[SATURATED, CONSTRAINED, TWO, FIFO, EQUAL, USED_UP];

const SHORT_EQUAL: Case = Case {
    name: "fifo-equal-and-threads",
    shows: "less urgent threads that wake up take interrupts of equal priorities, which stay in their order",
    tables: r#"
[task.first]
on = "core.0"
priority = 40
wcet = "5ms"
period = "20ms"

[task.second]
on = "core.0"
priority = 40
wcet = "3ms"
period = "20ms"

[task.low]
on = "core.0"
priority = 5
wcet = "15ms"
period = "200ms"
"#,
    script: &[
        ("first", &[job(0, 5), job(20, 5)]),
        ("second", &[job(1, 3), job(21, 3)]),
        ("low", &[job(0, 15)]),
    ],
    ..PLAIN
};

const BESIDE_THREADS: &[Case] = &[
    Case {
        name: "saturated-and-threads",
        script: &[("reserved", &every_ms::<12>()), ("hog", &[job(0, 10)])],
        ..SATURATED
    },
    Case {
        name: "two-and-threads",
        script: &[("short", &[job(0, 10)]), ("long", &[job(0, 5)]), ("hog", &[job(0, 8)])],
        ..TWO
    },
    Case {
        name: "fifo-and-threads",
        script: &[("high", &[job(0, 6), job(20, 6)]), ("low", &[job(2, 15)])],
        ..FIFO
    },
    SHORT_EQUAL,
];

const SOFT_FIFO: Case = Case {
    name: "fifo-below-ktimers",
    shows: "timers that are left to the kernel's thread take an interrupt and a turn of that thread",
    tables: r#"
[task.high]
on = "core.0"
priority = 20
wcet = "6ms"
period = "20ms"

[task.low]
on = "core.0"
priority = 10
wcet = "16ms"
period = "100ms"
"#,
    script: &[("high", &[job(0, 6), job(20, 6)]), ("low", &[job(2, 16)])],
    ..PLAIN
};

const SOFT_EQUAL: Case = Case {
    name: "fifo-equal-below-ktimers",
    shows: "a turn of the kernel's thread does not change the order of equal priorities",
    tables: r#"
[task.first]
on = "core.0"
priority = 20
wcet = "12ms"
period = "100ms"

[task.second]
on = "core.0"
priority = 20
wcet = "9ms"
period = "100ms"
"#,
    script: &[("first", &[job(0, 12)]), ("second", &[job(1, 9)])],
    ..PLAIN
};

const BESIDE_SOFT: &[Case] = &[SOFT_FIFO, SOFT_EQUAL];

/// Nothing but ticks, for long.
const TICKS: &[Case] = &[
    SATURATED,
    Case {
        name: "ticks-fifo",
        shows: "ticks make a SCHED_FIFO thread late",
        tables: r#"
[task.alone]
on = "core.0"
priority = 10
wcet = "300ms"
period = "1s"
"#,
        script: &[("alone", &[job(0, 300)])],
        ..PLAIN
    },
    Case {
        name: "ticks-reservation",
        shows: "ticks are charged to the reservation that they interrupt",
        tables: r#"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "60ms"
period = "100ms"

[task.reserved]
on = "server.reserved"
wcet = "200ms"
period = "1s"

[task.hog]
on = "core.0"
priority = 5
wcet = "100ms"
period = "1s"
"#,
        script: &[("reserved", &[job(0, 200)]), ("hog", &[job(0, 100)])],
        ..PLAIN
    },
];
