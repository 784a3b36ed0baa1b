//! That there is no design, for people: what is not covered, what cannot hold together, and what would help.

use std::fmt::Write as _;
use vorrang_command::exit::{Exit, Failure};
use vorrang_command::screen::wrapped;
use vorrang_design::{Absence, Conflict};
use vorrang_verdict::absence::sentence;
use vorrang_verdict::unit::Unit;

/// Why there is no design, or none was found.
#[derive(Default)]
pub(super) struct Reasons {
    /// What no analysis covers, by name, and why.
    pub(super) uncovered: Vec<(String, String)>,
    /// What cannot hold together.
    pub(super) conflict: Option<Conflict>,
}

/// That the search ended before something.
pub(super) fn interrupted(before: &str) -> Failure {
    Failure { exit: Exit::Interrupted, message: format!("interrupted before {before}\n") }
}

/// That there is no design, and what is in the way.
pub(super) fn page(
    why: Absence,
    uncovered: &[(String, String)],
    conflict: Option<&Conflict>,
) -> String {
    let mut out = wrapped(&sentence(why), "", "");
    if !uncovered.is_empty() {
        out += "\nNot covered, with the first of what may be chosen for each value:\n";
    }
    for (name, reason) in uncovered {
        out += &wrapped(&format!("{name}: {reason}"), "  ", "    ");
    }
    match conflict {
        // Without any requirement it would be the same.
        Some(conflict) if conflict.requirements.is_empty() && !uncovered.is_empty() => out,
        Some(conflict) => out + &in_the_way(conflict),
        None => out,
    }
}

/// Which requirements are in the way.
fn in_the_way(conflict: &Conflict) -> String {
    let Conflict { requirements, irreducible, decided, by_monotonic, helps, steps } = conflict;
    let title = match (requirements.len(), decided, irreducible) {
        (0, true, _) => "No requirement is the reason: budgets that are stated are not guaranteed.",
        (0, false, _) => "No requirement alone is the reason: without any, none is found either.",
        (1, true, _) => "Cannot hold, whatever is chosen:",
        (1, false, true) => {
            "Not proven with anything that was tried; without it, there is a design:"
        }
        (1, false, false) => "Not proven with anything that was tried:",
        (_, true, true) => {
            "Cannot hold together (without any one of these there is a design for the rest):"
        }
        (_, false, true) => {
            "Not found to hold together (without any one of these there is a design for the rest):"
        }
        (_, true, false) => "Cannot hold together (perhaps without some of these):",
        (_, false, false) => "Not found to hold together (perhaps without some of these):",
    };
    let mut out = format!("\n{title}\n");
    for name in requirements {
        let _ = writeln!(out, "  {name}");
    }
    if !requirements.is_empty() {
        if *by_monotonic {
            out += "\nThat is decided for the bounds that are monotonic in budgets; by all, nothing was found.\n";
        }
        out += if helps.is_empty() {
            "\nNo longer time for one of them alone helps, as far as was searched.\n"
        } else {
            "\nWould help, one of:\n"
        };
    }
    for (name, limit) in helps {
        let _ = writeln!(out, "  {name} within {}", Unit::dividing(*limit).text(*limit));
    }
    out + &format!("\n{steps} steps were taken for this.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(irreducible: bool) -> String {
        in_the_way(&Conflict {
            requirements: vec!["task.a".to_owned()],
            irreducible,
            decided: false,
            by_monotonic: false,
            helps: Vec::new(),
            steps: 0,
        })
    }

    /// That there is a design without a requirement is said where one was found, not where no step was taken.
    #[test]
    fn a_design_without_a_requirement_is_not_claimed_unseen() {
        assert!(one(true).starts_with("\nNot proven with anything that was tried; without it"));
        assert!(one(false).starts_with("\nNot proven with anything that was tried:\n  task.a\n"));
    }
}
