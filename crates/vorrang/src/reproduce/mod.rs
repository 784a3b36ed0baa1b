//! `vorrang reproduce`: published figures and claims beside our results.

mod page;
mod profile;

use crate::destination::Replace;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;
use vorrang_command::exit::{Failure, Output};
use vorrang_command::screen;
use vorrang_command::screen::wrapped;
use vorrang_quote::name::shown;
use vorrang_reproduce::page::counted;
use vorrang_reproduce::{
    Agreement, Claim, FIGURES, Figure, Made, Reproduced, Setting, Table, WORDS,
};
use vorrang_verdict::identity::TOOL;
use vorrang_verdict::table::Column;

/// Show a published figure, its numbers and claims beside ours
///
///     $ vorrang reproduce
///     cache-progress      work and progress rate of a process after a switch, every row of the cache table
///     ...
///
/// Each figure is a description (under published/systems/) and one parameter that varies. What the
/// publication does not state is chosen there, and named. Without a name, all figures are listed.
///
/// Every claim of the publication has a verdict, by a rule that is printed with it: it agrees, agrees
/// in shape (the direction does, the numbers do not or were not published), disagrees, is fitted (its
/// number was used to choose something that was not published, so it says nothing), or is open.
///
/// --all --out DIR makes a page of all figures, tables and claims, DIR/index.html, with the pictures on the axes of the
/// publications, what is found by each way there is (formula, bound, simulation, kernels of the lab as recorded,
/// and this machine, if --profile has one), the rule and the reason of each verdict, and every row of the published
/// tables; and each picture as SVG beside it. It needs no network. The same program and profile give the same bytes.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Reproduce {
    /// The figure
    #[arg(value_name = "FIGURE", group = "wanted")]
    figure: Option<String>,
    /// Print the numbers as comma-separated values
    #[arg(long, requires = "figure")]
    csv: bool,
    /// Run all figures, and print all claims
    #[arg(long, conflicts_with = "figure", group = "wanted")]
    all: bool,
    /// Write a page with what is asked for, and each picture, into this directory
    #[arg(long, value_name = "DIR", requires = "wanted", conflicts_with = "csv")]
    out: Option<PathBuf>,
    /// Put this machine beside the figures: a profile, as `vorrang measure` writes it
    #[arg(long, value_name = "PROFILE", requires = "wanted")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

impl Reproduce {
    /// # Errors
    /// There is no such figure, the profile cannot be read, or a file cannot be written.
    pub fn run(&self) -> Result<Output, Failure> {
        let begun = Instant::now();
        let wanted = match &self.figure {
            Some(name) => vec![find(name)?],
            None if self.all => FIGURES.iter().collect(),
            None => return Ok(Output::success(list())),
        };
        let setting = match &self.profile {
            Some(path) => Setting { machine: Some(profile::machine(path)?) },
            None => Setting::default(),
        };
        // Before the work: a folder that cannot be written is known at once.
        let folder = self.out.as_deref();
        let folder =
            folder.map(|path| page::Folder::begin(path, self.replace, self.profile.as_deref()));
        let folder = folder.transpose()?;
        let made: Vec<_> =
            wanted.par_iter().map(|figure| (*figure, (figure.run)(&setting))).collect();
        if self.all || folder.is_some() {
            eprintln!(
                "{} figures in {:.1} s on {} threads",
                made.len(),
                begun.elapsed().as_secs_f64(),
                rayon::current_num_threads()
            );
        }
        Ok(Output::success(match (folder, &self.figure) {
            (Some(folder), _) => folder.write(&made, &setting)? + &summary(&made),
            (None, None) => all_claims(&made),
            (None, Some(_)) if self.csv => csv(&made[0].1.table),
            (None, Some(_)) => page(made[0].0, &made[0].1),
        }))
    }
}

/// The figure of this name.
fn find(wanted: &str) -> Result<&'static Figure, Failure> {
    FIGURES.iter().find(|figure| figure.name == wanted).ok_or_else(|| {
        Failure::bad_input(format!(
            "error: there is no figure {}; `vorrang reproduce` lists all of them\n",
            shown(wanted)
        ))
    })
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
fn all_claims(made: &Made) -> String {
    let mut page = String::new();
    for (figure, found) in made {
        page += &heading(figure);
        for claim in &found.claims {
            let _ = writeln!(page, "{}", shown_claim(claim));
        }
    }
    page + &summary(made)
}

/// How many claims have which verdict.
fn summary(made: &Made) -> String {
    let counts = counted(made);
    let each = WORDS.iter().zip(counts).map(|(word, count)| format!("{count} {word}"));
    let each = each.collect::<Vec<_>>().join(", ");
    let text = wrapped(&format!("{} claims: {each}.", counts.iter().sum::<usize>()), "", "");
    format!("{text}\n{TOOL}\n")
}

fn shown_claim(claim: &Claim) -> String {
    let agreement = claim.agreement();
    let mut text = wrapped(&format!("{agreement}: {}", claim.published), "", "  ");
    for (way, found) in &claim.found {
        text += &wrapped(&format!("By {}: {found}.", way.word()), "  ", "    ");
    }
    let rule = match agreement {
        Agreement::Fitted(numbers) => format!("Chosen for it: {}.", numbers.join(", ")),
        Agreement::Open => String::new(),
        _ => format!("Rule: {}.", claim.rule.text()),
    };
    for line in [&rule, &claim.why] {
        if !line.is_empty() {
            text += &wrapped(line, "  ", "  ");
        }
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
