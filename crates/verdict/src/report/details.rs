//! Details below the table: which history refutes a requirement, and why one is undecided.

use super::view::{self, View};
use crate::alike;
use crate::cause::Cause;
use crate::checked::Checked;
use crate::evidence::Witness;
use crate::guarantee::Guarantee;
use crate::prose::{folded, wrapped};
use crate::replay::Replay;
use crate::ruling::Ruling;
use crate::screen::Screen;
use crate::statement;
use crate::terms;
use crate::unit::Unit;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_analysis::NamedTerm;
use vorrang_model::system::SupplyId;
use vorrang_time::Duration;

/// A paragraph for each, or for each cause where there are many.
pub(super) fn details(
    screen: Screen,
    checked: &Checked,
    rulings: &[&Ruling],
    view: &View,
) -> String {
    let unproven = |ruling: &&&Ruling| ruling.reason.is_some() || ruling.witness.is_some();
    let of_rulings = if view.is_whole(rulings.iter().filter(unproven).count(), view::PARAGRAPHS) {
        rulings.iter().map(|ruling| paragraph(screen, checked, ruling)).collect()
    } else {
        by_history(screen, checked, rulings) + &by_cause(screen, checked, rulings)
    };
    of_rulings
        + &if view.only.is_empty() { budgets(screen, checked, rulings) } else { String::new() }
}

/// Servers whose budgets are not guaranteed, for reasons that are alike.
struct Unguaranteed<'a> {
    cause: Cause,
    /// The common part of the reasons.
    general: String,
    of: Vec<&'a Guarantee>,
}

/// Why budgets are not guaranteed, where no requirement said the same; those that are alike together.
fn budgets(screen: Screen, checked: &Checked, rulings: &[&Ruling]) -> String {
    let was_said = |reason: &str| {
        rulings.iter().filter_map(|ruling| ruling.reason.as_ref()).any(|why| why.cause == reason)
    };
    let mut groups: Vec<Unguaranteed<'_>> = Vec::new();
    for guarantee in &checked.guarantees {
        let Err((cause, reason)) = &guarantee.found else { continue };
        if was_said(reason) {
            continue;
        }
        let general = alike::general(reason);
        if let Some(group) = groups.iter_mut().find(|group| group.general == general) {
            group.of.push(guarantee);
        } else {
            groups.push(Unguaranteed { cause: *cause, general, of: vec![guarantee] });
        }
    }
    let (shown, rest) = groups.split_at(view::CAUSES.min(groups.len()));
    let mut out = String::new();
    for group in shown {
        out += &group.text(screen);
    }
    if !rest.is_empty() {
        let _ = writeln!(out, "… and {} more causes", rest.len());
    }
    out
}

impl Unguaranteed<'_> {
    fn text(&self, screen: Screen) -> String {
        let names: Vec<&str> = self.of.iter().map(|guarantee| guarantee.name.as_str()).collect();
        let reasons = self.of.iter().filter_map(|of| of.found.as_ref().err());
        let reason = alike::said(reasons.map(|(_, reason)| reason.as_str()));
        let said = statement::budgets(&folded(&names, view::NAMES), &reason);
        let text = format!("{said} [{}]", self.cause.code());
        let mut out = format!("\n{}", wrapped(screen, &text, "", "  "));
        for of in self.of.iter().take(view::NAMES) {
            let of_which =
                if self.of.len() > 1 { format!(" of {}", of.name) } else { String::new() };
            let unit = of.terms.first().map_or_else(Duration::default, |first| first.time);
            out += &terms_line(screen, &of.terms, Unit::of(unit), &of_which);
        }
        let helps: Vec<&str> =
            self.of.iter().filter_map(|of| Some(of.help.as_ref()?.text.as_str())).collect();
        if helps.is_empty() {
            return out;
        }
        if helps.iter().all(|help| *help == helps[0]) {
            return out + &wrapped(screen, &format!("help: {}", helps[0]), "  ", "    ");
        }
        for (name, help) in names.iter().zip(helps).take(view::NAMES) {
            out += &wrapped(screen, &format!("help: {name}: {help}"), "  ", "    ");
        }
        out
    }
}

fn paragraph(screen: Screen, checked: &Checked, ruling: &Ruling) -> String {
    let mut out = String::new();
    if let (Some(said), Some(cause)) = (statement::of_ruling(ruling), ruling.cause()) {
        let text = format!("{said} [{}]", cause.code());
        let _ = match &ruling.witness {
            None => write!(out, "\n{}", wrapped(screen, &text, "", "  ")),
            Some(witness) => {
                let text = wrapped(screen, &format!("{text} To see it:"), "", "  ");
                writeln!(out, "\n{text}  {}", replay(checked, ruling, witness))
            }
        };
    }
    out += &terms_line(screen, &ruling.terms, Unit::of(ruling.limit), "");
    if let Some(help) = &ruling.help {
        out += &wrapped(screen, &format!("help: {}", help.text), "  ", "    ");
    }
    out
}

/// What makes up most of a bound, or of what is too much for one.
fn terms_line(screen: Screen, terms: &[NamedTerm], unit: Unit, of: &str) -> String {
    let said = terms::said(terms, unit);
    said.map(|said| wrapped(screen, &format!("largest terms{of}: {said}"), "  ", "    "))
        .unwrap_or_default()
}

fn replay(checked: &Checked, ruling: &Ruling, witness: &Witness) -> String {
    let (input, observations) = (&checked.input, &checked.observations);
    Replay::of(input, observations, ruling.core, &witness.pattern).to_string()
}

/// The common reason of some requirements.
struct Group<'a> {
    members: Vec<(&'a Ruling, &'a str)>,
}

fn by_history(screen: Screen, checked: &Checked, rulings: &[&Ruling]) -> String {
    fn kind(ruling: &Ruling) -> Option<&str> {
        ruling.witness.as_ref()?.pattern.split(':').next()
    }
    text(screen, checked, "Refuted by histories", "kinds of histories", &grouped(rulings, kind))
}

fn by_cause(screen: Screen, checked: &Checked, rulings: &[&Ruling]) -> String {
    fn cause(ruling: &Ruling) -> Option<&str> {
        ruling.reason.as_ref().map(|why| why.cause.as_str())
    }
    text(screen, checked, "Undecided because", "causes", &grouped(rulings, cause))
}

/// The largest groups first.
fn grouped<'a>(
    rulings: &[&'a Ruling],
    shared: impl Fn(&'a Ruling) -> Option<&'a str>,
) -> Vec<Group<'a>> {
    let mut groups: Vec<(String, Group<'a>)> = Vec::new();
    for &ruling in rulings {
        let Some(own) = shared(ruling) else { continue };
        let general = alike::general(own);
        match groups.iter_mut().find(|(other, _)| *other == general) {
            Some((_, group)) => group.members.push((ruling, own)),
            None => groups.push((general, Group { members: vec![(ruling, own)] })),
        }
    }
    let mut groups: Vec<Group<'a>> = groups.into_iter().map(|(_, group)| group).collect();
    groups.sort_by_key(|group| Reverse(group.members.len()));
    groups
}

fn text(
    screen: Screen,
    checked: &Checked,
    title: &str,
    of_what: &str,
    groups: &[Group<'_>],
) -> String {
    if groups.is_empty() {
        return String::new();
    }
    let (shown, rest) = groups.split_at(view::CAUSES.min(groups.len()));
    let mut out = format!("\n{title}:\n");
    out += &shown.iter().map(|group| group.text(screen, checked)).collect::<String>();
    if !rest.is_empty() {
        let requirements: usize = rest.iter().map(|group| group.members.len()).sum();
        let line = format!("{} more {of_what}, of {requirements} requirements", rest.len());
        out += &wrapped(screen, &line, "     …  ", MARGIN);
    }
    out
}

/// Behind the number of requirements.
const MARGIN: &str = "        ";

impl Group<'_> {
    fn text(&self, screen: Screen, checked: &Checked) -> String {
        let system = &checked.input.system;
        let names: Vec<&str> = self.members.iter().map(|(of, _)| of.name.as_str()).collect();
        let mut cores: Vec<SupplyId> = self.members.iter().map(|(of, _)| of.core).collect();
        cores.sort_unstable();
        cores.dedup();
        let cores: Vec<&str> = cores.iter().map(|&id| system.supply(id).name.as_str()).collect();
        let causes: BTreeSet<Cause> =
            self.members.iter().filter_map(|(of, _)| of.cause()).collect();
        let causes: Vec<Cause> = causes.into_iter().collect();
        let known_as: Vec<&str> = causes.iter().map(|cause| cause.code()).collect();
        let text = format!(
            "{} [{}]; on {}: {}",
            alike::said(self.members.iter().map(|(_, own)| *own)),
            known_as.join(", "),
            folded(&cores, view::NAMES),
            folded(&names, view::NAMES)
        );
        let mut out = wrapped(screen, &text, &format!("{:>6}  ", names.len()), MARGIN);
        let first = self.members.iter().find_map(|(of, _)| Some((of, of.witness.as_ref()?)));
        if let Some((ruling, witness)) = first {
            let _ = writeln!(out, "{MARGIN}{}", replay(checked, ruling, witness));
        }
        out
    }
}
