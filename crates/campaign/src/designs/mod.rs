//! Designs of drawn systems with values left open: a design must be proven, and where none is found there
//! must be none.
//!
//! **Model.** A description is drawn ([`draw()`]) and designed. The choice is written into the text and read
//! again; the system must be the one that the search accepted, and `vorrang check`'s own verdict on it
//! *proven*, with no job late in any history that the simulator searches. Where all choices can be evaluated
//! one by one, a design that is called optimal reserves the least of those that the analysis accepts (where
//! switching costs nothing, so that reserved time is all there is), no design reserves less, and where there
//! is said to be none the analysis accepts none.
//!
//! **Assumptions.** 1. Enumeration uses the same analysis as the search: this tests the search. The analysis
//! is tested by the rest of this crate.
//!
//! **Does not cover** how good a design is that is not called optimal.

mod draw;
mod enumerate;

use core::fmt::Display;
use vorrang_analysis::bounds;
use vorrang_design::{Absence, Answer, Design, Limits, Optimality};
use vorrang_model::system::Costs;
use vorrang_model::{Format, Open, System, read, read_open};
use vorrang_sim::{Search, search};
use vorrang_verdict::gather::gather;
use vorrang_verdict::guarantee;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::verdict;

pub use draw::draw;

/// A search for a design.
pub type Designer = fn(&mut Open, Limits) -> Answer;

/// Analyses for each description.
const STEPS: u64 = 200;

/// The results for descriptions with values left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Systems that were drawn.
    pub drawn: u64,
    /// Of these, refused by the reader: the first of what may be chosen does not fit together.
    pub refused: u64,
    /// Designs found, all of them proven and searched for a miss.
    pub found: u64,
    /// Of these, called optimal.
    pub optimal: u64,
    /// Descriptions that are said to have no design.
    pub impossible: u64,
    /// Descriptions for which none was found.
    pub not_found: u64,
    /// Descriptions of which every choice was evaluated.
    pub enumerated: u64,
    /// Of these, said to have no design.
    pub enumerated_impossible: u64,
}

impl Counts {
    /// All with their names.
    pub fn named(&self) -> [(&'static str, u64); 8] {
        [
            ("descriptions with open values", self.drawn),
            ("of these, refused by the reader", self.refused),
            ("designs found, proven, searched", self.found),
            ("of these, called optimal", self.optimal),
            ("reported: no design", self.impossible),
            ("no design was found", self.not_found),
            ("all choices were evaluated", self.enumerated),
            ("of these, reported: no design", self.enumerated_impossible),
        ]
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.drawn += other.drawn;
        self.refused += other.refused;
        self.found += other.found;
        self.optimal += other.optimal;
        self.impossible += other.impossible;
        self.not_found += other.not_found;
        self.enumerated += other.enumerated;
        self.enumerated_impossible += other.enumerated_impossible;
    }
}

/// The errors of a design for a description.
pub fn check(text: &str, histories: &Search, design: Designer, counts: &mut Counts) -> Vec<String> {
    counts.drawn += 1;
    let Ok(mut open) = read_open(text, Format::Toml, |_| Err("there is none".to_owned())) else {
        counts.refused += 1;
        return Vec::new();
    };
    let answer = design(&mut open, Limits::of(STEPS));
    let mut wrong = Vec::new();
    match &answer {
        Answer::Design(found) => {
            counts.found += 1;
            counts.optimal += u64::from(found.optimality() == Optimality::Optimal);
            wrong.extend(unproven(&open, found, histories));
        }
        Answer::Absent(Absence::Impossible { .. }) => counts.impossible += 1,
        Answer::Absent(_) => counts.not_found += 1,
    }
    wrong.extend(enumerated(&mut open, &answer, counts));
    wrong
}

/// The errors of a design by `vorrang check` and the simulator.
fn unproven(open: &Open, found: &Design, histories: &Search) -> Option<String> {
    let system = match read(open.written(&found.chosen), Format::Toml) {
        Ok(system) => system,
        Err(errors) => return Some(format!("the completed description is refused: {}", errors[0])),
    };
    if system != found.system {
        return Some("the completed description is another system".to_owned());
    }
    let bounds = bounds(&system);
    let seen = search(&system, histories);
    let rulings = match verdict::decide(gather(&system, &bounds, &seen, || false)) {
        Ok(rulings) => rulings,
        Err(found) => return Some(format!("{found:?}")),
    };
    let budgets = guarantee::all(&system, &bounds);
    let verdict = verdict::overall(&rulings, guarantee::verdicts(&budgets));
    if verdict != Some(Verdict::Proven) {
        return Some(format!("the design is not proven: {verdict:?}"));
    }
    let mut late = seen.tasks.iter().zip(&system.tasks);
    let late = late.find(|(worst, _)| worst.as_ref().is_some_and(|worst| worst.miss.is_some()));
    late.map(|(_, task)| format!("{} misses its deadline", task.name))
}

/// The contradictions between an answer and the enumeration of all choices.
fn enumerated(open: &mut Open, answer: &Answer, counts: &mut Counts) -> Option<String> {
    let choices = enumerate::choices(open)?;
    counts.enumerated += 1;
    let least = enumerate::least(open, &choices);
    let said = |what: &dyn Display| Some(format!("{} choices: {what}", choices.len()));
    match (answer, least) {
        (Answer::Design(_), None) => said(&"none of them is accepted"),
        (Answer::Design(found), Some(least)) => {
            let own = enumerate::reserved(open, &found.system);
            let optimal = found.optimality() == Optimality::Optimal;
            if switches_freely(&found.system) && enumerate::is_less(own, least) {
                return said(&"the design is none of them");
            }
            let is_worse = switches_freely(&found.system) && enumerate::is_less(least, own);
            (optimal && is_worse)
                .then(|| said(&"one takes less than the design that is reported as optimal"))?
        }
        (Answer::Absent(Absence::Impossible { .. }), found) => {
            counts.enumerated_impossible += 1;
            found.is_some().then(|| said(&"one is accepted, and none is reported"))?
        }
        (Answer::Absent(_), _) => None,
    }
}

fn switches_freely(system: &System) -> bool {
    system.costs == Costs::default()
}
