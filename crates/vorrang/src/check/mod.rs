//! `vorrang check`: the main job, from a description to verdicts.

use crate::certificates::Certified;
use crate::content::Content;
use crate::destination::{Destinations, Replace};
use crate::exit::{Exit, Failure, Found, Output};
use crate::input::Source;
use crate::interruption;
use crate::progress;
use crate::screen;
use crate::shown::Shown;
use std::path::PathBuf;
use vorrang_analysis::{Bounds, bounds_until, derived_bounds_of};
use vorrang_model::System;
use vorrang_quote::name::shown;
use vorrang_sim::{Observations, Search};
use vorrang_time::Duration;
use vorrang_verdict::bug;
use vorrang_verdict::check::{self, Limits};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::gather::gather;
use vorrang_verdict::guarantee::{self, Guarantee};
use vorrang_verdict::input::Input;
use vorrang_verdict::json;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::patience::Patience;
use vorrang_verdict::report;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::search::search;
use vorrang_verdict::verdict;

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
/// Ctrl-C ends it and prints the results so far; a second one prints nothing.
///
/// Exit codes: 0 all proven, 1 one refuted, 2 the input is wrong, 3 none refuted but one undecided,
/// or there is no requirement, 130 interrupted before anything was refuted.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Check {
    /// What is checked.
    #[command(flatten)]
    pub source: Source,
    /// Explain how the bounds of these requirements come about, and show only them; `log` is enough
    /// for `task.log` if the name is unique
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    explain: Vec<String>,
    #[command(flatten)]
    view: Shown,
    /// Print only the overall verdict, in one sentence
    #[arg(long, short)]
    #[arg(conflicts_with_all = ["explain", "only", "all", "json"])]
    quiet: bool,
    /// Print the result as JSON, format "vorrang-check/1"
    #[arg(long)]
    json: bool,
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

impl Check {
    /// # Errors
    /// The input is wrong, `--explain` names no requirement, or a bug came to light.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        let explained = self.explain.iter().map(|name| find(&input.system, name));
        let explained = explained.collect::<Result<Vec<usize>, _>>()?;
        let mut files = Destinations::new(self.replace, &input.files);
        let file = self.certificate.as_ref().map(|path| files.begin(path, Content::Certificates));
        let file = file.transpose()?;
        interruption::listen();
        let checked = self.checked(input, &explained)?;
        let certified = Certified::of(&checked)?;
        let (view, screen) = (self.view.view(), screen::output());
        let mut text = if self.json {
            json::check(&checked, &view, &explained)
        } else if self.quiet {
            report::sentence(screen, &checked.rulings)
                + &report::budgets(screen, &checked.guarantees)
        } else if explained.is_empty() {
            report::table(screen, &checked, &view)
        } else {
            report::explanations(screen, &checked, &explained)
        };
        if let Some(file) = file {
            file.write_whole(certified.file(&checked.rulings).as_bytes())?;
            if !self.json && !self.quiet {
                text += &certified.text(screen, &checked.rulings);
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

/// Everything that is found about a description that was read.
///
/// # Errors
/// A bug came to light.
pub(crate) fn checked(input: Input, search: Search, helps: bool) -> Result<Checked, Failure> {
    concluded(input, bounds_until, search, helps)
}

fn concluded(
    input: Input,
    analysis: impl FnOnce(&System, &dyn Fn() -> bool) -> Bounds,
    search: Search,
    helps: bool,
) -> Result<Checked, Failure> {
    let bounds = bounds(&input.system, analysis);
    let observations = searched(&input.system, &bounds, &search);
    let limits = Limits { search, helps, is_end_wanted: interruption::is_wanted };
    Ok(check::conclude(input, bounds, observations, &limits)?)
}

fn searched(system: &System, bounds: &Bounds, limits: &Search) -> Observations {
    let (_waiting, mut tell) = progress::of_search();
    search(system, bounds, limits, &mut Patience(interruption::is_wanted), &mut tell)
}

/// The output and the exit code.
pub(crate) fn exit_of(checked: &Checked) -> Exit {
    match checked.verdict() {
        Some(Verdict::Refuted) => Exit::Refuted,
        _ if checked.interrupted => Exit::Interrupted,
        verdict => exit(verdict),
    }
}

/// A description that requires nothing must not look like one that is proven.
pub(crate) fn exit(verdict: Option<Verdict>) -> Exit {
    match verdict {
        Some(Verdict::Proven) => Exit::Success,
        Some(Verdict::Undecided) | None => Exit::Undecided,
        Some(Verdict::Refuted) => Exit::Refuted,
    }
}

/// The verdict on a description as a whole, as `vorrang check` gives it by default; `None`: it
/// requires nothing.
///
/// # Errors
/// A bug came to light.
pub fn overall(input: &Input) -> Result<Option<Verdict>, Failure> {
    decided(input)
        .map(|(rulings, guarantees)| verdict::overall(&rulings, guarantee::verdicts(&guarantees)))
}

/// The verdicts on requirements and budgets, as `vorrang check` gives them by default.
///
/// # Errors
/// A bug came to light.
pub(crate) fn decided(input: &Input) -> Result<(Vec<Ruling>, Vec<Guarantee>), Failure> {
    let bounds = bounds(&input.system, bounds_until);
    let observations = searched(&input.system, &bounds, &Search::default());
    let evidence = gather(&input.system, &bounds, &observations, interruption::is_wanted);
    let rulings =
        verdict::decide(evidence).map_err(|found| bug::of(input, &observations, &found))?;
    Ok((rulings, guarantee::all(&input.system, &bounds)))
}

/// By an analysis that ends when that is wanted.
fn bounds(system: &System, analysis: impl FnOnce(&System, &dyn Fn() -> bool) -> Bounds) -> Bounds {
    let count = system.tasks.len() + system.interrupts.len();
    let text = move |seconds| {
        format!("bounding the responses of {count} tasks and interrupts, {seconds}s")
    };
    let _waiting = progress::talk(text);
    analysis(system, &interruption::is_wanted)
}

/// The place of a requirement in the order of declaration, by its name or by the part after its first
/// dot, if that is unique.
pub(crate) fn find(system: &System, name: &str) -> Result<usize, Failure> {
    let names: Vec<&str> = system.requirements.iter().map(|of| of.name.as_str()).collect();
    if let Some(place) = names.iter().position(|known| *known == name) {
        return Ok(place);
    }
    let short = |known: &str| known.split_once('.').is_some_and(|(_, short)| short == name);
    let places: Vec<usize> = (0..names.len()).filter(|&place| short(names[place])).collect();
    let hint = match places[..] {
        [place] => return Ok(place),
        [] => {
            let nearest = names.iter().min_by_key(|known| distance(known, name));
            nearest.map_or("there are none".to_owned(), |known| format!("did you mean {known}?"))
        }
        _ => {
            let meant: Vec<&str> = places.into_iter().map(|place| names[place]).collect();
            format!("it may mean {}", meant.join(" or "))
        }
    };
    Err(Failure::bad_input(format!("error: there is no requirement {}: {hint}\n", shown(name))))
}

/// The distance of the typed text from a name, or from its short form.
fn distance(known: &str, name: &str) -> usize {
    let short = known.split_once('.').map_or(known, |(_, short)| short);
    let distances = [known, short].map(|known| strsim::damerau_levenshtein(known, name));
    distances.into_iter().min().unwrap_or(0)
}
