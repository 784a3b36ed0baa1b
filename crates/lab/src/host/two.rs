//! Servers on two processors at once, beside interrupts: the budget of each in every period.

use super::dispatcher::MS;
use super::rows::{given, origins, rows, supplied, traced};
use crate::check::Check;
use crate::data::Time;
use crate::evidence::Evidence;
use crate::written::Scenario;

/// The interrupts of each processor so far.
const COUNTS: &str = "/proc/interrupts";

/// Beside each number of interrupts a second.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let (Time(each), rates): (Time, Vec<u64>) = (of.given("traced"), of.given("rates"));
    let mut checks = Vec::new();
    let Some(begin) = origins(evidence, 0).and_then(|origins| origins.first().copied()) else {
        checks.push(Check::new("it says when it begins", "it does not", false));
        return checks;
    };
    let (first, _) = traced(evidence);
    let timers: Vec<[u64; 2]> = evidence.texts(COUNTS).map(timers).collect();
    for (place, rate) in rates.into_iter().enumerate() {
        checks.push(interrupted((rate, each), timers.get(2 * place..2 * place + 2)));
        // The first periods may be those before.
        let from = first + place as u64 * each + 20 * MS;
        for row in &rows(of, "/servers.toml") {
            let what = format!("{rate} interrupts a second: its budget in every period");
            let traced = [begin, from, from + each - 20 * MS];
            checks.push(supplied(&what, row, &given(row, traced, false, evidence)));
        }
    }
    checks
}

/// Those that came while it was traced, beside the rate.
fn interrupted((rate, each): (u64, u64), timers: Option<&[[u64; 2]]>) -> Check {
    let what = format!("interrupts of the timer of each processor, for {rate} a second");
    let Some([before, after]) = timers else {
        return Check::new(what, "they were not counted", false);
    };
    let came = [0, 1].map(|cpu| after[cpu].saturating_sub(before[cpu]));
    let expected = rate * each / (1000 * MS);
    let seen = format!("{} and {} in {} ms", came[0], came[1], each / MS);
    Check::new(what, seen, came.iter().all(|&came| came >= expected.max(1)))
}

/// The interrupts of the local timer of each processor.
fn timers(text: &str) -> [u64; 2] {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("LOC:"));
    let mut numbers = line.unwrap_or_default().split_whitespace().map_while(|one| one.parse().ok());
    [(); 2].map(|()| numbers.next().unwrap_or_default())
}
