//! Elements of the page.

use crate::claim::Claim;
use crate::rule::Agreement;
use vorrang_figure::escaped;

/// The class of a verdict.
pub(super) fn class(of: Agreement) -> &'static str {
    match of {
        Agreement::Agrees => "agrees",
        Agreement::InShape => "in-shape",
        Agreement::Disagrees => "disagrees",
        Agreement::Fitted(_) => "fitted",
        Agreement::Open => "open",
    }
}

/// A verdict as it is shown.
pub(super) fn verdict(claim: &Claim) -> String {
    let of = claim.agreement();
    format!("<span class=\"verdict {}\">{of}</span>", class(of))
}

/// Where a claim is, counted over all figures.
pub(super) fn anchor(number: usize) -> String {
    format!("claim-{}", number + 1)
}

/// A table that scrolls where it is too wide.
pub(super) fn scrolled(label: &str, table: &str) -> String {
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">\n{table}</div>\n",
        escaped(label)
    )
}

/// A row of cells.
pub(super) fn row<'a>(tag: &str, cells: impl IntoIterator<Item = &'a str>) -> String {
    let scope = if tag == "th" { " scope=\"col\"" } else { "" };
    let cells = cells.into_iter().map(|cell| format!("<{tag}{scope}>{}</{tag}>", escaped(cell)));
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}

/// Where a line of a table in `published/` is on the page.
pub(super) fn row_anchor(file: &str, line: usize) -> String {
    format!("{}-{line}", file.replace('.', "-"))
}
