//! The published experiment with reserved interrupt threads, on today's kernels.
//!
//! **Purpose.** Abeni, Manica, Palopoli (RTLWS 2009) gave the thread that handles a network card's packets a
//! reservation beside a real-time task: below the task it loses packets, above it the task is late without
//! limit, with reservations both receive their budgets. Here the same is done on stock kernels, and compared
//! with the analysis and the simulation of one and the same description.
//!
//! **Model.** Two processors; everything that is measured is on one of them, the other one is the
//! host that sends. As in the publication: a task of about 20 ms every 50 ms, packets of 192 bytes as
//! fast as 100 Mb/s carry them. An instruction takes 4 ns, so that the packets are too many for the
//! processor, as they were then.
//!
//! **Assumptions.** 1. The task's work is instructions. The number for 19 ms is measured while the other host
//! sends and without interrupts; the cost of a timer interrupt, where a case has one, in the same way. The
//! costs of the card's interrupts, ticks and switches are part of the task's execution time in the
//! description.
//! 2. Processors run one at a time under counted time, for a few µs each, so that the time of one
//! includes what the other one does meanwhile: it is slower by that, no more.
//!
//! **Cost.** A minute or two of a host's processor for each boot, half a minute for the short part.
//!
//! **Not covered.** The publication's times: its processor, its card and its interrupts were others.
//! Only relations can be compared.

mod case;
mod measured;
mod network;
pub mod ping;
mod predicted;
mod report;
mod verdict;

pub use case::{Case, Taken};
pub use measured::{Outcome, outcomes};
pub use predicted::{Predicted, predict};
pub use report::{Shown, distributions, documented, table, values};
pub use verdict::taken;

use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::Step;

/// A boot, and the heading of its table.
#[derive(Clone, Debug)]
pub struct Study {
    /// The boot.
    pub scenario: Scenario,
    /// Its cases.
    pub cases: Vec<Case>,
    /// The way in which runtimes end.
    pub means: &'static str,
}

/// The whole experiment.
pub fn studies() -> Vec<Study> {
    let study = |file, means| {
        let scenario = Scenario::read(file);
        let cases = cases(&scenario);
        Study { scenario, cases, means }
    };
    vec![
        study("experiment/reservations", "a timer ends runtimes"),
        study("experiment/reservations-tick", "the tick ends runtimes"),
    ]
}

/// Pings.
pub fn pings() -> Scenario {
    Scenario::read("experiment/round-trips")
}

/// The cases of a scenario.
fn cases(of: &Scenario) -> Vec<Case> {
    let names: Vec<String> = of.given("cases");
    names.iter().map(|name| case::one(name)).collect()
}

/// The steps of a part that is a program of this family.
pub(crate) fn part(of: &Scenario, name: &str) -> Option<Vec<Step>> {
    match name {
        "enforcement" => Some(vec![network::enforcement(of)]),
        "experiment" => Some(network::steps(&cases(of))),
        "pings" => Some(ping::steps()),
        _ => None,
    }
}

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    match name {
        "experiment" => Some(verdict::checks(&cases(of), evidence)),
        "pings" => Some(ping::checks(evidence)),
        _ => None,
    }
}
