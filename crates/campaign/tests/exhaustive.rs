//! All histories of small systems, as the long run explores many.

use vorrang_campaign::exhaustive::draw::ROWS;
use vorrang_campaign::exhaustive::layout::Layout;
use vorrang_campaign::exhaustive::reach::{Longest, longest};
use vorrang_campaign::exhaustive::{
    LIMIT, replay, run,
    table::{Counts, Table},
};
use vorrang_model::system::System;
use vorrang_model::{Format, read};

/// The rows in which every system has been seen to reach its bound.
const REACHED: [&str; 6] = [
    "core tasks, FP",
    "core tasks, EDF, declared last",
    "tasks in a slot",
    "tasks in a table",
    "release jitter: core tasks, FP",
    "blocking of a core task, FP",
];

#[test]
fn no_history_of_a_small_system_exceeds_its_bound() {
    let table = run(3, 0..192, LIMIT, |_, _| {});
    assert_eq!(table.violations, []);
    for (row, counts) in ROWS.iter().zip(&table.rows) {
        let explored: u64 = counts.iter().map(|counts: &Counts| counts.explored).sum();
        assert!(explored > 0, "{}", row.name);
        if REACHED.contains(&row.name) {
            assert!(counts.iter().all(|counts| counts.tight == counts.explored), "{}", row.name);
        }
    }
}

#[test]
fn parts_find_what_the_whole_does() {
    let mut parts = run(4, 0..20, LIMIT, |_, _| {});
    parts.merge(run(4, 20..50, LIMIT, |_, _| {}));
    assert_eq!(parts, run(4, 0..50, LIMIT, |_, _| {}));
}

fn explored(text: &str) -> (System, Layout, Longest) {
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"));
    let layout = Layout::new(&system, "task.target").expect("covered");
    let longest = longest(&layout, LIMIT).expect("few states");
    (system, layout, longest)
}

fn in_server(scheduler: &str, kind: &str, wcet: u64, beside: &str) -> String {
    let priority = if scheduler == "edf" { "" } else { "priority = 2\n" };
    format!(
        "version = 1\n[core.0]\nscheduler = \"{scheduler}\"\n[server.s]\non = \"core.0\"\n{priority}\
         server = \"{kind}\"\nbudget = \"1ns\"\nperiod = \"3ns\"\nscheduler = \"fixed-priority\"\n\
         [task.target]\non = \"server.s\"\nwcet = \"{wcet}ns\"\nperiod = \"9ns\"\npriority = 2\n{beside}"
    )
}

/// Best-effort work in the server.
const HOG: &str = "[task.hog]\non = \"server.s\"\nwcet = \"1ns\"\nperiod = \"1ns\"\npriority = 1\n\
                   deadline = \"none\"\n";

/// A server of one tick in three, alone on its core. `#` is the task, `h` best-effort work, `.` idle budget:
///
/// ```text
///   periodic        0.  1   2   3#                arrives at 1, just after the tick: 3
///   polling         0   1   2   3#                the same: at 0 the guest had nothing
///   deferrable      0#  1   2   3#                two ticks of work, arrives at 0: 4
///   with a hog      0h  1   2   3#  4   5   6#    arrives at 1: 6
/// ```
#[test]
fn longest_responses_are_those_found_by_hand() {
    let of = |scheduler, kind, wcet, beside| {
        explored(&in_server(scheduler, kind, wcet, beside)).2.response
    };
    assert_eq!(of("fixed-priority", "periodic", 1, ""), 3);
    assert_eq!(of("fixed-priority", "polling", 1, ""), 3);
    assert_eq!(of("fixed-priority", "deferrable", 1, ""), 1);
    assert_eq!(of("fixed-priority", "deferrable", 2, ""), 4);
    assert_eq!(of("fixed-priority", "sporadic", 2, ""), 4);
    assert_eq!(of("fixed-priority", "deferrable", 2, HOG), 6);
    assert_eq!(of("edf", "cbs-hard", 2, ""), 4);
    assert_eq!(of("edf", "cbs-hard", 2, HOG), 6);
}

/// Of two tasks with equal deadlines the first one declared has precedence.
#[test]
fn ties_are_explored_as_the_model_says() {
    let task =
        |name: &str| format!("[task.{name}]\non = \"core.0\"\nwcet = \"2ns\"\nperiod = \"6ns\"\n");
    let text = |names: [&str; 2]| {
        "version = 1\n[core.0]\nscheduler = \"edf\"\n".to_owned() + &names.map(task).concat()
    };
    assert_eq!(explored(&text(["other", "target"])).2.response, 4);
    // Only one whose deadline is earlier delays it, and that one has arrived before: by one tick at least.
    assert_eq!(explored(&text(["target", "other"])).2.response, 3);
}

fn response(text: &str) -> u8 {
    explored(text).2.response
}

fn on_core(name: &str, wcet: u64, period: u64, priority: u64) -> String {
    format!(
        "[task.{name}]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\npriority = {priority}\n"
    )
}

/// A task below another of two ticks in six, which may be released three late and after three again.
#[test]
fn release_jitter_and_blocking_are_explored_as_the_model_says() {
    let core = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n";
    let other = on_core("other", 2, 6, 3);
    let target = |wcet| on_core("target", wcet, 9, 2);
    assert_eq!(response(&[core, &other, &target(1)].concat()), 3);
    assert_eq!(response(&[core, &other, &target(1), "jitter = \"2ns\"\n"].concat()), 5);
    let late = [core, &other, "jitter = \"3ns\"\n"].concat();
    // With two ticks of its own the task meets both.
    assert_eq!(response(&[&late, target(1).as_str()].concat()), 3);
    assert_eq!(response(&[&late, target(2).as_str()].concat()), 6);
    assert_eq!(response(&[core, &other, &target(1), "blocking = \"3ns\"\n"].concat()), 6);
}

/// Two ticks of less urgent work hold up a server of two ticks in six, which had idled when its task arrived at 2.
#[test]
fn a_server_that_is_held_up_is_explored_as_the_model_says() {
    let plain = in_server("fixed-priority", "periodic", 1, "");
    let two_in_six = plain.replace("\"1ns\"\nperiod = \"3ns\"", "\"2ns\"\nperiod = \"6ns\"");
    assert_eq!(response(&two_in_six), 5);
    let held_up = two_in_six.replace("[task", "blocking = \"2ns\"\n[task");
    assert_eq!(response(&held_up), 7);
}

/// Of two tasks of a guest with equal deadlines the first one declared has precedence.
#[test]
fn guests_under_edf_are_explored_as_the_model_says() {
    let core = "version = 1\n[core.0]\nscheduler = \"edf\"\n[server.s]\non = \"core.0\"\nserver = \
                \"deferrable\"\nbudget = \"4ns\"\nperiod = \"6ns\"\nscheduler = \"edf\"\n";
    let task = |name: &str| {
        format!(
            "[task.{name}]\non = \"server.s\"\nwcet = \"2ns\"\nperiod = \"30ns\"\ndeadline = \"10ns\"\n"
        )
    };
    let text = |names: [&str; 2]| core.to_owned() + &names.map(task).concat();
    assert_eq!(response(&text(["other", "target"])), 4);
    assert_eq!(response(&text(["target", "other"])), 3);
}

/// `SCHED_DEADLINE` with one tick in four, due two after a wake-up: best-effort work uses it just before, and it is
/// throttled until four after the wake-up.
#[test]
fn deadlines_below_periods_are_explored_as_the_model_says() {
    let plain =
        in_server("linux", "sched-deadline", 1, HOG).replace("priority = 2\nserver", "server");
    let core = plain.replace("\"linux\"\n", "\"linux\"\nfair-server = \"none\"\n");
    let constrained = core.replace("period = \"3ns\"", "period = \"4ns\"\ndeadline = \"2ns\"");
    assert_eq!(response(&constrained), 4);
}

#[test]
fn another_response_than_that_of_the_history_is_noticed() {
    let (system, layout, mut longest) = explored(&in_server("edf", "cbs-hard", 2, HOG));
    assert_eq!(replay::difference(&system, &layout, &longest), None);
    assert_eq!(replay::searched(&system, &layout, 1).map(|seen| seen <= 6), Some(true));
    longest.response += 1;
    assert!(replay::difference(&system, &layout, &longest).is_some());
}

/// `VORRANG_SYSTEMS` systems of the rows whose names begin with `VORRANG_ROW`, of `VORRANG_SEED`.
#[test]
#[ignore = "a long campaign"]
fn no_history_of_a_row_exceeds_its_bound() {
    let said = |name: &str, otherwise: &str| std::env::var(name).unwrap_or(otherwise.to_owned());
    let prefix = said("VORRANG_ROW", "");
    let seed = said("VORRANG_SEED", "5").parse().expect("a seed");
    let count = said("VORRANG_SYSTEMS", "2000").parse().expect("a number");
    let of_a_row = ROWS.iter().cycle().zip(0..);
    let meant = of_a_row.filter(|(row, _)| row.name.starts_with(&prefix)).take(count);
    let mut table = Table::default();
    for (_, index) in meant {
        table.merge(run(seed, index..index + 1, LIMIT, |_, _| {}));
    }
    eprintln!("{}", table.text());
    assert_eq!(table.violations, []);
}
