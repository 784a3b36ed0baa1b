//! Cores and their servers: what is used of them, whether budgets are guaranteed, what the machine takes.

use crate::document;
use serde_json::Value;
use std::fmt::Write as _;
use vorrang_figure::{Axis, Bar, Bars, Figure, Part, escaped};
use vorrang_time::Duration;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::table::{percent, percent_at_most};
use vorrang_verdict::{loss, occupied};

/// Servers and cores that are drawn at most.
const MOST: usize = 64;

/// What a core is made of, by the keys of `vorrang-check/1`.
const PARTS: [(&str, &str); 4] = [
    ("reserved_percent", "reserved by servers"),
    ("tasks_percent", "tasks directly on it"),
    ("interrupts_percent", "interrupt routines"),
    ("costs_percent", "overhead"),
];

/// The section.
pub(crate) fn section(checked: &Checked, figures: &mut Vec<Figure>) -> String {
    let system = &checked.input.system;
    let rows = occupied::document(system, &checked.occupied);
    let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
    let mut out = String::from("<h2 id=\"cores\">Cores and servers</h2>\n");
    let cores: Vec<&Value> = rows.iter().filter(|row| row["on"].is_null()).take(MOST).collect();
    let figure = Figure::from(bars(&cores));
    out += &figure.html();
    figures.push(figure);
    out += &guarantees(checked, rows);
    out + &losses(checked)
}

fn number(of: &Value) -> f64 {
    of.as_str().and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

fn bars(cores: &[&Value]) -> Bars {
    let axis = Axis::linear("share of the core", "%");
    let mut bars = Bars::new("utilisation", "What is taken of each core", axis)
        .described("Shares in the long run, rounded up; what is left of 100 % is free.");
    bars.parts = PARTS.iter().map(|(_, name)| (*name).to_owned()).collect();
    for core in cores {
        let part = |(of, (key, _)): (usize, &(&str, &str))| Part { of, value: number(&core[*key]) };
        let name = core["name"].as_str().unwrap_or_default().to_owned();
        bars.bars.push(Bar { name, parts: PARTS.iter().enumerate().map(part).collect() });
    }
    bars.rule = Some((100.0, "whole core".to_owned()));
    bars
}

fn head(heads: &[&str]) -> String {
    let mut out = String::from("<thead><tr>");
    for (nth, head) in heads.iter().enumerate() {
        let class = if nth > 0 { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{head}</th>");
    }
    out + "</tr></thead>\n"
}

/// Every core and server with its shares and the verdict on its budget.
fn guarantees(checked: &Checked, rows: &[Value]) -> String {
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Cores and servers\">\n<table data-sortable>\n",
    );
    out += &head(&[
        "of",
        "has [%]",
        "reserved [%]",
        "tasks [%]",
        "interrupts [%]",
        "left [%]",
        "used inside [%]",
        "budget",
    ]);
    out += "<tbody>\n";
    let keys = [
        "capacity_percent",
        "reserved_percent",
        "tasks_percent",
        "interrupts_percent",
        "left_percent",
        "used_inside_percent",
    ];
    for row in rows {
        let name = row["name"].as_str().unwrap_or_default();
        let _ = write!(out, "<tr><td class=\"name\">{}</td>", escaped(name));
        for key in keys {
            let value = row[key].as_str();
            let shown = value.unwrap_or("-");
            let _ = write!(out, "<td class=\"n\" data-v=\"{}\">{shown}</td>", value.unwrap_or(""));
        }
        let budget = checked.guarantees.iter().find(|of| of.name == name);
        let budget = budget.map_or("-".to_owned(), |of| {
            let why = of
                .found
                .as_ref()
                .err()
                .map(|(cause, why)| format!(" {} [{}]", escaped(why), cause.code()));
            document::verdict(of.verdict()) + &why.unwrap_or_default()
        });
        let _ = writeln!(out, "<td>{budget}</td></tr>");
    }
    out + "</tbody>\n</table>\n</div>\n"
}

/// What is lost to the machine, to what and by whom.
fn losses(checked: &Checked) -> String {
    let document = loss::document(&checked.input.system, &checked.losses);
    let cores = document.as_array().map_or(&[][..], Vec::as_slice);
    let mut out = String::from("<h3 id=\"losses\">Time lost to the machine</h3>\n");
    if cores.is_empty() {
        return out + "<p>The description states no costs and no caches, so nothing is lost.</p>\n";
    }
    for core in cores {
        let name = core["core"].as_str().unwrap_or_default();
        let window = Duration::from_ns(core["window_ns"].as_u64().unwrap_or(0));
        let _ = writeln!(
            out,
            "<p>Of the time of {}, in the first {window} of any history, in percent: the bound is that of the core, which \
             may all fall to one of them.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Losses of {0}\">\n<table data-sortable>",
            escaped(name)
        );
        out += &head(&["lost by", "to", "bound [%]", "observed [%]"]);
        out += "<tbody>\n";
        for loser in core["losers"].as_array().map_or(&[][..], Vec::as_slice) {
            out += &loser_rows(loser, window);
        }
        out += "</tbody>\n</table>\n</div>\n";
    }
    out
}

fn loser_rows(loser: &Value, window: Duration) -> String {
    let mut out = String::new();
    let name = escaped(loser["name"].as_str().unwrap_or(loss::NO_CONTEXT));
    let Some(causes) = loser["causes"].as_object() else { return out };
    for (cause, of) in causes {
        let observed = of["observed_ns"].as_u64().unwrap_or(0);
        let bound = of["bound_ns"].as_u64();
        if bound.unwrap_or(0) == 0 && observed == 0 {
            continue;
        }
        let cell = |text: Option<String>| {
            let value = text.as_deref().unwrap_or_default();
            format!("<td class=\"n\" data-v=\"{value}\">{}</td>", text.as_deref().unwrap_or("-"))
        };
        let _ = writeln!(
            out,
            "<tr><td class=\"name\">{name}</td><td class=\"n\">{}</td>{}{}</tr>",
            escaped(&cause.replace('_', " ")),
            cell(bound.and_then(|bound| percent_at_most(Duration::from_ns(bound), window))),
            cell(percent(Duration::from_ns(observed), window))
        );
    }
    out
}
