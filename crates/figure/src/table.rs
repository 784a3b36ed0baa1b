//! The numbers of a figure as a table.

use crate::bars::{Bar, Bars};
use crate::chart::{Chart, Rule};
use crate::schedule::Schedule;
use crate::svg::escaped;
use crate::ticks::shown;
use std::fmt::Write as _;

/// Rows of a table that are written; what is left out is said.
const MOST: usize = 200;

/// A table of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The heads of the columns, with units.
    pub head: Vec<String>,
    /// As many cells each.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Of a chart: every point of every series, then reference lines and marked points.
    pub(crate) fn of_chart(chart: &Chart) -> Self {
        let head = vec![String::new(), chart.x.heading(), chart.y.heading()];
        let row = |name: &str, x: String, y: String| vec![name.to_owned(), x, y];
        let mut rows = Vec::new();
        for series in &chart.series {
            let points = series.points.iter();
            rows.extend(points.map(|&(x, y)| row(&series.name, shown(x), shown(y))));
        }
        rows.extend(chart.rules.iter().map(|rule| match rule {
            Rule::At(x, name, _) => row(name, shown(*x), String::new()),
            Rule::Level(y, name, _) => row(name, String::new(), shown(*y)),
        }));
        let spots = chart.spots.iter();
        rows.extend(spots.map(|of| row(&of.label, shown(of.at.0), shown(of.at.1))));
        Self { head, rows }
    }

    /// Of a schedule: slices and marks, row by row; times in microseconds.
    pub(crate) fn of_schedule(schedule: &Schedule) -> Self {
        let head = ["", "what", "from [us]", "to [us]", ""].map(str::to_owned).to_vec();
        let mut rows = Vec::new();
        for row in &schedule.rows {
            for slice in &row.slices {
                let (from, to) = (micros(slice.from), micros(slice.to));
                let what = slice.of.word().to_owned();
                rows.push(vec![row.name.clone(), what, from, to, slice.tip.clone()]);
            }
            for mark in &row.marks {
                let what = mark.sign.word().to_owned();
                rows.push(vec![
                    row.name.clone(),
                    what,
                    micros(mark.at),
                    String::new(),
                    mark.tip.clone(),
                ]);
            }
            for (at, value) in row.level.iter().flat_map(|level| &level.points) {
                let name = row.level.as_ref().map_or("", |level| &level.name);
                rows.push(vec![
                    row.name.clone(),
                    name.to_owned(),
                    micros(*at),
                    String::new(),
                    value.to_string(),
                ]);
            }
        }
        Self { head, rows }
    }

    /// Of bars: a column for each part.
    pub(crate) fn of_bars(bars: &Bars) -> Self {
        let mut head = vec![bars.axis.heading()];
        head.extend(bars.parts.iter().cloned());
        let row = |bar: &Bar| {
            let cell = |of: usize| {
                let values = bar.parts.iter().filter(|part| part.of == of).map(|part| part.value);
                let values: Vec<f64> = values.collect();
                if values.is_empty() { String::new() } else { shown(values.iter().sum()) }
            };
            let mut row = vec![bar.name.clone()];
            row.extend((0..bars.parts.len()).map(cell));
            row
        };
        Self { head, rows: bars.bars.iter().map(row).collect() }
    }

    /// As an element of HTML; of very many rows only the first.
    pub fn html(&self) -> String {
        let mut out = String::from("<table class=\"vf-table\">\n<thead><tr>");
        for head in &self.head {
            let tag = if head.is_empty() { "td" } else { "th" };
            let scope = if head.is_empty() { "" } else { " scope=\"col\"" };
            let _ = write!(out, "<{tag}{scope}>{}</{tag}>", escaped(head));
        }
        out += "</tr></thead>\n<tbody>\n";
        for row in self.rows.iter().take(MOST) {
            out += "<tr>";
            for cell in row {
                let _ = write!(out, "<td>{}</td>", escaped(cell));
            }
            out += "</tr>\n";
        }
        out += "</tbody>\n</table>\n";
        if let Some(more) = self.rows.len().checked_sub(MOST).filter(|&more| more > 0) {
            let _ = writeln!(out, "<p>And {more} rows more.</p>");
        }
        out
    }
}

fn micros(ns: u64) -> String {
    let (whole, rest) = (ns / 1000, ns % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}") }
}
