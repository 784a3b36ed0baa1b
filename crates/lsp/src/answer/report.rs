//! What is wrong with a text, what is probably not meant, and what is not proven. What is about a file that it includes
//! stands where that is named, and leads there.

use crate::document::Document;
use crate::judge::{Elsewhere, Remark};
use lsp_types::{
    Diagnostic as Told, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range, Uri,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::path::Path;
use std::str::FromStr as _;
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

fn remark(document: &Document, Remark { of, elsewhere }: &Remark) -> Told {
    if let Some(place) = elsewhere {
        return in_other_file(document, of, place);
    }
    let here = of.others.iter().filter(|label| label.file.is_none());
    let others = here.map(|label| DiagnosticRelatedInformation {
        location: Location::new(document.uri.clone(), document.range(label.span.clone())),
        message: label.text.clone(),
    });
    let others: Vec<_> = others.collect();
    let severity = severity(of);
    let lines = lines(of);
    let place = document.range(of.span.clone());
    Told {
        related_information: (!others.is_empty()).then_some(others),
        ..told(place, severity, Some(of.code.text()), lines)
    }
}

/// Where the document includes something, with the line in the file.
fn in_other_file(
    document: &Document,
    of: &Diagnostic,
    Elsewhere { path, place }: &Elsewhere,
) -> Told {
    let (line, column) = *place;
    let text = &document.text;
    let start = text.find("include").unwrap_or(0);
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let small = |from_one: usize| u32::try_from(from_one - 1).unwrap_or(u32::MAX);
    let position = Position::new(small(line), small(column));
    let uri = Uri::from_str(&format!("file://{}", escaped(path)));
    let related = uri.ok().map(|uri| DiagnosticRelatedInformation {
        location: Location::new(uri, Range::new(position, position)),
        message: of.message.clone(),
    });
    let message = format!("{}:{line}:{column}: {}", path.display(), lines(of));
    let place = document.range(start..end);
    Told {
        related_information: related.map(|one| vec![one]),
        ..told(place, severity(of), Some(of.code.text()), message)
    }
}

/// A path as a part of an address.
fn escaped(path: &Path) -> String {
    const KEPT: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.');
    utf8_percent_encode(&path.to_string_lossy(), &KEPT).to_string()
}

fn lines(of: &Diagnostic) -> String {
    let lines =
        [Some(&of.message), Some(&of.label).filter(|own| !own.is_empty()), of.help.as_ref()];
    let lines: Vec<&str> = lines.into_iter().flatten().map(String::as_str).collect();
    lines.join("\n")
}

fn severity(of: &Diagnostic) -> Severity {
    if of.code.is_warning() { Severity::Warning } else { Severity::Error }
}

fn finding(document: &Document, of: &Finding) -> Told {
    let own = of.place.as_ref().is_none_or(|spot| spot.file.is_none());
    let name = of.of.as_ref().filter(|_| own);
    let declared = name.and_then(|name| document.declared(name));
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
