//! The bounds on the losses of each core, where there are too many contexts for a row each.

use super::{Lost, shared};
use crate::alike;
use crate::prose::{folded, wrapped};
use crate::screen::Screen;
use crate::table::{self, Column, percent_at_most};
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_sim::Cause;
use vorrang_time::Duration;

/// As many cores are named that lack a bound.
const NAMES: usize = 6;

/// A row for each of the first cores whose losses are bounded, and why those of others are not.
pub fn summary(screen: Screen, system: &System, all: &[Lost], cores: usize) -> String {
    let lossy = all.iter().filter(|lost| !lost.rows.is_empty());
    let (bounded, others): (Vec<&Lost>, Vec<&Lost>) = lossy.partition(|lost| lost.reason.is_none());
    let mut out = String::new();
    if !bounded.is_empty() {
        let shown = &bounded[..cores.min(bounded.len())];
        out += "\nOf the time of each core, in any history:\n\n";
        out += &table(screen, system, shown);
        if shown.len() < bounded.len() {
            let _ = writeln!(out, "… and {} more", bounded.len() - shown.len());
        }
    }
    out + &without(screen, system, &others)
}

fn table(screen: Screen, system: &System, shown: &[&Lost]) -> String {
    let name = |lost: &&Lost| system.supply(lost.core).name.clone();
    let share = |lost: &&Lost| {
        let share = lost.bound().and_then(|bound| percent_at_most(bound, lost.window));
        share.unwrap_or("-".to_owned())
    };
    table::draw(
        screen,
        &[
            Column::words("core", shown.iter().map(name)),
            Column::times("in the first", shown.iter().map(|lost| Some(lost.window))),
            Column::numbers("lost at most [%]", shown.iter().map(share)),
        ],
    )
}

/// One line for all cores that lack a bound for the same reason.
fn without(screen: Screen, system: &System, others: &[&Lost]) -> String {
    let mut groups: Vec<(String, Vec<&Lost>)> = Vec::new();
    for &lost in others {
        let reason = alike::general(lost.reason.as_deref().unwrap_or_default());
        match groups.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, group)) => group.push(lost),
            None => groups.push((reason, vec![lost])),
        }
    }
    let mut out = String::new();
    for (_, group) in groups {
        let names: Vec<&str> =
            group.iter().map(|of| system.supply(of.core).name.as_str()).collect();
        let reason = alike::said(group.iter().filter_map(|lost| lost.reason.as_deref()));
        let names = folded(&names, NAMES);
        let text = format!("No bound on the time that is lost on {names}: {reason}.");
        let _ = write!(out, "\n{}", wrapped(screen, &text, "", "  "));
    }
    out
}

impl Lost {
    /// All losses of a core: those that may fall to any context count once.
    fn bound(&self) -> Option<Duration> {
        let own = [Cause::ColdCache, Cause::ContextSwitch];
        let own = self.rows.iter().flat_map(|row| own.map(|cause| row.bound[cause as usize]));
        let any = self.rows.first().map(|row| shared(row.bound));
        let parts = own.chain(any.into_iter().flatten());
        parts.into_iter().try_fold(Duration::ZERO, |sum, part| sum.checked_add(part?))
    }
}
