//! `vorrang reproduce`: published figures and claims beside what is found here.

use crate::exit::{Failure, Output};
use crate::screen;
use crate::screen::wrapped;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_quote::name::shown;
use vorrang_reproduce::{Agreement, Claim, FIGURES, Figure, Reproduced, Table};
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::table::Column;

/// Show a published figure, its numbers and claims beside ours
///
///     $ vorrang reproduce
///     switch-loss         loss of time to cold caches against the frequency of switching, every row of the cache table
///     ...
///
/// Each figure is a description (under published/systems/) and one thing in it that varies. What
/// the publication does not state is chosen there, and said. Without a name, all figures are listed.
///
/// Every claim of the publication has a verdict, by a rule that is printed with it: it agrees, agrees
/// in shape (the direction does, the numbers do not or were not published), disagrees, is fitted (its
/// number was used to choose something that was not published, so it says nothing), or is open.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Reproduce {
    /// The figure
    #[arg(value_name = "FIGURE")]
    figure: Option<String>,
    /// Print the numbers as comma-separated values
    #[arg(long, requires = "figure")]
    csv: bool,
    /// Run all figures, and print all claims
    #[arg(long, conflicts_with = "figure")]
    all: bool,
}

impl Reproduce {
    /// # Errors
    /// There is no such figure.
    pub fn run(&self) -> Result<Output, Failure> {
        if self.all {
            return Ok(Output::success(all_claims()));
        }
        let Some(wanted) = &self.figure else { return Ok(Output::success(list())) };
        let Some(figure) = FIGURES.iter().find(|figure| figure.name == wanted) else {
            return Err(Failure::bad_input(format!(
                "error: there is no figure {}; `vorrang reproduce` lists all of them\n",
                shown(wanted)
            )));
        };
        let found = (figure.run)();
        Ok(Output::success(if self.csv { csv(&found.table) } else { page(figure, &found) }))
    }
}

fn list() -> String {
    FIGURES.iter().fold(String::new(), |mut text, figure| {
        let _ = writeln!(text, "{:<18}  {}", figure.name, figure.shows);
        text
    })
}

fn page(figure: &Figure, found: &Reproduced) -> String {
    let mut page = heading(figure);
    page += &screen::draw(&columns(&found.table));
    for claim in &found.claims {
        page.push('\n');
        page += &shown_claim(claim);
    }
    page.push('\n');
    for remark in figure.remarks {
        page += &wrapped(remark, "- ", "  ");
    }
    let _ = writeln!(page, "\n{TOOL}\n{}", figure.system);
    page
}

fn heading(figure: &Figure) -> String {
    let shows = wrapped(&format!("{}: {}.", figure.name, figure.shows), "", "  ");
    shows + &wrapped(&format!("Published by {}.", figure.publication), "", "  ") + "\n"
}

/// The claims of all figures, and how many have which verdict.
fn all_claims() -> String {
    let mut page = String::new();
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for figure in FIGURES {
        page += &heading(figure);
        for claim in (figure.run)().claims {
            let _ = writeln!(page, "{}", shown_claim(&claim));
            *counted.entry(counter(claim.agreement)).or_default() += 1;
        }
    }
    let each = counted.iter().map(|(word, count)| format!("{count} {word}"));
    let each = each.collect::<Vec<_>>().join(", ");
    let count: usize = counted.values().sum();
    page += &wrapped(&format!("{count} claims: {each}."), "", "");
    let _ = writeln!(page, "\n{TOOL}");
    page
}

/// What claims of a kind are called when they are counted.
fn counter(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Agrees => "agree",
        Agreement::InShape => "agree in shape",
        Agreement::Disagrees => "disagree",
        Agreement::Fitted(_) => "are fitted",
        Agreement::Open => "are open",
    }
}

fn shown_claim(claim: &Claim) -> String {
    let Claim { published, ours, rule, agreement, why, .. } = claim;
    let mut text = wrapped(&format!("{agreement}: {published}"), "", "  ");
    if !ours.is_empty() {
        text += &wrapped(&format!("Ours: {ours}."), "  ", "  ");
    }
    match agreement {
        Agreement::Fitted(numbers) => {
            text +=
                &wrapped(&format!("Chosen so that it does: {}.", numbers.join(", ")), "  ", "  ");
        }
        Agreement::Open => {}
        _ => text += &wrapped(&format!("Rule: {rule}."), "  ", "  "),
    }
    if !why.is_empty() {
        text += &wrapped(why, "  ", "  ");
    }
    text
}

/// Numbers to the right, words to the left.
fn columns(table: &Table) -> Vec<Column> {
    let column = |place: usize| {
        let cells = table.rows.iter().map(|row| row[place].clone());
        let is_number = |text: &String| text == "-" || text.parse::<f64>().is_ok();
        let header = &table.columns[place];
        if cells.clone().all(|cell| is_number(&cell)) {
            Column::numbers(header, cells)
        } else {
            Column::titled(header, cells)
        }
    };
    (0..table.columns.len()).map(column).collect()
}

fn csv(table: &Table) -> String {
    let line = |cells: &[String]| {
        let quoted = cells.iter().map(|cell| {
            if cell.contains([',', '"']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        });
        quoted.collect::<Vec<_>>().join(",") + "\n"
    };
    table.rows.iter().fold(line(&table.columns), |text, row| text + &line(row))
}
