//! Tables of a page: sorted by a click on a head, numbers to the right.

use serde_json::Value;
use std::fmt::Write as _;
use vorrang_figure::escaped;

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Text, which may be broken.
    Text(String),
    /// A name, which stays on one line.
    Name(String),
    /// A number as it is shown.
    Number(String),
    /// Elements, escaped already.
    Html(String),
    /// Nothing to say.
    Nothing,
}

/// A head; numbers stand to the right.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// What is below it, with its unit.
    pub text: &'static str,
    /// Whether numbers are.
    pub is_number: bool,
}

/// A head of words.
pub const fn words(text: &'static str) -> Head {
    Head { text, is_number: false }
}

/// A head of numbers.
pub const fn numbers(text: &'static str) -> Head {
    Head { text, is_number: true }
}

/// A table in a box that scrolls by itself; nothing without rows.
pub fn table(label: &str, heads: &[Head], rows: &[Vec<Cell>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">\n<table data-sortable>\n<thead><tr>",
        escaped(label)
    );
    for head in heads {
        let class = if head.is_number { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escaped(head.text));
    }
    out += "</tr></thead>\n<tbody>\n";
    for row in rows {
        out += "<tr>";
        for (cell, head) in row.iter().zip(heads) {
            out += &cell.html(*head);
        }
        out += "</tr>\n";
    }
    out + "</tbody>\n</table>\n</div>\n"
}

impl Cell {
    /// A time in microseconds.
    pub fn micros(ns: u64) -> Self {
        let (whole, rest) = (ns / 1000, ns % 1000);
        Self::Number(if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}") })
    }

    /// One of a document: a time of a key that ends in `_ns` in microseconds, a number, a text.
    pub fn of(document: &Value, key: &str) -> Self {
        match &document[key] {
            Value::Number(number) => match number.as_u64().filter(|_| key.ends_with("_ns")) {
                Some(ns) => Self::micros(ns),
                None => Self::Number(number.to_string()),
            },
            Value::String(text) => Self::Name(text.clone()),
            _ => Self::Nothing,
        }
    }

    fn html(&self, head: Head) -> String {
        let number = |shown: &str, value: &str| {
            format!("<td class=\"n\" data-v=\"{}\">{}</td>", escaped(value), escaped(shown))
        };
        match self {
            Self::Text(text) => format!("<td>{}</td>", escaped(text)),
            Self::Name(text) => format!("<td class=\"name\">{}</td>", escaped(text)),
            Self::Number(text) => number(text, text),
            Self::Html(html) => format!("<td>{html}</td>"),
            Self::Nothing if head.is_number => number("-", ""),
            Self::Nothing => "<td>-</td>".to_owned(),
        }
    }
}

/// A table of the objects of a document, a column for each key that one of them has.
pub(crate) fn of_document(label: &str, columns: &[(&str, Head)], rows: &Value) -> String {
    let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
    let is_there = |(key, _): &&(&str, Head)| rows.iter().any(|row| !row[*key].is_null());
    let columns: Vec<&(&str, Head)> = columns.iter().filter(is_there).collect();
    let heads: Vec<Head> = columns.iter().map(|(_, head)| *head).collect();
    let row = |row: &Value| columns.iter().map(|(key, _)| Cell::of(row, key)).collect();
    let rows: Vec<Vec<Cell>> = rows.iter().map(row).collect();
    table(label, &heads, &rows)
}

#[cfg(test)]
mod tests {
    use super::{Cell, numbers, table, words};
    use serde_json::json;

    #[test]
    fn times_are_microseconds_and_text_is_no_markup() {
        let row = json!({ "name": "<b>", "longest_ns": 1_500, "jobs": 3, "limit_ns": null });
        let cells = ["name", "longest_ns", "jobs", "limit_ns"].map(|key| Cell::of(&row, key));
        let heads = [words("of"), numbers("longest [us]"), numbers("jobs"), numbers("limit [us]")];
        let html = table("a \"table\"", &heads, &[cells.to_vec()]);
        assert!(html.contains("aria-label=\"a &quot;table&quot;\""), "{html}");
        assert!(html.contains(
            "<td class=\"name\">&lt;b&gt;</td><td class=\"n\" data-v=\"1.500\">1.500</td>\
             <td class=\"n\" data-v=\"3\">3</td><td class=\"n\" data-v=\"\">-</td>"
        ));
    }
}
