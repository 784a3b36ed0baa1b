//! What is wrong with a text, what is probably not meant, and what is not proven.

use crate::document::Document;
use lsp_types::{
    Diagnostic as Told, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Range,
};
use vorrang_ci::finding::{Finding, Severity};
use vorrang_model::Diagnostic;

/// Everything. What an earlier text left undecided or refuted is not said of this one.
pub(crate) fn all(document: &Document) -> Vec<Told> {
    let remarks = document.remarks.iter().map(|own| remark(document, own));
    let found = document.found.as_ref().filter(|(_, is_of_this)| *is_of_this);
    let cases = found.map(|(found, _)| found.judged.cases()).unwrap_or_default();
    let findings = cases.into_iter().filter_map(|case| case.finding);
    remarks.chain(findings.map(|own| finding(document, &own))).collect()
}

fn remark(document: &Document, of: &Diagnostic) -> Told {
    let others = of.others.iter().map(|label| DiagnosticRelatedInformation {
        location: Location::new(document.uri.clone(), document.range(label.span.clone())),
        message: label.text.clone(),
    });
    let others: Vec<_> = others.collect();
    let lines =
        [Some(&of.message), Some(&of.label).filter(|own| !own.is_empty()), of.help.as_ref()];
    let lines: Vec<&str> = lines.into_iter().flatten().map(String::as_str).collect();
    let severity = if of.code.is_warning() { Severity::Warning } else { Severity::Error };
    Told {
        related_information: (!others.is_empty()).then_some(others),
        ..told(document.range(of.span.clone()), severity, Some(of.code.text()), lines.join("\n"))
    }
}

fn finding(document: &Document, of: &Finding) -> Told {
    let declared = of.of.as_ref().and_then(|name| document.declared(name));
    let place = document.range(declared.unwrap_or(0..0));
    told(place, of.severity, of.code, of.lines())
}

fn told(range: Range, severity: Severity, code: Option<&str>, message: String) -> Told {
    Told {
        range,
        severity: Some(match severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: code.map(|code| NumberOrString::String(code.to_owned())),
        source: Some("vorrang".to_owned()),
        message,
        ..Told::default()
    }
}
