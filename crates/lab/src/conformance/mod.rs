//! Conformance: simulator and kernels behave equally.
//!
//! **Purpose.** *bound ≥ simulation ≥ kernel.* The campaign compares the simulator with the bounds; here it
//! is compared with stock kernels.
//!
//! **Model.** A [case](case::Case) is a description and a script of releases. [One body](body)
//! runs it in the simulator and in a kernel, turns both into a [course](course::Course), compares each with
//! the drawing by hand, and the two event by event.
//!
//! **Assumptions.** 1. In the lab one instruction is one nanosecond, so that the costs of ticks, interrupts
//! and switches are numbers of its [profile](shipped), which descriptions of the cases state and with which
//! every boot is [compared](calibration). 2. Instants whose order matters are a millisecond apart.

pub mod admission;
pub mod body;
pub mod calibration;
pub mod case;
pub mod cases;
pub mod charged;
pub mod compare;
pub mod course;
mod drawing;
mod enforced;
pub mod interrupt;
mod interrupt_thread;
pub mod job;
pub mod machine;
mod over_cores;
mod run;
mod seen;
pub mod shipped;
pub mod simulated;
pub mod tightness;

use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::Step;

/// The steps of a part that is a program of this family.
pub(crate) fn part(of: &Scenario, name: &str) -> Option<Vec<Step>> {
    Some(match name {
        "admission" => admission::steps(of),
        "calibration" => calibration::steps(of.given("cpu")),
        "cases" => run::all(),
        "cases-of-partition" => run::of_partition(of),
        "cases-of-shield" => run::of_shield(),
        "enforced" => vec![enforced::step()],
        "interrupt-thread" => interrupt_thread::steps(of),
        "outside" => vec![admission::outside(of)],
        "over-cores" => over_cores::steps(),
        "reclaiming" => vec![enforced::step_of_reclaiming()],
        _ => return None,
    })
}

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    Some(match name {
        "admission" => admission::checks(evidence),
        "cases" => run::check_all(evidence),
        "cases-of-partition" => run::check_partition(of, evidence),
        "cases-of-shield" => run::check_shield(evidence),
        "costs" => run::check_costs(evidence),
        "enforced" => vec![enforced::check(evidence)],
        "interrupt-thread" => interrupt_thread::checks(evidence),
        "only-reservations-refused" => vec![run::only_reservations_refused(evidence)],
        "only-settings-refused" => run::only_settings_refused(evidence),
        "outside" => vec![admission::check_outside(evidence)],
        "over-cores" => over_cores::checks(evidence),
        "reclaimed" => vec![enforced::reclaimed(evidence)],
        _ => return None,
    })
}
