//! Tasks that are not preempted, worked out by hand and as published.

use std::fmt::Write as _;
use vorrang_analysis::{Bounds, bounds};
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn us(bounds: &Bounds, task: usize) -> Option<u64> {
    bounds.task(TaskId(task)).bound().map(|bound| bound.as_ns() / 1_000)
}

/// Frames of a bus: time on it, period and urgency, in microseconds.
fn bus(frames: &[(u64, u64, u64)]) -> String {
    let mut text = "version = 1\n[core.bus]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (index, (wcet, period, priority)) in frames.iter().enumerate() {
        let _ = write!(
            text,
            "[task.f{index}]\non = \"core.bus\"\nwcet = \"{wcet}us\"\nperiod = \"{period}us\"\n\
             priority = {priority}\npreemption = \"none\"\n"
        );
    }
    text
}

/// Davis, Burns, Bril, Lukkien 2007, table 3: the second job of the last one is the worst; the analysis that was refuted
/// says 3 ms, as for its first job.
#[test]
fn the_published_counterexample() {
    let system = system(&bus(&[(1_000, 2_500, 3), (1_000, 3_500, 2), (1_000, 3_500, 1)]));
    let bounds = bounds(&system);
    assert_eq!([0, 1, 2].map(|frame| us(&bounds, frame)), [Some(2_000), Some(3_000), Some(3_500)]);
}

/// What came while it ran waits: a job that is preempted would take 3 + 2 + 2.
#[test]
fn what_comes_later_is_not_waited_for() {
    let text = bus(&[(2, 4, 2), (3, 100, 1)]);
    let kept = system(&text);
    assert_eq!([0, 1].map(|frame| us(&bounds(&kept), frame)), [Some(5), Some(5)]);
    let text = text.replace("preemption = \"none\"\n", "");
    let preempted = system(&text);
    assert_eq!([0, 1].map(|frame| us(&bounds(&preempted), frame)), [Some(2), Some(7)]);
}

/// In a server of 4 in 10 us a job of 6 us goes on first with the next budget.
#[test]
fn the_end_of_a_budget_stops_it() {
    let text = r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [server.s]
        on = "core.0"
        server = "periodic"
        budget = "4us"
        period = "10us"
        priority = 1
        scheduler = "fixed-priority"
        [task.urgent]
        on = "server.s"
        wcet = "1us"
        period = "100us"
        priority = 2
        [task.long]
        on = "server.s"
        wcet = "6us"
        period = "200us"
        priority = 1
        preemption = "none"
    "#;
    let bounds = bounds(&system(text));
    // Work of 7 us: no budget for 6 us, 4 of it in the first period, 3 in the next.
    assert_eq!([0, 1].map(|task| us(&bounds, task)), [Some(19), Some(19)]);
}

/// Callbacks of an executor: a level in which nothing is preempted, below a thread that preempts all of them.
#[test]
fn an_executor_is_a_level() {
    let text = r#"
        version = 1
        [core.0]
        scheduler = "linux"
        fair-server = "none"
        [task.irq]
        on = "core.0"
        wcet = "10us"
        period = "1ms"
        priority = 85
        [server.executor]
        on = "core.0"
        server = "none"
        priority = 80
        scheduler = "fixed-priority"
        [task.odometry]
        on = "server.executor"
        wcet = "300us"
        period = "5ms"
        priority = 3
        preemption = "none"
        [task.params]
        on = "server.executor"
        wcet = "400us"
        period = "100ms"
        priority = 1
        preemption = "none"
    "#;
    let bounds = bounds(&system(text));
    assert_eq!([0, 1, 2].map(|task| us(&bounds, task)), [Some(10), Some(710), Some(710)]);
}

#[test]
fn what_is_not_covered_is_undecided_with_its_name() {
    for (scheduler, rest) in [("edf", ""), ("fixed-priority", "time-slice = \"1us\"\n")] {
        let text = bus(&[(1, 10, 1), (2, 20, 1)])
            .replace("\"fixed-priority\"\n", &format!("\"{scheduler}\"\n{rest}"));
        let text = if scheduler == "edf" { text.replace("priority = 1\n", "") } else { text };
        let system = system(&text);
        let bounds = bounds(&system);
        let why = bounds.task(TaskId(0)).found.as_ref().expect_err("no bound").to_string();
        assert!(why.contains("task.f0, which is not preempted"), "{why}");
    }
}
