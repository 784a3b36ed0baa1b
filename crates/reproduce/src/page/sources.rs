//! The tables of `published/`, each row with the verdicts of the claims that stand in it; and the recorded runs.

use super::element::{anchor, row, row_anchor, scrolled, verdict};
use crate::figure::Made;
use crate::published::{SOURCES, Source};
use crate::recorded;
use std::fmt::Write as _;
use vorrang_figure::escaped;

/// The last part of the page.
pub(super) fn section(made: &Made) -> String {
    let mut out = "<h2 id=\"published\">Published tables, row by row</h2>\n".to_owned();
    let claims = || made.iter().flat_map(|(_, found)| &found.claims);
    let is_claimed = |source: &&Source| {
        claims().any(|claim| claim.rows.iter().any(|(file, _)| *file == source.file))
    };
    for source in SOURCES.iter().filter(is_claimed) {
        let _ = writeln!(
            out,
            "<h3 class=\"mono\">{}</h3>\n<p>{}.</p>",
            source.file,
            escaped(source.holds)
        );
        out += &scrolled(source.file, &table(source, made));
    }
    out += "<h2 id=\"recorded\">Recorded runs of the lab</h2>\n<p>Stock kernels, each run once; the numbers are in \
            <span class=\"mono\">published/recorded/</span>.</p>\n";
    let mut table = "<table>\n<thead>".to_owned();
    table += &row("th", ["run", "kernel", "recorded", "command", "conditions"]);
    table += "</thead>\n<tbody>\n";
    for run in recorded::runs() {
        let _ = writeln!(
            table,
            "<tr id=\"run-{0}\"><td class=\"name\">{0}</td><td>{1}</td><td class=\"name\">{2}</td>\
             <td class=\"mono\">{3}</td><td>{4}</td></tr>",
            escaped(&run.name),
            escaped(&run.kernel),
            escaped(&run.date),
            escaped(&run.command),
            escaped(&run.conditions)
        );
    }
    out + &scrolled("Recorded runs", &(table + "</tbody>\n</table>\n"))
}

fn table(source: &Source, made: &Made) -> String {
    let head = source.head();
    let mut out = "<table>\n<thead>".to_owned();
    let heads = ["line"].into_iter().chain(head.iter().map(String::as_str)).chain(["verdicts"]);
    out += &row("th", heads);
    out += "</thead>\n<tbody>\n";
    for (line, cells) in source.rows() {
        let cells = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell)));
        let _ = writeln!(
            out,
            "<tr id=\"{}\"><td class=\"n\">{line}</td>{}<td>{}</td></tr>",
            row_anchor(source.file, line),
            cells.collect::<String>(),
            verdicts(source, line, made)
        );
    }
    out + "</tbody>\n</table>\n"
}

/// Of all claims that stand in a row, each a link to it.
fn verdicts(source: &Source, line: usize, made: &Made) -> String {
    let all = made.iter().flat_map(|(_, found)| &found.claims);
    let own = all.enumerate().filter(|(_, claim)| claim.rows.contains(&(source.file, line)));
    let own = own
        .map(|(number, claim)| format!("<a href=\"#{}\">{}</a>", anchor(number), verdict(claim)));
    own.collect::<Vec<_>>().join("<br>")
}
