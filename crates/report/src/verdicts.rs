//! All verdicts in a table that is sorted and filtered.

use crate::{document, page};
use std::fmt::Write as _;
use vorrang_figure::escaped;
use vorrang_time::Duration;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::ruling::Ruling;

const HEADS: [(&str, bool); 8] = [
    ("requirement", false),
    ("verdict", false),
    ("limit [us]", true),
    ("bound [us]", true),
    ("worst seen [us]", true),
    ("margin [%]", true),
    ("core", false),
    ("by", false),
];

/// The table, with its filter; those in `detailed` have a section of their own.
pub(crate) fn section(checked: &Checked, detailed: &[usize]) -> String {
    let mut out = String::from("<h2 id=\"verdicts\">Verdicts</h2>\n");
    if checked.rulings.is_empty() {
        return out + "<p>The description requires nothing, so nothing is proven.</p>\n";
    }
    out += &filter(&checked.rulings);
    out += "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Verdicts\">\n\
            <table id=\"all-verdicts\" data-sortable>\n<thead><tr>";
    for (head, is_number) in HEADS {
        let class = if is_number { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{head}</th>");
    }
    out += "</tr></thead>\n<tbody>\n";
    for (place, ruling) in checked.rulings.iter().enumerate() {
        out += &row(checked, place, ruling, detailed.binary_search(&place).is_ok());
    }
    out + "</tbody>\n</table>\n</div>\n"
}

fn filter(rulings: &[Ruling]) -> String {
    let mut out = String::from(
        "<div class=\"filter\" data-filter=\"all-verdicts\" hidden>\n\
         <label>Filter <input type=\"search\" placeholder=\"words in a row\"></label>\n",
    );
    for verdict in [Verdict::Refuted, Verdict::Undecided, Verdict::Proven] {
        let count = rulings.iter().filter(|ruling| ruling.verdict == verdict).count();
        let word = verdict.word();
        let _ = writeln!(
            out,
            "<label><input type=\"checkbox\" value=\"{word}\" checked> \
             <span class=\"verdict {word}\">{word} ({count})</span></label>"
        );
    }
    out + "<span role=\"status\"></span>\n</div>\n"
}

fn row(checked: &Checked, place: usize, ruling: &Ruling, is_detailed: bool) -> String {
    let name = escaped(&ruling.name);
    let name = if is_detailed {
        format!("<a href=\"#{}\">{name}</a>", page::anchor(checked, place))
    } else {
        name
    };
    let worst = ruling.observed.as_ref().map(|seen| seen.response);
    let margin = margin(ruling);
    let core = escaped(&checked.input.system.supply(ruling.core).name);
    format!(
        "<tr data-verdict=\"{}\"><td class=\"name\">{name}</td><td>{}</td>{}{}{}\
         <td class=\"n\" data-v=\"{}\">{}</td><td class=\"name\">{core}</td><td>{}</td></tr>\n",
        ruling.verdict.word(),
        document::said(ruling.verdict, ruling.word()),
        time(Some(ruling.limit)),
        time(ruling.bound),
        time(worst),
        margin.as_deref().unwrap_or(""),
        margin.as_deref().unwrap_or("-"),
        escaped(&ruling.by)
    )
}

fn time(of: Option<Duration>) -> String {
    let Some(of) = of else { return "<td class=\"n\" data-v=\"\">-</td>".to_owned() };
    format!("<td class=\"n\" data-v=\"{}\">{}</td>", of.as_ns(), micros(of))
}

/// Microseconds, with three decimals where they are not whole.
pub(crate) fn micros(of: Duration) -> String {
    let (whole, rest) = (of.as_ns() / 1000, of.as_ns() % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}") }
}

/// What the bound leaves of the limit, in percent with one decimal, rounded down; negative above it.
pub(crate) fn margin(ruling: &Ruling) -> Option<String> {
    let (bound, limit) = (i128::from(ruling.bound?.as_ns()), i128::from(ruling.limit.as_ns()));
    let tenths = ((limit - bound) * 1000).div_euclid(limit.max(1));
    let sign = if tenths < 0 { "-" } else { "" };
    let tenths = tenths.abs();
    Some(format!("{sign}{}.{}", tenths / 10, tenths % 10))
}
