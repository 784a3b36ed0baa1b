//! How long values take along a chain of tasks, at most.
//!
//! **Model.** A chain hands values on through registers or by logical execution time (*Chains* in
//! docs/model.md). Its bound is a sum of two terms for each task: the wait until it arrives again, and the
//! time from there until it writes. A *run* of tasks, each of which begins when the one before it from the same arrival is
//! complete, is one task: it waits once, and takes from the arrival of the source to the end of its last job.
//!
//! **Assumptions.** 1. Response times are bounded from the arrival, which is that of the source. 2. Successive arrivals
//! of each source are at most its `latest-interarrival` apart, once it has arrived; of tasks with an offset they come by
//! one clock (`by_clock.rs`).
//!
//! Theory: docs/theory/chains.md, docs/theory/by-the-clock.md.

mod by_clock;
mod hold;
mod missing;
mod run;
mod step;

pub use missing::Missing;
pub use step::{Step, Until};

use crate::bounds::Bounds;
use crate::ground::Assumption;
use by_clock::Clock;
use run::Part;
use vorrang_model::system::{Chain, Communication, System};
use vorrang_time::Duration;

/// Where the waits are from if the clock says them.
const BY_CLOCK: &str =
    "chain by the clock: the longest way from job to job (Günzel et al. 2021, 2023)";

/// What was found for a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainBound {
    /// The longest reaction time and data age, or why there is no bound.
    pub found: Result<Duration, Missing>,
    /// The terms of the bound by task along the path; empty where there is none.
    pub steps: Vec<Step>,
    /// The publications that the sum is from.
    pub by: &'static str,
    /// What the response times in it take for granted.
    pub assumptions: Vec<Assumption>,
}

/// The bound of one chain, from the response times of its tasks.
pub fn chain_bound(system: &System, bounds: &Bounds, chain: &Chain) -> ChainBound {
    let parts = run::parts(system, bounds, &chain.path);
    let runs: Vec<&[Part]> = parts.chunk_by(|one, _| one.wakes_next).collect();
    let mut by_clock = false;
    let steps = steps(system, bounds, &runs).map(|(steps, is_so)| {
        by_clock = is_so;
        steps
    });
    let (steps, missing) = match steps {
        Ok(steps) => (steps, None),
        Err(missing) => (Vec::new(), Some(missing)),
    };
    let sum = steps.iter().try_fold(Duration::ZERO, |sum, step| {
        sum.checked_add(step.distance)?.checked_add(step.time)
    });
    ChainBound {
        found: match missing {
            Some(missing) => Err(missing),
            None => sum.ok_or(Missing::TooLong),
        },
        by: if by_clock { BY_CLOCK } else { by(system, chain, &steps) },
        assumptions: assumed(bounds, chain, by_clock),
        steps,
    }
}

/// The bound of each chain of a system, or why it has none.
pub fn chain_limits(system: &System, bounds: &Bounds) -> Vec<Result<Duration, String>> {
    let limit = |chain| chain_bound(system, bounds, chain).found;
    let limits = system.chains.iter().map(limit);
    limits.map(|found| found.map_err(|missing| missing.text(system))).collect()
}

/// The terms of all runs; whether the clock says that some wait is less than in the sum.
fn steps(system: &System, bounds: &Bounds, runs: &[&[Part]]) -> Result<(Vec<Step>, bool), Missing> {
    let clocks: Vec<Option<Clock>> =
        runs.iter().map(|run| Clock::of(system, run[0].task)).collect();
    let mut all: Vec<Vec<Step>> = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        let is_known = |place: usize| clocks.get(place).is_some_and(Option::is_some);
        let is_read_by_clock = is_known(place) && is_known(place + 1);
        all.push(Step::of_run(system, bounds, run, is_read_by_clock)?);
    }
    let by_clock = by_clock::wait(&mut all, &clocks);
    Ok((all.concat(), by_clock))
}

fn assumed(bounds: &Bounds, chain: &Chain, by_clock: bool) -> Vec<Assumption> {
    let of = chain.path.iter().flat_map(|&id| bounds.task(id).assumptions());
    let mut all: Vec<Assumption> = of.cloned().collect();
    all.extend(by_clock.then_some(Assumption::Clock));
    all.sort_unstable();
    all.dedup();
    all
}

/// Where the sum was published.
fn by(system: &System, chain: &Chain, steps: &[Step]) -> &'static str {
    let logical =
        chain.path.iter().filter(|&&id| system.task(id).communication == Communication::Let);
    let is_woken = steps.iter().any(|step| matches!(step.until, Until::Wakes | Until::Again));
    match (logical.count(), chain.path.len()) {
        (0, all)
            if steps.iter().filter(|step| step.until == Until::Wakes).count() + 1 == all
                && all > 1 =>
        {
            "chain of wake-ups: the longest distance and the response from end to end"
        }
        _ if is_woken => {
            "chain of wake-ups and values: what one arrival brings is one task (Günzel et al. 2023)"
        }
        (0, _) if steps.iter().all(|step| step.until != Until::Held) => {
            "chain of registers: longest distances and responses (Davare et al. 2007)"
        }
        (0, _) => {
            "chain of registers: a less urgent reader waits for its writer (Dürr et al. 2019)"
        }
        (count, all) if count == all => {
            "chain of logical execution times: longest distances and deadlines"
        }
        _ => "chain of registers and logical execution times (Günzel et al. 2023)",
    }
}
