//! `vorrang-host` and a film in a guest whose card raises a storm (H. Kim, S. Wang, R. Rajkumar 2015).
//!
//! ```text
//!   raiser, 10 kHz ─► vorrang-vcpu, thread "guest": 7.2 to 14 ms of 20; a handler of 60 us, else turns of a loop
//! ```
//!
//! Nothing is done about the storm; or the interrupt has a pseudo-VCPU; or the thread that raises it has a server besides.
//!
//! **Assumptions.** 1. Counted time, one processor. 2. A frame is 10 ms of the guest's loop (`host/filmed.rs`).

use super::raised::{self, LENGTH_MS, Raiser};
use super::{Check, Scenario, host_interrupts};
use crate::evidence::Evidence;
use crate::host::MS;
use crate::host::filmed::{Against, TRIALS, Trial, frames};
use crate::host::guest::{file, told};
use vorrang_guest::{Plan, Step};
use vorrang_vcpu::Told;

/// From the file to the first interrupt.
const DELAY_MS: u64 = 100;
/// As many as there are in that time, and no more than are told.
const COUNT: usize = 31_000;
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
            let file = |trial: &Trial| (trial.name, trial.description());
            raised::files(TRIALS.iter().map(file))
        },
        plan,
        checks,
        ..host_interrupts::scenario()
    }
}

fn plan() -> Plan {
    let mut steps = vec![Step::RememberState];
    for Trial { name, against, .. } in &TRIALS {
        let raiser = Raiser {
            told: told(name),
            work: "computes",
            turns: TURNS,
            delay_ms: DELAY_MS,
            count: COUNT,
            apart: "100us",
            spread: "0ms",
            how: if *against == Against::Server { "held" } else { "" },
        };
        // Nothing here states the cost of the dispatcher.
        steps.extend([raiser.start(), raised::settled(), raised::run(&file(name), false)]);
        steps.extend(raiser.ended());
    }
    steps.push(Step::CompareState);
    Plan { steps }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let mut said = raised::said(evidence);
    for trial in &TRIALS {
        let name = trial.name;
        let Some(said) = said.next() else {
            checks.push(raised::not_run(name));
            continue;
        };
        checks.push(said.check(name));
        let filmed = |told: Told| filmed(*trial, &told, said.origin());
        checks.push(raised::told(name, &told(name), evidence).map_or_else(|why| why, filmed));
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
