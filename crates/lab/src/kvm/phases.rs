//! When threads beside a path are released.

use crate::data::ns;
use serde::Deserialize;
use vorrang_guest::{ScriptedJob, Work};
use vorrang_model::system::Task;

/// Multiplies to spread releases, and the modulus.
const STEP: u64 = 7919;
const PARTS: u64 = 1000;

/// Once in `every`, from `from` on, up to `within` later.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phases {
    #[serde(deserialize_with = "ns")]
    every: u64,
    #[serde(deserialize_with = "ns")]
    from: u64,
    #[serde(deserialize_with = "ns")]
    within: u64,
}

impl Phases {
    /// As often as the description allows, from the common instant on.
    pub(super) fn of(task: &Task) -> Self {
        Self { every: task.min_interarrival.as_ns(), from: 0, within: 0 }
    }

    /// Its jobs until `length`: every part of `within` comes.
    pub(super) fn jobs(self, length: u64, work: Work) -> Vec<ScriptedJob> {
        let phase = |number: u64| self.from + self.within * (number * STEP % PARTS) / PARTS;
        let job = |number: u64| ScriptedJob { release: number * self.every + phase(number), work };
        (0..length / self.every).map(job).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_keep_their_distance_and_come_everywhere_within() {
        let phases = Phases { every: 4_000, from: 700, within: 600 };
        let releases: Vec<u64> =
            phases.jobs(40_000_000, Work::Compute(1)).iter().map(|job| job.release).collect();
        assert_eq!(releases.len(), 10_000);
        assert!(releases.windows(2).all(|two| two[1] - two[0] > 3_400));
        let mut phases: Vec<u64> = releases.iter().map(|at| at % 4_000).collect();
        phases.sort_unstable();
        assert_eq!((phases[0], phases[9_999]), (700, 1_299));
        assert!(phases.windows(2).all(|two| two[1] - two[0] <= 1));
    }
}
