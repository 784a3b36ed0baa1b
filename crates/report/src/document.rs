//! The document of every page: its policy, its style and script. A body brings its own heading and foot.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use vorrang_figure::{Figure, css, escaped};
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::outcome::Verdict;

/// A page and its figures.
pub struct Report {
    /// The whole document.
    pub html: String,
    /// In the order of the page; their names differ.
    pub figures: Vec<Figure>,
}

/// What `web/` makes of its sources; a test there compares them.
const SCRIPT: &str = include_str!("../dist/report.js");
const STYLE: &str = include_str!("../dist/report.css");

/// As a content security policy names what may run.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// The whole document around a body; `first` is where its numbers begin: an anchor, and what it is called.
pub fn document(name: &str, first: (&str, &str), body: &str) -> String {
    around(name, first, "", body)
}

/// The whole document around a body, which has an element with the id `verdicts`: its policy, the style sheet of reports
/// and of figures with more of its own, and the script of reports.
pub fn shell(name: &str, more_style: &str, body: &str) -> String {
    around(name, ("verdicts", "verdicts"), more_style, body)
}

fn around(name: &str, (anchor, first): (&str, &str), more_style: &str, body: &str) -> String {
    let style = format!("{STYLE}{}{more_style}", css());
    let (of_style, of_script) = (hash(&style), hash(SCRIPT));
    let title = escaped(name);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {of_style}; \
         script-src {of_script}; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · Vorrang</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#{anchor}\">To the {first}</a>\n<main>\n{body}</main>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// A verdict as it is shown.
pub fn verdict(of: Verdict) -> String {
    said(of, of.word())
}

/// The same in a word of its own.
pub fn said(of: Verdict, word: &str) -> String {
    format!("<span class=\"verdict {}\">{word}</span>", of.word())
}

/// The heading of a page, and when it was made if that is to be said.
pub fn heading(name: &str, date: Option<&str>) -> String {
    let date =
        date.map_or(String::new(), |date| format!("<p class=\"quiet\">{}</p>\n", escaped(date)));
    format!("<h1>{}</h1>\n{date}", escaped(name))
}

/// What comes of all of it, in a sentence; with a verdict if it is one.
pub fn sentence(of: Option<Verdict>, text: &str) -> String {
    let class = of.map_or(String::new(), |verdict| format!(" verdict {}", verdict.word()));
    format!("<p class=\"whole{class}\">{}</p>\n", escaped(text.trim()).replace('\n', " "))
}

/// Names and what is known of each, one below the other; values are escaped already.
pub fn facts(rows: &[(&str, String)]) -> String {
    let row =
        |(name, value): &(&str, String)| format!("<dt>{}</dt><dd>{value}</dd>\n", escaped(name));
    format!("<dl class=\"facts\">\n{}</dl>\n", rows.iter().map(row).collect::<String>())
}

/// The end of a page: the tool, then these lines.
pub fn foot(lines: &[String]) -> String {
    let lines: Vec<String> =
        [TOOL].into_iter().chain(lines.iter().map(String::as_str)).map(escaped).collect();
    format!("<footer>\n<p>{}</p>\n</footer>\n", lines.join("<br>\n"))
}

/// An anchor made of a name: names of two may differ in what no anchor has, so their places are in it.
pub fn anchor(letter: char, place: usize, name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{letter}{place}-{name}")
}
