//! Limit, bound and observation against each other, with the reasons for what is missing.
//!
//! ```text
//!          observed        bound
//!   ──────────┼──────────────┼─────────▶ response time
//!   refuted  )[  undecided  )[  proven      ← where the limit lies
//! ```
//!
//! **Assumptions.** As `verdict.rs` states them.

use crate::cause::Cause;
use crate::chance::{self, Chance};
use crate::outcome::{Verdict, Why};
use crate::unit::Unit;
use vorrang_time::Duration;

/// The basis of the verdict on one requirement, with the reasons for what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grounds {
    /// The time that is allowed.
    pub limit: Duration,
    /// The longest response over all histories, or why nothing bounds it.
    pub bound: Result<Duration, (Cause, String)>,
    /// The longest that was seen.
    pub observed: Option<Duration>,
    /// The feature on its core that is not represented.
    pub unrepresented: Option<String>,
    /// Why no history was simulated.
    pub not_simulated: Option<String>,
    /// A supply of its core of which more is reserved than there is, while one of the reservations reclaims.
    pub overreserved: Option<String>,
}

impl Grounds {
    /// What follows.
    pub fn weigh(&self) -> (Verdict, Option<Why>) {
        if let Some(reason) = &self.unrepresented {
            return (Verdict::Undecided, Some(Why::unrepresented(reason)));
        }
        if self.bound.as_ref().is_ok_and(|bound| *bound <= self.limit) {
            return (Verdict::Proven, None);
        }
        if let Some(observed) = self.observed.filter(|&observed| observed > self.limit) {
            return match &self.overreserved {
                None => (Verdict::Refuted, None),
                Some(supply) => {
                    (Verdict::Undecided, Some(self.gap_by_reclaiming(observed, supply)))
                }
            };
        }
        let text = format!("{}; {}", self.gap_to_bound(), self.gap_to_observed());
        let (of, cause) = self.no_proof();
        (Verdict::Undecided, Some(Why { cause, text, of }))
    }

    /// What is missing for a proof, without numbers.
    fn no_proof(&self) -> (Cause, String) {
        match &self.bound {
            Ok(_) => (Cause::BoundAboveLimit, "the bound is above the limit".to_owned()),
            Err(reason) => reason.clone(),
        }
    }

    /// The same for a requirement with a probability, with why nothing bounds that.
    pub fn weigh_chance(&self, chance: &Chance) -> (Verdict, Option<Why>) {
        if let Some(reason) = &self.unrepresented {
            return (Verdict::Undecided, Some(Why::unrepresented(reason)));
        }
        if chance.is_proven() {
            return (Verdict::Proven, None);
        }
        let limit = Unit::of(self.limit).text(self.limit);
        let allowed = chance::decimal(chance.allowed());
        let (of, cause, bound) = match &chance.later {
            Ok(later) => (
                Cause::ProbabilityAbove,
                "the bound on the probability is above what is allowed".to_owned(),
                format!(
                    "the probability of a response longer than {limit} is at most {later}, and {allowed} is allowed"
                ),
            ),
            Err((of, reason)) => (
                *of,
                reason.clone(),
                format!("no bound to compare with the allowed {allowed}: {reason}"),
            ),
        };
        let seen = match (&chance.seen, &self.not_simulated) {
            (Some(seen), _) => format!("{seen} take longer, a share of {}", seen.share()),
            (None, Some(reason)) => format!("no history was simulated: {reason}"),
            (None, None) => "no job of it was seen".to_owned(),
        };
        (Verdict::Undecided, Some(Why { cause, text: format!("{bound}; {seen}"), of }))
    }

    /// Why it is not proven.
    fn gap_to_bound(&self) -> String {
        let unit = Unit::of(self.limit);
        let limit = unit.text(self.limit);
        match &self.bound {
            Ok(bound) => {
                let gap = unit.text(*bound - self.limit);
                format!("the bound {} is {gap} above the limit {limit}", unit.text(*bound))
            }
            Err((_, reason)) => format!("no bound to compare with the limit {limit}: {reason}"),
        }
    }

    /// Why an observation above the limit does not refute it.
    fn gap_by_reclaiming(&self, observed: Duration, supply: &str) -> Why {
        let unit = Unit::of(self.limit);
        let (seen, gap) = (unit.text(observed), unit.text(observed - self.limit));
        let cause = format!(
            "more of {supply} is reserved than there is, and then Linux does not reclaim as the model does"
        );
        let text =
            format!("the longest response seen, {seen}, is {gap} above the limit, but {cause}");
        Why { cause, text, of: Cause::Reclaiming }
    }

    /// Why it is not refuted.
    fn gap_to_observed(&self) -> String {
        let unit = Unit::of(self.limit);
        match (self.observed, &self.not_simulated) {
            (Some(observed), _) if observed == self.limit => {
                format!("the longest response seen, {}, is the limit itself", unit.text(observed))
            }
            (Some(observed), _) => {
                let (seen, gap) = (unit.text(observed), unit.text(self.limit - observed));
                format!("the longest response seen, {seen}, is {gap} below it")
            }
            (None, Some(reason)) => format!("no history was simulated: {reason}"),
            (None, None) => "no job of it was seen in any history".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
