//! The document: its policy, its style and script, what stands above and below.

use crate::options::Options;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_figure::{css, escaped};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::outcome::Verdict;

/// What `web/` makes of its sources; a test there compares them.
const SCRIPT: &str = include_str!("../../../web/dist/report.js");
const STYLE: &str = include_str!("../../../web/dist/report.css");

/// As a content security policy names what may run.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// The whole document of a report.
pub(crate) fn document(name: &str, body: &str) -> String {
    shell(name, "", body)
}

/// The whole document around a body, which has an element with the id `verdicts`: its policy, the style sheet of reports
/// and of figures with more of its own, and the script of reports.
pub fn shell(name: &str, more_style: &str, body: &str) -> String {
    let style = format!("{STYLE}{}{more_style}", css());
    let (of_style, of_script) = (hash(&style), hash(SCRIPT));
    let title = escaped(name);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {of_style}; \
         script-src {of_script}; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · Vorrang</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#verdicts\">To the verdicts</a>\n<main>\n{body}</main>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// A verdict as it is shown.
pub(crate) fn verdict(of: Verdict) -> String {
    format!("<span class=\"verdict {0}\">{0}</span>", of.word())
}

/// What stands above all.
pub(crate) fn heading(checked: &Checked, options: &Options) -> String {
    let mut out = format!("<h1>{}</h1>\n", escaped(&checked.input.name));
    let sentence =
        vorrang_verdict::report::sentence(vorrang_verdict::screen::PLAIN, &checked.rulings);
    let class = checked.verdict().map_or("undecided", Verdict::word);
    let _ = writeln!(
        out,
        "<p class=\"whole verdict {class}\">{}</p>",
        escaped(sentence.trim()).replace('\n', " ")
    );
    if let Some(date) = &options.date {
        let _ = writeln!(out, "<p class=\"quiet\">{}</p>", escaped(date));
    }
    if checked.interrupted {
        out += "<p><strong>The check was interrupted: some of this is missing.</strong></p>\n";
    }
    let warnings = &checked.input.warnings;
    if !warnings.is_empty() {
        out += "<ul>\n";
        for (warning, (line, column)) in warnings {
            let _ = writeln!(
                out,
                "<li>{} at {line}:{column}: {}</li>",
                warning.code.text(),
                escaped(&warning.message)
            );
        }
        out += "</ul>\n";
    }
    out
}

/// What all bounds take for granted, and for which requirements.
pub(crate) fn assumptions(checked: &Checked) -> String {
    let mut by: BTreeMap<usize, (&str, Vec<usize>)> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for (place, ruling) in checked.rulings.iter().enumerate() {
        for assumed in &ruling.assumptions {
            let nth = order.iter().position(|known| known == assumed).unwrap_or_else(|| {
                order.push(assumed);
                order.len() - 1
            });
            by.entry(nth).or_insert((assumed, Vec::new())).1.push(place);
        }
    }
    let mut out = String::from("<h2 id=\"assumptions\">Assumptions</h2>\n");
    if by.is_empty() {
        return out + "<p>Nothing is bounded, so nothing is assumed.</p>\n";
    }
    out += "<p>The bounds hold if these do.</p>\n<ol>\n";
    let all = checked.rulings.iter().filter(|ruling| !ruling.assumptions.is_empty()).count();
    for (text, places) in by.into_values() {
        let who = if places.len() == all {
            "all bounds".to_owned()
        } else {
            let mut names: Vec<&str> =
                places.iter().take(8).map(|&place| checked.rulings[place].name.as_str()).collect();
            let more = places.len() - names.len();
            let more = if more > 0 { format!("{more} more") } else { String::new() };
            if !more.is_empty() {
                names.push(&more);
            }
            names.join(", ")
        };
        let _ = writeln!(
            out,
            "<li>{} <span class=\"quiet\">({})</span></li>",
            escaped(text),
            escaped(&who)
        );
    }
    out + "</ol>\n"
}

/// Which tool, which input, which seed.
pub(crate) fn foot(checked: &Checked) -> String {
    let seen = &checked.observations;
    format!(
        "<footer>\n<p>{}<br>\n{}, sha256 <span class=\"mono\">{}</span><br>\n\
         Simulated {} histories of at most {} each, seed {}.</p>\n</footer>\n",
        escaped(TOOL),
        escaped(&checked.input.name),
        escaped(&checked.input.sha256),
        seen.runs,
        seen.horizon,
        seen.seed
    )
}

/// Where the section of a requirement is: names of two may differ in what no anchor has.
pub(crate) fn anchor(checked: &Checked, place: usize) -> String {
    let name: String = checked.rulings[place]
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    format!("r{place}-{name}")
}
