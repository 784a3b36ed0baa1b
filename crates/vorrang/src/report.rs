//! `vorrang report`: the result of `vorrang check` as a page.

use crate::content::Content;
use crate::destination::{Destinations, Replace};
use crate::paged::write_figures;
use std::path::PathBuf;
use vorrang_command::decided;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::Source;
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_design::{Limits, Work};
use vorrang_report::Options;
use vorrang_sim::Search;
use vorrang_verdict::bug::Bug;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::input::Input;
use vorrang_verdict::margin::{self, Found};
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
/// buttons or keys, and how far each parameter may move until it is no longer proven, and refuted, as
/// `vorrang margin` finds it; for large systems only for those with the least margin, and the page says
/// of which not (--margins allows for more). Cores and servers show their utilisation and the time that is lost to overheads,
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
    pub source: Source,
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
    /// The most analyses that are made for margins, none with 0; a share of them where more than
    /// 50 requirements are analysed each time
    #[arg(long, value_name = "NUMBER", default_value_t = ANALYSES)]
    margins: u64,
    /// The date that the page shows
    #[arg(long, value_name = "TEXT")]
    date: Option<String>,
    #[command(flatten)]
    replace: Replace,
}

/// The verdict on the whole.
pub struct Said {
    /// In a sentence, and the budgets that are not guaranteed.
    pub text: String,
    /// As an exit code.
    pub exit: Exit,
}

/// What margins may take: some seconds. Analyses, and terms of their equations for each parameter and for all; one
/// of a host with a kernel takes eight million terms, one near full load a hundred million. Then searches of the simulator.
const ANALYSES: u64 = 2_000;
const TERMS_EACH: u64 = 40_000_000;
const TERMS: u64 = 4_000_000_000;
const SEARCHES: u64 = 300;
/// Analyses and searches are of all requirements, so there are fewer where more is required than this.
const REQUIREMENTS: u64 = 50;

impl Report {
    /// # Errors
    /// The input is wrong, a file cannot be written, or a bug came to light.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        // Before the work, so that a file that cannot be written is reported at once.
        let mut files = Destinations::new(self.replace, &input.files);
        let page = files.begin(&self.out, Content::Page)?;
        interruption::listen();
        let (said, made) = self.made(input)?;
        if let Some(folder) = &self.figures {
            write_figures(&mut files, folder, &made.figures)?;
        }
        page.write_whole(made.html.as_bytes())?;
        Ok(files.output(said.text, said.exit))
    }

    /// What is printed, and the page with its figures; no file is written.
    ///
    /// # Errors
    /// A bug came to light.
    pub fn made(&self, input: Input) -> Result<(Said, vorrang_report::Report), Failure> {
        let checked = decided::checked(input, Search::default(), true)?;
        let options = Options { detailed: self.detail, date: self.date.clone() };
        let margins = self.margins(&checked, &options)?;
        let made = vorrang_report::of_check(&checked, &margins, &options);
        let text = report::sentences(PLAIN, &checked);
        Ok((Said { text, exit: decided::exit_of(&checked) }, made))
    }

    /// The margins of what is drawn, the tightest first.
    fn margins(&self, checked: &Checked, options: &Options) -> Result<Found, Failure> {
        let places = vorrang_report::with_margins(&checked.rulings, options);
        if self.margins == 0 {
            return Ok(Found { all: Vec::new(), analyses: 0 });
        }
        let required = (checked.rulings.len() as u64).max(REQUIREMENTS);
        let steps = self.margins.saturating_mul(REQUIREMENTS) / required;
        let limits = Limits { is_end_wanted: interruption::is_wanted, ..Limits::of(steps) };
        let searches = SEARCHES * REQUIREMENTS / required;
        let work = Work { limits, terms_each: TERMS_EACH, terms: TERMS, searches };
        let _waiting = progress::talk(|seconds| format!("looking for margins, {seconds}s"));
        margin::find(&checked.input.system, &places, &work)
            .map_err(|Bug(message)| Failure { exit: Exit::Bug, message })
    }
}
