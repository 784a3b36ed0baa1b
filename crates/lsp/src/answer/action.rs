//! Changes that were tried: what was probably meant, and remedies for what is not proven.

use crate::cursor::{assignment, head};
use crate::document::Document;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Diagnostic, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextEdit, WorkspaceEdit,
};
use std::ops::Range as Bytes;
use vorrang_design::Amount;
use vorrang_model::correction;
use vorrang_verdict::help::Help;
use vorrang_verdict::parameter;

/// Those for what touches the place.
pub(crate) fn all(document: &Document, asked: &CodeActionParams) -> Vec<CodeAction> {
    let is_touched =
        |range: &Range| range.start <= asked.range.end && asked.range.start <= range.end;
    let own = document.remarks.iter().filter(|remark| remark.elsewhere.is_none());
    let meant = own.map(|remark| &remark.of).filter_map(|remark| {
        let range = Some(document.range(remark.span.clone())).filter(is_touched)?;
        let change = correction(&document.text, document.format(), remark)?;
        let title = format!("Write {}", change.text);
        let edit = TextEdit::new(document.range(change.span), change.text);
        let is_same = |shown: &&Diagnostic| shown.range == range;
        let shown = asked.context.diagnostics.iter().filter(is_same).cloned().collect();
        Some(CodeAction { diagnostics: Some(shown), ..action(document, title, edit) })
    });
    let remedies = helps(document).filter_map(|(name, help)| {
        let name = document.declared(name)?;
        Some(document.range(name)).filter(is_touched)?;
        let (title, edit) = remedy(document, help)?;
        Some(action(document, title, edit))
    });
    meant.chain(remedies).collect()
}

/// Remedies of the last verdict, if that is of this text, each with what it is for.
fn helps(document: &Document) -> impl Iterator<Item = (&str, &Help)> {
    let found = document.found.as_ref().filter(|(_, is_of_this)| *is_of_this);
    let checked = found.and_then(|(found, _)| found.judged.outcome.as_ref().ok());
    let of_rulings = checked.into_iter().flat_map(|own| &own.rulings);
    let of_budgets = checked.into_iter().flat_map(|own| &own.guarantees);
    let of_chains = checked.into_iter().flat_map(|own| &own.chains);
    let of_rulings = of_rulings.map(|own| (own.name.as_str(), own.help.as_ref()));
    let of_budgets = of_budgets.map(|own| (own.name.as_str(), own.help.as_ref()));
    let of_chains = of_chains.map(|own| (own.name.as_str(), own.help.as_ref()));
    of_rulings.chain(of_budgets).chain(of_chains).filter_map(|(name, help)| Some((name, help?)))
}

/// A change of this document.
fn action(document: &Document, title: String, edit: TextEdit) -> CodeAction {
    let (uri, version) = (document.uri.clone(), Some(document.version));
    let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
    let changes = TextDocumentEdit { text_document, edits: vec![OneOf::Left(edit)] };
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(vec![changes])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    }
}

/// The cheapest change of one parameter that proves it, where the text has that parameter in a line of its own.
fn remedy(document: &Document, help: &Help) -> Option<(String, TextEdit)> {
    let change = help.change.as_ref()?;
    let Amount::Time(_) = change.to else { return None };
    let to = parameter::said(change.to);
    let (_, name) = change.what.rsplit_once(" of ")?;
    let keys: &[&str] = match change.parameter {
        "wcet" => &["wcet"],
        "budget" => &["budget"],
        "period" => &["period"],
        "limit" => &["deadline", "handled-within"],
        "reaction" => &["reaction"],
        "age" => &["age"],
        "latest-interarrival" => &["latest-interarrival"],
        _ => return None,
    };
    let value = keys.iter().find_map(|key| value(&document.text, name, key))?;
    let title = format!("{}: {to} instead of {}", change.what, &document.text[value.clone()]);
    Some((title, TextEdit::new(document.range(value), to)))
}

/// The text in quotes that a key of a table has.
fn value(text: &str, table: &str, key: &str) -> Option<Bytes<usize>> {
    let mut start = 0;
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        if let Some(path) = head(line) {
            is_inside = path.join(".") == table;
        } else if let Some((_, sign)) = assignment(line).filter(|(own, _)| is_inside && *own == key)
        {
            let open = sign + line[sign..].find('"')? + 1;
            let close = open + line[open..].find('"')?;
            return Some(start + open..start + close);
        }
        start += line.len();
    }
    None
}
