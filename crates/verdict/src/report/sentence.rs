//! The verdicts on all of it, in a sentence for each kind.

use crate::chain;
use crate::checked::Checked;
use crate::guarantee::Guarantee;
use crate::outcome::{ON_AVERAGE, Verdict, toned};
use crate::prose::wrapped;
use crate::ruling::Ruling;
use crate::screen::Screen;

/// The verdict where there is no requirement.
const NOTHING: &str = "Nothing is required, so nothing is proven. A task with a deadline or a table \
                       [require.NAME] states a requirement.";

/// The verdict on all of these in one sentence.
pub fn sentence<'a>(screen: Screen, rulings: impl IntoIterator<Item = &'a Ruling>) -> String {
    let found: Vec<&Ruling> = rulings.into_iter().collect();
    let [undecided, refuted] = [Verdict::Undecided, Verdict::Refuted].map(Verdict::word);
    let words = [refuted, undecided, ON_AVERAGE, Verdict::Proven.word()];
    let counts = words.map(|word| (word, found.iter().filter(|own| own.word() == word).count()));
    let present: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    let text = match present[..] {
        [] => NOTHING.to_owned(),
        [(word, 1)] => format!("The requirement is {word}."),
        [(word, total)] => format!("All {total} requirements are {word}."),
        _ => {
            let parts = present.iter().map(|(word, count)| {
                format!("{count} {} {word}", if *count == 1 { "is" } else { "are" })
            });
            let parts = parts.collect::<Vec<_>>().join(", ");
            format!("Of {} requirements, {parts}.", found.len())
        }
    };
    let worst = found.iter().map(|own| own.verdict).max().unwrap_or(Verdict::Undecided);
    let lines = wrapped(screen, &text, "", "");
    lines.lines().map(|line| screen.toned(line, toned(worst).1) + "\n").collect()
}

/// The same on the budgets of servers, unless all of them are guaranteed.
pub fn budgets(screen: Screen, guarantees: &[Guarantee]) -> String {
    let open = guarantees.iter().filter(|of| of.found.is_err()).count();
    let text = match (open, guarantees.len()) {
        (0, _) => return String::new(),
        (1, 1) => "The budget of the server is not guaranteed.".to_owned(),
        (open, all) if open == all => {
            format!("None of the {all} budgets of servers is guaranteed.")
        }
        (1, all) => format!("1 of the {all} budgets of servers is not guaranteed."),
        (open, all) => format!("{open} of the {all} budgets of servers are not guaranteed."),
    };
    screen.toned(&text, toned(Verdict::Undecided).1) + "\n"
}

/// Of requirements, budgets and chains; of requirements only where there are some, or no chains either.
pub fn sentences(screen: Screen, checked: &Checked) -> String {
    let has_rulings = !checked.rulings.is_empty() || checked.chains.is_empty();
    let of_rulings = if has_rulings { sentence(screen, &checked.rulings) } else { String::new() };
    of_rulings + &budgets(screen, &checked.guarantees) + &chain::sentence(screen, &checked.chains)
}
