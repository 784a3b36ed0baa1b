//! What was probably meant, as a change of the text that was tried.
//!
//! **Model.** Many errors name what was probably meant. Whether that stands in quotes depends on what it is. So both
//! are tried, first what stands there now, and a change is one after which the text no longer has this error at this place.

use crate::diagnostic::{Diagnostic, Span};
use crate::{Format, read};

/// A part of a text, and what is to stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The part, in bytes.
    pub span: Span,
    /// What is to stand there.
    pub text: String,
}

/// The change that an error asks for; `None`: it asks for none that helps.
///
/// ```
/// use vorrang_model::{Format, corrected, correction, read};
/// let source = "version = 1\n[core.0]\nscheduler = \"efd\"\n";
/// let errors = read(source, Format::Toml).unwrap_err();
/// let change = correction(source, Format::Toml, &errors[0]).unwrap();
/// assert_eq!(change.text, "\"edf\"");
/// assert!(corrected(source, &[change]).ends_with("scheduler = \"edf\"\n"));
/// ```
pub fn correction(source: &str, format: Format, of: &Diagnostic) -> Option<Correction> {
    let meant = of.meant()?;
    let span = of.span.clone();
    let quoted = format!("\"{meant}\"");
    let is_quoted = source.get(span.clone())?.starts_with(['"', '\'']);
    let (first, second) =
        if is_quoted { (quoted, meant.to_owned()) } else { (meant.to_owned(), quoted) };
    [first, second]
        .into_iter()
        .map(|text| Correction { span: span.clone(), text })
        .find(|change| helps(source, format, of, change))
}

fn helps(source: &str, format: Format, of: &Diagnostic, change: &Correction) -> bool {
    let after = corrected(source, std::slice::from_ref(change));
    let remains = |errors: Vec<Diagnostic>| {
        errors.iter().any(|own| own.span.start == of.span.start || is_syntax(own))
    };
    !read(after, format).err().is_some_and(remains)
}

/// An error that hides all others.
fn is_syntax(of: &Diagnostic) -> bool {
    use crate::Code;
    matches!(of.code, Code::TomlSyntax | Code::JsonSyntax | Code::Duplicate)
}

/// The text with these changes; of two that overlap, the first.
pub fn corrected(source: &str, changes: &[Correction]) -> String {
    let mut changes: Vec<&Correction> = changes.iter().collect();
    changes.sort_by_key(|change| change.span.start);
    let mut text = String::new();
    let mut from = 0;
    for change in changes {
        if change.span.start >= from {
            text += &source[from..change.span.start];
            text += &change.text;
            from = change.span.end;
        }
    }
    text + &source[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(source: &str) -> Option<String> {
        let errors = read(source, Format::Toml).unwrap_err();
        let meant = errors.iter().find(|error| error.meant().is_some())?;
        Some(correction(source, Format::Toml, meant)?.text)
    }

    #[test]
    fn keys_have_no_quotes_and_values_have() {
        let with = |task: &str| {
            format!(
                "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[task.a]\non = \"core.0\"\n{task}"
            )
        };
        let right = "period = \"20ms\"\nwcet = \"1ms\"\npriority = 1\n";
        assert_eq!(
            fixed(&with("perod = \"20ms\"\nwcet = \"1ms\"\npriority = 1\n")).unwrap(),
            "period"
        );
        assert_eq!(fixed(&with(&right.replace("\"20ms\"", "20"))).unwrap(), "\"20ms\"");
        assert_eq!(fixed(&with(&right.replace("20ms", "20 milis"))), None);
        let elsewhere = with(right).replace("\"core.0\"", "\"cor.0\"");
        assert_eq!(fixed(&elsewhere).unwrap(), "\"core.0\"");
    }

    #[test]
    fn changes_that_overlap_are_not_both_made() {
        let change = |span, text: &str| Correction { span, text: text.to_owned() };
        let changes = [change(2..4, "X"), change(0..1, "A"), change(3..5, "Y")];
        assert_eq!(corrected("abcdef", &changes), "AbXef");
    }
}
