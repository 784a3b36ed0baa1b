//! The time that a kernel charges to a reservation, besides its work.
//!
//! **Model.** A kernel without `IRQ_TIME_ACCOUNTING` charges interrupts to the thread that they interrupt:
//! the charge is the work and the interrupts during it. A load that computes until it has been charged its
//! time does less work.

use super::case::Case;
use super::job::MS;
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::TICK;

/// The case in which a reservation always has work, and its task.
const SATURATED: &str = "saturated";
const RESERVED: &str = "reserved";

/// The check of a case in which a reservation always has work; none for other cases.
pub fn check(case: &Case, prefix: &str, evidence: &Evidence) -> Option<Check> {
    let jobs = case.script.get(RESERVED).filter(|_| case.name == SATURATED)?;
    let work: u64 = jobs.iter().map(|job| job.work * MS).sum();
    let (_, charged) = evidence.jobs(&format!("{prefix}{RESERVED}"));
    let costs = case.costs.average;
    let every = case.source.map(|source| costs.timer * 1_000_000 / source.every());
    // Of a million nanoseconds, those of interrupts.
    let taken = costs.tick * 1_000_000 / TICK + every.unwrap_or_default();
    let expected = work * 1_000_000 / (1_000_000 - taken.min(999_999));
    let us = |time: u64| time / 1000;
    let hundredths = charged.saturating_sub(work) * 10_000 / charged.max(1);
    Some(Check::new(
        format!("{}: interrupts are charged to it", case.title()),
        format!(
            "charged {} us, work of {} us ({}.{:02} % less), {} us expected",
            us(charged),
            us(work),
            hundredths / 100,
            hundredths % 100,
            us(expected)
        ),
        charged > work && charged.abs_diff(expected) <= case.tolerance(),
    ))
}
