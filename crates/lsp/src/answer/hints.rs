//! Verdicts beside what they are about.

use crate::document::Document;
use crate::place;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::unit::Unit;

/// Beside each head of a table, in the lines that are shown.
pub(crate) fn all(document: &Document, asked: &InlayHintParams) -> Vec<InlayHint> {
    let shown = asked.range.start.line..=asked.range.end.line;
    let beside = |name: &String| {
        let lines = of(document, name);
        if lines.is_empty() {
            return None;
        }
        let name = document.declared(name)?;
        let end =
            document.text[name.end..].find('\n').map_or(document.text.len(), |at| name.end + at);
        let end = end - usize::from(document.text[..end].ends_with('\r'));
        let position = place::position(&document.text, end);
        shown.contains(&position.line).then(|| InlayHint {
            position,
            label: InlayHintLabel::String(lines.join("; ")),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    document.places.keys().filter_map(beside).collect()
}

/// The verdicts on what has this name, a line each. Those of an earlier text say so.
pub(crate) fn of(document: &Document, name: &str) -> Vec<String> {
    let Some((found, is_of_this)) = &document.found else { return Vec::new() };
    let Ok(checked) = &found.judged.outcome else { return Vec::new() };
    let mut lines = verdicts(checked, name);
    if !is_of_this {
        for line in &mut lines {
            line.insert_str(0, "before this change: ");
        }
    }
    lines
}

fn verdicts(checked: &Checked, name: &str) -> Vec<String> {
    let requirements = checked.rulings.iter().filter(|ruling| ruling.name == name).map(|ruling| {
        let unit = Unit::of(ruling.limit);
        let (limit, bound) = (unit.text(ruling.limit), ruling.bound.map(|bound| unit.text(bound)));
        let bound = bound.map(|bound| format!("at most {bound} of {limit}"));
        let seen =
            ruling.observed.as_ref().map(|seen| format!("seen {}", unit.text(seen.response)));
        let parts = [Some(ruling.word().to_owned()), bound, seen];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    let budgets = checked.guarantees.iter().filter(|guarantee| guarantee.name == name);
    let budgets = budgets.map(|guarantee| format!("budget {}", guarantee.verdict().word()));
    let chains = checked.chains.iter().filter(|ruling| ruling.name == name);
    let chains = chains.map(|ruling| format!("{} {}", ruling.asked.word(), ruling.verdict.word()));
    requirements.chain(budgets).chain(chains).collect()
}
