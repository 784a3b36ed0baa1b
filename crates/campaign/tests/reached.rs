//! The distance of histories from their bounds, for systems with known worst cases.
//!
//! Each file in `tests/reached` is a system with comments before it, among them
//! `# observed: NAME RESPONSE of BOUND in PATTERN`: the history of that pattern shows that
//! response, and that is the bound. A term that is left out of the bound, or too small, is seen
//! here; so is one that is larger than it has to be.

use std::fs::read_to_string;
use std::path::Path;
use vorrang_analysis::bounds;
use vorrang_model::system::{SupplyId, System};
use vorrang_model::{Format, read};
use vorrang_sim::{Job, Observer, Pattern, Source, simulate};
use vorrang_time::{Duration, Instant};

/// Long after the last thing that is stated, and not many steps of a nanosecond.
const HORIZON: Duration = Duration::from_us(100);

/// What one line of comment says.
struct Observed<'a> {
    name: &'a str,
    response: &'a str,
    bound: &'a str,
    pattern: &'a str,
}

fn parse(line: &str) -> Option<Observed<'_>> {
    let rest = line.strip_prefix("# observed: ")?;
    let (numbers, pattern) = rest.split_once(" in ")?;
    let (found, bound) = numbers.split_once(" of ")?;
    let (name, response) = found.split_once(' ')?;
    Some(Observed { name, response, bound, pattern })
}

fn source(system: &System, name: &str) -> (Source, SupplyId) {
    let task = system.task_ids().find(|&id| system.task(id).name == name);
    if let Some(id) = task {
        return (Source::Task(id), system.core_of(system.task(id).on));
    }
    let mut interrupts = system.interrupt_ids();
    let id = interrupts.find(|&id| system.interrupt(id).name == name).expect(name);
    (Source::Interrupt(id), system.core_of(system.interrupt(id).on))
}

/// The longest response of one source.
struct Longest {
    of: Source,
    response: Duration,
}

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        if job.source == self.of {
            self.response = self.response.max(at - job.arrival);
        }
    }
}

#[test]
fn bounds_are_as_near_as_stated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reached");
    let mut seen = 0;
    for entry in folder.read_dir().expect("the folder") {
        let file = entry.unwrap().path();
        let text = read_to_string(&file).unwrap();
        let system = read(&text, Format::Toml);
        let system = system.unwrap_or_else(|wrong| panic!("{}: {wrong:?}", file.display()));
        for line in text.lines().filter_map(parse) {
            let (of, core) = source(&system, line.name);
            let pattern = Pattern::parse(line.pattern, &system);
            let pattern = pattern.unwrap_or_else(|wrong| panic!("{}: {wrong}", file.display()));
            let history = pattern.history(&system, core).unwrap();
            let mut longest = Longest { of, response: Duration::ZERO };
            let horizon = Instant::ZERO + HORIZON;
            simulate(&system, core, &history, horizon, &mut longest).unwrap();
            let all = bounds(&system);
            let finding = match of {
                Source::Task(id) => all.task(id),
                Source::Interrupt(id) => all.interrupt(id),
            };
            let bound = finding.bound().map(|bound| bound.to_string()).unwrap_or_default();
            let found = (longest.response.to_string(), bound);
            let stated = (line.response.to_owned(), line.bound.to_owned());
            assert_eq!(found, stated, "{}: {}", file.display(), line.name);
            seen += 1;
        }
    }
    assert!(seen > 0);
}
