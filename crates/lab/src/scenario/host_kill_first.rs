//! `vorrang-host`, killed while a guest handles an interrupt before another lent thread, whose loan goes on behind it.
//!
//! ```text
//!   rival   ###............###         lent to, 6 ms of 20
//!   guest      ########                lent to first: a handler of 8 ms
//!                 | killed
//! ```
//!
//! **Assumptions.** Those of `host_kill.rs`.

use super::host_kill::{Killing, script};
use super::raised::RUNNING;
use super::{Check, Scenario, busybox, host_interrupts};
use crate::evidence::Evidence;
use crate::host::guest::{Guest, file};
use crate::image::File;
use vorrang_guest::Plan;

const NAME: &str = "long";
/// The rival's budget, in milliseconds.
const RIVAL: u64 = 6;
/// What is killed, one after the other, at once.
const VICTIMS: [&str; 6] =
    ["dispatcher", "guard", "dispatcher guard", "guard dispatcher", "probe", "vcpu"];
/// The rival and the guest.
const TWO: Killing = Killing { victims: &VICTIMS, loans: 2, threads: 2 };

/// Its handler takes 8 ms, by turns of two instructions.
const GUEST: Guest = Guest {
    budget: 1000,
    thread: "process:vorrang-vcpu/guest",
    raising: 60,
    apart: 20_000,
    handling: 9000,
    vector: "64",
    reserved: true,
    second: None,
};
const TURNS: u32 = 4_000_000;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "host-kill-first",
        shows: "vorrang-host, killed during two loans, one for an interrupt, or its guard, or a lent thread, leaves no loan",
        programs: &["vorrang-host", "vorrang-probe", "vorrang-vcpu"],
        files,
        plan,
        checks,
        ..host_interrupts::scenario()
    }
}

/// The same on 6.12.
pub(super) fn on_6_12() -> Scenario {
    Scenario {
        name: "host-kill-first-6.12",
        lines: &["6.12-rt"],
        in_ci: &[],
        machine: host_interrupts::vmware(),
        ..scenario()
    }
}

fn files() -> Vec<File> {
    let system = File { path: file(NAME), bytes: GUEST.below(RIVAL, 30_000).into() };
    [script(), system].into_iter().chain(busybox()).collect()
}

fn plan() -> Plan {
    let rival = "/bin/vorrang-probe /run/never 10ms 1000000 rival=always";
    let guest =
        format!("/bin/vorrang-vcpu /run/never computes {TURNS} 0ms 100000 20ms 20ms {RUNNING}");
    TWO.plan(&[rival, &guest], &file(NAME))
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    TWO.checks(evidence)
}
