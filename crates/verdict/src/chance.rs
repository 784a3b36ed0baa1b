//! Requirements with a probability: what is known about the probability of a violation.
//!
//! **Model.** A bound on the probability, from the analysis, proves such a requirement; no history refutes
//! it, because one history says little about probabilities. So a long random history (`frequency.rs`) is
//! only an illustration.

use crate::cause::Cause;
use std::fmt;
use vorrang_analysis::stochastic::Probability as AtMost;
use vorrang_model::system::Probability;

/// What is known about the probability that a requirement is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The least probability with which a job must meet it.
    pub required: Probability,
    /// The bound on the probability that a job misses it, or why there is none.
    pub later: Result<AtMost, (Cause, String)>,
    /// The share of jobs that missed it.
    pub seen: Option<Frequency>,
}

/// A share of the jobs of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frequency {
    /// Jobs whose response is known to be within the limit or beyond it.
    pub jobs: u64,
    /// Those beyond.
    pub late: u64,
    /// The name of the history.
    pub pattern: String,
}

impl Chance {
    /// Whether the bound is within the requirement.
    pub fn is_proven(&self) -> bool {
        self.later.as_ref().is_ok_and(|later| later.is_at_most(self.allowed()))
    }

    /// The allowed probability of a miss, in units of 10^-12.
    pub fn allowed(&self) -> u64 {
        1_000_000_000_000 - self.required.per_trillion
    }
}

/// A number of 10^-12 as a decimal fraction.
pub fn decimal(per_trillion: u64) -> String {
    const WHOLE: u64 = 1_000_000_000_000;
    let text = format!("{}.{:012}", per_trillion / WHOLE, per_trillion % WHOLE);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Frequency {
    /// The share of late jobs, rounded up to a millionth.
    pub fn share(&self) -> String {
        const MILLION: u128 = 1_000_000;
        let share = (u128::from(self.late) * MILLION).div_ceil(u128::from(self.jobs).max(1));
        decimal(u64::try_from(share * MILLION).expect("at most the whole"))
    }
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} jobs of history {}", self.late, self.jobs, self.pattern)
    }
}
