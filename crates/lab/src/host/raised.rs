//! A run of `vorrang-host` beside a guest whose interrupt is raised, or that is pinged: its steps, and what it says.
//!
//! ```text
//!   the rival's turns are counted ──────────────────────────────────────────────────┐
//!   the guest is there ─ SETTLED ─ vorrang-host: its file ─ delay ─ raised, raised … ┴ what was seen is read
//! ```
//!
//! **Assumption.** The file of `vorrang-host` is there before the schedule begins, which is within 200 ms of it.

use super::dispatcher::{MS, last_line, origin};
use super::handled;
use super::trial::READ_MS;
use crate::check::Check;
use crate::data::ns;
use crate::evidence::Evidence;
use crate::written::{Scenario, words};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use vorrang_analysis::bounds;
use vorrang_guest::{Record, Step};
use vorrang_model::system::{InterruptId, System};
use vorrang_model::{Format, read as read_description};
use vorrang_time::Duration;

/// For so long the servers are run.
pub(crate) const LENGTH_MS: u64 = 2800;
/// It is there while they are, and shortly before.
pub(crate) const RUNNING: &str = "/run/vorrang/host.running";
/// From the start of the guest to that of `vorrang-host`.
const SETTLED: u64 = 1500 * MS;
/// The counters are read from before that on, for so long altogether: beside two threads that compute, a proof takes five seconds, and up to
/// eight where the guest has 70 % of the processor.
const COUNTED_MS: u64 = LENGTH_MS + 11_000;

/// A run of the servers, by the name of their description.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trial {
    pub(crate) name: String,
    /// What the guest does besides.
    work: String,
    /// Whether it is proven; then its interrupt has a pseudo-VCPU.
    #[serde(default = "yes")]
    pub(crate) proven: bool,
    /// Whether what raises has the policy that it was started with (`held`), otherwise it is above everything.
    #[serde(default)]
    pub(crate) how: String,
}

const fn yes() -> bool {
    true
}

/// What raises the interrupt of a guest (`vorrang-vcpu`), once the servers are run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Raiser {
    /// Turns of the handler.
    turns: u32,
    /// From the file to the first interrupt, in nanoseconds.
    #[serde(deserialize_with = "ns")]
    delay: u64,
    pub(crate) count: usize,
    /// From one to the next, at least and what is more at most.
    #[serde(deserialize_with = "ns")]
    pub(crate) apart: u64,
    #[serde(deserialize_with = "ns")]
    spread: u64,
}

/// The runs of a scenario.
pub(crate) fn trials(of: &Scenario) -> Vec<Trial> {
    of.given("trials")
}

/// Each run: the rival's turns are counted, unless there is none, the interrupt is raised, and the servers are run.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let Raiser { turns, delay, count, apart, spread } = of.given("raiser");
    let has_rival = of.gives("rival", true);
    let one = |Trial { name, work, proven, how }: Trial| {
        let (counted, told) = (counted(&name), told(&name));
        let [delay, apart, spread] = [delay, apart, spread].map(Duration::from_ns);
        let raise = format!(
            "/bin/vorrang-vcpu {told} {work} {turns} {delay} {count} {apart} {spread} {RUNNING} {how}"
        );
        let mut steps: Vec<Step> = has_rival.then(|| counting(&counted)).into_iter().collect();
        steps.extend([
            Step::Start { command: words(&raise) },
            settled(),
            run(&file(&name), proven),
        ]);
        if has_rival {
            steps.extend(read(&counted, "read"));
        }
        steps.extend(read(&told, "raised"));
        steps.push(Step::Run { command: words("/bin/busybox killall -9 vorrang-vcpu") });
        steps.push(Step::Sleep { time: 50 * MS });
        steps
    };
    trials(of).into_iter().flat_map(one).collect()
}

/// What is to be seen of each run, by what it said; or that it was not run.
pub(super) fn of_each(
    of: &Scenario,
    evidence: &Evidence,
    mut checks: impl FnMut(&Trial, &Said<'_>) -> Vec<Check>,
) -> Vec<Check> {
    let mut said = said(evidence);
    let one = |trial: Trial| match said.next() {
        None => vec![not_run(&trial.name)],
        Some(said) => {
            let is_run = said.check(&trial.name);
            [vec![is_run], checks(&trial, &said)].concat()
        }
    };
    trials(of).into_iter().flat_map(one).collect()
}

/// The turns of the rival of the first run are counted.
pub(crate) fn rival(of: &Scenario) -> Step {
    counting(&counted(&trials(of)[0].name))
}

/// The file of the description of a run.
pub(crate) fn file(name: &str) -> String {
    format!("/{name}.toml")
}

/// The file of what its guest has seen, or what pings it.
pub(crate) fn told(name: &str) -> String {
    format!("/run/{name}-guest")
}

/// The file of what its rival has done.
pub(crate) fn counted(name: &str) -> String {
    format!("/run/{name}-rival")
}

/// What the description of a run says.
pub(crate) fn system(of: &Scenario, name: &str) -> System {
    read_description(of.text(&file(name)), Format::Toml).expect("it is right")
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
    let unproven = if is_proven { "" } else { " --unproven" };
    let line = format!("/bin/vorrang-host run {file}{unproven} --yes --for {LENGTH_MS}ms");
    Step::Run { command: words(&line) }
}

/// Reads a file once it says something.
pub(super) fn read(file: &str, text: &str) -> Vec<Step> {
    let path = file.to_owned();
    vec![
        Step::Await { path: path.clone(), text: text.to_owned(), limit: 20_000 * MS },
        Step::Read { path },
    ]
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
        let Self { exit, errors, .. } = self;
        let seen = match exit {
            0 => last_line(self.output),
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
        origin(self.output).unwrap_or_default()
    }
}

/// The name of the interrupt of a guest that has one.
pub(super) const CARD: &str = "interrupt.card";

/// The longest time that an interrupt of a description took, beside the simulated and the proven one.
pub(super) fn bounded(
    name: &str,
    system: &System,
    (interrupt, reserved): (&str, bool),
    longest: u64,
    more: &str,
) -> Check {
    let place = system.interrupts.iter().position(|one| one.name == interrupt);
    let id = InterruptId(place.expect("it is described"));
    let bound = bounds(system).interrupt(id).bound().map(Duration::as_ns);
    let spread = (Duration::from_ms(20), Duration::from_ms(LENGTH_MS));
    let simulated = handled::simulated(system, id, spread);
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
pub(super) fn content<T: DeserializeOwned>(
    name: &str,
    file: &str,
    evidence: &Evidence,
) -> Result<T, Check> {
    let text = evidence.texts(file).next().unwrap_or_default();
    serde_json::from_str(text)
        .map_err(|why| Check::new(format!("{name}: {file} tells"), why.to_string(), false))
}
