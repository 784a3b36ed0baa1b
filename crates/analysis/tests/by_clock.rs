//! Tasks by the clock, by hand and beside every schedule of small sets.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// A task by the clock.
#[derive(Clone, Copy, Debug)]
struct Task {
    wcet: u64,
    period: u64,
    offset: u64,
    jitter: u64,
}

/// The most urgent first; the last one is not by the clock if `any`.
fn system(tasks: &[Task], any: bool) -> System {
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    for (id, task) in tasks.iter().enumerate() {
        let Task { wcet, period, offset, jitter } = task;
        let _ = writeln!(
            text,
            "[task.t{id}]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\n\
             jitter = \"{jitter}ns\"\npriority = {}",
            tasks.len() - id
        );
        if !any || id + 1 < tasks.len() {
            let _ = writeln!(text, "offset = \"{offset}ns\"");
        }
    }
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

/// Where a busy window has a thousand million beginnings they are not all kept: what is known of every phase is the bound.
#[test]
fn a_window_with_very_many_beginnings_is_given_up() {
    let text = "version = 1\n[core.0]\nscheduler = \"edf\"\n\
         [task.clock]\non = \"core.0\"\nwcet = \"1us\"\nperiod = \"9us\"\noffset = \"2us\"\n\
         [task.long]\non = \"core.0\"\nwcet = \"10000s\"\nperiod = \"30000s\"\n";
    let at_any_time = text.replace("offset = \"2us\"\n", "");
    let bound = |text: &str| {
        let system = read(text, Format::Toml).unwrap();
        bounds(&system).task(TaskId(0)).bound()
    };
    assert_eq!(bound(text), bound(&at_any_time));
    assert!(bound(text).is_some());
}

fn found(tasks: &[Task], any: bool) -> Vec<Option<u64>> {
    let system = system(tasks, any);
    let bounds = bounds(&system);
    let bound = |id| bounds.task(TaskId(id)).bound().map(Duration::as_ns);
    (0..tasks.len()).map(bound).collect()
}

const fn task(wcet: u64, period: u64, offset: u64) -> Task {
    Task { wcet, period, offset, jitter: 0 }
}

/// One after the other: none waits. Released up to 2 later the first may be in the way of the second by 1.
#[test]
fn what_comes_apart_does_not_wait() {
    let apart = [task(4, 10, 0), task(4, 10, 5)];
    assert_eq!(found(&apart, false), [Some(4), Some(4)]);
    assert_eq!(found(&apart, true), [Some(4), Some(8)], "at any time");
    let late = [Task { jitter: 2, ..apart[0] }, apart[1]];
    assert_eq!(found(&late, false), [Some(6), Some(5)]);
    let itself_late = [apart[0], Task { jitter: 1, ..apart[1] }];
    assert_eq!(found(&itself_late, false), [Some(4), Some(5)]);
    let once_in_two = [task(3, 20, 5), task(4, 10, 5)];
    assert_eq!(found(&once_in_two, false), [Some(3), Some(7)]);
}

/// Each tick with the longest executions, from the start over two common multiples behind the last offset.
fn observed(tasks: &[Task]) -> Vec<u64> {
    let all = tasks.iter().fold(1, |all, task| all / gcd(all, task.period) * task.period);
    let last = tasks.iter().map(|task| task.offset).max().unwrap_or_default();
    let mut waiting: Vec<Vec<(u64, u64)>> = vec![Vec::new(); tasks.len()];
    let mut longest = vec![0; tasks.len()];
    for now in 0..last + 2 * all {
        for (task, waiting) in tasks.iter().zip(&mut waiting) {
            if now >= task.offset && (now - task.offset).is_multiple_of(task.period) {
                waiting.push((now, task.wcet));
            }
        }
        let Some(id) = waiting.iter().position(|waiting| !waiting.is_empty()) else { continue };
        let (arrival, left) = &mut waiting[id][0];
        *left -= 1;
        if *left == 0 {
            longest[id] = longest[id].max(now + 1 - *arrival);
            waiting[id].remove(0);
        }
    }
    longest
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[test]
fn without_jitter_it_is_what_happens() {
    let mut state = 1_u64;
    let mut below = |limit: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let (mut compared, mut shorter) = (0, 0);
    for _ in 0..4_000 {
        let tasks: Vec<Task> = (0..2 + below(3))
            .map(|_| {
                let period = [4, 5, 6, 8, 10, 12, 15][usize::try_from(below(7)).expect("an index")];
                task(1 + below(period / 2), period, below(2 * period))
            })
            .collect();
        let wanted: u64 = tasks.iter().map(|task| task.wcet * 120 / task.period).sum();
        if wanted >= 120 {
            continue;
        }
        let happens: Vec<Option<u64>> = observed(&tasks).into_iter().map(Some).collect();
        assert_eq!(found(&tasks, false), happens, "{tasks:?}");
        let any: Vec<Task> = tasks.clone();
        shorter += usize::from(found(&any, true).last() > happens.last());
        compared += 1;
    }
    assert!(compared > 1_000 && shorter > 100, "{compared}, {shorter}");
}
