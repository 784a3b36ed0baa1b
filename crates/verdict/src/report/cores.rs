//! One row per core, where there are too many requirements for a row each.

use super::view;
use crate::outcome::Verdict;
use crate::ruling::Ruling;
use crate::screen::Screen;
use crate::table::{self, Column, percent_at_most};
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_time::Duration;

/// What is known about the requirements of a core.
struct Summary<'a> {
    core: SupplyId,
    proven: u64,
    undecided: u64,
    refuted: u64,
    /// The one whose bound is the largest part of its limit.
    closest: Option<&'a Ruling>,
}

/// The table, and how many cores it leaves out: the last of those with the best verdicts.
pub(super) fn table(screen: Screen, system: &System, rulings: &[Ruling]) -> String {
    let summaries = summaries(system, rulings);
    let mut shown: Vec<&Summary<'_>> = summaries.iter().collect();
    shown.sort_by_key(|of| (of.refuted == 0, of.undecided == 0));
    shown.truncate(view::CORES);
    shown.sort_by_key(|of| of.core);
    let name = |of: &&Summary<'_>| system.supply(of.core).name.clone();
    let closest = |of: &&Summary<'_>| of.closest.map_or("-".to_owned(), |own| own.name.clone());
    let share = |of: &&Summary<'_>| {
        let share = of.closest.and_then(|own| percent_at_most(own.bound?, own.limit));
        share.unwrap_or("-".to_owned())
    };
    let mut out = table::draw(
        screen,
        &[
            Column::words("core", shown.iter().map(name)),
            Column::counts("proven", shown.iter().map(|of| of.proven)),
            Column::counts("undecided", shown.iter().map(|of| of.undecided)),
            Column::counts("refuted", shown.iter().map(|of| of.refuted)),
            Column::words("least slack", shown.iter().map(closest)),
            Column::numbers("bound of limit [%]", shown.iter().map(share)),
        ],
    );
    if shown.len() < summaries.len() {
        let _ = writeln!(out, "… and {} more cores", summaries.len() - shown.len());
    }
    out
}

/// Of each core with a requirement, in the order of declaration.
fn summaries<'a>(system: &System, rulings: &'a [Ruling]) -> Vec<Summary<'a>> {
    let of = |core| {
        let own = || rulings.iter().filter(move |ruling| ruling.core == core);
        let count = |verdict| own().filter(|ruling| ruling.verdict == verdict).count() as u64;
        Summary {
            core,
            proven: count(Verdict::Proven),
            undecided: count(Verdict::Undecided),
            refuted: count(Verdict::Refuted),
            closest: own().filter(|ruling| ruling.bound.is_some()).reduce(closer),
        }
    };
    let summaries = system.cores().map(of);
    summaries.filter(|of| of.proven + of.undecided + of.refuted > 0).collect()
}

/// The first of two whose bound is the larger part of its limit.
fn closer<'a>(one: &'a Ruling, other: &'a Ruling) -> &'a Ruling {
    let (Some(own), Some(others)) = (one.bound, other.bound) else { return one };
    let cross =
        |bound: Duration, limit: Duration| u128::from(bound.as_ns()) * u128::from(limit.as_ns());
    if cross(own, other.limit) >= cross(others, one.limit) { one } else { other }
}
