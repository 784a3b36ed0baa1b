//! `vorrang-host status`: what the servers of a run receive.

use crate::linux::{self, Shown};
use crate::place::Place;
use crate::processor::Account;
use crate::running::{self, Managed, Running};
use crate::words;
use std::fmt::Write as _;
use std::time::{Duration as Time, Instant};
use vorrang::exit::{Exit, Failure, Output};
use vorrang::screen::draw;
use vorrang_enforce::journal::{self, Found};
use vorrang_enforce::{Kernel as _, Linux};
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
/// Exit codes: 0 the servers are run, or nothing is run, 1 a run has ended without being undone, 4 its accounts
/// cannot be read.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Status {
    /// The time between the two readings
    #[arg(long = "for", value_name = "TIME", default_value_t = Duration::from_ms(1000))]
    between: Duration,
    /// Only what decisions take, a line of JSON for each processor, for `vorrang measure dispatcher`
    #[arg(long, hide = true)]
    decisions: bool,
    #[command(flatten)]
    place: Place,
}

impl Status {
    /// # Errors
    /// The journal or the accounts cannot be read.
    pub fn run(&self) -> Result<Output, Failure> {
        let path = self.place.path();
        let read = journal::read(path, &Linux).map_err(|why| self.place.failure(&why))?;
        let head = match read {
            Found::Nothing => return Ok(Output::success("Nothing is run.\n")),
            Found::Void => {
                return Ok(Output::success(
                    "The machine was started anew since: nothing is run.\n",
                ));
            }
            Found::Journal(entries) => entries.head,
        };
        let [name, verdict, sha256] =
            [&head.described.description, &head.described.verdict, &head.described.sha256]
                .map(|text| visible(text));
        let mut text = format!("{name}: {verdict}, sha256 {sha256}\n");
        let file = running::beside(path);
        let running = Running::read(&file).map_err(|why| self.place.failure(&why))?;
        let running = running.and_then(|running| Some((running.dispatchers(&Linux)?, running)));
        let Some((process, Running { processors, .. })) = running else {
            let _ = writeln!(
                text,
                "It is not run any more, and its changes are not undone (journal {}): `vorrang-host restore` does that.",
                shown(path)
            );
            return Ok(Output { text, exit: Exit::Refuted });
        };
        if self.decisions {
            text.clear();
        }
        self.look(process, &processors, &mut text)
            .map_err(|why| Failure::host(format!("error: the accounts of {process}: {why}\n")))?;
        Ok(Output::success(text))
    }

    fn look(&self, process: i32, processors: &[Managed], text: &mut String) -> std::io::Result<()> {
        let read = |managed: &Managed| {
            let board = linux::shown(process, managed.memory)?;
            let (shown, dispatcher) = board(managed.members.len(), managed.interrupts.len());
            let taken = Linux.read(&format!("/proc/{process}/task/{dispatcher}/schedstat"));
            let taken = taken.ok().and_then(|text| text.split(' ').next()?.parse().ok());
            Ok(Sample { shown, taken: Duration::from_ns(taken.unwrap_or(0)) })
        };
        let all = || processors.iter().map(read).collect::<std::io::Result<Vec<_>>>();
        let (from, before) = (Instant::now(), all()?);
        std::thread::sleep(Time::from_nanos(self.between.as_ns()));
        let (to, after) = (Instant::now(), all()?);
        let elapsed = u64::try_from((to - from).as_nanos()).unwrap_or(u64::MAX).max(1);
        let elapsed = Duration::from_ns(elapsed);
        for (managed, (before, after)) in processors.iter().zip(before.iter().zip(&after)) {
            if self.decisions {
                decisions(managed, before, after, text);
            } else {
                processor(managed, elapsed, before, after, text);
            }
        }
        Ok(())
    }
}

/// The accounts of a processor, and the processor time of its dispatcher.
struct Sample {
    shown: Shown,
    taken: Duration,
}

/// What those between two samples took, and the longest so far.
fn decisions(managed: &Managed, before: &Sample, after: &Sample, text: &mut String) {
    let steps = after.shown.course.steps - before.shown.course.steps;
    let taken = after.taken.saturating_sub(before.taken);
    let longest = after.shown.course.longest_with_switches(&before.shown.course, taken);
    let said = serde_json::json!({
        "cpu": managed.cpu,
        "decisions": steps,
        "each-ns": taken.as_ns() / steps.max(1),
        "longest-ns": longest.as_ns(),
    });
    let _ = writeln!(text, "{said}");
}

fn processor(
    managed: &Managed,
    elapsed: Duration,
    before: &Sample,
    after: &Sample,
    text: &mut String,
) {
    let Managed { cpu, members, interrupts, .. } = managed;
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
    let counts = before.shown.interrupts.iter().zip(&after.shown.interrupts);
    for (name, (before, after)) in interrupts.iter().zip(counts) {
        let grown = std::array::from_fn(|place| after[place] - before[place]);
        let _ = writeln!(text, "{}", words::counts(&visible(name), grown));
    }
    let steps = after.shown.course.steps - before.shown.course.steps;
    let taken = after.taken.saturating_sub(before.taken);
    let _ = writeln!(
        text,
        "dispatcher: {steps} decisions, {} ns each, {} % of the processor; so far a decision took at most {} ns, and was late by at most {} ns",
        taken.as_ns() / steps.max(1),
        percent(taken, elapsed).unwrap_or_default(),
        after.shown.course.longest_with_switches(&before.shown.course, taken).as_ns(),
        after.shown.course.latest.as_ns()
    );
}
