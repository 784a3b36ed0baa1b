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

pub use case::{ALL, Case, Taken};
pub use measured::{Outcome, outcomes};
pub use predicted::{Predicted, predict};
pub use report::{Shown, distributions, documented, table, values};
pub use verdict::taken;

use crate::emulator::Machine;
use crate::scenario::{BOTH, Scenario, busybox};
use network::Enforcement;
use vorrang_guest::Plan;

/// Nanoseconds of an instruction, as a power of two.
const SLOWNESS: u32 = 2;

/// A boot, and the heading of its table.
#[derive(Clone, Debug)]
pub struct Study {
    /// The boot.
    pub scenario: Scenario,
    /// Its cases.
    pub cases: &'static [Case],
    /// The way in which runtimes end.
    pub means: &'static str,
}

/// The whole experiment.
pub fn studies() -> Vec<Study> {
    let (timer, tick) = (by_timer(), by_tick());
    vec![
        Study { scenario: timer, cases: ALL, means: "a timer ends runtimes" },
        Study { scenario: tick, cases: case::RESERVED, means: "the tick ends runtimes" },
    ]
}

fn by_timer() -> Scenario {
    Scenario {
        name: "reservations",
        shows: "the thread that polls a network card, below a task, above it, and with every reservation",
        plan: || Plan { steps: network::steps(ALL, Enforcement::Timer) },
        checks: |evidence| verdict::checks(ALL, evidence),
        ..scenario()
    }
}

fn by_tick() -> Scenario {
    Scenario {
        name: "reservations-tick",
        shows: "the same reservations on a kernel as it is, which ends runtimes with the tick",
        lines: &["6.12-rt"],
        plan: || Plan { steps: network::steps(case::RESERVED, Enforcement::Tick) },
        checks: |evidence| verdict::checks(case::RESERVED, evidence),
        ..scenario()
    }
}

/// Pings.
pub fn pings() -> Scenario {
    Scenario {
        name: "round-trips",
        shows: "round trips of pings against the period of the reservation that answers them",
        machine: Machine { command_line: "e1000.InterruptThrottleRate=0,0", ..machine() },
        modules: &["e1000"],
        plan: || Plan { steps: ping::steps() },
        checks: ping::checks,
        ..scenario()
    }
}

/// A few cases, for continuous integration.
pub(crate) fn scenario() -> Scenario {
    Scenario {
        name: "reservation",
        shows: "a flooded network card takes its reservation from a task, no more, as analysed and simulated",
        lines: BOTH,
        in_ci: BOTH,
        machine: machine(),
        modules: &["e1000", "pktgen"],
        programs: &[],
        files: || busybox().into_iter().collect(),
        of_kernel: None,
        plan: || Plan { steps: network::steps(case::SHORT, Enforcement::Timer) },
        checks: |evidence| verdict::checks(case::SHORT, evidence),
    }
}

/// Two cards on a hub. While one processor has its turn, timers of the other one wait: with turns of 20 µs,
/// a flood made them up to 0.2 ms late; with 10 µs, none was seen.
fn machine() -> Machine {
    Machine {
        cpus: 2,
        slowness: SLOWNESS,
        turns: Some(10),
        // The cards interrupt every 500 µs at most.
        command_line: "e1000.InterruptThrottleRate=2000,2000",
        devices: &[
            "-netdev",
            "hubport,id=n0,hubid=0",
            "-device",
            "e1000,netdev=n0,mac=52:54:00:12:34:56",
            "-netdev",
            "hubport,id=n1,hubid=0",
            "-device",
            "e1000,netdev=n1,mac=52:54:00:12:34:57",
        ],
        ..Machine::default()
    }
}
