//! `vorrang margin`: the range of each parameter in which a requirement remains proven, and where it
//! is refuted.

use crate::check;
use vorrang_command::exit::{self, Exit, Failure, Output};
use vorrang_command::input::Source;
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_command::screen;
use vorrang_command::screen::wrapped;
use vorrang_design::{Limits, Margins, Work};
use vorrang_model::System;
use vorrang_verdict::bug::Bug;
use vorrang_verdict::input::Input;
use vorrang_verdict::margin::{self, Found};
use vorrang_verdict::parameter::{said, what};
use vorrang_verdict::table::Column;

/// Show how far each parameter may move until a requirement is no longer proven, or refuted
///
///     $ vorrang margin examples/hello.toml --of control
///     requirement   what moves              now      proven with  not proven with  refuted with
///     ------------  ----------------------  -------  -----------  ---------------  ------------
///     task.control  wcet of task.control    1.2ms    4.8ms        4.800001ms       5.000001ms
///                   every wcet              x 1.000  x 3.333      x 3.334          x 3.334
///                   period of task.control  20ms     3.000002ms   3.000001ms       2.992198ms
///                   budget of vcpu.motor    4ms      1.2ms        1.199999ms       1.199999ms
///                   period of vcpu.motor    10ms     17.6ms       17.600001ms      18.605427ms
///                   context-switch          0s       933.333us    933.334us        1.885715ms
///
///     239 analyses.
///
/// One parameter moves at a time, and the rest remains fixed: upwards the execution time of the task,
/// the execution times of all tasks by one factor (service routines stay), the period of the server that the task is in, the rate of the
/// interrupts and the cost of a context switch; downwards the budget of that server, and the period of the task that makes
/// this one come, with a deadline that is the period. Of a chain it is each of its tasks
/// and their servers, upwards also their periods or their longest inter-arrival times, both ways their offsets,
/// and the lesser of its limits counts. All values of a
/// row were evaluated: with the first the requirement is proven, and with the next it is not; with the
/// last a history of the simulator breaks it, and with the value before it a short search found no
/// such history. In between neither is known. Other requirements are not considered; an order that
/// follows from periods remains as it is. A value that no description may state ends a row, with the
/// reason.
///
/// Ctrl-C ends the search, and what is known by then is printed; a second one ends the program.
///
/// Exit codes: 0 all of these requirements are proven as they are, 2 the input is wrong, 3 one is not,
/// or the analyses are exhausted, 130 interrupted before all margins were known.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Margin {
    /// Where the description is.
    #[command(flatten)]
    pub source: Source,
    /// Only for these requirements; `log` is enough for `task.log` if the name is unique
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    of: Vec<String>,
    /// Print the result as JSON, format "vorrang-margin/1"
    #[arg(long)]
    json: bool,
    /// The most analyses that are made
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000)]
    steps: u64,
    /// The most searches of the simulator, none with 0
    #[arg(long, value_name = "NUMBER", default_value_t = 2_000)]
    searches: u64,
}

impl Margin {
    /// # Errors
    /// The input is wrong, or `--of` names no requirement.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        interruption::listen();
        let exit::Found { json, text, exit } = self.found(input)?;
        Ok(Output { text: if self.json { json } else { text }, exit })
    }

    /// The same of a description that was read.
    ///
    /// # Errors
    /// `--of` names no requirement; or a bug came to light.
    pub fn found(&self, input: Input) -> Result<exit::Found, Failure> {
        let system = input.system;
        let named = self.of.iter().map(|name| {
            let found = check::find(&system, name);
            found.or_else(|why| chain(&system, name).ok_or(why))
        });
        let mut places = named.collect::<Result<Vec<usize>, _>>()?;
        if self.of.is_empty() {
            places = (0..system.requirements.len() + system.chains.len()).collect();
        }
        let work = Work {
            limits: Limits { is_end_wanted: interruption::is_wanted, ..Limits::of(self.steps) },
            terms_each: u64::MAX,
            terms: u64::MAX,
            searches: self.searches,
        };
        let found = {
            let _waiting = progress::talk(|seconds| format!("looking for margins, {seconds}s"));
            margin::find(&system, &places, &work)
        };
        let found = found.map_err(|Bug(message)| Failure { exit: Exit::Bug, message })?;
        let whole = !found.all.is_empty() && found.all.iter().all(|margins| margins.of.is_some());
        let interrupted = interruption::is_wanted() && found.leaves_some();
        let exit = match (whole, interrupted) {
            (_, true) => Exit::Interrupted,
            (true, _) => Exit::Success,
            (false, _) => Exit::Undecided,
        };
        let text = text(&system, &found, interrupted);
        Ok(exit::Found { json: margin::document(&system, &found, interrupted), text, exit })
    }
}

/// The place of a chain, behind those of the requirements.
fn chain(system: &System, name: &str) -> Option<usize> {
    let is_meant = |full: &str| full == name || full.strip_prefix("chain.") == Some(name);
    let place = system.chains.iter().position(|chain| is_meant(&chain.name))?;
    Some(system.requirements.len() + place)
}

fn text(system: &System, found: &Found, interrupted: bool) -> String {
    let Found { all, analyses } = found;
    if all.is_empty() {
        return "Nothing is required.\n".into();
    }
    let mut rows: Vec<[String; 6]> = Vec::new();
    for margins in all {
        let name = margin::name(system, margins.requirement).to_owned();
        for (place, margin) in margins.of.iter().flatten().enumerate() {
            let of = if place == 0 { name.clone() } else { String::new() };
            let next = margin.not_proven.map_or("-".into(), said);
            let (now, proven) = (said(margin.now), said(margin.proven));
            rows.push([
                of,
                what(system, margin.parameter),
                now,
                proven,
                next,
                margin::beyond(margin),
            ]);
        }
    }
    let column = |place: usize| rows.iter().map(move |row| row[place].clone());
    let mut out = String::new();
    if !rows.is_empty() {
        out += &screen::draw(&[
            Column::words("requirement", column(0)),
            Column::words("what moves", column(1)),
            Column::words("now", column(2)),
            Column::words("proven with", column(3)),
            Column::words("not proven with", column(4)),
            Column::words("refuted with", column(5)),
        ]);
        out += "\n";
    }
    refused(&mut out, system, all);
    let names = |is: &dyn Fn(&Margins) -> bool| {
        let names = all.iter().filter(|margins| is(margins));
        let names = names.map(|margins| margin::name(system, margins.requirement));
        names.collect::<Vec<_>>().join(", ")
    };
    let open = names(&|margins| !margins.is_proven);
    if !open.is_empty() {
        let text = format!(
            "Not proven as they are, so without a margin: {open}. `vorrang check` says why."
        );
        out += &wrapped(&text, "", "");
    }
    let left = names(&|margins| margins.is_proven && margins.of.is_none());
    if !left.is_empty() {
        let why = if interrupted { "" } else { " (--steps allows for more)" };
        out += &wrapped(&format!("Left out after {analyses} analyses{why}: {left}."), "", "");
    }
    if interrupted {
        out += "Interrupted: the rest is not known.\n";
    }
    out + &format!("{analyses} analyses.\n")
}

/// Values that no description may state, each once.
fn refused(out: &mut String, system: &System, all: &[Margins]) {
    for (margin, why) in all
        .iter()
        .flat_map(|of| of.of.iter().flatten())
        .filter_map(|margin| margin.refused.as_ref().map(|why| (margin, why)))
    {
        let next = margin.not_proven.map_or_else(String::new, said);
        let text = format!("{} = {next} cannot be written: {why}.", what(system, margin.parameter));
        if !out.contains(&wrapped(&text, "", "")) {
            *out += &wrapped(&text, "", "");
        }
    }
}
