//! `vorrang report`: the result of `vorrang check` as a page.

use crate::check;
use crate::content::Content;
use crate::destination::{Destinations, Replace};
use crate::exit::{Failure, Output};
use crate::input::Source;
use crate::interruption;
use crate::paged::write_figures;
use std::path::PathBuf;
use vorrang_report::Options;
use vorrang_sim::Search;
use vorrang_verdict::{report, screen::PLAIN};

/// Show verdicts, derivations, curves and schedules on one page
///
///     $ vorrang report examples/hello.toml --out report.html
///     All 3 requirements are proven.
///
/// The page is one file: it needs no network, opens from disk in any browser, and prints. Verdicts are
/// in a table that can be sorted and filtered. Each requirement has its margin, the derivation of its
/// bound step by step, the supply bound function against the demand with the point that decides, the
/// response times of a random history with bound, limit and the worst observation on the same axis,
/// and the schedule of the worst history, with budgets and interrupts as rows, to zoom by mouse,
/// buttons or keys. Cores and servers show their utilisation and the time that is lost to overheads,
/// by context and cause.
///
/// Verdicts and numbers are those of `vorrang check` with its defaults. The same input gives the same
/// bytes; the page has a date only with --date.
///
/// --figures also writes each figure as an SVG file into a directory: light or dark as the reader
/// prefers, readable in print and without colour.
///
/// `simulate`, `observe` and `measure` have `--report FILE` for what they find.
///
/// Files are written whole or not at all, and never over what is read. `-` is standard output; then the
/// sentence goes to standard error.
///
/// Exit codes: as `vorrang check`; 4 a file cannot be written.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Report {
    /// What is checked.
    #[command(flatten)]
    source: Source,
    /// The file for the page
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write each figure into this directory, as SVG
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// The most requirements that are drawn: refuted ones, then undecided ones, then those with the
    /// least margin
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().detailed)]
    detail: usize,
    /// The date that the page shows
    #[arg(long, value_name = "TEXT")]
    date: Option<String>,
    #[command(flatten)]
    replace: Replace,
}

impl Report {
    /// # Errors
    /// The input is wrong, a file cannot be written, or a bug came to light.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        // Before the work, so that a file that cannot be written is reported at once.
        let mut files = Destinations::new(self.replace, &input.files);
        let page = files.begin(&self.out, Content::Page)?;
        interruption::listen();
        let checked = check::checked(input, Search::default(), true)?;
        let options = Options { detailed: self.detail, date: self.date.clone() };
        let made = vorrang_report::of_check(&checked, &options);
        if let Some(folder) = &self.figures {
            write_figures(&mut files, folder, &made.figures)?;
        }
        page.write_whole(made.html.as_bytes())?;
        let text = report::sentence(PLAIN, &checked.rulings)
            + &report::budgets(PLAIN, &checked.guarantees);
        Ok(files.output(text, check::exit_of(&checked)))
    }
}
