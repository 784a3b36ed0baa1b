//! `vorrang reproduce`: a published figure beside what the simulator finds.

use crate::exit::{Failure, Output};
use crate::identity::TOOL;
use crate::name::shown;
use crate::prose::wrapped;
use crate::table::{self, Column};
use std::fmt::Write as _;
use vorrang_reproduce::{FIGURES, Figure, Table};

/// Show a published figure, its numbers beside ours
///
///     $ vorrang reproduce
///     switch-loss         loss of time to cold caches against the frequency of switching, every row of the cache table
///     ...
///
/// Each figure is a description (under published/systems/) and one thing in it that varies. What
/// the publication does not state is chosen there, and said. Without a name, all figures are listed.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Reproduce {
    /// The figure
    #[arg(value_name = "FIGURE")]
    figure: Option<String>,
    /// Print the numbers as comma-separated values
    #[arg(long, requires = "figure")]
    csv: bool,
}

impl Reproduce {
    /// # Errors
    /// There is no such figure.
    pub fn run(&self) -> Result<Output, Failure> {
        let Some(wanted) = &self.figure else { return Ok(Output::success(list())) };
        let Some(figure) = FIGURES.iter().find(|figure| figure.name == wanted) else {
            return Err(Failure::bad_input(format!(
                "error: there is no figure {}; `vorrang reproduce` lists all of them\n",
                shown(wanted)
            )));
        };
        let table = (figure.run)();
        Ok(Output::success(if self.csv { csv(&table) } else { page(figure, &table) }))
    }
}

fn list() -> String {
    FIGURES.iter().fold(String::new(), |mut text, figure| {
        let _ = writeln!(text, "{:<18}  {}", figure.name, figure.shows);
        text
    })
}

fn page(figure: &Figure, table: &Table) -> String {
    let mut page = wrapped(&format!("{}: {}.", figure.name, figure.shows), "", "  ");
    let _ =
        writeln!(page, "{}", wrapped(&format!("Published by {}.", figure.publication), "", "  "));
    page += &table::draw(&columns(table));
    page.push('\n');
    for remark in figure.remarks {
        page += &wrapped(remark, "- ", "  ");
    }
    let _ = writeln!(page, "\n{TOOL}\n{}", figure.system);
    page
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
