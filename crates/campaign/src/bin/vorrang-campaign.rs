//! Draws random systems and compares bounds, simulator, oracle and a published crate with each other. The
//! library's documentation describes the systems and the checks.
//!
//! ```text
//! vorrang-campaign                       # 20,000 systems
//! vorrang-campaign --systems 1000000     # a long run
//! vorrang-campaign --systems 1000000 --from 500000      # its second half
//! vorrang-campaign --brief --systems 10000000   # less for each, so more of them
//! vorrang-campaign --brief --systems 1000000 --shielded-one-in 1   # timers behind a shield in each
//! vorrang-campaign --brief --systems 1000000 --chained-one-in 1   # chains in each
//! vorrang-campaign --brief --systems 1000000 --forked-one-in 1   # tasks that wake tasks and wait for several in each
//! vorrang-campaign --brief --systems 1000000 --polls-one-in 1   # threads that poll for ever in each
//! vorrang-campaign --seed 1 --only 4711  # one system of it: its TOML and its results
//! vorrang-campaign --exhaustive 100000   # all histories of small systems
//! vorrang-campaign --exhaustive 200000 --from 100000 --states 20000    # more of them, none that takes long
//! vorrang-campaign --digest --systems 50000     # numbers that change with any result of the analysis
//! ```
//!
//! Exit codes: 0 no violation; 1 a violation or a difference; 2 wrong arguments.

use clap::Parser;
use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use vorrang_campaign::campaign;
use vorrang_campaign::check::{Effort, Violation, check, check_design};
use vorrang_campaign::designs;
use vorrang_campaign::digest::{self, Digest};
use vorrang_campaign::exhaustive;
use vorrang_campaign::keep::{describe, keep};
use vorrang_campaign::peer::compare::{Subject, compare};
use vorrang_campaign::report::Report;
use vorrang_campaign::tally::Tally;
use vorrang_model::system::{InterruptId, System, TaskId};
use vorrang_sim::{Search, Worst, search};

#[derive(Parser)]
#[command(
    version,
    about = "Compares bounds, simulator, oracle and a published crate with each other"
)]
struct Arguments {
    /// The number of systems, with those before --from.
    #[arg(long, default_value_t = 20_000)]
    systems: u64,
    /// The first of them: a long campaign can be run in parts.
    #[arg(long, value_name = "INDEX", default_value_t = 0)]
    from: u64,
    /// The seed of the systems.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search less in each system: all bounds, but invariants and the oracle only for some systems.
    #[arg(long)]
    brief: bool,
    /// For one in this many systems a description with values left open is drawn and designed [default: 4,
    /// with --brief 256].
    #[arg(long, value_name = "NUMBER")]
    designed_one_in: Option<NonZeroU64>,
    /// One in this many systems has a shield on every core (`timers = "timershield"`), with costs.
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    shielded_one_in: Option<NonZeroU64>,
    /// One in this many of the other systems has chains, mostly over two cores.
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    chained_one_in: Option<NonZeroU64>,
    /// In one of this many systems half of what arrives comes in bursts (`min-distances`).
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    bursts_one_in: Option<NonZeroU64>,
    /// In one of this many systems half of what arrives has distances of a few later arrivals (`min-distances`).
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    distances_one_in: Option<NonZeroU64>,
    /// In one of this many systems half of the tasks by priority are not preempted (`preemption`).
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    kept_one_in: Option<NonZeroU64>,
    /// In one of this many systems tasks wake tasks of their core (`wakes`), and wait for several (`after`).
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    forked_one_in: Option<NonZeroU64>,
    /// In one of this many systems threads poll for ever (`polls`).
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    polls_one_in: Option<NonZeroU64>,
    /// In one of this many systems tasks arrive by the clock (`offset`).
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    offsets_one_in: Option<NonZeroU64>,
    /// In one of this many systems pseudo-VCPUs pay for timers of guests.
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    paid_timers_one_in: Option<NonZeroU64>,
    /// Print one system and its results, instead of a campaign.
    #[arg(long, value_name = "INDEX")]
    only: Option<u64>,
    /// Print a line of hashes of the results of the analysis for each system, and their sums. With `--only`,
    /// print the texts.
    #[arg(long)]
    digest: bool,
    /// Instead of random histories explore all histories of this many small systems, and compare the longest
    /// responses with the bounds. With `--only`, one of them.
    #[arg(long, value_name = "NUMBER", conflicts_with = "digest")]
    exhaustive: Option<u64>,
    /// With `--exhaustive`: systems with more states than this are left out, and counted.
    #[arg(long, value_name = "NUMBER", requires = "exhaustive", default_value_t = exhaustive::LIMIT)]
    states: usize,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Write every violation to this folder.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Task sets compared with the crate response-time-analysis under fixed priority.
    #[arg(long, default_value_t = 100_000)]
    sets: u64,
    /// The same under EDF, where the crate is slow.
    #[arg(long, default_value_t = 300)]
    edf_sets: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let end = arguments.exhaustive.unwrap_or(arguments.systems);
    if arguments.only.is_none() && arguments.from >= end {
        eprintln!(
            "error: --from {} is not before the end, {end}: there is no system",
            arguments.from
        );
        return ExitCode::from(2);
    }
    if let Some(systems) = arguments.exhaustive {
        return exhaustive(&arguments, systems);
    }
    match arguments.only {
        Some(index) if arguments.digest => {
            print(&digest::words(arguments.seed, index).concat());
            ExitCode::SUCCESS
        }
        Some(index) => only(&arguments, index),
        None if arguments.digest => digests(&arguments),
        None => all(&arguments),
    }
}

/// Systems whose digests are printed at once.
const AT_ONCE: u64 = 1_000;

/// The results of the analysis of each system, as numbers.
fn digests(arguments: &Arguments) -> ExitCode {
    let mut sum = Digest::default();
    print(&format!("system {}\n", digest::PARTS.join(" ")));
    let mut to = arguments.from;
    while to < arguments.systems {
        let from = to;
        to = (from + AT_ONCE).min(arguments.systems);
        for (index, one) in (from..to).zip(digest::of_each(arguments.seed, from, to)) {
            print(&format!("{index} {}\n", one.text()));
            sum = sum.plus(one);
        }
    }
    print(&format!("all {}\n", sum.text()));
    ExitCode::SUCCESS
}

/// All histories of small systems.
fn exhaustive(arguments: &Arguments, systems: u64) -> ExitCode {
    let Arguments { from, seed, states, .. } = *arguments;
    let range = match arguments.only {
        Some(index) => index..index + 1,
        None => from..systems,
    };
    let version = env!("CARGO_PKG_VERSION");
    eprintln!(
        "vorrang-campaign {version} --exhaustive {systems} --from {from} --seed {seed} --states {states}"
    );
    if let Some(index) = arguments.only {
        print(&exhaustive::describe(seed, index));
    }
    let start = Instant::now();
    let table = exhaustive::run(seed, range, states, |done, violations| {
        let seconds = start.elapsed().as_secs();
        eprint!("\r{done} of {systems} small systems, {violations} violations, {seconds} s ");
    });
    eprintln!();
    print(&if arguments.json { format!("{:#}\n", table.json()) } else { table.text() });
    eprintln!("{:.1} s", start.elapsed().as_secs_f64());
    if table.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn effort(arguments: &Arguments) -> Effort {
    let effort = if arguments.brief { Effort::brief() } else { Effort::quick() };
    let designed_one_in = arguments.designed_one_in.map_or(effort.designed_one_in, NonZeroU64::get);
    let Arguments { shielded_one_in, chained_one_in, bursts_one_in, kept_one_in, .. } = *arguments;
    let Arguments { distances_one_in, forked_one_in, polls_one_in, .. } = *arguments;
    let Arguments { offsets_one_in, paid_timers_one_in, .. } = *arguments;
    Effort {
        designed_one_in,
        shielded_one_in,
        chained_one_in,
        bursts_one_in,
        distances_one_in,
        kept_one_in,
        forked_one_in,
        polls_one_in,
        offsets_one_in,
        paid_timers_one_in,
        ..effort
    }
}

fn all(arguments: &Arguments) -> ExitCode {
    let Arguments { systems, from, seed, sets, edf_sets, .. } = *arguments;
    let version = env!("CARGO_PKG_VERSION");
    let brief = if arguments.brief { " --brief" } else { "" };
    let effort = effort(arguments);
    let drawing = effort.drawing();
    eprintln!(
        "vorrang-campaign {version}{brief}{drawing} --systems {systems} --from {from} --seed {seed} --sets {sets} --edf-sets {edf_sets}"
    );
    let start = Instant::now();
    let count = systems.saturating_sub(from);
    let tally = campaign::run(seed, from..systems, &effort, |done, violations| {
        let seconds = start.elapsed().as_secs();
        eprint!("\r{done} of {count} systems, {violations} violations, {seconds} s ");
    });
    eprintln!();
    let compare = |subject: Subject| {
        let edf = matches!(subject, Subject::EdfSets | Subject::EdfGeneral);
        let count = if edf { edf_sets } else { sets };
        eprintln!("{count} sets: {}", subject.name());
        (subject.name(), compare(subject, seed, count))
    };
    let comparisons = Subject::ALL.map(compare).to_vec();
    let report = Report { seed, systems: count, tally, comparisons };
    print(&if arguments.json { format!("{:#}\n", report.json()) } else { report.text() });
    eprintln!("{:.1} s", start.elapsed().as_secs_f64());
    keep_all(arguments, &effort, &report.tally.violations);
    if report.clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The most violations that are minimised and written: the first ones are enough.
const KEPT: usize = 20;

fn keep_all(arguments: &Arguments, effort: &Effort, violations: &[(u64, Violation)]) {
    let Some(folder) = &arguments.keep else { return };
    let mut last = None;
    let mut kept = violations.iter().filter(|(index, _)| last.replace(*index) != Some(*index));
    for (index, violation) in kept.by_ref().take(KEPT) {
        match keep(folder, arguments.seed, *index, effort, violation) {
            Ok(paths) => paths.iter().for_each(|path| eprintln!("kept {}", path.display())),
            Err(error) => eprintln!("{}: {error}", folder.display()),
        }
    }
}

/// One system, checked thoroughly, and everything about it.
fn only(arguments: &Arguments, index: u64) -> ExitCode {
    let seed = arguments.seed;
    let effort = effort(arguments);
    let system = effort.system(seed, index);
    let heading = format!("vorrang-campaign{} --seed {seed} --only {index}", effort.drawing());
    // What it is stands there also if a check does not end.
    print(&describe(&heading, &system, &[]));
    let quick = check(&system, seed, index, &effort, &mut Tally::default());
    let mut violations = check(&system, seed, index, &Effort::thorough(), &mut Tally::default());
    violations.splice(0..0, quick);
    print(&(describe(&heading, &system, &violations) + &table(&system)));
    let of_design = check_design(seed, index, &Effort::thorough(), &mut designs::Counts::default());
    print("\n# a description with values left open, to be designed\n");
    for violation in &of_design {
        print(&format!("# {violation}\n"));
    }
    print(&designs::draw(seed, index));
    violations.extend(of_design);
    keep_all(
        arguments,
        &effort,
        &violations.iter().map(|v| (index, v.clone())).collect::<Vec<_>>(),
    );
    if violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Bound and observation of each task and interrupt, as comments.
fn table(system: &System) -> String {
    let bounds = vorrang_analysis::bounds(system);
    let observations = search(system, &Search::default());
    let tasks = system
        .tasks
        .iter()
        .enumerate()
        .map(|(id, task)| (&task.name, bounds.task(TaskId(id)), &observations.tasks[id]));
    let interrupts = system.interrupts.iter().enumerate().map(|(id, interrupt)| {
        (&interrupt.name, bounds.interrupt(InterruptId(id)), &observations.interrupts[id])
    });
    let mut table = "\n".to_owned();
    for (name, finding, worst) in tasks.chain(interrupts) {
        let bound = finding.bound().map_or("-".to_owned(), |bound| bound.to_string());
        let observed = worst.as_ref().map_or("-".to_owned(), |worst| worst.response.to_string());
        let pattern =
            worst.as_ref().map_or(String::new(), |worst: &Worst| worst.pattern.to_string());
        let how = match finding.reason() {
            Some(reason) => reason.to_string(),
            None => finding.method.to_string(),
        };
        let _ = writeln!(table, "# {name}: bound {bound}, observed {observed} in {pattern}; {how}");
    }
    table
}

/// A closed pipe is no error.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}
