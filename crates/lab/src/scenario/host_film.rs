//! `vorrang-host` and a film in a guest whose card raises a storm (H. Kim, S. Wang, R. Rajkumar 2015).
//!
//! ```text
//!   raiser, 10 kHz ─► vorrang-vcpu, thread "guest": 7.2 to 14 ms of 20; a handler of 60 us, else turns of a loop
//! ```
//!
//! Nothing is done about the storm; or the interrupt has a pseudo-VCPU; or the thread that raises it has a server besides.
//!
//! **Assumptions.** 1. Counted time, one processor. 2. A frame is 10 ms of the guest's loop (`host/filmed.rs`).

use super::host_interrupts::origin;
use super::host_kinds::words;
use super::host_storm::AFTER;
use super::{Check, Scenario, host_interrupts};
use crate::evidence::Evidence;
use crate::host::MS;
use crate::host::filmed::{Against, TRIALS, Trial, frames};
use crate::image::File;
use vorrang_guest::{Plan, Record, Step};
use vorrang_vcpu::Told;

const LENGTH_MS: u64 = 2000;
/// From the file to the first interrupt.
const DELAY_MS: u64 = 100;
/// As many as there are in that time, and no more than are told.
const COUNT: u64 = 22_000;
const APART_US: u64 = 100;
/// Turns of the handler, two instructions each.
const TURNS: u32 = 30_000;
/// The rate of the film, in hundredths of a frame a second, less a frame at each end.
const WHOLE: u64 = 2_890;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-film",
        shows: "a film keeps its frames in a storm of its guest's card, if what raises the storm has a server of vorrang-host",
        in_ci: &[],
        files: || {
            let file =
                |trial: &Trial| File { path: trial.file(), bytes: trial.description().into() };
            TRIALS.iter().map(file).chain(super::busybox()).collect()
        },
        plan,
        checks,
        ..host_interrupts::scenario()
    }
}

fn plan() -> Plan {
    let mut steps = vec![Step::RememberState];
    for trial in &TRIALS {
        let told = trial.told();
        let held = if trial.against == Against::Server { " held" } else { "" };
        let guest = format!(
            "/bin/vorrang-vcpu {told} computes {TURNS} {DELAY_MS}ms {COUNT} {APART_US}us 0ms {AFTER}{held}"
        );
        let run =
            format!("/bin/vorrang-host run {} --unproven --yes --for {LENGTH_MS}ms", trial.file());
        steps.extend([
            Step::Start { command: words(&guest) },
            Step::Sleep { time: 500 * MS },
            Step::Run { command: words(&run) },
            Step::Await { path: told.clone(), text: "raised".to_owned(), limit: 20_000 * MS },
            Step::Read { path: told },
            Step::Run { command: words("/bin/busybox killall -9 vorrang-vcpu") },
            Step::Sleep { time: 50 * MS },
        ]);
    }
    steps.push(Step::CompareState);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let mut ran = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, errors }
            if command.iter().any(|word| word == "/bin/vorrang-host") =>
        {
            Some((*exit, output, errors))
        }
        _ => None,
    });
    for trial in &TRIALS {
        let name = trial.name;
        let Some((exit, output, errors)) = ran.next() else {
            checks.push(Check::new(format!("{name}: it is run"), "it did not run", false));
            continue;
        };
        let said = output.lines().find(|line| line.contains(" decisions, ")).unwrap_or_default();
        let seen = if exit == 0 { said.to_owned() } else { format!("{exit}: {errors}") };
        checks.push(Check::new(format!("{name}: it is run"), seen, exit == 0));
        let told = evidence.texts(&trial.told()).next().unwrap_or_default().to_owned();
        checks.push(match serde_json::from_str::<Told>(&told) {
            Ok(told) => filmed(*trial, &told, origin(output)),
            Err(why) => Check::new(format!("{name}: it tells"), why.to_string(), false),
        });
    }
    checks.extend(super::apply::differences(evidence));
    checks
}

/// The frames of the time in which servers are run, beside those of the simulator.
fn filmed(trial: Trial, told: &Told, origin: u64) -> Check {
    let end = origin + LENGTH_MS * MS;
    let meanwhile: Vec<(u64, u32)> =
        told.done.iter().filter(|(at, _)| (origin..end).contains(at)).copied().collect();
    let (seen, simulated) = (frames(&meanwhile), trial.simulated());
    let shown = |rate: u64| format!("{}.{:02}", rate / 100, rate % 100);
    let said = format!(
        "{} frames a second in {} of them; simulated {}",
        shown(seen),
        meanwhile.len(),
        simulated.map_or("none".to_owned(), shown)
    );
    let what = format!("{}: the film is whole only if the storm is held back", trial.name);
    let is_whole = seen >= WHOLE;
    let holds = meanwhile.len() > 40 && is_whole == (trial.against == Against::Server);
    Check::new(what, said, holds)
}
