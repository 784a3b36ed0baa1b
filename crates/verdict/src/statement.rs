//! What a verdict says, in one sentence.

use crate::evidence::Witness;
use crate::guarantee::Guarantee;
use crate::ruling::Ruling;
use crate::unit::Unit;

/// Why a requirement is not proven; `None` if it is.
pub fn of_ruling(ruling: &Ruling) -> Option<String> {
    match (&ruling.witness, &ruling.reason) {
        (Some(witness), _) => Some(refutation(ruling, witness)),
        (None, Some(why)) => Some(format!("{} is undecided: {}.", ruling.name, why.text)),
        (None, None) => None,
    }
}

/// Which job breaks a requirement.
fn refutation(ruling: &Ruling, witness: &Witness) -> String {
    let unit = Unit::of(ruling.limit);
    format!(
        "{} is refuted: the job that arrives at {} is not complete at its deadline, {}.",
        ruling.name,
        unit.at(witness.arrival),
        unit.at(witness.deadline)
    )
}

/// Why a budget is not guaranteed; `None` if it is.
pub fn of_guarantee(guarantee: &Guarantee) -> Option<String> {
    let (_, reason) = guarantee.found.as_ref().err()?;
    Some(budgets(&guarantee.name, reason))
}

/// That the budgets of some servers are not guaranteed, for this reason.
pub(crate) fn budgets(names: &str, reason: &str) -> String {
    format!("No guarantee of the budget of {names}: {reason}.")
}
