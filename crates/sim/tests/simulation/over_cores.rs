//! Paths over two cores: small systems whose longest responses are known from every history of whole instants, beside what
//! a search finds.
//!
//! **Model.** A row is a task: its core, its priority, its shortest and longest time, and its period, or what wakes it. The
//! numbers behind it are the longest responses, from the arrival of the source, as instants become fine.

use std::fmt::Write as _;
use vorrang_model::system::{System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Job, Observer, Pattern, Search, Source, Worst, search, simulate};
use vorrang_time::{Duration, Instant};

struct Row(&'static str, u32, u32, [u64; 2], By, Option<u64>);

enum By {
    Itself(u64),
    Task(&'static str),
}
use By::{Itself, Task};

const SYSTEMS: &[&[Row]] = &[
    &[
        Row("a", 0, 5, [1, 2], Itself(10), None),
        Row("b", 0, 3, [1, 1], Task("a"), Some(3)),
        Row("c", 1, 3, [1, 2], Task("a"), Some(5)),
        Row("d", 0, 2, [1, 1], Task("c"), Some(6)),
        Row("e", 1, 5, [1, 1], Itself(5), None),
    ],
    // A circle of cores: no bound is found by jitter.
    &[
        Row("a", 0, 5, [1, 3], Itself(7), None),
        Row("b", 1, 2, [1, 1], Itself(8), Some(6)),
        Row("c", 0, 7, [1, 3], Task("b"), Some(9)),
        Row("d", 1, 6, [1, 1], Task("a"), Some(13)),
        Row("e", 1, 8, [1, 3], Task("c"), Some(12)),
    ],
    &[
        Row("a", 1, 2, [1, 1], Itself(6), None),
        Row("b", 1, 1, [1, 1], Itself(9), Some(5)),
        Row("c", 1, 5, [1, 3], Task("a"), None),
        Row("d", 0, 3, [1, 2], Itself(6), Some(8)),
        Row("e", 0, 6, [1, 3], Task("c"), Some(7)),
    ],
    &[
        Row("a", 0, 2, [1, 2], Itself(9), Some(4)),
        Row("b", 1, 2, [1, 2], Task("a"), Some(6)),
        Row("c", 1, 3, [1, 2], Itself(10), Some(2)),
        Row("d", 0, 3, [1, 2], Task("c"), Some(4)),
    ],
];

fn described(rows: &[Row]) -> System {
    let mut text = "version = 1\n".to_owned();
    for core in 0..2 {
        write!(text, "[core.{core}]\nscheduler = \"fixed-priority\"\n").unwrap();
    }
    for Row(name, core, priority, [least, most], by, _) in rows {
        write!(text, "[task.{name}]\non = \"core.{core}\"\npriority = {priority}\n").unwrap();
        write!(text, "bcet = \"{least}us\"\nwcet = \"{most}us\"\ndeadline = \"none\"\n").unwrap();
        if let Itself(period) = by {
            writeln!(text, "period = \"{period}us\"").unwrap();
        }
        let is_woken = |other: &&Row| matches!(other.4, Task(by) if by == *name);
        let woken = rows.iter().filter(is_woken).map(|other| format!("\"task.{}\"", other.0));
        let woken: Vec<String> = woken.collect();
        if !woken.is_empty() {
            writeln!(text, "wakes = [{}]", woken.join(", ")).unwrap();
        }
    }
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

/// The response of one job.
struct Replayed(Source, Instant, Option<Duration>);

impl Observer for Replayed {
    fn completed(&mut self, job: &Job, at: Instant) {
        if (job.source, job.arrival) == (self.0, self.1) {
            self.2 = Some(at - job.arrival);
        }
    }
}

/// The job of a witness, from the text of its history.
fn replayed(system: &System, id: TaskId, worst: &Worst) -> Option<Duration> {
    let core = system.core_of(system.task(id).on);
    let history = Pattern::parse(&worst.pattern.text(), system).unwrap().history(system, core);
    let mut seen = Replayed(Source::Task(id), worst.arrival, None);
    let end = worst.arrival + worst.response + Duration::RESOLUTION;
    simulate(system, core, &history.unwrap(), end, &mut seen).unwrap();
    seen.2
}

#[test]
fn a_search_finds_the_longest_responses_over_cores_and_none_longer() {
    let (mut known, mut found) = (0, 0);
    for rows in SYSTEMS {
        let system = described(rows);
        let seen = search(&system, &Search::within(1_000_000));
        assert!(seen.not_covered.is_empty());
        for ((Row(name, .., longest), worst), id) in rows.iter().zip(&seen.tasks).zip(0..) {
            let worst = worst.as_ref().unwrap();
            assert_eq!(replayed(&system, TaskId(id), worst), Some(worst.response), "{name}");
            let Some(longest) = longest.map(|us| us * 1_000) else { continue };
            let response = worst.response.as_ns();
            assert!(response <= longest, "{name}: {response} of {longest}");
            known += 1;
            // One nanosecond is lost for each event that just precedes another.
            found += u64::from(response + 10 >= longest);
        }
    }
    assert!(found * 4 >= known * 3, "{found} of {known}");
}
