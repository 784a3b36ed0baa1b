//! How long values take along a chain of tasks, at most.
//!
//! **Model.** A chain hands values on through registers or by logical execution time (*Chains* in
//! docs/model.md). Its bound is a sum of two terms for each task: the wait until it arrives again, and the
//! time from there until it writes.
//!
//! **Assumptions.** 1. Response times are bounded from the arrival. 2. Successive arrivals of each task are at most
//! its `latest-interarrival` apart, once it has arrived.
//!
//! Theory: docs/theory/chains.md.

mod missing;
mod step;

pub use missing::Missing;
pub use step::{Step, Until};

use crate::compose::Bounds;
use crate::ground::Assumption;
use vorrang_model::system::{Chain, Communication, System};
use vorrang_time::Duration;

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
    let followers = chain.path.iter().skip(1).map(|&id| Some(id)).chain([None]);
    let steps = chain.path.iter().zip(followers);
    let steps: Result<Vec<Step>, Missing> =
        steps.map(|(&task, next)| Step::of(system, bounds, task, next)).collect();
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
        by: by(system, chain, &steps),
        assumptions: assumed(bounds, chain),
        steps,
    }
}

fn assumed(bounds: &Bounds, chain: &Chain) -> Vec<Assumption> {
    let of = chain.path.iter().flat_map(|&id| bounds.task(id).assumptions());
    let mut all: Vec<Assumption> = of.cloned().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Where the sum was published.
fn by(system: &System, chain: &Chain, steps: &[Step]) -> &'static str {
    let logical =
        chain.path.iter().filter(|&&id| system.task(id).communication == Communication::Let);
    match (logical.count(), chain.path.len()) {
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
