//! Tasks that tasks wake: small systems whose longest responses are known from every history of whole instants.
//!
//! **Model.** A line is a system; `by` names what wakes a task, `@` its core, `C` its times, `T` the least distance. The
//! numbers behind it are the longest responses from the arrival of the source, as instants become fine.

use std::fmt::Write as _;
use vorrang_analysis::stochastic::Probability;
use vorrang_analysis::{Reason, Unreserved, bounds, derived_bounds_within};
use vorrang_model::system::{RequirementKind, System};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// A task, its longest response, and the bound that is found (0: none).
type Known = (&'static str, u64, u64);

/// Systems, and what is known of their tasks.
const SYSTEMS: &[(&str, &[Known])] = &[
    (
        "irq i@0 C=1 T=8; task a@0 p=3 C=1..2 by=i; task b@1 p=2 C=2 by=a; task c@1 p=5 C=1 T=4",
        &[("a", 3, 3), ("b", 6, 6), ("c", 1, 1)],
    ),
    (
        "irq i@0 C=1 T=9; task a@0 p=3 C=1..2 by=i; task b@1 p=2 C=1 by=a; task c@0 p=1 C=2 by=b; \
         task d@0 p=2 C=1 T=6",
        &[("a", 3, 3), ("b", 4, 4), ("c", 7, 10), ("d", 4, 4)],
    ),
    (
        "task a@0 p=3 C=2 T=12; task b@0 p=2 C=2 by=a; task c@0 p=1 C=2 by=b; task e@0 p=4 C=1 T=5",
        &[("a", 3, 3), ("b", 5, 5), ("c", 8, 8)],
    ),
    (
        "task a@0 p=1 C=2 T=12; task b@0 p=2 C=2 by=a; task c@0 p=3 C=2 by=b; task e@0 p=4 C=1 T=5",
        &[("a", 3, 3), ("b", 5, 6), ("c", 8, 9)],
    ),
    (
        "task a@0 p=5 C=1 T=9; task m@0 p=3 C=2 T=8; task b@0 p=1 C=2 by=a; task h@0 p=9 C=1 T=6",
        &[("a", 2, 2), ("m", 4, 4), ("b", 6, 6)],
    ),
    (
        "task a@0 p=5 C=1..2 T=10; task b@0 p=3 C=1 by=a; task c@1 p=3 C=1..2 by=a; \
         task d@0 p=2 C=1 by=c; task e@1 p=5 C=1 T=5",
        &[("b", 3, 3), ("c", 5, 5), ("d", 6, 9)],
    ),
    (
        "task a@0 p=5 C=1..3 T=7; task b@1 p=2 C=1 T=8; task c@0 p=7 C=1..3 by=b; \
         task d@1 p=6 C=1 by=a; task e@1 p=8 C=1..3 by=c",
        &[("b", 6, 0), ("c", 9, 0), ("d", 13, 0), ("e", 12, 0)],
    ),
    (
        "task a@1 p=2 C=1 T=6; task b@1 p=1 C=1 T=9; task c@1 p=5 C=1..3 by=a; task d@0 p=3 C=1..2 T=6; \
         task e@0 p=6 C=1..3 by=c",
        &[("b", 5, 5), ("d", 8, 8), ("e", 7, 7)],
    ),
    (
        "irq i@0 C=1 T=5; task a@0 p=1 C=2 by=i; task h@0 p=3 C=3 T=15; task b@1 p=1 C=2 by=a",
        &[("a", 7, 7), ("b", 9, 9)],
    ),
    (
        "task a@0 p=3 C=1..2 T=9 J=3; task b@1 p=2 C=2 by=a; task c@1 p=4 C=1 T=6; task d@0 p=5 C=1 T=7",
        &[("a", 6, 6), ("b", 9, 9)],
    ),
    (
        "irq i@0 C=1 d=1,13; task a@0 p=3 C=1..2 by=i; task b@1 p=2 C=2 by=a; task d@1 p=3 C=1 T=5",
        &[("a", 5, 5), ("b", 8, 9)],
    ),
    (
        "irq s@0 C=1 T=16; task t@0 p=8 C=1 by=s; task j@0 p=7 C=2..3 by=t; task k@0 p=6 C=2 by=j; \
         task x@0 p=9 C=1 T=9",
        &[("t", 3, 3), ("j", 6, 6), ("k", 8, 8)],
    ),
    (
        "task a@0 p=2 C=1..2 T=9; task b@1 p=2 C=1..2 by=a; task c@1 p=3 C=1..2 T=10; \
         task d@0 p=3 C=1..2 by=c",
        &[("a", 4, 4), ("b", 6, 8), ("c", 2, 2), ("d", 4, 4)],
    ),
];

/// The description of a line, with microseconds for its instants.
fn described(line: &str) -> System {
    let mut text = "version = 1\n".to_owned();
    for core in ["0", "1"].iter().filter(|core| line.contains(&format!("@{core}"))) {
        write!(text, "[core.{core}]\nscheduler = \"fixed-priority\"\n").unwrap();
    }
    let members: Vec<&str> = line.split(';').map(str::trim).collect();
    for member in &members {
        add(&mut text, member, &members);
    }
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

fn add(text: &mut String, member: &str, members: &[&str]) {
    let mut words = member.split_whitespace();
    let is_task = words.next() == Some("task");
    let (name, core) = words.next().unwrap().split_once('@').unwrap();
    let noun = if is_task { "task" } else { "interrupt" };
    writeln!(text, "[{noun}.{name}]\non = \"core.{core}\"").unwrap();
    if is_task {
        writeln!(text, "deadline = \"none\"").unwrap();
    }
    for word in words {
        let (key, value) = word.split_once('=').unwrap();
        match (key, value.split_once("..").unwrap_or((value, value))) {
            ("p", _) => writeln!(text, "priority = {value}"),
            ("C", (least, most)) if is_task => {
                writeln!(text, "bcet = \"{least}us\"\nwcet = \"{most}us\"")
            }
            ("C", _) => writeln!(text, "isr = \"{value}us\""),
            ("T", _) if is_task => writeln!(text, "period = \"{value}us\""),
            ("T", _) => writeln!(text, "min-interarrival = \"{value}us\""),
            ("d", _) => {
                writeln!(text, "min-distances = [\"{}us\"]", value.replace(',', "us\", \""))
            }
            ("J", _) => writeln!(text, "jitter = \"{value}us\""),
            _ => Ok(()),
        }
        .unwrap();
    }
    let by = format!("by={name}");
    let woken = members.iter().filter(|other| other.split_whitespace().any(|word| word == by));
    let names: Vec<String> = woken
        .map(|other| format!("\"task.{}\"", &other["task ".len()..other.find('@').unwrap()]))
        .collect();
    match (is_task, names.as_slice()) {
        (_, []) => {}
        (true, names) => writeln!(text, "wakes = [{}]", names.join(", ")).unwrap(),
        (false, names) => writeln!(text, "wakes = {}", names[0]).unwrap(),
    }
}

#[test]
fn bounds_of_woken_tasks_are_not_below_the_truth() {
    let mut wrong = String::new();
    for (line, truths) in SYSTEMS {
        let system = described(line);
        let bounds = bounds(&system);
        for &(name, truth, expected) in *truths {
            let id = system.task_ids().find(|&id| system.task(id).name == format!("task.{name}"));
            let found = bounds.task(id.unwrap()).bound().map(|bound| bound.as_ns() / 1_000);
            if found.is_some_and(|found| found < truth) || found.unwrap_or(0) != expected {
                writeln!(wrong, "{line}\n{name}: bound {found:?}, true {truth}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_path_may_end_in_a_guest_of_another_core() {
    let text = r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [core.1]
        scheduler = "linux"
        fair-server = "none"
        [vcpu.g]
        on = "core.1"
        server = "sched-deadline"
        budget = "4ms"
        period = "5ms"
        [task.io]
        on = "core.0"
        wcet = "100us"
        period = "10ms"
        priority = 2
        [task.plc]
        on = "core.0"
        wcet = "300us"
        period = "10ms"
        priority = 1
        wakes = ["task.drive"]
        [task.drive]
        on = "vcpu.g"
        wcet = "100us"
        deadline = "400us"
        priority = 1
    "#;
    let system = read(text.as_bytes(), Format::Toml).unwrap();
    let drive = system.task_ids().next_back().unwrap();
    // 400 until it is woken, and its own work: a guest that wakes up has its budget.
    let bound = bounds(&system).task(drive).bound().unwrap();
    assert_eq!(bound.as_ns(), 400_000 + 100_000);
}

/// A path, what waits for both of its tasks, and a task with a probability between them.
const BESIDE: &str = r#"
    version = 1
    [core.0]
    scheduler = "fixed-priority"
    [task.a]
    on = "core.0"
    wcet = "1ms"
    period = "20ms"
    priority = 4
    wakes = ["task.b"]
    [task.b]
    on = "core.0"
    wcet = "1ms"
    priority = 3
    [task.both]
    on = "core.0"
    wcet = "1ms"
    priority = 1
    after = ["task.a", "task.b"]
    [task.c]
    on = "core.0"
    execution = { "1ms" = 99, "6ms" = 1 }
    period = "20ms"
    deadline = "none"
    priority = 2
    [require.seldom]
    of = "task.c"
    handled-within = "4ms"
    probability = "90%"
    [require.never]
    of = "task.c"
    handled-within = "9ms"
    probability = "90%"
"#;

#[test]
fn a_probability_beside_them_has_a_bound_only_where_all_histories_keep_it() {
    let system = read(BESIDE.as_bytes(), Format::Toml).unwrap();
    assert!(system.unsupported.is_empty());
    let known = bounds(&system);
    let tasks: Vec<u64> =
        system.task_ids().map(|id| known.task(id).bound().unwrap().as_ns() / 1_000_000).collect();
    assert_eq!(tasks, [1, 2, 9, 8]);
    let chances = system.requirements.iter().filter(|required| required.probability.is_some());
    let chances: Vec<_> = chances.map(|required| known.chance(&system, required)).collect();
    assert!(matches!(
        chances[0].reason(),
        Some(Reason::NoReservation { why: Unreserved::BesideWakes, .. })
    ));
    assert_eq!(chances[1].bound().map(Probability::per_trillion_ceil), Some(0));
}

/// What is longest of a path is named, also where it is what comes before the task.
#[test]
fn the_terms_of_a_woken_task_have_the_path_before_it() {
    let (line, _) =
        SYSTEMS.iter().find(|(line, _)| line.starts_with("task a@0 p=2 C=1..2 T=9")).unwrap();
    let system = described(line);
    let derived = derived_bounds_within(&system, 100_000);
    let id = system.task_ids().find(|&id| system.task(id).name == "task.b").unwrap();
    let terms = derived.terms(&system, RequirementKind::Deadline(id));
    let path = terms.iter().find(|term| term.name == "path before it");
    let all: u64 = terms.iter().map(|term| term.time.as_ns()).sum();
    assert!(path.is_some_and(|path| !path.time.is_zero()), "{terms:?}");
    assert_eq!(derived.task(id).bound().map(Duration::as_ns), Some(all), "{terms:?}");
}
