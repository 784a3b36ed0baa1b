//! The result of `vorrang check` for people.
//!
//! ```text
//! what was checked
//! the table: one row per requirement
//! the verdict as a sentence
//! what is refuted, by which history; what is undecided, and why
//! what is lost of the time of each core, if something is
//! a: the analyses   what a utilisation bound accepts, too   1: the assumptions
//! tool, input, search
//! ```

use crate::chance::{Chance, Frequency, decimal};
use crate::check::Checked;
use crate::identity::TOOL;
use crate::loss;
use crate::prose::wrapped;
use crate::replay::Replay;
use crate::table::{self, Column};
use crate::tried;
use crate::unit::Unit;
use crate::verdict::{Ruling, Verdict, Witness};
use std::fmt::Write as _;
use vorrang_analysis::Explanation;

/// The whole result.
pub fn table(checked: &Checked) -> String {
    let rulings: Vec<&Ruling> = checked.rulings.iter().collect();
    let mut out = if rulings.is_empty() { String::new() } else { rows(&rulings) + "\n" };
    out += &wrapped(&sentence(&rulings), "", "");
    out += &details(checked, &rulings);
    out += &loss::text(&checked.input.system, &checked.losses);
    out + &foot(checked, &rulings, &tried::accepted(&checked.input.system, &checked.tried))
}

/// The row of one requirement, and how its bound comes about.
pub fn explanation(checked: &Checked, requirement: usize) -> String {
    let ruling = [&checked.rulings[requirement]];
    let mut out = rows(&ruling);
    let _ = writeln!(out, "\n{}", sentence(&ruling));
    out += &details(checked, &ruling);
    let system = &checked.input.system;
    if ruling[0].chance.is_some() {
        out += "\nHow the bound on the probability comes about:\n\n";
        let required = &system.requirements[requirement];
        lines(&mut out, &vorrang_analysis::explain_chance(system, required));
    }
    let title = if ruling[0].bound.is_some() { "How the bound comes about" } else { "No bound" };
    let _ = write!(out, "\n{title}:\n\n");
    lines(&mut out, &vorrang_analysis::explain(system, ruling[0].kind));
    out += &beside(checked, ruling[0]);
    out + &foot(checked, &ruling, &[])
}

/// What was tried on the tasks of the same supply, beside the analysis that decides.
fn beside(checked: &Checked, ruling: &Ruling) -> String {
    let system = &checked.input.system;
    let supply = tried::supply_of(system, ruling.kind);
    let Some(tried) = checked.tried.iter().find(|tried| Some(tried.supply) == supply) else {
        return String::new();
    };
    let name = &system.supply(tried.supply).name;
    let mut out =
        format!("\nTried beside it, on the periods of all tasks of {name}; decides nothing:\n\n");
    for line in tried::lines(tried) {
        out += &wrapped(&line, "", "    ");
    }
    out
}

fn lines(out: &mut String, explanation: &Explanation) {
    for line in explanation.lines() {
        let indent = " ".repeat(line.len() - line.trim_start().len());
        *out += &wrapped(line, &indent, &format!("{indent}    "));
    }
}

fn rows(rulings: &[&Ruling]) -> String {
    let methods = methods(rulings);
    let letter = |ruling: &&Ruling| {
        let place = methods.iter().position(|&method| method == ruling.by);
        place.map_or(String::new(), letter)
    };
    let observed = rulings.iter().map(|ruling| ruling.observed.as_ref().map(|seen| seen.response));
    let mut columns = vec![
        Column::words("requirement", rulings.iter().map(|ruling| ruling.name.clone())),
        Column::times("limit", rulings.iter().map(|ruling| Some(ruling.limit))),
        Column::times("bound", rulings.iter().map(|ruling| ruling.bound)),
        Column::times("observed", observed),
    ];
    if rulings.iter().any(|ruling| ruling.chance.is_some()) {
        columns.extend(chances(rulings));
    }
    columns.extend([
        Column::words("verdict", rulings.iter().map(|ruling| ruling.verdict.word().to_owned())),
        Column::words("by", rulings.iter().map(letter)),
    ]);
    table::draw(&columns)
}

/// The share of jobs that may be late, that may be late at most, and that was.
fn chances(rulings: &[&Ruling]) -> [Column; 3] {
    let column = |header: &str, of: fn(&Chance) -> Option<String>| {
        let cell = |ruling: &&Ruling| ruling.chance.as_ref().and_then(of).unwrap_or("-".to_owned());
        Column::numbers(header, rulings.iter().map(cell))
    };
    [
        column("late [allowed]", |chance| Some(decimal(chance.allowed()))),
        column("late [bound]", |chance| chance.later.map(|later| later.to_string())),
        column("late [seen]", |chance| chance.seen.as_ref().map(Frequency::share)),
    ]
}

/// The verdict where there is no requirement.
const NOTHING: &str = "Nothing is required, so nothing is proven. A task with a deadline or a table \
                       [require.NAME] states a requirement.";

/// The verdict on all of them in one sentence.
fn sentence(rulings: &[&Ruling]) -> String {
    let verdicts = [Verdict::Refuted, Verdict::Undecided, Verdict::Proven];
    let counts = verdicts.map(|verdict| {
        (verdict.word(), rulings.iter().filter(|ruling| ruling.verdict == verdict).count())
    });
    let present: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    match present[..] {
        [] => NOTHING.to_owned(),
        [(word, 1)] => format!("The requirement is {word}."),
        [(word, total)] => format!("All {total} requirements are {word}."),
        _ => {
            let parts = present.iter().map(|(word, count)| {
                format!("{count} {} {word}", if *count == 1 { "is" } else { "are" })
            });
            let parts = parts.collect::<Vec<_>>().join(", ");
            format!("Of {} requirements, {parts}.", rulings.len())
        }
    }
}

/// What the table has no room for: witnesses and reasons.
fn details(checked: &Checked, rulings: &[&Ruling]) -> String {
    let mut out = String::new();
    for ruling in rulings {
        if let Some(reason) = &ruling.reason {
            let text = format!("{} is undecided: {reason}.", ruling.name);
            let _ = write!(out, "\n{}", wrapped(&text, "", "  "));
        }
        if let Some(witness) = &ruling.witness {
            let _ = write!(out, "\n{}", refutation(checked, ruling, witness));
        }
    }
    out
}

fn refutation(checked: &Checked, ruling: &Ruling, witness: &Witness) -> String {
    let unit = Unit::of(ruling.limit);
    let text = format!(
        "{} is refuted: the job that arrives at {} is not complete at its deadline, {}. To see it:",
        ruling.name,
        unit.at(witness.arrival),
        unit.at(witness.deadline)
    );
    let replay = Replay::of(&checked.input, &checked.observations, ruling.core, &witness.pattern);
    format!("{}  {replay}\n", wrapped(&text, "", "  "))
}

/// What the rows refer to, what utilisation bounds accept too, and what made all that.
fn foot(checked: &Checked, rulings: &[&Ruling], accepted: &[String]) -> String {
    let mut out = String::new();
    list(&mut out, "By", methods(rulings), letter);
    if !accepted.is_empty() {
        out += "\nWithin their periods by a utilisation bound alone, the tasks of:\n";
        for line in accepted {
            out += &wrapped(line, "  ", "     ");
        }
    }
    let mut assumptions: Vec<&str> = Vec::new();
    for assumption in rulings.iter().flat_map(|ruling| &ruling.assumptions) {
        if !assumptions.contains(&assumption.as_str()) {
            assumptions.push(assumption);
        }
    }
    list(&mut out, "Assumed", assumptions, |place| (place + 1).to_string());
    let observations = &checked.observations;
    let _ = write!(
        out,
        "\n{TOOL}\n{}\nsha256 {}\nSimulated {} histories of at most {} each, seed {}.\n",
        checked.input.name,
        checked.input.sha256,
        observations.runs,
        observations.horizon,
        observations.seed
    );
    out
}

fn list(out: &mut String, title: &str, items: Vec<&str>, sign: impl Fn(usize) -> String) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}:");
    for (place, item) in items.into_iter().enumerate() {
        *out += &wrapped(item, &format!("  {}  ", sign(place)), "     ");
    }
}

/// The analyses behind some rulings, each once, in the order in which they appear.
fn methods<'a>(rulings: &[&'a Ruling]) -> Vec<&'a str> {
    let mut methods: Vec<&str> = Vec::new();
    for ruling in rulings {
        if !methods.contains(&ruling.by.as_str()) {
            methods.push(&ruling.by);
        }
    }
    methods
}

/// a, b, c …
fn letter(place: usize) -> String {
    let place = u8::try_from(place).unwrap_or(u8::MAX).min(25);
    char::from(b'a' + place).to_string()
}
