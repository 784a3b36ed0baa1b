//! The report of a run.

use crate::processor::Account;
use crate::schedule::Ran;
use crate::scope::{Reserved, Scope};
use std::fmt::Write as _;

/// A line for each server, and one for the dispatcher.
pub(crate) fn report(scope: &Scope, ran: &Ran) -> String {
    let Ran { origin, course, taken, accounts, .. } = ran;
    let mut text = format!("\nfrom {origin} ns of CLOCK_MONOTONIC on\n");
    let width =
        scope.servers.iter().map(|one| one.name.len()).max().unwrap_or(0).max("server".len());
    let _ = writeln!(
        text,
        "{:width$}  {:>8}  {:>14}  {:>10}  {:>10}",
        "server", "loans", "charged [ns]", "over [ns]", "lost [ns]"
    );
    for (Reserved { name, .. }, account) in scope.servers.iter().zip(accounts) {
        let Account { loans, charged, overrun, dropped } = account;
        let (charged, overrun, dropped) = (charged.as_ns(), overrun.as_ns(), dropped.as_ns());
        let _ = writeln!(
            text,
            "{name:width$}  {loans:>8}  {charged:>14}  {overrun:>10}  {dropped:>10}"
        );
    }
    let _ = writeln!(
        text,
        "{} decisions, {} ns each, {} loans began or ended; the longest delay of a decision {} ns",
        course.steps,
        taken / course.steps.max(1),
        course.changes,
        course.latest.as_ns()
    );
    text
}
