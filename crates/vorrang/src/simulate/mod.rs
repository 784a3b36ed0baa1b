//! `vorrang simulate`: one history of every core, with its statistics.

mod follow;
mod lanes;

use crate::content::Content;
use crate::destination::{Destinations, Replace};
use crate::paged::Paged;
use follow::Drafts;
use std::path::PathBuf;
use std::sync::Arc;
use vorrang_command::exit::{Exit, Failure, Found, Output};
use vorrang_command::input::Source;
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_command::pulse::Pulse;
use vorrang_command::screen;
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_quote::name::shown;
use vorrang_sim::{Pattern, Search};
use vorrang_time::{Duration, Instant};
use vorrang_verdict::distribution::Resolution;
use vorrang_verdict::gantt::Characters;
use vorrang_verdict::input::Input;
use vorrang_verdict::simulation::{Drawing, Picture, Run, Simulation, cdf, document, text};
use vorrang_verdict::watch::Watch;

/// Run one history: response times, budgets, losses, packets; with a witness, also the miss
///
///     $ vorrang simulate examples/proxy-edf.toml --witness synchronous
///     core.0
///
///     response of   jobs  shortest       mean  median     99%  longest   limit  misses
///                             [us]       [us]    [us]    [us]     [us]    [us]
///     ------------  ----  --------  ---------  ------  ------  -------  ------  ------
///     task.control   100     33000  65060.606   71000  113000   113000  101000       8
///
///     The first miss: task.control arrives at 5050ms, has its deadline at 5151ms and is complete at
///       5163ms, 12ms late.
///
///     [ms]                 5050      5075      5100      5125      5150
///                          |         |         |         |         |
///                      +                           0   +               0
///     vcpu.a                       ~~~~~~~~~~~~~~~~    ~~~~~~~~~~~~~~~~
///                                  0           +
///     vcpu.b          ~~~~~████████                ████                ██████
///                          ↕                                       ✗
///       task.control       ████████                ████                ██████
///
///     1 column = 2500us; ran █ all of it, ▓ at least half, ░ less, ~ budget idled away
///     + budget replenished; 0 budget exhausted; ↕ deadline, met, and release; ✗ deadline, missed
///     ...
///
/// A history fixes what a description leaves open: when jobs arrive, how long they execute, when
/// servers are replenished. A pattern names one: `synchronous` (everything arrives at once and as
/// often as allowed; the default), `periodic:7` (strictly periodic with random phases and execution
/// times: for distributions as they are measured), `random:7` (random arrivals, too), and those that
/// `vorrang check` prints as witnesses.
///
/// The chart shows the surroundings of the first miss, or of the response that comes closest to
/// its limit, or the window given by --from and --to.
///
/// Below the table the use of time is shown: budgets and their use by servers, the time that overheads
/// and cold caches took from each context, the fate of packets, and the activity of the core.
/// Chains come last: reaction times and data ages, over all their cores.
///
/// --report writes the same as a page to look at, with distributions beside their bounds and a schedule that zooms.
///
/// Ctrl-C ends the run and prints what is known by then; a second one prints nothing.
///
/// Files are written whole or not at all, and never over an input. `-` is standard output; then the
/// result goes to standard error.
///
/// Exit codes: 0 no requirement is missed in this history, 1 one is, 2 the input is wrong,
/// 3 the simulator does not cover a core or its history ended early, 4 a file cannot be written,
/// 130 interrupted before anything was missed.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Simulate {
    /// What is simulated.
    #[command(flatten)]
    pub source: Source,
    /// The history to show
    #[arg(long, value_name = "PATTERN")]
    witness: Option<String>,
    /// The core to simulate [default: all; with a witness or a window, the only one]
    #[arg(long, value_name = "NAME")]
    core: Option<String>,
    /// Where the chart starts
    #[arg(long, value_name = "TIME", requires = "to")]
    from: Option<Duration>,
    /// Where the chart ends
    #[arg(long, value_name = "TIME", requires = "from")]
    to: Option<Duration>,
    /// How long the history lasts
    #[arg(long = "for", value_name = "TIME", default_value_t = Search::default().horizon)]
    horizon: Duration,
    /// Short for --witness periodic:NUMBER: strictly periodic, everything else random
    #[arg(long, value_name = "NUMBER", conflicts_with = "witness")]
    seed: Option<u64>,
    /// Draw a histogram of response times: of a task, interrupt or device, or of all
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    histogram: Option<Vec<Option<String>>>,
    /// Write the cumulative distribution of response times, as CSV
    #[arg(long, value_name = "FILE")]
    cdf: Option<PathBuf>,
    /// Write the schedule as a trace for Perfetto (<https://ui.perfetto.dev>)
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write what ran in the Best Trace Format (BTF 2)
    #[arg(long, value_name = "FILE")]
    btf: Option<PathBuf>,
    /// Print the result as JSON, format "vorrang-simulate/1", without chart and histograms
    #[arg(long, conflicts_with_all = ["from", "histogram"])]
    json: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// What is found as a page.
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

impl Simulate {
    /// # Errors
    /// The input is wrong, or names something that is not there; the file cannot be written.
    pub fn run(&self) -> Result<Output, Failure> {
        if self.from > self.to {
            return Err(Failure::bad_input("error: the chart ends before it starts\n"));
        }
        let input = self.source.read()?;
        let pattern = self.pattern(&input.system)?;
        let cores = self.cores(&input.system)?;
        let drawing = self.drawing(&input.system)?;
        // Before the work, so that a file that cannot be written is reported at once.
        let mut files = Destinations::new(self.replace, &input.files);
        let mut draft = |path: &Option<PathBuf>, kind| {
            path.as_ref().map(|path| files.begin(path, kind)).transpose()
        };
        let distributions = draft(&self.cdf, Content::Distributions)?;
        let trace = draft(&self.trace, Content::Perfetto)?;
        let btf = draft(&self.btf, Content::Btf)?;
        let page = self.paged.begin(&mut files)?;
        interruption::listen();
        let simulation = self.follow(input, pattern, &cores, Drafts { trace, btf })?;
        if let Some(page) = page {
            let made = vorrang_report::of_simulation(&simulation, self.window(), &page.options);
            page.write(&mut files, &made)?;
        }
        if let Some(draft) = distributions {
            let text = cdf::text(&simulation.input.system, simulation.watches());
            draft.write_whole(text.as_bytes())?;
        }
        let exit = exit(&simulation);
        let text = if self.json {
            document::of(&simulation)
        } else {
            text::of(screen::output(), &simulation, &drawing)
        };
        Ok(files.output(text, exit))
    }

    /// Both results of a description that was read; nothing is written.
    ///
    /// # Errors
    /// It names something that does not exist.
    pub fn found(&self, input: Input) -> Result<Found, Failure> {
        let pattern = self.pattern(&input.system)?;
        let cores = self.cores(&input.system)?;
        let drawing = self.drawing(&input.system)?;
        let simulation = self.follow(input, pattern, &cores, Drafts::default())?;
        let (json, text) =
            (document::of(&simulation), text::of(screen::output(), &simulation, &drawing));
        Ok(Found { json, text, exit: exit(&simulation) })
    }

    fn follow(
        &self,
        input: Input,
        pattern: Pattern,
        cores: &[SupplyId],
        drafts: Drafts,
    ) -> Result<Simulation, Failure> {
        let horizon = self.horizon;
        let resolution = Resolution::shared(Watch::distributions(&input.system), horizon);
        let run = Run {
            system: &input.system,
            pattern: &pattern,
            horizon,
            resolution,
            picture: self.picture(),
            is_end_wanted: interruption::is_wanted,
        };
        let pulses: Arc<[Pulse]> = cores.iter().map(|_| Pulse::default()).collect();
        let waiting = progress::of_runs(Arc::clone(&pulses), horizon.as_ns());
        let (cores, chains) = follow::followed(&run, cores, &pulses, drafts)?;
        drop(waiting);
        let states_one = input.system.requirements.iter().any(|own| own.probability.is_some());
        let bounds = states_one.then(|| vorrang_analysis::bounds(&input.system));
        Ok(Simulation { input, pattern, horizon, resolution, cores, chains, bounds })
    }

    fn pattern(&self, system: &System) -> Result<Pattern, Failure> {
        let text = match (&self.witness, self.seed) {
            (Some(witness), _) => witness.clone(),
            (None, Some(seed)) => format!("periodic:{seed}"),
            (None, None) => "synchronous".to_owned(),
        };
        Pattern::parse(&text, system).map_err(|problem| {
            Failure::bad_input(format!("error: --witness {}: {problem}\n", shown(&text)))
        })
    }

    fn picture(&self) -> Picture {
        match self.window() {
            _ if self.json => Picture::None,
            Some((from, to)) => Picture::Window(from, to),
            _ if self.witness.is_some() => Picture::Job,
            _ => Picture::None,
        }
    }

    /// What is to be drawn of the schedule, if that is said.
    fn window(&self) -> Option<(Instant, Instant)> {
        Some((Instant::ZERO + self.from?, Instant::ZERO + self.to?))
    }

    fn drawing(&self, system: &System) -> Result<Drawing, Failure> {
        let characters = if self.ascii { Characters::Ascii } else { Characters::Unicode };
        let Some(histograms) = &self.histogram else {
            return Ok(Drawing { characters, histograms: None });
        };
        let tasks = system.tasks.iter().map(|task| &task.name);
        let interrupts = system.interrupts.iter().map(|interrupt| &interrupt.name);
        let devices = system.devices.iter().map(|device| &device.name);
        let known: Vec<&String> = tasks.chain(interrupts).chain(devices).collect();
        let names: Vec<String> = histograms.iter().flatten().cloned().collect();
        match names.iter().find(|name| !known.contains(name)) {
            Some(name) => Err(Failure::bad_input(format!(
                "error: --histogram: there is no task, interrupt or device {}\n",
                shown(name)
            ))),
            None => Ok(Drawing { characters, histograms: Some(names) }),
        }
    }

    fn cores(&self, system: &System) -> Result<Vec<SupplyId>, Failure> {
        let cores: Vec<SupplyId> = system.cores().collect();
        let names = cores.iter().map(|&core| system.supply(core).name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        match &self.core {
            Some(wanted) => match cores.iter().find(|&&core| system.supply(core).name == *wanted) {
                Some(&core) => Ok(vec![core]),
                None => Err(Failure::bad_input(format!(
                    "error: there is no core {}; there are {names}\n",
                    shown(wanted)
                ))),
            },
            None if self.picture() != Picture::None && cores.len() > 1 => Err(Failure::bad_input(
                format!("error: a chart is of one core; say which with --core: {names}\n"),
            )),
            None => Ok(cores),
        }
    }
}

/// The output and the exit code.
fn exit(simulation: &Simulation) -> Exit {
    if simulation.is_missed() {
        Exit::Refuted
    } else if simulation.interrupted().is_some() {
        Exit::Interrupted
    } else if simulation.ended_early().is_some()
        || simulation.cores.iter().any(|followed| followed.seen.is_err())
    {
        Exit::Undecided
    } else {
        Exit::Success
    }
}
