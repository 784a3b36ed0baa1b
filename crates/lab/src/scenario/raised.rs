//! A run of `vorrang-host` beside a guest whose interrupt is raised, or that is pinged: its steps, and what it says.
//!
//! ```text
//!   the rival's turns are counted ──────────────────────────────────────────────────┐
//!   the guest is there ─ SETTLED ─ vorrang-host: its file ─ delay ─ raised, raised … ┴ what was seen is read
//! ```
//!
//! **Assumption.** The file of `vorrang-host` is there before the schedule begins, which is within 200 ms of it.

use super::Check;
use super::host_kinds::words;
use crate::evidence::Evidence;
use crate::host::{MS, READ_MS, guest, handled};
use crate::image::File;
use vorrang_analysis::bounds;
use vorrang_guest::{Record, Step};
use vorrang_model::system::InterruptId;
use vorrang_time::Duration;

/// For so long the servers are run.
pub(super) const LENGTH_MS: u64 = 2800;
/// It is there while they are, and shortly before.
pub(super) const RUNNING: &str = "/run/vorrang/host.running";
/// From the start of the guest to that of `vorrang-host`.
const SETTLED: u64 = 1500 * MS;
/// The counters are read from before that on, for so long altogether: beside two threads that compute, a proof takes five seconds, and up to
/// eight where the guest has 70 % of the processor.
const COUNTED_MS: u64 = LENGTH_MS + 11_000;

/// What raises the interrupt of a guest (`vorrang-vcpu`), once the servers are run.
pub(super) struct Raiser {
    /// The file of what it has seen.
    pub(super) told: String,
    /// What the guest does besides.
    pub(super) work: &'static str,
    /// Turns of the handler, two instructions each.
    pub(super) turns: u32,
    /// From the file to the first interrupt.
    pub(super) delay_ms: u64,
    pub(super) count: usize,
    /// From one to the next, at least and what is more at most.
    pub(super) apart: &'static str,
    pub(super) spread: &'static str,
    /// Whether it has the policy that it was started with (`held`), otherwise it is above everything; or raises one with each
    /// vector at once (`both`).
    pub(super) how: &'static str,
}

impl Raiser {
    pub(super) fn start(&self) -> Step {
        self.start_as("/bin/vorrang-vcpu")
    }

    /// By a program of another name.
    pub(super) fn start_as(&self, program: &str) -> Step {
        let Self { told, work, turns, delay_ms, count, apart, spread, how } = self;
        let line = format!(
            "{program} {told} {work} {turns} {delay_ms}ms {count} {apart} {spread} {RUNNING} {how}"
        );
        Step::Start { command: words(&line) }
    }

    /// It has raised all of them, and is ended.
    pub(super) fn ended(&self) -> Vec<Step> {
        let mut steps = read(&self.told, "raised");
        steps.push(Step::Run { command: words("/bin/busybox killall -9 vorrang-vcpu") });
        steps.push(Step::Sleep { time: 50 * MS });
        steps
    }
}

/// The guest is ready.
pub(super) const fn settled() -> Step {
    Step::Sleep { time: SETTLED }
}

/// The thread of the rival computes, and its turns are counted into a file, from here on.
pub(super) fn counting(file: &str) -> Step {
    let readings = COUNTED_MS / READ_MS;
    let line = format!("/bin/vorrang-probe {file} {READ_MS}ms {readings} rival=always");
    Step::Start { command: words(&line) }
}

/// The servers of a file are run to the end.
pub(super) fn run(file: &str, is_proven: bool) -> Step {
    Step::Run { command: command(file, is_proven) }
}

/// What runs them.
pub(super) fn command(file: &str, is_proven: bool) -> Vec<String> {
    let unproven = if is_proven { "" } else { " --unproven" };
    words(&format!("/bin/vorrang-host run {file}{unproven} --yes --for {LENGTH_MS}ms"))
}

/// Reads a file once it says something.
pub(super) fn read(file: &str, text: &str) -> Vec<Step> {
    let path = file.to_owned();
    vec![
        Step::Await { path: path.clone(), text: text.to_owned(), limit: 20_000 * MS },
        Step::Read { path },
    ]
}

/// Descriptions under the names of their trials, and what ends the guests.
pub(super) fn files(of: impl Iterator<Item = (&'static str, String)>) -> Vec<File> {
    let file = |(name, text): (&str, String)| File { path: guest::file(name), bytes: text.into() };
    of.map(file).chain(super::busybox()).collect()
}

/// What a run said.
pub(super) struct Said<'a> {
    exit: i32,
    pub(super) output: &'a str,
    errors: &'a str,
}

/// What the runs said, in their order.
pub(super) fn said(evidence: &Evidence) -> impl Iterator<Item = Said<'_>> {
    evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, errors }
            if command.iter().any(|word| word == "/bin/vorrang-host") =>
        {
            Some(Said { exit: *exit, output, errors })
        }
        _ => None,
    })
}

impl Said<'_> {
    /// It came to its end.
    pub(super) fn check(&self, name: &str) -> Check {
        let said = self.output.lines().find(|line| line.contains(" decisions, "));
        let Self { exit, errors, .. } = self;
        let seen = match exit {
            0 => said.unwrap_or_default().to_owned(),
            _ => format!("{exit}: {errors}"),
        };
        Check::new(format!("{name}: it is run"), seen, *exit == 0)
    }

    /// What it said of an interrupt.
    pub(super) fn interrupt(&self, of: &str) -> &str {
        let line = self.output.lines().find(|line| line.starts_with(&format!("{of}: raised ")));
        line.unwrap_or_default()
    }

    /// It came as described, and each loan for it found its thread awake.
    pub(super) fn holds(&self, name: &str, interrupt: &str) -> Check {
        let line = self.interrupt(interrupt);
        let holds = !line.is_empty() && !line.contains("no bound holds");
        Check::new(format!("{name}: its interrupts are as bounds assume"), line, holds)
    }

    /// When the schedule began.
    pub(super) fn origin(&self) -> u64 {
        let begins = |line: &str| line.strip_prefix("from ")?.split_once(" ns")?.0.parse().ok();
        self.output.lines().find_map(begins).unwrap_or_default()
    }
}

/// The name of the interrupt of a guest that has one.
pub(super) const CARD: &str = "interrupt.card";

/// The longest time that an interrupt of a description took, beside the simulated and the proven one.
pub(super) fn bounded(
    name: &str,
    description: &str,
    (interrupt, reserved): (&str, bool),
    longest: u64,
    more: &str,
) -> Check {
    let system = guest::system(description);
    let place = system.interrupts.iter().position(|one| one.name == interrupt);
    let id = InterruptId(place.expect("it is described"));
    let bound = bounds(&system).interrupt(id).bound().map(Duration::as_ns);
    let spread = (Duration::from_ms(20), Duration::from_ms(LENGTH_MS));
    let simulated = handled::simulated(&system, id, spread);
    let seen = format!(
        "{} us, {more}; simulated {} us; bound {}",
        longest / 1000,
        simulated / 1000,
        bound.map_or("none".to_owned(), |bound| format!("{} us", bound / 1000))
    );
    let holds = bound.map_or(!reserved, |bound| longest <= bound && simulated <= bound);
    Check::new(format!("{name}: the longest is at most the bound of {interrupt}"), seen, holds)
}

/// One that was to be run was not.
pub(super) fn not_run(name: &str) -> Check {
    Check::new(format!("{name}: it is run"), "it did not run", false)
}

/// The content of a file, or why it cannot be read.
pub(super) fn told<T: serde::de::DeserializeOwned>(
    name: &str,
    file: &str,
    evidence: &Evidence,
) -> Result<T, Check> {
    let text = evidence.texts(file).next().unwrap_or_default();
    serde_json::from_str(text)
        .map_err(|why| Check::new(format!("{name}: {file} tells"), why.to_string(), false))
}
