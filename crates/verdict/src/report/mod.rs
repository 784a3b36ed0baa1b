//! The result of `vorrang check` for people.
//!
//! ```text
//! what was checked
//! the table: one row per requirement
//! the verdict as a sentence; what was left out of the search
//! what is refuted, by which history; what is undecided, and why
//! what is reserved, used and left of each core and server
//! what is lost of the time of each core, if something is
//! a: the analyses   what a utilisation bound accepts, too   1: the assumptions
//! tool, input, search
//! ```
//!
//! Where there are many requirements, cores have rows instead, and reasons are grouped (`view.rs`).

mod cores;
mod details;
mod sentence;
mod view;

pub use sentence::{budgets, sentence, sentences};
pub use view::View;

use crate::chain;
use crate::chance::{Chance, Frequency, decimal};
use crate::checked::Checked;
use crate::identity::TOOL;
use crate::loss;
use crate::occupied;
use crate::omitted;
use crate::outcome::toned;
use crate::prose::wrapped;
use crate::ruling::Ruling;
use crate::screen::Screen;
use crate::table::{self, Column};
use crate::tried;
use std::fmt::Write as _;
use vorrang_analysis::Explanation;

/// The whole result, as far as it is to be shown.
pub fn table(screen: Screen, checked: &Checked, view: &View) -> String {
    let rulings = view.of(&checked.rulings);
    let mut out = overview(screen, checked, &rulings, view);
    out += &sentences(screen, checked);
    out += &omitted::text(screen, checked);
    out += &details::details(screen, checked, &rulings, view);
    out += &chain::text(screen, &checked.input, &checked.observations, &checked.chains);
    let mut accepted = Vec::new();
    if view.only.is_empty() {
        let whole = view.is_whole(checked.occupied.len(), view::CORES);
        let most = if whole { None } else { Some(view::FULLEST) };
        let (system, guarantees) = (&checked.input.system, &checked.guarantees);
        out += &occupied::text(screen, system, &checked.occupied, guarantees, most);
        out += &losses(screen, checked, view);
        accepted = tried::accepted(&checked.input.system, &checked.tried);
    }
    if !view.is_whole(rulings.len(), view::ROWS) {
        out += "\n";
        out += &wrapped(screen, MORE, "", "");
    }
    out + &foot(screen, checked, &rulings, &accepted)
}

/// Where not everything is shown.
const MORE: &str = "--all shows every requirement, --only refuted,undecided those, and --explain NAME \
                    how one bound comes about.";

/// A row per requirement; where they are too many, one per core, or the first of those asked for.
fn overview(screen: Screen, checked: &Checked, rulings: &[&Ruling], view: &View) -> String {
    if rulings.is_empty() {
        return String::new();
    }
    if view.is_whole(rulings.len(), view::ROWS) {
        return rows(screen, rulings) + "\n";
    }
    if view.only.is_empty() {
        return cores::table(screen, &checked.input.system, &checked.rulings) + "\n";
    }
    let rest = rulings.len() - view::ROWS;
    format!("{}… and {rest} more\n\n", rows(screen, &rulings[..view::ROWS]))
}

fn losses(screen: Screen, checked: &Checked, view: &View) -> String {
    let (system, losses) = (&checked.input.system, &checked.losses);
    if view.is_whole(loss::rows(losses), 2 * view::ROWS) {
        loss::text(screen, system, losses)
    } else {
        loss::summary(screen, system, losses, view::CORES)
    }
}

/// The rows of some requirements, and how their bounds come about: their derivations were asked for.
pub fn explanations(screen: Screen, checked: &Checked, requirements: &[usize]) -> String {
    let rulings: Vec<&Ruling> = requirements.iter().map(|&place| &checked.rulings[place]).collect();
    let mut out = rows(screen, &rulings) + "\n";
    out += &sentence(screen, rulings.iter().copied());
    out += &details::details(screen, checked, &rulings, &View { all: true, ..View::default() });
    for (&place, ruling) in requirements.iter().zip(&rulings) {
        let of = if rulings.len() > 1 { format!(" of {}", ruling.name) } else { String::new() };
        out += &derivation(screen, checked, place, ruling, &of);
    }
    out + &foot(screen, checked, &rulings, &[])
}

/// The derivation of one bound; `of` names it where that is needed.
fn derivation(
    screen: Screen,
    checked: &Checked,
    requirement: usize,
    ruling: &Ruling,
    of: &str,
) -> String {
    let mut out = String::new();
    let system = &checked.input.system;
    if ruling.chance.is_some() {
        let _ = write!(out, "\nHow the bound on the probability{of} comes about:\n\n");
        let required = &system.requirements[requirement];
        lines(screen, &mut out, &checked.bounds.explanation_of_chance(system, required));
    }
    let title = if ruling.bound.is_some() { "How the bound" } else { "No bound" };
    let verb = if ruling.bound.is_some() { " comes about" } else { "" };
    let _ = write!(out, "\n{title}{of}{verb}:\n\n");
    lines(screen, &mut out, &checked.bounds.explanation(system, ruling.kind));
    out + &beside(screen, checked, ruling)
}

/// The utilisation bounds on the tasks of the same supply, beside the analysis that decides.
fn beside(screen: Screen, checked: &Checked, ruling: &Ruling) -> String {
    let system = &checked.input.system;
    let supply = tried::supply_of(system, ruling.kind);
    let Some(tried) = checked.tried.iter().find(|tried| Some(tried.supply) == supply) else {
        return String::new();
    };
    let name = &system.supply(tried.supply).name;
    let mut out = format!(
        "\nAlso evaluated, on the periods of all tasks of {name}; not used for the verdict:\n\n"
    );
    for line in tried::lines(tried) {
        out += &wrapped(screen, &line, "", "    ");
    }
    out
}

fn lines(screen: Screen, out: &mut String, explanation: &Explanation) {
    for line in explanation.lines() {
        let indent = " ".repeat(line.len() - line.trim_start().len());
        *out += &wrapped(screen, line, &indent, &format!("{indent}    "));
    }
}

fn rows(screen: Screen, rulings: &[&Ruling]) -> String {
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
        Column::toned(
            "verdict",
            rulings.iter().map(|ruling| (ruling.word(), toned(ruling.verdict).1)),
        ),
        Column::words("by", rulings.iter().map(letter)),
    ]);
    table::draw(screen, &columns)
}

/// The share of jobs that may be late, that may be late at most, and that was.
fn chances(rulings: &[&Ruling]) -> [Column; 3] {
    let column = |header: &str, of: fn(&Chance) -> Option<String>| {
        let cell = |ruling: &&Ruling| ruling.chance.as_ref().and_then(of).unwrap_or("-".to_owned());
        Column::numbers(header, rulings.iter().map(cell))
    };
    [
        column("late [allowed]", |chance| Some(decimal(chance.allowed()))),
        column("late [bound]", |chance| chance.later.as_ref().ok().map(ToString::to_string)),
        column("late [seen]", |chance| chance.seen.as_ref().map(Frequency::share)),
    ]
}

/// The references of the rows, the results of utilisation bounds, and the tool and input.
fn foot(screen: Screen, checked: &Checked, rulings: &[&Ruling], accepted: &[String]) -> String {
    let mut out = String::new();
    list(screen, &mut out, "By", methods(rulings), letter);
    if !accepted.is_empty() {
        out += "\nWithin their periods by a utilisation bound alone, the tasks of:\n";
        for line in accepted {
            out += &wrapped(screen, line, "  ", "     ");
        }
    }
    let mut assumptions: Vec<&str> = Vec::new();
    let of_rulings = rulings.iter().flat_map(|ruling| &ruling.assumptions);
    let of_budgets = checked.guarantees.iter().flat_map(|guarantee| &guarantee.assumptions);
    let of_chains = checked.chains.iter().flat_map(|chain| &chain.assumptions);
    for assumption in of_rulings.chain(of_budgets).chain(of_chains) {
        if !assumptions.contains(&assumption.as_str()) {
            assumptions.push(assumption);
        }
    }
    list(screen, &mut out, "Assumed", assumptions, |place| (place + 1).to_string());
    let observations = &checked.observations;
    let _ = write!(
        out,
        "\n{TOOL}\n{}\nsha256 {}\nSimulated {} histories of at most {} each, seed {}.\n",
        checked.input.name,
        checked.input.sha256,
        observations.runs(),
        observations.horizon,
        observations.seed
    );
    if checked.interrupted {
        out += "Interrupted: the rest is not known.\n";
    }
    out
}

fn list(
    screen: Screen,
    out: &mut String,
    title: &str,
    items: Vec<&str>,
    sign: impl Fn(usize) -> String,
) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}:");
    for (place, item) in items.into_iter().enumerate() {
        *out += &wrapped(screen, item, &format!("  {}  ", sign(place)), "     ");
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
