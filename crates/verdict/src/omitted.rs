//! Histories that a check omitted or truncated because its steps were exhausted.
//!
//! **Model.** By kind of history, over all cores; programs get it by core. A truncated history is just a
//! shorter one: observations in it count.

use crate::checked::Checked;
use crate::prose::wrapped;
use crate::screen::Screen;
use serde_json::{Value, json};
use vorrang_sim::{HistoryKind, Omission};

/// In the order in which they are named.
const KINDS: [HistoryKind; 5] = [
    HistoryKind::Synchronous,
    HistoryKind::Directed,
    HistoryKind::Storm,
    HistoryKind::Random,
    HistoryKind::Climb,
];

/// A sentence or two; empty where all were run to the end.
pub(crate) fn text(screen: Screen, checked: &Checked) -> String {
    let of = |count: fn(&Omission) -> u64| {
        let kinds = KINDS.into_iter().filter_map(|kind| counted(checked, kind, count));
        kinds.collect::<Vec<_>>().join(", ")
    };
    let (left_out, cut_short) = (of(|own| own.left_out), of(|own| own.cut_short));
    let mut out = String::new();
    for (what, histories) in [("Left out", left_out), ("Cut short", cut_short)] {
        if !histories.is_empty() {
            let text = format!("{what} to keep within the limits of a check: {histories}.");
            out += &wrapped(screen, &text, "", "  ");
        }
    }
    out
}

/// `12 of 40 random histories on core.0`.
fn counted(checked: &Checked, kind: HistoryKind, count: fn(&Omission) -> u64) -> Option<String> {
    let found = || {
        let all = checked.observations.omissions.iter();
        all.filter(move |own| own.kind == kind && count(own) > 0)
    };
    let first = found().next()?;
    let (some, all) = (found().map(count).sum::<u64>(), found().map(|own| own.wanted).sum::<u64>());
    let (one, several) = kind.words();
    let name = if all == 1 { one } else { several };
    let cores = match found().count() {
        1 => checked.input.system.supply(first.core).name.clone(),
        cores => format!("{cores} cores"),
    };
    let share = if some == all { format!("all {all}") } else { format!("{some} of {all}") };
    let share = if all == 1 { "the".to_owned() } else { share };
    Some(format!("{share} {name} on {cores}"))
}

/// The same for programs.
pub(crate) fn document(checked: &Checked) -> Value {
    let one = |own: &Omission| {
        json!({
            "core": checked.input.system.supply(own.core).name,
            "histories": match own.kind {
                HistoryKind::Synchronous => "synchronous",
                HistoryKind::Directed => "directed",
                HistoryKind::Storm => "storm",
                HistoryKind::Random => "random",
                HistoryKind::Climb => "climb",
            },
            "wanted": own.wanted,
            "left_out": own.left_out,
            "cut_short": own.cut_short,
        })
    };
    checked.observations.omissions.iter().map(one).collect()
}
