//! The verdict at one point: what `vorrang check` says of the description with these values.

use super::vary::Vary;
use toml_edit::DocumentMut;
use vorrang_analysis::bounds_until;
use vorrang_command::exit::Failure;
use vorrang_command::input::Source;
use vorrang_command::interruption;
use vorrang_sim::Search;
use vorrang_time::Duration;
use vorrang_verdict::check::{Limits, conclude};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::patience::Patience;
use vorrang_verdict::search::search;

/// What was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// The value of each key.
    pub(super) values: Vec<String>,
    /// The verdict of all; or the code and the message with which the description is refused.
    pub(super) found: Result<Found, String>,
}

/// Of a description that is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Of all of it; none where nothing is required.
    pub(super) verdict: Option<Verdict>,
    /// In their order, those of chains last.
    pub(super) requirements: Vec<Required>,
    /// Servers whose budgets are not guaranteed.
    pub(super) without_budget: Vec<String>,
}

/// One requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Required {
    pub(super) name: String,
    pub(super) limit: Duration,
    pub(super) bound: Option<Duration>,
    pub(super) observed: Option<Duration>,
    pub(super) verdict: Verdict,
}

/// Every combination of the values, the last key fastest.
pub(super) fn combinations(varied: &[Vary]) -> Vec<Vec<String>> {
    varied.iter().fold(vec![Vec::new()], |so_far, vary| {
        let with = |one: &Vec<String>| {
            let own = one.clone();
            vary.values.iter().map(move |value| [own.clone(), vec![value.clone()]].concat())
        };
        so_far.iter().flat_map(with).collect()
    })
}

/// What is said of the description with these values.
///
/// # Errors
/// A bug came to light.
pub(super) fn at(
    source: &Source,
    text: &DocumentMut,
    varied: &[Vary],
    values: Vec<String>,
    steps: &Search,
) -> Result<Point, Failure> {
    let mut document = text.clone();
    for (vary, value) in varied.iter().zip(&values) {
        vary.put(&mut document, value)
            .map_err(|why| Failure::bad_input(format!("error: {why}\n")))?;
    }
    let own = Source { text: Some(document.to_string().into_bytes()), ..source.clone() };
    let input = match own.examine() {
        Ok(input) => input,
        Err(refusal) => {
            let first = refusal
                .diagnostics
                .first()
                .map(|(one, _)| format!("{}: {}", one.code, one.message));
            let said = first.or_else(|| refusal.message.lines().next().map(str::to_owned));
            return Ok(Point { values, found: Err(said.unwrap_or_default()) });
        }
    };
    let bounds = bounds_until(&input.system, &interruption::is_wanted);
    let mut patience = Patience(interruption::is_wanted);
    let observations = search(&input.system, &bounds, steps, &mut patience, &mut |_| {});
    let limits = Limits { search: *steps, helps: false, is_end_wanted: interruption::is_wanted };
    let checked = conclude(input, bounds, observations, &limits)?;
    Ok(Point { values, found: Ok(found(&checked)) })
}

fn found(checked: &Checked) -> Found {
    let tasks = checked.rulings.iter().map(|ruling| Required {
        name: ruling.name.clone(),
        limit: ruling.limit,
        bound: ruling.bound,
        observed: ruling.observed.as_ref().map(|seen| seen.response),
        verdict: ruling.verdict,
    });
    let chains = checked.chains.iter().map(|ruling| Required {
        name: format!("{} {}", ruling.name, ruling.asked.word()),
        limit: ruling.limit,
        bound: ruling.bound,
        observed: ruling.observed.as_ref().map(|seen| seen.time),
        verdict: ruling.verdict,
    });
    let without = checked.guarantees.iter().filter(|own| own.verdict() != Verdict::Proven);
    Found {
        verdict: checked.verdict(),
        requirements: tasks.chain(chains).collect(),
        without_budget: without.map(|own| own.name.clone()).collect(),
    }
}

impl Point {
    /// All requirements there.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.requirements().iter().map(|one| one.name.as_str())
    }

    pub(super) fn requirements(&self) -> &[Required] {
        self.found.as_ref().map_or(&[], |found| &found.requirements)
    }

    /// The one that is called so.
    pub(super) fn requirement(&self, name: &str) -> Option<&Required> {
        self.requirements().iter().find(|one| one.name == name)
    }
}

/// Whether a requirement is meant: by its name, or by what is behind the first dot.
pub(super) fn is_called(name: &str, wanted: &str) -> bool {
    name == wanted || name.split_once('.').is_some_and(|(_, short)| short == wanted)
}

/// The names of the requirements that have a column: those that are wanted, or all of a few.
pub(super) fn columns(points: &[Point], wanted: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in points.iter().flat_map(Point::names) {
        let is_wanted = wanted.is_empty() || wanted.iter().any(|of| is_called(name, of));
        if is_wanted && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    if wanted.is_empty() && names.len() > A_FEW { Vec::new() } else { names }
}

/// Requirements that have a column each without being asked for.
const A_FEW: usize = 6;
