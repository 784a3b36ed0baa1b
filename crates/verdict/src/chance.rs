//! Requirements with a probability: what is known about how often they are not kept.
//!
//! **Model.** A bound on the probability, from the analysis, proves such a requirement; no history
//! refutes it, for what happened in one says little about how probable it was. So a long history
//! by chance (`frequency.rs`) only shows what to expect.

use crate::cause::Cause;
use std::fmt;
use vorrang_analysis::stochastic::Probability as AtMost;
use vorrang_model::system::Probability;

/// What is known about how often a requirement is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// How probable it must be at least that a job keeps it.
    pub required: Probability,
    /// How probable it is at most that a job does not.
    pub later: Option<AtMost>,
    /// Why there is no bound on that.
    pub no_bound: Option<(Cause, String)>,
    /// How many jobs did not.
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
    /// Whether the bound allows what is required.
    pub fn is_proven(&self) -> bool {
        self.later.is_some_and(|later| later.is_at_most(self.allowed()))
    }

    /// How often it may not be kept, in units of 10^-12.
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
