//! How far each parameter may move until a requirement is no longer proven, and where it is refuted: what
//! `vorrang margin` says.
//!
//! **Model.** `vorrang-design` moves the parameters; the verdict on each changed system is that of a short check.
//!
//! **Cost.** What [`Work`] allows for; a search of the simulator takes some milliseconds.

use crate::bug::{self, Bug};
use crate::chain;
use crate::evidence::Compared;
use crate::gather::gather;
use crate::identity::TOOL;
use crate::outcome::Verdict;
use crate::parameter::{amount, key, said, what};
use crate::verdict;
use serde_json::{Value, json};
use std::iter::repeat;
use vorrang_analysis::{Known, bounds_within, bounds_within_since};
use vorrang_design::{Beyond, Margin, Margins, Work, margins_within};
use vorrang_model::System;
use vorrang_model::system::Chain;
use vorrang_sim::{Ceilings, Search, SeenBefore, search, search_since};

/// Terms of the equations of the analysis beside it, which past full load would take a hundred times as long.
const OF_A_BOUND: u64 = 1_000_000;

/// The margins of some requirements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// In the order that was asked for.
    pub all: Vec<Margins>,
    /// How many analyses were made.
    pub analyses: u64,
}

impl Found {
    /// Whether something proven has margins that were not looked for.
    pub fn leaves_some(&self) -> bool {
        let is_left = |of: &Vec<Margin>| of.iter().any(|margin| margin.beyond == Beyond::Spent);
        let is_short = |own: &Margins| own.is_proven && own.of.as_ref().is_none_or(is_left);
        self.all.iter().any(is_short)
    }
}

/// The margins of the requirements in these places.
///
/// # Errors
/// With a parameter changed, analysis and simulator contradict each other.
pub fn find(system: &System, places: &[usize], work: &Work) -> Result<Found, Bug> {
    let mut wrong = None;
    let (bounds, _) = bounds_within(system, OF_A_BOUND);
    let seen = search(system, &Search::short());
    let mut refutes = |changed: &System| {
        // A history refutes, whatever is bounded; what is bounded within these terms must hold it, too.
        let known = Known::of(changed, system, &bounds);
        let (bounds, _) = bounds_within_since(changed, OF_A_BOUND, &known);
        let before = SeenBefore::of(changed, system, &seen);
        let (short, none) = (Search::short(), Ceilings::default());
        let seen = search_since(changed, &short, &none, &before, &mut (), &mut |_| {});
        let evidence = gather(changed, &bounds, &seen, work.limits.is_end_wanted);
        let rulings = verdict::decide(evidence).unwrap_or_else(|found| {
            wrong.get_or_insert(found);
            Vec::new()
        });
        let refuted = rulings.iter().map(|ruling| ruling.verdict == Verdict::Refuted);
        let refuted = refuted.chain(repeat(false)).take(changed.requirements.len());
        let compared = chain::compared(changed, &bounds, &seen);
        let above: Vec<Compared> =
            compared.into_iter().filter(Compared::is_contradiction).collect();
        if !above.is_empty() {
            wrong.get_or_insert(above);
        }
        let rulings = chain::all(changed, &bounds, &seen);
        let is_refuted = |of: &Chain| {
            let mut own = rulings.iter().filter(|ruling| ruling.name == of.name);
            own.any(|ruling| ruling.verdict == Verdict::Refuted)
        };
        refuted.chain(changed.chains.iter().map(is_refuted)).collect()
    };
    let (all, analyses) = margins_within(system, places, work, &mut refutes);
    match wrong {
        Some(found) => Err(bug::of_a_margin(&found)),
        None => Ok(Found { all, analyses }),
    }
}

/// The name of the requirement in a place, or of the chain.
pub fn name(system: &System, place: usize) -> &str {
    let chain = || &system.chains[place - system.requirements.len()].name;
    system.requirements.get(place).map_or_else(chain, |required| &required.name)
}

/// Where it is refuted, or how far the search went.
pub fn beyond(margin: &Margin) -> String {
    match margin.beyond {
        Beyond::Refuted(amount) => said(amount),
        Beyond::NotUpTo(amount) => format!("none up to {}", said(amount)),
        Beyond::NotLooked => "-".into(),
        Beyond::Spent => "not looked for".into(),
    }
}

/// The result for programs, format "vorrang-margin/1".
pub fn document(system: &System, found: &Found, interrupted: bool) -> String {
    let margin = |margin: &Margin| {
        json!({
            "parameter": key(margin.parameter),
            "what": what(system, margin.parameter),
            "now": amount(margin.now),
            "proven": amount(margin.proven),
            "not_proven": margin.not_proven.map(amount),
            "refused": margin.refused,
            "refuted": match margin.beyond {
                Beyond::Refuted(value) => Some(amount(value)),
                _ => None,
            },
            "not_refuted_up_to": match margin.beyond {
                Beyond::NotUpTo(value) => Some(amount(value)),
                _ => None,
            },
        })
    };
    let requirement = |margins: &Margins| -> Value {
        json!({
            "name": name(system, margins.requirement),
            "proven": margins.is_proven,
            "margins": margins.of.as_ref().map(|all| all.iter().map(margin).collect::<Vec<_>>()),
        })
    };
    let document = json!({
        "format": "vorrang-margin/1",
        "tool": TOOL,
        "steps": found.analyses,
        "interrupted": interrupted,
        "requirements": found.all.iter().map(requirement).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}
