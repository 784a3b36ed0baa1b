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
const REACHED: [&str; 3] = ["core tasks, FP", "core tasks, EDF, declared last", "tasks in a slot"];

#[test]
fn no_history_of_a_small_system_exceeds_its_bound() {
    let table = run(3, 0..132, |_, _| {});
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
    let mut parts = run(4, 0..20, |_, _| {});
    parts.merge(run(4, 20..50, |_, _| {}));
    assert_eq!(parts, run(4, 0..50, |_, _| {}));
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
        table.merge(run(seed, index..index + 1, |_, _| {}));
    }
    eprintln!("{}", table.text());
    assert_eq!(table.violations, []);
}
