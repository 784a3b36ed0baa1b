//! All figures, tables and claims of the publications as one page.
//!
//! **Model.** The page is the body of an HTML document; its writer puts the style sheet, the policy and the script
//! of reports around it. Every picture is an SVG by `vorrang-figure`, in the page and as a file of its own.
//!
//! | part of the page | file |
//! |---|---|
//! | all claims in one table, counted by verdict | `overview.rs` |
//! | a figure: pictures, claims, numbers | `section.rs` |
//! | what all parts are made of | `element.rs` |
//! | this machine, if its profile is given | `machine.rs` |
//! | the tables of `published/`, with the verdicts of each row; the runs of the lab | `sources.rs` |
//!
//! **Assumptions.** The same results give the same bytes: no clock, nothing in an order that differs.

mod element;
mod machine;
mod overview;
mod section;
mod sources;

pub use overview::counted;

use crate::figure::Made;
use crate::setting::Setting;
use std::fmt::Write as _;
use vorrang_figure::escaped;

/// What this page has beyond the style sheet of reports.
pub const STYLE: &str = ".agrees{color:var(--good)}.agrees:before{content:\"✓\"}\
.in-shape{color:var(--good)}.in-shape:before{content:\"≈\"}\
.disagrees{color:var(--bad)}.disagrees:before{content:\"✗\"}\
.fitted{color:var(--open)}.fitted:before{content:\"=\"}\
.open{color:var(--quiet)}.open:before{content:\"?\"}\
td.says{min-width:18rem}td.found{min-width:20rem}td.found p{margin:0 0 .3rem}\
.way{color:var(--quiet)}.scroll table{overflow-wrap:normal}";

/// The body of the page; `tool` says which program made it.
pub fn body(made: &Made, setting: &Setting, tool: &str) -> String {
    let mut out = overview::section(made, setting);
    let mut first = 0;
    for (figure, found) in made {
        out += &section::section(figure, found, first);
        first += found.claims.len();
    }
    out += &sources::section(made);
    out += &setting.machine.as_ref().map_or(String::new(), machine::section);
    let _ = writeln!(out, "<footer><p>{}</p></footer>", escaped(tool));
    out
}
