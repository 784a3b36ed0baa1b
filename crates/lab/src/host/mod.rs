//! What scenarios of `vorrang-host` are besides their files.

mod answered;
mod apply;
mod change;
mod dispatcher;
mod film;
mod five;
mod growth;
mod handled;
mod held;
mod interrupts;
mod kill;
mod kinds;
mod pinged;
mod raised;
mod rival;
mod rows;
mod served;
mod storm;
mod trial;
mod two;

use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::Step;

/// The steps of a part that is a program of this family.
pub(crate) fn part(of: &Scenario, name: &str) -> Option<Vec<Step>> {
    Some(match name {
        "held" => held::steps(of),
        "killed" => kill::steps(of),
        "kinds" => kinds::steps(of),
        "pinged" => pinged::steps(of),
        "raised" => raised::steps(of),
        "rival" => vec![raised::rival(of)],
        _ => return None,
    })
}

/// What is expected in this family under a name.
pub(crate) fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    Some(match name {
        "answered-together" => interrupts::answered_together(of, evidence),
        "answered-while-raised" => interrupts::answered_while_raised(of, evidence),
        "budget-in-each-period" => apply::in_each_period(of, evidence),
        "budgets-all-together" => apply::all_together(of, evidence),
        "budgets-before-and-after" => change::before_and_after(of, evidence),
        "budgets-beside-interrupts" => two::checks(of, evidence),
        "budgets-of-halves" => change::of_halves(of, evidence),
        "decisions-are-measured" => vec![apply::decisions_are_measured(evidence)],
        "five-in-a-storm" => five::in_a_storm(of, evidence),
        "five-in-one" => five::checks(of, evidence),
        "filmed" => film::checks(of, evidence),
        "growth" => growth::checks(evidence),
        "held-back" => held::checks(of, evidence),
        "kept-in-a-storm" => storm::kept(of, evidence),
        "kinds" => kinds::checks(of, evidence),
        "no-loan-is-left" => kill::checks(of, evidence),
        "parked-as-assumed" => vec![apply::parked_as_assumed(evidence)],
        "pings-are-answered" => pinged::checks(of, evidence),
        "pings-as-one" => pinged::as_one(of, evidence),
        "pings-of-each" => pinged::each(of, evidence),
        "privileges" => vec![apply::privileges(evidence)],
        "refused-changes-nothing" => change::refused_changes_nothing(evidence),
        "storm-traced" => storm::traced(of, evidence),
        _ => return None,
    })
}
