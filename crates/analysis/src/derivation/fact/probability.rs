//! What is said of a probability.

use crate::ground::Reason;
use crate::stochastic::{Probability, Served};
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_time::Duration;

/// How often something takes longer than a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub enum OfProbability {
    NoBound(Reason),
    /// The bound for all histories is within the limit.
    Never,
    Busy {
        task: TaskId,
        busy: Duration,
    },
    /// Even the shortest times are too long.
    NoThresholds {
        limit: Duration,
    },
    Thresholds {
        limit: Duration,
    },
    Threshold {
        task: TaskId,
        threshold: Duration,
        jobs: u64,
        longer: u64,
        all: u64,
    },
    Alone {
        task: TaskId,
        server: SupplyId,
        budget: Duration,
        period: Duration,
    },
    Times {
        mean: Duration,
        longest: Duration,
        step: Duration,
    },
    Served {
        counted: Served,
        apart: Duration,
        budget: Duration,
        period: Duration,
        between: Duration,
    },
    /// Kingman's bound on the backlog.
    Decay(Probability),
    AnyBacklog(Probability),
    Exceeds {
        limit: Duration,
        later: Probability,
    },
}
