//! A figure on the page: what it shows, its pictures, its claims, its numbers, what must be known to read it.

use super::element::{anchor, row, row_anchor, scrolled, verdict};
use crate::claim::{Claim, Way};
use crate::figure::{Figure, Reproduced};
use crate::rule::Agreement;
use std::fmt::Write as _;
use vorrang_figure::escaped;

/// The section; its claims are counted from `first` on.
pub(super) fn section(figure: &Figure, found: &Reproduced, first: usize) -> String {
    let mut out = format!(
        "<h2 id=\"{}\">{}</h2>\n<p>{}.</p>\n<p class=\"quiet\">Published by {}. Description: \
         <span class=\"mono\">{}</span></p>\n",
        figure.name,
        figure.name,
        marked(&capitalised(figure.shows)),
        escaped(figure.publication),
        escaped(figure.system)
    );
    for picture in &found.pictures {
        let _ = write!(out, "<h3>{}</h3>\n{}", escaped(picture.title()), picture.html());
    }
    out += "<h3>Claims</h3>\n";
    let mut table = "<table>\n<thead>".to_owned();
    table += &row("th", ["the publication", "found here", "verdict and rule"]);
    table += "</thead>\n<tbody>\n";
    for (nth, of) in found.claims.iter().enumerate() {
        table += &claim(of, &anchor(first + nth));
    }
    table += "</tbody>\n</table>\n";
    out += &scrolled(&format!("Claims of {}", figure.name), &table);
    out += "<details><summary>Numbers</summary>\n";
    out += &scrolled(&format!("Numbers of {}", figure.name), &numbers(found));
    out += "</details>\n<ul>\n";
    for remark in figure.remarks {
        let _ = writeln!(out, "<li>{}</li>", marked(remark));
    }
    out + "</ul>\n"
}

/// Text with what stands between backticks as code.
fn marked(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(nth, part)| match nth % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    });
    parts.collect()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn claim(of: &Claim, anchor: &str) -> String {
    let mut found = String::new();
    for (way, text) in &of.found {
        let way = match way {
            Way::Kernel(run) => format!("kernel, run <a href=\"#run-{run}\">{run}</a>"),
            other => other.word(),
        };
        let _ = write!(found, "<p><span class=\"way\">{way}:</span> {}</p>", marked(text));
    }
    let rows = of.rows.iter().map(|(file, line)| {
        format!("<a class=\"mono\" href=\"#{}\">{file}:{line}</a>", row_anchor(file, *line))
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    let rule = match of.agreement() {
        Agreement::Fitted(numbers) => format!("chosen for it: {}", numbers.join(", ")),
        _ => of.rule.text(),
    };
    let mut judged = verdict(of);
    for (text, class) in [(rule.as_str(), ""), (of.why.as_str(), " class=\"quiet\"")] {
        if !text.is_empty() {
            let _ = write!(judged, "<p{class}>{}</p>", marked(&sentence(text)));
        }
    }
    format!(
        "<tr id=\"{anchor}\"><td class=\"says\">{}<p class=\"quiet\">{rows}</p></td>\
         <td class=\"found\">{found}</td><td>{judged}</td></tr>\n",
        escaped(&of.published)
    )
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let text = capitalised(text);
    if text.ends_with('.') { text } else { text + "." }
}

fn numbers(found: &Reproduced) -> String {
    let mut table = "<table>\n<thead>".to_owned();
    table += &row("th", found.table.columns.iter().map(String::as_str));
    table += "</thead>\n<tbody>\n";
    for cells in &found.table.rows {
        let cells = cells.iter().map(|cell| {
            let class = if cell.parse::<f64>().is_ok() { " class=\"n\"" } else { "" };
            format!("<td{class}>{}</td>", escaped(cell))
        });
        let _ = writeln!(table, "<tr>{}</tr>", cells.collect::<String>());
    }
    table + "</tbody>\n</table>\n"
}
