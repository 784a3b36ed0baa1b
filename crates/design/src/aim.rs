//! What a design is sought for: how much is required, of how much work, and what counts.

use crate::asked::Asked;
use crate::objective::Weights;
use std::collections::BTreeMap;
use vorrang_model::System;
use vorrang_model::system::RequirementKind;
use vorrang_time::Duration;

/// A factor of one, in thousandths.
pub(crate) const ONE: u64 = 1_000;

/// Everything as it is stated, and each core counts as much, unless said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Aim {
    /// Requirements, by name, also of chains, that allow for more time; `None`: for any.
    pub(crate) relaxed: BTreeMap<String, Option<Duration>>,
    /// By what all execution times of tasks are multiplied, in thousandths.
    pub(crate) work: u64,
    pub(crate) weights: Weights,
}

impl Aim {
    pub(crate) fn new(weights: Weights) -> Self {
        Self { relaxed: BTreeMap::new(), work: ONE, weights }
    }

    /// The system as it is designed for.
    pub(crate) fn applied(&self, mut system: System) -> System {
        for required in &mut system.requirements {
            let Some(Some(limit)) = self.relaxed.get(&required.name) else { continue };
            required.limit = *limit;
            if let RequirementKind::Deadline(task) = required.kind {
                system.tasks[task.0].deadline = Some(*limit);
            }
        }
        for chain in &mut system.chains {
            for of in Asked::BOTH {
                let Some(limit) = self.relaxed.get(&of.name(chain)) else { continue };
                *of.limit_mut(chain) = *limit;
            }
        }
        system.requirements.retain(|required| self.relaxed.get(&required.name) != Some(&None));
        if self.work != ONE {
            for task in system.tasks.iter_mut().filter(|task| !task.polls) {
                let times = task.execution.iter_mut().map(|(time, _)| time);
                times.chain([&mut task.wcet]).for_each(|time| *time = self.longer(*time));
            }
        }
        system
    }

    /// The same with another limit of a requirement.
    pub(crate) fn with(&self, name: &str, limit: Option<Duration>) -> Self {
        let mut more = self.clone();
        more.relaxed.insert(name.to_owned(), limit);
        more
    }

    /// The same with so much work.
    pub(crate) fn with_work(&self, thousandths: u64) -> Self {
        Self { work: thousandths, ..self.clone() }
    }

    fn longer(&self, time: Duration) -> Duration {
        let product = u128::from(time.as_ns()) * u128::from(self.work);
        let time =
            Duration::from_ns(u64::try_from(product.div_ceil(u128::from(ONE))).unwrap_or(u64::MAX));
        time.min(Duration::MAX_STATED)
    }
}
