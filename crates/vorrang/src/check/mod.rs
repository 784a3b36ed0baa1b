//! `vorrang check`: the main job, from a description to verdicts.

mod find;
mod fix;
mod form;
mod several;
mod watch;

pub(crate) use find::find;

use crate::certificates::Certified;
use crate::content::Content;
use crate::destination::{Destinations, Replace};
use crate::folder;
use crate::shown::Shown;
use form::Form;
use several::Several;
use std::path::PathBuf;
use vorrang_analysis::derived_bounds_of;
use vorrang_command::decided::{checked_since, concluded, exit_of};
use vorrang_command::exit::{Failure, Found, Output};
use vorrang_command::input::Source;
use vorrang_command::interruption;
use vorrang_command::screen;
use vorrang_model::System;
use vorrang_sim::Search;
use vorrang_time::Duration;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::input::Input;
use vorrang_verdict::json;
use vorrang_verdict::report;

/// Decide every requirement: proven, refuted or undecided
///
///     $ vorrang check examples/proxy-slot.toml
///     requirement    limit  bound  observed  verdict  by
///                     [us]   [us]      [us]
///     ------------  ------  -----  --------  -------  --
///     task.control  101000  83000     83000  proven   a
///
///     The requirement is proven.
///
///     Utilisation, in percent of a core (left rounded down, all else up):
///
///     of           has  reserved  tasks   left  used inside  budget
///                  [%]       [%]    [%]    [%]          [%]
///     --------  ------  --------  -----  -----  -----------  ------
///     core.0    100.00     50.00   0.00  50.00        32.68  -
///       vcpu.b   50.00      0.00  32.68  17.32        32.68  proven
///
///     By:
///       a  response-time analysis (Lehoczky 1990) on a fixed slot (Kaiser, Zöbel 2009)
///     ...
///
/// One row per requirement. `bound` is an upper bound on the worst-case response time over all histories
/// that the description allows, by the analysis named at the end of the row; `observed` the longest
/// response that the simulator found. A bound within the limit proves the requirement; an observation
/// beyond the limit refutes it, and the history can be replayed; anything else is undecided, with the
/// reason below the table. Many requirements are summarised by core and by cause; --all shows each,
/// --only those with some verdict.
///
/// Each reason is followed by its code for `vorrang explain` and by a remedy: the cheapest change of
/// one parameter that proves the requirement and keeps everything proven that was proven before
/// (docs/design.md defines the order), on systems of up to 50 tasks, servers and interrupts.
///
/// `budget` says whether a server is guaranteed its budget in each period, independently of what runs
/// in it. Where one is not, that is undecided, and so is the whole.
///
/// Utilisation bounds are also evaluated; the verdict uses the response-time analysis, which is never
/// more pessimistic. Those that accept all tasks of a supply are named; --explain gives the reasons
/// for the others.
///
/// The search for long responses ends after a number of steps, not after a time, so that its result
/// is the same on every machine: eight million by default, some tenths of a second. Histories that
/// were omitted or truncated for that are counted below the table; --steps 100000000 allows for more
/// and longer ones. A response that is as long as its bound is looked for no further.
///
/// A table lists what is reserved, used and left of each core, with its servers below it. On large
/// systems it has the fullest cores only, unless --all is given.
///
/// Where the machine has overheads (costs, caches) a table bounds the time of each core that is lost,
/// by context and cause, beside what a few histories lost. Scheduler calls, callbacks, entries and
/// exits may all fall to the same virtual machine.
///
/// A requirement with a `probability` is proven if the bound on the deadline-miss probability allows
/// it; the share of late jobs in a long random history is shown beside it, and refutes nothing.
///
/// --certificate writes a file that Coq checks (`sh scripts/proofs.sh FILE`), and says what is certified,
/// and which theorem is missing where a proven requirement is not (docs/trusted-base.md).
///
/// Several files, or a folder, are checked one after the other, and a table of all follows:
///
///     $ vorrang check examples/hello.toml examples/undecided.toml --quiet
///     examples/hello.toml: All 3 requirements are proven.
///     examples/undecided.toml: Of 4 requirements, 3 are undecided, 1 is proven.
///
/// A folder stands for the descriptions in it and below, by name: files that end in `.toml` or `.json` and
/// have a table of cores or include others. Hidden ones, and those that others there include, are left out. A file that is wrong does not keep the others from
/// being checked.
///
/// --watch goes on: a verdict after each save of the description or of a file that it names, until Ctrl-C. It
/// works in containers and on mounted folders. While the text is wrong the last verdict stands, and its
/// exit code is that of the command.
///
/// --fix first corrects misspelt keys, tables and words in the files, and says which. A name that is not
/// declared or a number without a unit may mean something else and stays.
///
/// --output-format writes the result for programs that watch over merges (docs/how-to/ci-gate.md).
///
/// Ctrl-C ends it and prints the results so far; a second one prints nothing.
///
/// Exit codes: 0 all proven, 1 one refuted, 2 the input is wrong, 3 none refuted but one undecided,
/// or there is no requirement, 130 interrupted before anything was refuted; of several files the worst:
/// 2, then 1, 130, 3.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub struct Check {
    /// What is checked.
    #[command(flatten)]
    pub source: Source,
    /// Further descriptions; any of them may be a folder
    #[arg(value_name = "MORE")]
    more: Vec<PathBuf>,
    /// Explain how the bounds of these requirements come about, and show only them; `log` is enough
    /// for `task.log` if the name is unique
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    explain: Vec<String>,
    #[command(flatten)]
    view: Shown,
    /// Print only the overall verdict, in one sentence
    #[arg(long, short)]
    #[arg(conflicts_with_all = ["explain", "only", "all", "json", "output_format"])]
    quiet: bool,
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Text)]
    output_format: Form,
    /// Short for --output-format json
    #[arg(long, conflicts_with = "output_format")]
    json: bool,
    /// Check again after each save, until Ctrl-C
    #[arg(long, conflicts_with_all = ["explain", "json", "output_format", "certificate"])]
    watch: bool,
    /// Correct misspelt keys, tables and words in the files first
    #[arg(long, conflicts_with = "watch")]
    fix: bool,
    /// What an undecided requirement is in JUnit
    #[arg(long, value_enum, value_name = "AS", default_value_t = form::Undecided::Failure)]
    undecided: form::Undecided,
    /// Write certificates of what is proven into this file, for Coq
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
    /// Seed of the random histories; below 2^63
    #[arg(long, value_name = "NUMBER", default_value_t = Search::default().seed)]
    #[arg(value_parser = clap::value_parser!(u64).range(..1 << 63))]
    seed: u64,
    /// How long each history lasts; shortened where it would be too much work
    #[arg(long = "for", value_name = "TIME", default_value_t = Search::default().horizon)]
    horizon: Duration,
    /// Random histories per core, besides the directed ones; at most a million
    #[arg(long, value_name = "NUMBER", default_value_t = Search::default().runs)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    runs: u32,
    /// The most steps that the search for long responses takes, some 50 ns each; with more steps its
    /// histories are longer, and omissions are reported
    #[arg(long, value_name = "NUMBER", default_value_t = Search::default().steps)]
    steps: u64,
}

/// What belongs to one description.
const OF_ONE: &str =
    "error: --explain and --certificate are of one description, as text or as JSON\n";

impl Check {
    /// # Errors
    /// The input is wrong, `--explain` names no requirement, or a bug came to light.
    pub fn run(&self) -> Result<Output, Failure> {
        let form = if self.json { Form::Json } else { self.output_format };
        form::refuse(form, self.undecided)?;
        let is_one = self.more.is_empty() && !self.source.file.is_dir();
        if self.fix {
            self.fix()?;
        }
        if self.watch {
            return self.watched(is_one);
        }
        if is_one && matches!(form, Form::Text | Form::Json) {
            return self.one(form);
        }
        if !self.explain.is_empty() || self.certificate.is_some() {
            return Err(Failure::bad_input(OF_ONE));
        }
        let files = [&self.source.file].into_iter().chain(&self.more);
        let files = folder::roots(files)?;
        interruption::listen();
        let (source, view, limits) = (&self.source, self.view.view(), self.limits());
        let several = Several { source, view, limits, helps: !self.quiet };
        several.output(&files, form, self.undecided.into(), self.quiet)
    }

    fn fix(&self) -> Result<(), Failure> {
        if self.source.is_standard_input() {
            return Err(Failure::bad_input("error: --fix is of files\n"));
        }
        let files = folder::roots([&self.source.file].into_iter().chain(&self.more))?;
        files.iter().try_for_each(|file| fix::fix(&self.source, file))
    }

    fn watched(&self, is_one: bool) -> Result<Output, Failure> {
        if !is_one || self.source.is_standard_input() {
            return Err(Failure::bad_input("error: --watch is of one file\n"));
        }
        let mut earlier: Option<Checked> = None;
        watch::watch(&self.source, |input| {
            let checked = checked_since(input, earlier.as_ref(), self.limits(), !self.quiet)?;
            let output = Output { text: self.text(&checked), exit: exit_of(&checked) };
            earlier = Some(checked);
            Ok(output)
        })
    }

    /// For people.
    fn text(&self, checked: &Checked) -> String {
        let screen = screen::output();
        if self.quiet {
            report::sentences(screen, checked)
        } else {
            report::table(screen, checked, &self.view.view())
        }
    }

    /// Of one description, for people or as JSON.
    fn one(&self, form: Form) -> Result<Output, Failure> {
        let input = self.source.read()?;
        let explained = self.explain.iter().map(|name| find(&input.system, name));
        let explained = explained.collect::<Result<Vec<usize>, _>>()?;
        let mut files = Destinations::new(self.replace, &input.files);
        let file = self.certificate.as_ref().map(|path| files.begin(path, Content::Certificates));
        let file = file.transpose()?;
        interruption::listen();
        let checked = self.checked(input, &explained)?;
        let certified = Certified::of(&checked)?;
        let mut text = if form == Form::Json {
            json::check(&checked, &self.view.view(), &explained)
        } else if explained.is_empty() {
            self.text(&checked)
        } else {
            report::explanations(screen::output(), &checked, &explained)
        };
        if let Some(file) = file {
            file.write_whole(certified.file(&checked.rulings).as_bytes())?;
            if form == Form::Text && !self.quiet {
                text += &certified.text(screen::output(), &checked.rulings);
            }
        }
        Ok(files.output(text, exit_of(&checked)))
    }

    /// Both results of a description that was read.
    ///
    /// # Errors
    /// A bug came to light.
    pub fn found(&self, input: Input) -> Result<Found, Failure> {
        let checked = self.checked(input, &[])?;
        let view = self.view.view();
        let (json, text) =
            (json::check(&checked, &view, &[]), report::table(screen::output(), &checked, &view));
        Ok(Found { json, text, exit: exit_of(&checked) })
    }

    /// With the derivations of the requirements in these places.
    fn checked(&self, input: Input, explained: &[usize]) -> Result<Checked, Failure> {
        let analysis = |system: &System, is_end_wanted: &dyn Fn() -> bool| {
            let kinds = explained.iter().map(|&place| system.requirements[place].kind);
            derived_bounds_of(system, kinds, is_end_wanted)
        };
        concluded(input, analysis, self.limits(), !self.quiet)
    }

    fn limits(&self) -> Search {
        let Self { seed, runs, horizon, steps, .. } = *self;
        Search { seed, runs, horizon, ..Search::within(steps) }
    }
}
