//! The report of a run.

use crate::control::Course;
use crate::guests::Seen;
use crate::processor::{Account, Interrupt};
use crate::ran::{Ran, Statistics};
use crate::scope::Scope;
use crate::words;
use std::fmt::Write as _;
use vorrang_time::Duration;

/// Each processor: a line for each server, and one for the dispatcher.
pub(crate) fn report(scopes: &[&Scope], ran: &Ran) -> String {
    let mut origins: Vec<u64> = ran.processors.iter().map(|one| one.origin).collect();
    origins.dedup();
    let origins: Vec<String> = origins.iter().map(u64::to_string).collect();
    let mut text = format!("\nfrom {} ns of CLOCK_MONOTONIC on\n", origins.join(", "));
    for (scope, statistics) in scopes.iter().zip(&ran.processors) {
        if scopes.len() > 1 {
            let _ = writeln!(text, "\non processor {}", scope.cpu);
        }
        processor(scope, statistics, &mut text);
    }
    text
}

fn processor(scope: &Scope, statistics: &Statistics, text: &mut String) {
    let Statistics { course, taken, accounts, interrupts, origin: _ } = statistics;
    let paid = scope.interrupts.iter().filter(|seen| seen.pseudo_vcpu.is_some());
    let servers = scope.servers.iter().map(|one| &one.name);
    let names: Vec<&String> = servers.chain(paid.map(|seen| &seen.name)).collect();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max("server".len());
    let _ = writeln!(
        text,
        "{:width$}  {:>8}  {:>14}  {:>10}  {:>10}",
        "server", "loans", "charged [ns]", "over [ns]", "lost [ns]"
    );
    for (name, account) in names.into_iter().zip(accounts) {
        let Account { loans, charged, overrun, dropped } = account;
        let (charged, overrun, dropped) = (charged.as_ns(), overrun.as_ns(), dropped.as_ns());
        let _ = writeln!(
            text,
            "{name:width$}  {loans:>8}  {charged:>14}  {overrun:>10}  {dropped:>10}"
        );
    }
    for (Seen { name, .. }, interrupt) in scope.interrupts.iter().zip(interrupts) {
        let Interrupt { raised, held_back, too_soon, asleep, .. } = interrupt;
        let _ =
            writeln!(text, "{}", words::counts(name, [*raised, *held_back, *too_soon, *asleep]));
    }
    let _ = writeln!(
        text,
        "{} decisions, {} ns each, at most {} ns, {} because a thread left, {} loans began or ended; the longest delay of a decision {} ns",
        course.steps,
        taken / course.steps.max(1),
        course.longest_with_switches(&Course::default(), Duration::from_ns(*taken)).as_ns(),
        course.left,
        course.changes,
        course.latest.as_ns()
    );
}
