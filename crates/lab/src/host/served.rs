//! The supply of threads that compute all the time, in every period.

use super::dispatcher::MS;
use super::trial::{LENGTH_MS, READ_MS, Row, Trial};
use vorrang_guest::counted::Told;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_sim::{History, Observer, Running, ScriptedJob, simulate};
use vorrang_time::{Duration, Instant};

/// The supply of a server in each of its periods, in nanoseconds.
pub(crate) type Periods = Vec<u64>;

/// In the simulator, by the places of the rows.
pub(crate) fn simulated(trial: &Trial) -> Vec<Periods> {
    let system = &trial.system;
    let mut history = History::quiet(system);
    for script in &mut history.scripts {
        *script = vec![always()];
    }
    let periods = |row: &Row| vec![0; usize::try_from(LENGTH_MS / row.period).expect("few")];
    let mut watch = Watch { trial, given: trial.rows.iter().map(periods).collect() };
    let core = system.cores().next().unwrap_or(SupplyId(0));
    let horizon = Instant::ZERO + Duration::from_ms(LENGTH_MS);
    simulate(system, core, &history, horizon, &mut watch).expect("it is covered");
    watch.given
}

/// A job that is not complete when the trial ends.
pub(super) fn always() -> ScriptedJob {
    let execution = Duration::from_ms(10 * LENGTH_MS);
    let (arrival, release) = (Instant::ZERO, Instant::ZERO);
    ScriptedJob { arrival, release, execution, yields: false }
}

struct Watch<'t> {
    trial: &'t Trial,
    given: Vec<Periods>,
}

impl Observer for Watch<'_> {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let Running::Task(TaskId(task)) = what else { return };
        let mut rows = self.trial.rows.iter().enumerate();
        let Some((place, row)) = rows.find(|(_, row)| self.trial.task(row) == task) else {
            return;
        };
        let period = row.period * MS;
        let (mut from, to) = (from.as_ns(), to.as_ns());
        while from < to {
            let index = from / period;
            let end = to.min((index + 1) * period);
            self.given[place][usize::try_from(index).expect("few")] += end - from;
            from = end;
        }
    }
}

/// On a machine on which the schedule began at `origin`; why nothing can be said.
pub(crate) fn counted(trial: &Trial, told: &Told, origin: u64) -> Result<Vec<Periods>, String> {
    let first = told.read.iter().position(|(at, _)| *at == origin);
    let first = first.ok_or("the counters were not read at its beginning")?;
    let readings = usize::try_from(LENGTH_MS / READ_MS).expect("few");
    if told.read.len() < first + readings + 1 {
        return Err("the counters were not read to its end".to_owned());
    }
    let given = |row: &Row| {
        let thread = told.threads.iter().find(|thread| thread.name == row.name);
        let thread = thread.ok_or_else(|| format!("nothing is told of {}", row.name))?;
        let every = usize::try_from(row.period / READ_MS).expect("few");
        let of = |period: usize| -> u64 {
            (0..every).map(|read| told.between(thread, first + period * every + read)).sum()
        };
        Ok((0..readings / every).map(of).collect())
    };
    trial.rows.iter().map(given).collect()
}

/// By how much servers that take turns have more or less than their shares of what all of them have, since the
/// beginning, at the worst reading, in nanoseconds.
pub(crate) fn service_error(trial: &Trial, given: &[Periods]) -> u64 {
    let shares: u64 = trial.rows.iter().map(|row| row.budget).sum();
    let mut sums = vec![0_u64; given.len()];
    let mut worst = 0;
    for reading in 0..given.iter().map(Vec::len).min().unwrap_or(0) {
        for (sum, given) in sums.iter_mut().zip(given) {
            *sum += given[reading];
        }
        let all: u64 = sums.iter().sum();
        for (sum, row) in sums.iter().zip(&trial.rows) {
            worst = worst.max(sum.abs_diff(all * row.budget / shares));
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::trial::trials;
    use crate::written::Scenario;

    #[test]
    fn a_service_error_is_the_distance_from_the_shares() {
        let all = trials(&Scenario::read("host/host-kinds"));
        let trial = all.iter().find(|trial| trial.takes_turns()).expect("there is one");
        assert_eq!(service_error(trial, &[vec![10, 10], vec![6, 6], vec![2, 2]]), 0);
        // All of 18 to the first: 8 more than its 10; afterwards all is as it should be.
        assert_eq!(service_error(trial, &[vec![18, 2], vec![0, 12], vec![0, 4]]), 8);
    }
}
