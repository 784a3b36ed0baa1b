//! Servers of a description that `vorrang-host` runs, a thread in each, and what each receives by the kernel's own trace.
//!
//! **Model.** Every processor has a core. The work in a server never ends, so
//! each of its periods has its whole budget; the instant from which periods count is that which the program says.

use super::dispatcher::MS;
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::Record;
use vorrang_model::system::SupplyId;
use vorrang_model::{Format, read};
use vorrang_time::Duration;

/// Less budget is not lent, and the end of a loan takes a decision.
const SHORT: u64 = 8_000 + 40_000;
/// Beyond budgets: all parked threads have a millisecond of every second, by the tick of 4 ms.
const PARKED: u64 = 5 * MS;
/// In so many periods of a second it may lie.
const OFTEN: u64 = 3;
/// In one of so many periods a processor of the emulator may have stood still, so that a decision came late.
const STOOD_STILL: usize = 5000;

/// A server, in nanoseconds.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) budget: u64,
    pub(super) period: u64,
}

/// The servers of a description, by their cores.
pub(super) fn cores(of: &Scenario, file: &str) -> Vec<Vec<Row>> {
    let system = read(of.text(file), Format::Toml).expect("a description");
    let row = |id: SupplyId| {
        let supply = system.supply(id);
        let (server, name) = (supply.server()?, supply.name.strip_prefix("server.")?);
        let [budget, period] = [server.budget, server.period].map(Duration::as_ns);
        Some(Row { name: name.to_owned(), budget, period })
    };
    let of_core = |core: SupplyId| {
        let own = system.supply_ids().filter(|&id| system.core_of(id) == core);
        own.filter_map(row).collect()
    };
    system.cores().map(of_core).collect()
}

/// The same, all together.
pub(super) fn rows(of: &Scenario, file: &str) -> Vec<Row> {
    cores(of, file).into_iter().flatten().collect()
}

/// When the schedules of a run began, by what was printed: one instant, or one of each processor.
pub(super) fn origins(evidence: &Evidence, place: usize) -> Option<Vec<u64>> {
    let mut texts = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { output, .. } => output.split_once("from ")?.1.split_once(" ns of CLOCK"),
        _ => None,
    });
    texts.nth(place)?.0.split(", ").map(|text| text.parse().ok()).collect()
}

/// When anything ran first, and when last.
pub(super) fn traced(evidence: &Evidence) -> (u64, u64) {
    let runs = || evidence.schedule.all_runs();
    (runs().map(|run| run.begin).min().unwrap_or(0), runs().map(|run| run.end).max().unwrap_or(0))
}

/// The supply in each period since `begin` that lies between two instants, and, if `is_cut`, in the one that the second one cuts.
pub(super) fn given(
    row: &Row,
    [begin, first, end]: [u64; 3],
    is_cut: bool,
    evidence: &Evidence,
) -> Vec<u64> {
    let period = row.period;
    let from = begin + first.saturating_sub(begin).next_multiple_of(period);
    let count = end.saturating_sub(from) / period + u64::from(is_cut);
    let given = |place: u64| {
        let at = from + place * period;
        evidence.schedule.received(&row.name, at, (at + period).min(end))
    };
    (0..count).map(given).collect()
}

/// The supply in each of these periods beside the budget.
pub(super) fn supplied(what: &str, row: &Row, given: &[u64]) -> Check {
    let budget = row.budget;
    let lacks = || given.iter().map(|given| budget.saturating_sub(*given));
    let late = lacks().filter(|short| *short > SHORT).count();
    let short = lacks().filter(|short| *short <= SHORT).max().unwrap_or(budget);
    let over = || given.iter().map(|given| given.saturating_sub(budget));
    let (most, often) = (over().max().unwrap_or(0), over().filter(|over| *over > SHORT).count());
    let beyond = over().filter(|over| *over <= SHORT).max().unwrap_or(0);
    let seen = format!(
        "short by at most {short} ns{}, over by at most {most} ns in {} periods; over by more than {SHORT} ns {often} times, else by at most {beyond} ns",
        match late {
            0 => String::new(),
            _ => format!(" but for {late} by up to {} ns", lacks().max().unwrap_or(budget)),
        },
        given.len()
    );
    let seconds = (given.len() as u64 * row.period + 500 * MS) / (1000 * MS);
    let is_seldom = often as u64 <= OFTEN * seconds.max(1);
    let holds = given.len() > 1 && late <= given.len() / STOOD_STILL && is_seldom && most <= PARKED;
    Check::new(format!("{}: {what}", row.name), seen, holds)
}

/// The supply of each server before a change of the description, and after it: no budget is lost. A change has an instant of each
/// processor, or one of all.
pub(crate) fn changed(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let (Some(begins), Some(changes)) = (origins(evidence, 0), origins(evidence, 1)) else {
        return vec![Check::new("both say when they begin", "they do not", false)];
    };
    let (first, last) = traced(evidence);
    let mut checks = Vec::new();
    let [before, after] = ["/before.toml", "/after.toml"].map(|file| cores(of, file));
    for (core, (before, after)) in before.iter().zip(&after).enumerate() {
        let (begin, change) = (begins[core % begins.len()], changes[core % changes.len()]);
        checks.push(Check::new(
            format!("the change of processor {core} lies in the trace"),
            format!("{first}, {change}, {last} ns"),
            first + 60 * MS < change && change + 200 * MS < last,
        ));
        for row in before {
            let given = given(row, [begin, first, change], true, evidence);
            checks.push(supplied("its budget in every period before the change", row, &given));
        }
        for row in after {
            let given = given(row, [change, change, last], false, evidence);
            checks.push(supplied("its budget in every period after the change", row, &given));
        }
    }
    checks
}
