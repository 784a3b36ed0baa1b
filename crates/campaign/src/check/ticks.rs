//! Systems with tiny numbers: the simulator against the oracle, the bound against brute force.

use super::bound::exceeded;
use super::{Effort, Observed, Violation};
use crate::brute::{self, grid::Grid};
use crate::differential::{Difference, difference};
use crate::oracle::{self, Done};
use crate::random::Random;
use crate::tally::Tally;
use core::fmt;
use vorrang_analysis::Bounds;
use vorrang_model::system::{Activation, InterruptId, Supply, SupplyId, System, TaskId};
use vorrang_sim::{History, Pattern, covered};
use vorrang_time::{Duration, Instant};

/// Periods up to this can be followed tick by tick.
const TINY: Duration = Duration::from_ns(100);

/// How long the simulator and the oracle are compared.
const HORIZON: Instant = Instant::from_ns(160);

/// The simulator and the oracle complete a job at different instants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The history.
    pub pattern: String,
    /// The core.
    pub core: SupplyId,
    /// The first job on which they differ.
    pub difference: Difference,
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pattern = &self.pattern;
        match self.difference {
            Difference::Job { source, number, simulator, oracle } => {
                let job = |done: Option<Done>| match done {
                    Some(Done { arrival, at }) => {
                        format!("completes what arrived at {arrival} at {at}")
                    }
                    None => "completes nothing more".to_owned(),
                };
                let (simulator, oracle) = (job(simulator), job(oracle));
                write!(
                    f,
                    "{number} of {source:?}: the simulator {simulator}, the oracle {oracle}, in {pattern}"
                )
            }
            Difference::Core { at, simulator, oracle } => {
                write!(
                    f,
                    "at {at}: the simulator runs {simulator:?}, the oracle {oracle:?}, in {pattern}"
                )
            }
        }
    }
}

/// Whether a system can be followed tick by tick.
pub(super) fn tiny(system: &System) -> bool {
    let servers = system.supplies.iter().filter_map(Supply::server);
    let ending = system.tasks.iter().filter(|task| !task.polls);
    let tasks = ending.map(|task| task.min_interarrival.max(task.wcet));
    let interrupts = system.interrupts.iter().map(|interrupt| interrupt.min_interarrival);
    let timers = system.timers.iter().map(|timer| timer.period);
    let servers = servers.map(|server| server.period);
    let periods = servers.chain(tasks).chain(interrupts).chain(timers);
    periods.max().is_none_or(|longest| longest <= TINY)
}

/// The same completions of all jobs, on every pattern that is tried.
pub(super) fn compare(
    system: &System,
    effort: &Effort,
    random: &mut Random,
    violations: &mut Vec<Violation>,
    tally: &mut Tally,
) {
    for core in system.cores().filter(|&core| covered(system, core).is_ok()) {
        for _ in 0..effort.compared {
            let text = pattern(system, random);
            let history =
                Pattern::parse(&text, system).map(|pattern| pattern.history(system, core));
            let Ok(Ok(history)) = history else {
                violations.push(Violation::NotCovered(format!("pattern {text}")));
                continue;
            };
            tally.checks.compared_histories += 1;
            tally.checks.compared_jobs += jobs_on(system, core, &history);
            violations.extend(one_history(system, core, &history, &text));
        }
    }
}

/// A violation if the simulator and the oracle differ in this history.
pub(super) fn one_history(
    system: &System,
    core: SupplyId,
    history: &History,
    pattern: &str,
) -> Option<Violation> {
    let difference = match difference(system, core, history, HORIZON) {
        Ok(difference) => difference?,
        Err(reason) => return Some(Violation::NotCovered(reason.to_string())),
    };
    Some(Violation::Apart(Apart { pattern: pattern.to_owned(), core, difference }))
}

fn jobs_on(system: &System, core: SupplyId, history: &History) -> u64 {
    let same = crate::differential::translate(system, core, history, HORIZON);
    let tasks = system.tasks.iter().zip(&same.tasks);
    let tasks = tasks.filter(|(task, _)| task.activation == Activation::Sporadic);
    let tasks = tasks.map(|(_, jobs)| jobs.len() as u64);
    tasks.chain(same.interrupts.iter().map(|jobs| jobs.len() as u64)).sum()
}

/// The text of one of the simulator's patterns.
fn pattern(system: &System, random: &mut Random) -> String {
    let task = (!system.tasks.is_empty()).then(|| random.index(system.tasks.len()));
    let interrupt = (!system.interrupts.is_empty()).then(|| random.index(system.interrupts.len()));
    match (random.below(10), task, interrupt) {
        (0, _, _) => "synchronous".to_owned(),
        (1..=3, Some(task), _) => {
            let variant = random.below(8);
            format!("exhausted:{}:{variant}", system.tasks[task].name)
        }
        (4, Some(task), _) if !system.tasks[task].blocking.is_zero() => {
            let variant = if random.chance(1, 2) { ":1" } else { "" };
            format!("blocked:{}{variant}", system.tasks[task].name)
        }
        (5, _, Some(interrupt)) => format!("last:{}", system.interrupts[interrupt].name),
        (6, _, Some(interrupt)) if system.interrupts[interrupt].storm.is_some() => {
            let seed = random.below(1 << 32);
            format!("storm:{}:{seed}", system.interrupts[interrupt].name)
        }
        (7, _, _) => format!("periodic:{}", random.below(1 << 32)),
        _ => format!("random:{}", random.below(1 << 32)),
    }
}

/// Every release offset, or many, and random histories, by the oracle.
pub(super) fn brute(
    system: &System,
    bounds: &Bounds,
    effort: &Effort,
    random: &mut Random,
    observed: &mut Observed,
    violations: &mut Vec<Violation>,
    tally: &mut Tally,
) {
    for core in system.cores() {
        let grid = Grid::new(system, core);
        let whole = grid.size() <= effort.whole_grid;
        let most = if whole { effort.whole_grid } else { effort.drawn };
        let offsets: Vec<oracle::History> = grid.histories(most, random).collect();
        let drawn: Vec<oracle::History> =
            brute::random::histories(system, core, effort.drawn, random).collect();
        let longest = brute::longest(system, core, offsets.into_iter().chain(drawn));
        tally.checks.brute_histories += longest.histories;
        tally.checks.whole_grids += u64::from(whole);
        for (id, seen) in longest.tasks.iter().enumerate() {
            let Some((response, history)) = seen else { continue };
            let (name, finding) = (&system.tasks[id].name, bounds.task(TaskId(id)));
            tally.checks.bound_against_brute += u64::from(finding.bound().is_some());
            violations.extend(exceeded(name, finding, *response, || format!("{history:?}")));
            observed.tasks[id] = observed.tasks[id].max(Some(*response));
        }
        for (id, seen) in longest.interrupts.iter().enumerate() {
            let Some((response, history)) = seen else { continue };
            let (name, finding) = (&system.interrupts[id].name, bounds.interrupt(InterruptId(id)));
            tally.checks.bound_against_brute += u64::from(finding.bound().is_some());
            violations.extend(exceeded(name, finding, *response, || format!("{history:?}")));
            observed.interrupts[id] = observed.interrupts[id].max(Some(*response));
        }
    }
}
