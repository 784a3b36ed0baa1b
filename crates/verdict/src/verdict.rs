//! From evidence to verdicts. The only place that sees bounds and observations beside each other.
//!
//! **Model.** A requirement is *proven* if a bound over all histories is within its limit,
//! *refuted* if one history exceeds the limit, and *undecided* otherwise:
//!
//! ```text
//!          observed        bound
//!   ──────────┼──────────────┼─────────▶ response time
//!   refuted  )[  undecided  )[  proven      ← where the limit lies
//! ```
//!
//! **Assumptions.**
//! 1. The bound holds for every history of the description, and the observation comes from one of
//!    them. So an observation above a bound is a bug of the analysis or of the simulator, and no
//!    verdict of that run is worth anything: [`decide`] gives none.
//! 2. A requirement with a probability is proven by a bound on it, and refuted by nothing (`chance.rs`).
//! 3. A feature that is not represented may affect everything on its core, so every verdict there is
//!    undecided, whatever the numbers are.
//!
//! **Does not cover** requirements that are not about a response time.

use crate::chain::{self, ChainRuling};
use crate::evidence::{Compared, Evidence, Required};
use crate::guarantee::{self, Guarantee};
use crate::outcome::Verdict;
use crate::ruling::Ruling;

/// The worst verdict of all, on requirements and budgets; `None`: nothing is required, so nothing is proven.
pub fn overall(rulings: &[Ruling], budgets: impl Iterator<Item = Verdict>) -> Option<Verdict> {
    let required = rulings.iter().map(|ruling| ruling.verdict).max()?;
    Some(budgets.fold(required, Verdict::max))
}

/// The same with the requirements of chains.
pub fn of_all(
    rulings: &[Ruling],
    guarantees: &[Guarantee],
    chains: &[ChainRuling],
) -> Option<Verdict> {
    let chains = chain::verdicts(chains).max();
    overall(rulings, guarantee::verdicts(guarantees).chain(chains)).or(chains)
}

/// One ruling per requirement, in the order of declaration.
///
/// # Errors
/// All that were seen to take longer than their bound, with or without a requirement.
pub fn decide(evidence: Evidence) -> Result<Vec<Ruling>, Vec<Compared>> {
    let Evidence { required, compared } = evidence;
    let contradictions: Vec<Compared> =
        compared.into_iter().filter(Compared::is_contradiction).collect();
    if contradictions.is_empty() {
        Ok(required.into_iter().map(ruling).collect())
    } else {
        Err(contradictions)
    }
}

fn ruling(required: Required) -> Ruling {
    let Required {
        name,
        kind,
        core,
        grounds,
        observed,
        witness,
        chance,
        by,
        assumptions,
        averages,
    } = required;
    let (verdict, reason) = match &chance {
        Some(chance) => grounds.weigh_chance(chance),
        None => grounds.weigh(),
    };
    Ruling {
        name,
        kind,
        core,
        limit: grounds.limit,
        bound: grounds.bound.ok(),
        observed,
        chance,
        verdict,
        witness: witness.filter(|_| verdict == Verdict::Refuted),
        by,
        assumptions,
        averages,
        reason,
        terms: Vec::new(),
        help: None,
    }
}
