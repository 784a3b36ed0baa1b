//! `vorrang-host status`: what the servers of a run receive.

mod numbers;
mod reading;

pub use reading::Decisions;

use crate::background::JOURNAL;
use crate::processor::Account;
use crate::running::{self, Managed, Running};
use crate::words;
use reading::{Reading, Sample};
use std::fmt::Write as _;
use std::io;
use std::time::{Duration as Time, Instant};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::metrics::Metrics;
use vorrang_command::place::{Place, heading, void};
use vorrang_command::screen::draw;
use vorrang_enforce::Linux;
use vorrang_enforce::journal::{Described, Found};
use vorrang_quote::name::shown;
use vorrang_quote::visible;
use vorrang_time::Duration;
use vorrang_verdict::table::{Column, percent};

/// Show what the servers of a run receive
///
/// Reads the accounts of the dispatchers twice, and shows for each server and pseudo-VCPU its budget beside the
/// processor time that it was charged in between, how often its thread was lent to, what it lost because it was too short
/// to be lent, and the longest excess over its budget since the beginning; for each interrupt of a guest how often
/// it was raised, how often beyond its credits, how often sooner than the description allows, and how often a loan for it
/// found its thread asleep; for each dispatcher its cost, and its longest delay since the beginning.
///
/// Exit codes: 0 the servers are run, or nothing is run, 1 a run has ended without being undone, or a change to another
/// description was cut short, 4 its accounts cannot be read.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Status {
    /// The time between the two readings
    #[arg(long = "for", value_name = "TIME", default_value_t = Duration::from_ms(1000))]
    between: Duration,
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = JOURNAL)]
    journal: Place,
}

impl Status {
    /// # Errors
    /// The journal or the accounts cannot be read.
    pub fn run(&self) -> Result<Output, Failure> {
        status(&self.journal, self.between)
    }
}

/// What the servers of the run of a journal receive in a time.
///
/// # Errors
/// The journal or the accounts cannot be read.
pub fn status(journal: &Place, between: Duration) -> Result<Output, Failure> {
    let run = match Run::of(journal)? {
        Ok(run) => run,
        Err(none) => return Ok(none),
    };
    let mut text = heading(&run.described);
    let exit = run.exit();
    if exit != Exit::Success {
        text += CUT;
    }
    for reading in &run.look(between)? {
        processor(reading, &mut text);
    }
    Ok(Output { text, exit })
}

/// The same as numbers for Prometheus.
///
/// # Errors
/// The journal or the accounts cannot be read.
pub fn numbers(journal: &Place, between: Duration) -> Result<Output, Failure> {
    let run = match Run::of(journal)? {
        Ok(run) => run,
        Err(none) => return Ok(Output { text: Metrics::applied(None).text(), exit: none.exit }),
    };
    let mut metrics = Metrics::applied(Some(&run.described));
    let exit = run.exit();
    numbers::all(&mut metrics, &run.look(between)?);
    Ok(Output { text: metrics.text(), exit })
}

/// What the decisions of each dispatcher take in a time, or else that nothing is run.
///
/// # Errors
/// The journal or the accounts cannot be read.
pub fn decisions(
    journal: &Place,
    between: Duration,
) -> Result<Result<Vec<Decisions>, Output>, Failure> {
    match Run::of(journal)? {
        Ok(run) => Ok(Ok(run.look(between)?.iter().map(Reading::decisions).collect())),
        Err(none) => Ok(Err(none)),
    }
}

/// What is said where another description was to take the place of the one that is run.
const CUT: &str = "What was to take its place was killed, and its changes are there: the next `vorrang apply` undoes them first, \
                   `vorrang restore` undoes everything.\n";

/// A run that goes on.
struct Run {
    described: Described,
    process: i32,
    running: Running,
}

impl Run {
    /// The run of a journal; or else that there is none.
    fn of(journal: &Place) -> Result<Result<Self, Output>, Failure> {
        let described = match journal.read(&Linux)? {
            Found::Nothing => return Ok(Err(Output::success("Nothing is run.\n"))),
            Found::Void => return Ok(Err(Output::success(void("run")))),
            Found::Journal(entries) => entries.head.described,
        };
        let running = Running::read(&running::beside(journal.path()));
        let running = running.map_err(|why| journal.failure(&why))?;
        let running = running.and_then(|running| Some((running.dispatchers(&Linux)?, running)));
        if let Some((process, running)) = running {
            return Ok(Ok(Self { described, process, running }));
        }
        let text = format!(
            "{}It is not run any more, and its changes are not undone (journal {}): `vorrang-host restore` does that.\n",
            heading(&described),
            shown(journal.path())
        );
        Ok(Err(Output { text, exit: Exit::Refuted }))
    }

    /// What there is to say of it besides its accounts.
    fn exit(&self) -> Exit {
        self.running.cut(&Linux).map_or(Exit::Success, |_| Exit::Refuted)
    }

    fn look(self, between: Duration) -> Result<Vec<Reading>, Failure> {
        let Self { process, running: Running { processors, .. }, .. } = self;
        let unread = |why| Failure::host(format!("error: the accounts of {process}: {why}\n"));
        let all = || -> io::Result<Vec<Sample>> {
            processors.iter().map(|one| Sample::of(process, one)).collect()
        };
        let (from, before) = (Instant::now(), all().map_err(unread)?);
        std::thread::sleep(Time::from_nanos(between.as_ns()));
        let (to, after) = (Instant::now(), all().map_err(unread)?);
        let elapsed = u64::try_from((to - from).as_nanos()).unwrap_or(u64::MAX).max(1);
        let elapsed = Duration::from_ns(elapsed);
        let samples = before.into_iter().zip(after);
        let reading = |(managed, (before, after))| Reading { managed, elapsed, before, after };
        Ok(processors.into_iter().zip(samples).map(reading).collect())
    }
}

fn processor(reading: &Reading, text: &mut String) {
    let Reading { managed, elapsed, before, after } = reading;
    let (Managed { cpu, members, tasks, interrupts, .. }, elapsed) = (managed, *elapsed);
    let seconds = Time::from_nanos(elapsed.as_ns()).as_secs_f64();
    let _ = writeln!(text, "\nIn {seconds:.3} s, on processor {cpu}:\n");
    let accounts = before.shown.accounts.iter().zip(&after.shown.accounts);
    let grown = |of: fn(&Account) -> Duration| {
        accounts.clone().map(move |(before, after)| of(after).saturating_sub(of(before)))
    };
    let rate = |rate: Option<(u64, u64)>| {
        rate.map(|(budget, period)| (Duration::from_ns(budget), Duration::from_ns(period)))
    };
    let thread = |thread: &Option<(String, i32)>| match thread {
        Some((name, number)) => format!("{name} {number}"),
        None => "all others".to_owned(),
    };
    *text += &draw(&[
        Column::words("server", members.iter().map(|one| visible(&one.name))),
        Column::words("thread", members.iter().map(|one| thread(&one.thread))),
        Column::words("reserved", members.iter().map(|one| one.reserved.clone())),
        Column::shares("budget", members.iter().map(|one| rate(one.rate))),
        Column::shares("charged", grown(|one| one.charged).map(|time| Some((time, elapsed)))),
        Column::counts("loans", accounts.clone().map(|(before, after)| after.loans - before.loans)),
        Column::rates("lost", "[ns]", grown(|one| one.dropped).map(Duration::as_ns)),
        Column::rates("over", "[ns]", after.shown.accounts.iter().map(|one| one.overrun.as_ns())),
    ]);
    text.push('\n');
    for task in tasks {
        let _ = writeln!(text, "{task}");
    }
    let counts = before.shown.interrupts.iter().zip(&after.shown.interrupts);
    for (name, (before, after)) in interrupts.iter().zip(counts) {
        let grown = std::array::from_fn(|place| after[place] - before[place]);
        let _ = writeln!(text, "{}", words::counts(&visible(name), grown));
    }
    let Decisions { count, each, longest, .. } = reading.decisions();
    let _ = writeln!(
        text,
        "dispatcher: {count} decisions, {} ns each, {} % of the processor; so far a decision took at most {} ns, and was late by at most {} ns",
        each.as_ns(),
        percent(reading.taken(), elapsed).unwrap_or_default(),
        longest.as_ns(),
        after.shown.course.latest.as_ns()
    );
}
