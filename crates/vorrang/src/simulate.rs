//! `vorrang simulate`: one history, as a table and as a chart.

use crate::exit::{Exit, Failure, Output};
use crate::gantt::Characters;
use crate::identity::TOOL;
use crate::input::{Input, Source};
use crate::prose::wrapped;
use crate::recording::Recording;
use crate::responses::{Response, Responses, Row};
use crate::table::{self, Column};
use crate::unit::Unit;
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_sim::{NotCovered, Pattern, Search};
use vorrang_time::{Duration, Instant};

/// Run one history and show its responses; with a witness, also the miss
///
///     $ vorrang simulate examples/proxy-edf.toml --witness synchronous
///     core.0
///
///     task or interrupt  jobs   limit  longest  arrival  requirement
///                                [us]     [us]     [us]
///     -----------------  ----  ------  -------  -------  -----------
///     task.control        100  101000   113000  5050000  missed
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
/// A history fixes what a description leaves open: when jobs arrive, how long they take, when
/// servers are replenished. A pattern names one: `synchronous` (everything arrives at once and as
/// often as allowed; used if none is given), `random:7`, and those that `vorrang check` prints as
/// witnesses.
///
/// The chart shows the surroundings of the first miss, or of the response that comes closest to
/// its limit, or the window given by --from and --to.
///
/// Exit codes: 0 no requirement is missed in this history, 1 one is, 2 the input is wrong,
/// 3 the simulator does not cover a core.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Simulate {
    #[command(flatten)]
    source: Source,
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
    /// Short for --witness random:NUMBER
    #[arg(long, value_name = "NUMBER", conflicts_with = "witness")]
    seed: Option<u64>,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

impl Simulate {
    /// # Errors
    /// The input is wrong, or names a core or a pattern that is not there.
    pub fn run(&self) -> Result<Output, Failure> {
        if self.from > self.to {
            return Err(Failure::bad_input("error: the chart ends before it starts\n"));
        }
        let input = self.source.read()?;
        let pattern = self.pattern(&input.system)?;
        let mut out = String::new();
        let mut exit = Exit::Success;
        for core in self.cores(&input.system)? {
            match self.show(&input.system, core, &pattern) {
                Ok((text, missed)) => {
                    out += &text;
                    if missed {
                        exit = Exit::Refuted;
                    }
                }
                Err(what) => {
                    let name = &input.system.supply(core).name;
                    let _ = writeln!(out, "{name} is not simulated: {what}.\n");
                    if exit == Exit::Success {
                        exit = Exit::Undecided;
                    }
                }
            }
        }
        out += &self.foot(&input, &pattern);
        Ok(Output { text: out, exit })
    }

    fn pattern(&self, system: &System) -> Result<Pattern, Failure> {
        let text = match (&self.witness, self.seed) {
            (Some(witness), _) => witness.clone(),
            (None, Some(seed)) => format!("random:{seed}"),
            (None, None) => "synchronous".to_owned(),
        };
        Pattern::parse(&text, system)
            .map_err(|problem| Failure::bad_input(format!("error: --witness {text}: {problem}\n")))
    }

    fn wants_chart(&self) -> bool {
        self.witness.is_some() || self.from.is_some()
    }

    fn cores(&self, system: &System) -> Result<Vec<SupplyId>, Failure> {
        let cores: Vec<SupplyId> = system.cores().collect();
        let names = cores.iter().map(|&core| system.supply(core).name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        match &self.core {
            Some(wanted) => match cores.iter().find(|&&core| system.supply(core).name == *wanted) {
                Some(&core) => Ok(vec![core]),
                None => Err(Failure::bad_input(format!(
                    "error: there is no core {wanted}; there are {names}\n"
                ))),
            },
            None if self.wants_chart() && cores.len() > 1 => Err(Failure::bad_input(format!(
                "error: a chart is of one core; say which with --core: {names}\n"
            ))),
            None => Ok(cores),
        }
    }

    /// The table of one core, the chart if one is wanted, and whether a requirement is missed.
    fn show(
        &self,
        system: &System,
        core: SupplyId,
        pattern: &Pattern,
    ) -> Result<(String, bool), NotCovered> {
        let history = pattern.history(system, core)?;
        let horizon = Instant::ZERO + self.horizon;
        let mut responses = Responses::of_core(system, core, pattern.only());
        vorrang_sim::simulate(system, core, &history, horizon, &mut responses)?;
        let miss = responses.first_miss();
        let mut out = format!("{}\n\n{}\n", system.supply(core).name, rows(&responses));
        out += &miss.map_or(NO_MISS.to_owned(), |(row, miss)| sentence(row, miss));
        out.push('\n');
        if let Some(window) = self.window(&responses) {
            let mut recording = Recording::new(system, core, &responses, window);
            vorrang_sim::simulate(system, core, &history, horizon, &mut recording)?;
            let characters = if self.ascii { Characters::Ascii } else { Characters::Unicode };
            let _ = writeln!(out, "{}", recording.chart().draw(characters));
        }
        Ok((out, miss.is_some()))
    }

    /// The window given, or the surroundings of the job that matters most.
    fn window(&self, responses: &Responses) -> Option<(Instant, Instant)> {
        if let (Some(from), Some(to)) = (self.from, self.to) {
            return Some((Instant::ZERO + from, Instant::ZERO + to));
        }
        if !self.wants_chart() {
            return None;
        }
        let (row, response) = responses.first_miss().or_else(|| closest(responses))?;
        let last = response.time.max(row.limit.unwrap_or_default());
        // A tenth on each side shows what happened before and that it is over.
        let margin = Duration::from_ns(last.as_ns() / 10);
        let from = response.arrival.as_ns().saturating_sub(margin.as_ns());
        Some((Instant::from_ns(from), response.arrival + last + margin))
    }

    fn foot(&self, input: &Input, pattern: &Pattern) -> String {
        format!(
            "{TOOL}\n{}\nsha256 {}\nHistory {pattern}, {} long.\n",
            input.name, input.sha256, self.horizon
        )
    }
}

const NO_MISS: &str = "No requirement is missed in this history.\n";

/// The row that comes closest to its limit, with its longest response.
fn closest(responses: &Responses) -> Option<(&Row, Response)> {
    let rows = responses.rows.values().filter_map(|row| Some((row, row.longest?, row.limit?)));
    let share = |response: Response, limit: Duration| {
        u128::from(response.time.as_ns()) * u128::from(u64::MAX) / u128::from(limit.as_ns())
    };
    rows.max_by_key(|(_, longest, limit)| share(*longest, *limit))
        .map(|(row, longest, _)| (row, longest))
}

fn rows(responses: &Responses) -> String {
    let rows = || responses.rows.values();
    let longest = |row: &Row| row.longest.map(|response| response.time);
    let arrival =
        |row: &Row| row.longest.map(|response| response.arrival.saturating_since(Instant::ZERO));
    let remark = |row: &Row| match (row.miss, row.longest) {
        (Some(_), _) => "missed".to_owned(),
        (None, Some(Response { finished: false, .. })) => "not complete at the end".to_owned(),
        (None, Some(_)) if row.limit.is_some() => "kept".to_owned(),
        _ => "-".to_owned(),
    };
    table::draw(&[
        Column::words("task or interrupt", rows().map(|row| row.name.clone())),
        Column::counts("jobs", rows().map(|row| row.jobs)),
        Column::times("limit", rows().map(|row| row.limit)),
        Column::times("longest", rows().map(longest)),
        Column::times("arrival", rows().map(arrival)),
        Column::words("requirement", rows().map(remark)),
    ])
}

fn sentence(row: &Row, miss: Response) -> String {
    let Response { arrival, time, finished } = miss;
    let limit = row.limit.expect("only a limit can be missed");
    let unit = Unit::of(limit);
    let (deadline, end) = (arrival + limit, arrival + time);
    let fate = if finished {
        format!("is complete at {}, {} late", unit.at(end), unit.text(end - deadline))
    } else {
        "is not complete at the end of the history".to_owned()
    };
    let text = format!(
        "The first miss: {} arrives at {}, has its deadline at {} and {fate}.",
        row.name,
        unit.at(arrival),
        unit.at(deadline)
    );
    wrapped(&text, "", "  ")
}
