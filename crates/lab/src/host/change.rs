//! Another description takes the place of one that is run: no server loses a budget.

use super::dispatcher::MS;
use super::rows::{rows, traced};
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use serde::Deserialize;

pub(crate) use super::rows::changed as before_and_after;

/// What is run, and the changes that are made for it.
const KEPT: [&str; 2] = ["/run/vorrang/host", "/run/vorrang/host.running"];
/// For so long it is looked at what halves receive.
const LOOKED_AT: u64 = 200 * MS;
/// A period may be cut, and parked threads have a millisecond, by the tick of 4.
const ABOUT: u64 = 8 * MS;

/// What is refused leaves everything as it was, and the log tells of one change.
pub(crate) fn refused_changes_nothing(evidence: &Evidence) -> Vec<Check> {
    let mut checks = KEPT.map(|path| unchanged(path, evidence)).to_vec();
    let log = evidence.texts("/run/vorrang/host.log").next().unwrap_or_default();
    let ends = || {
        log.lines().filter(|line| {
            line.contains("has taken its place") || line.contains("loans were ended")
        })
    };
    checks.push(Check::new(
        "the log says that one has taken the place of the other, and of no guard that ended loans",
        ends().collect::<Vec<_>>().join("; "),
        ends().count() == 1 && !log.contains("loans were ended"),
    ));
    checks
}

/// What is refused leaves it as it was.
fn unchanged(path: &str, evidence: &Evidence) -> Check {
    let texts: Vec<&str> = evidence.texts(path).collect();
    let holds =
        matches!(texts.as_slice(), [before, after] if before == after && !before.is_empty());
    let seen = if holds { "it does" } else { "it does not" };
    Check::new(format!("{path} says the same after what was refused"), seen, holds)
}

/// What a server receives, by which description.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Received {
    server: String,
    what: String,
    of: String,
}

/// By the new description at first, by the one before at the end.
pub(crate) fn of_halves(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let (first, last) = traced(evidence);
    let check = |Received { server, what, of: file }: Received| {
        let lately = last.saturating_sub(LOOKED_AT);
        let begin = if file == "/after.toml" { first } else { lately };
        let row = rows(of, &file).into_iter().find(|row| row.name == server);
        let row = row.expect("it is described");
        let given = evidence.schedule.received(&server, begin, begin + LOOKED_AT);
        let expected = LOOKED_AT * row.budget / row.period;
        let seen = format!("{given} ns of {expected} ns in {} ms", LOOKED_AT / MS);
        let holds = given.abs_diff(expected) <= ABOUT;
        Check::new(format!("{server}: its budgets {what}"), seen, holds)
    };
    of.given::<Vec<Received>>("received").into_iter().map(check).collect()
}
