//! The supply of a thread that computes all the time, above a guest whose interrupt is raised.

use super::dispatcher::MS;
use super::raised::{LENGTH_MS, content, counted, system};
use super::trial::READ_MS;
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::TICK;
use vorrang_guest::counted::Told as Counted;

const PERIOD_MS: u64 = 20;
/// Decisions at its beginning and its end, and less than is lent, in nanoseconds.
pub(super) const SHORT: u64 = 60_000;

/// The budget of the rival of a run in every period since the schedule began; it may be short by so much.
pub(super) fn supplied(
    of: &Scenario,
    name: &str,
    most: u64,
    origin: u64,
    evidence: &Evidence,
) -> Check {
    let read = content::<Counted>(name, &counted(name), evidence);
    read.map_or_else(
        |why| why,
        |read| in_every_period(name, budget_ms(of, name), most, (origin, &read)),
    )
}

/// The budget of the rival in milliseconds.
pub(super) fn budget_ms(of: &Scenario, name: &str) -> u64 {
    let system = system(of, name);
    let mut servers = system.supply_ids().map(|id| system.supply(id));
    let rival = servers.find(|supply| supply.name == "server.rival").and_then(|one| one.server());
    rival.expect("there is a rival").budget.as_ns() / MS
}

fn in_every_period(
    name: &str,
    budget_ms: u64,
    most: u64,
    (origin, counted): (u64, &Counted),
) -> Check {
    let what = format!("{name}: the rival has its {budget_ms} ms in every period");
    let readings = usize::try_from(LENGTH_MS / READ_MS).expect("few");
    let first = counted.read.iter().position(|(at, _)| *at == origin);
    let Some(first) = first.filter(|first| first + readings < counted.read.len()) else {
        let read = counted.read.iter().map(|(at, _)| at / MS);
        let (begin, end) = (read.clone().min(), read.max());
        let seen = format!("run from {} ms on, read from {begin:?} to {end:?} ms", origin / MS);
        return Check::new(what, seen, false);
    };
    let every = usize::try_from(PERIOD_MS / READ_MS).expect("few");
    let periods = usize::try_from(LENGTH_MS / PERIOD_MS).expect("few");
    let given = |period: usize| -> u64 {
        let readings = first + period * every..first + (period + 1) * every;
        readings.map(|reading| counted.between(&counted.threads[0], reading)).sum()
    };
    let given: Vec<u64> = (0..periods).map(given).collect();
    let budget = budget_ms * MS;
    let short = given.iter().map(|given| budget.saturating_sub(*given)).max().unwrap_or_default();
    let over: u64 = given.iter().map(|given| given.saturating_sub(budget)).sum();
    let seen = format!(
        "short by at most {}.{} us, {} us above it in {LENGTH_MS} ms",
        short / 1000,
        short % 1000 / 100,
        over / 1000
    );
    // Parked threads have a millisecond of every second, which a tick ends.
    let parked = (LENGTH_MS.div_ceil(1000) + 1) * (MS + TICK);
    Check::new(what, seen, short <= most && over <= parked)
}
