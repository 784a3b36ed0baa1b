//! `vorrang status`: budget and use of the reservations of `vorrang apply`.

mod numbers;

use crate::dispatched;
use crate::shield;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::thread;
use std::time::{Duration as Time, Instant};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::interruption;
use vorrang_command::place::{Place, heading, void};
use vorrang_command::screen::draw;
use vorrang_enforce::journal::{self, Entries, Found};
use vorrang_enforce::{
    Finding, Linux, Row, RuntimesEnd, Sample, could_poll_in_threads, cpu_list, rows, runtimes_end,
    sample, shielded,
};
use vorrang_host::of_linux;
use vorrang_quote::visible;
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// Show the processor time that reserved threads receive
///
/// Samples every thread that `vorrang apply` reserved twice, and shows its budget beside the time that
/// it received in between, by the kernel's own accounting, and the time that it was ready without
/// running. Below them ksoftirqd of their processors is shown: if it does the work of a reserved
/// interrupt thread, that is reported, with a remedy. For processors with shielded timers it shows how
/// many timers were held back, for how long at most, and how many fired at their longest deferral.
/// With --every it repeats until Ctrl-C.
///
/// For a description that vorrang-host runs it shows the accounts of that program, once, and then those of cores of Linux
/// beside it.
///
/// --format prometheus writes the same as numbers, for the folder that a node exporter collects text files
/// from (docs/how-to/in-your-day.md).
///
/// Exit codes: 0 the reservations are effective, or nothing is applied, 1 one is not, 4 the journal
/// cannot be read.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Status {
    /// The time between the two samples
    #[arg(long = "for", value_name = "TIME", default_value_t = Duration::from_ms(1000), conflicts_with = "every")]
    between: Duration,
    /// Repeat at this interval
    #[arg(long, value_name = "TIME")]
    every: Option<Duration>,
    /// The number of repetitions
    #[arg(long, value_name = "NUMBER", requires = "every")]
    times: Option<u32>,
    /// How it is written
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Text, conflicts_with = "every")]
    format: Form,
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = journal::PLACE)]
    journal: Place,
}

/// How the status is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// For people
    Text,
    /// The text format of Prometheus
    Prometheus,
}

impl Status {
    /// # Errors
    /// The journal cannot be read.
    pub fn run(&self) -> Result<Output, Failure> {
        let is_for_people = self.format == Form::Text;
        if dispatched::is_run(&self.journal) {
            let journal = dispatched::beside(&self.journal);
            return if is_for_people {
                of_run(&journal, self.between)
            } else {
                vorrang_host::status::numbers(&journal, self.between)
            };
        }
        let entries = match self.journal.read(&Linux)? {
            Found::Nothing | Found::Void if !is_for_people => {
                return Ok(Output::success(numbers::nothing()));
            }
            Found::Nothing => return Ok(Output::success(dispatched::nothing())),
            Found::Void => return Ok(Output::success(void("applied"))),
            Found::Journal(entries) => entries,
        };
        if !is_for_people {
            return self.numbers(&entries);
        }
        let heading = heading(&entries.head.described);
        let Some(every) = self.every else {
            let Look { text, well } = look(&entries, self.between)?;
            return Ok(Output { text: heading + &text, exit: exit(well) });
        };
        print!("{heading}");
        interruption::listen();
        let (mut first, mut all_well) = (Watch::begin(&entries)?, true);
        for _ in 0..self.times.unwrap_or(u32::MAX) {
            let (Look { text, well }, next) = first.end(&entries, every)?;
            if interruption::is_wanted() || writeln!(io::stdout(), "{text}").is_err() {
                break;
            }
            all_well &= well;
            first = next;
        }
        Ok(Output { text: String::new(), exit: exit(all_well) })
    }
}

impl Status {
    fn numbers(&self, entries: &Entries) -> Result<Output, Failure> {
        let first = Watch::begin(entries)?;
        thread::sleep(Time::from_nanos(self.between.as_ns()));
        let second = Watch::begin(entries)?;
        let rows = rows(&first.samples, &second.samples);
        let shields = shielded(&Linux, entries);
        let text = numbers::all(&entries.head.described, &rows, &shields);
        let is_well =
            rows.iter().all(|row| row.finding.is_well()) && shields.iter().all(|one| one.is_on);
        Ok(Output { text, exit: exit(is_well) })
    }
}

fn exit(well: bool) -> Exit {
    if well { Exit::Success } else { Exit::Refuted }
}

/// The result.
pub(crate) struct Look {
    /// A table, with problems as sentences.
    pub(crate) text: String,
    /// Whether there is no problem.
    pub(crate) well: bool,
}

/// Samples for some time.
///
/// # Errors
/// The kernel does not say.
pub(crate) fn look(entries: &Entries, between: Duration) -> Result<Look, Failure> {
    Ok(Watch::begin(entries)?.end(entries, between)?.0)
}

/// What the servers of a run receive, and then the threads on cores of Linux beside it.
///
/// # Errors
/// The journal or the accounts cannot be read, or the kernel does not say.
pub(crate) fn of_run(journal: &Place, between: Duration) -> Result<Output, Failure> {
    let mut output = vorrang_host::status::status(journal, between)?;
    let Found::Journal(entries) = journal.read(&Linux)? else { return Ok(output) };
    let Some(part) = of_linux::part(&entries) else { return Ok(output) };
    // Without cores of Linux that is shielded timers, and nothing else.
    let well = if Watch::begin(&part)?.samples.is_empty() {
        let (shields, are_on) = shield::said(&shielded(&Linux, &part));
        output.text += &shields;
        are_on
    } else {
        let Look { text, well } = look(&part, between)?;
        output.text += "\nBeside it, on cores of Linux:\n\n";
        output.text += &text;
        well
    };
    if !well {
        output.exit = Exit::Refuted;
    }
    Ok(output)
}

/// The first of two samples.
struct Watch {
    at: Instant,
    samples: Vec<Sample>,
}

impl Watch {
    fn begin(entries: &Entries) -> Result<Self, Failure> {
        let at = Instant::now();
        let samples = sample(&Linux, entries).map_err(|why| {
            Failure::host(format!("error: the threads cannot be looked at: {why}\n"))
        })?;
        Ok(Self { at, samples })
    }

    /// The second sample, which is the first of the next interval.
    fn end(self, entries: &Entries, between: Duration) -> Result<(Look, Self), Failure> {
        thread::sleep(Time::from_nanos(between.as_ns()));
        let next = Self::begin(entries)?;
        let elapsed = u64::try_from((next.at - self.at).as_nanos()).unwrap_or(u64::MAX);
        let rows = rows(&self.samples, &next.samples);
        let seconds = Time::from_nanos(elapsed).as_secs_f64();
        let end = runtimes_end(&Linux);
        let mut text = format!("In {seconds:.3} s:\n\n{}", table(&rows));
        text += &remarks(&rows, entries);
        let reserved = rows.iter().any(|row| row.budget.is_some());
        if reserved {
            text += &runtimes(&end);
        }
        let (shields, are_on) = shield::said(&shielded(&Linux, entries));
        text += &shields;
        let well = rows.iter().all(|row| row.finding.is_well())
            && !(reserved && end == RuntimesEnd::ByTick)
            && are_on;
        Ok((Look { text, well }, next))
    }
}

fn table(rows: &[Row]) -> String {
    let part = |row: &Row, time: Option<u64>| {
        let whole = Duration::from_ns(row.elapsed.max(1));
        time.map(|time| (Duration::from_ns(time), whole))
    };
    let label = |row: &Row| visible(row.now.label.as_deref().unwrap_or_default());
    let budget = |row: &Row| part(row, row.budget);
    let ran = |row: &Row| part(row, row.received.map(|times| times.ran));
    let waited = |row: &Row| part(row, row.received.map(|times| times.waited));
    draw(&[
        Column::words("of", rows.iter().map(label)),
        Column::words("thread", rows.iter().map(|row| visible(&row.now.thread.name))),
        Column::numbers("number", rows.iter().map(|row| row.now.thread.thread.to_string())),
        Column::words("on", rows.iter().map(|row| cpu_list(&row.now.cpus))),
        Column::shares("budget", rows.iter().map(budget)),
        Column::shares("received", rows.iter().map(ran)),
        Column::shares("waited", rows.iter().map(waited)),
        Column::words("", rows.iter().map(|row| said(row.finding).to_owned())),
    ])
}

fn said(finding: Finding) -> &'static str {
    match finding {
        Finding::Budget => "receives its budget",
        Finding::AskedForLess => "asks for less",
        Finding::Nothing => "",
        Finding::TooLittle => "receives too little",
        Finding::TooMuch => "receives too much",
        Finding::OtherPolicy => "has another policy",
        Finding::Ended => "has ended",
        Finding::Unreserved => "is not reserved",
    }
}

/// What differs from what was applied.
fn remarks(rows: &[Row], entries: &Entries) -> String {
    let mut text = String::new();
    for row in rows {
        let name = visible(&row.now.thread.name);
        let label = visible(row.now.label.as_deref().unwrap_or_default());
        let _ = match row.finding {
            Finding::TooLittle => write!(
                text,
                "\n{label}: {name} was ready all the time and received less than its budget. What else is more\n\
                 urgent on its processor, interrupts included, is not in the description.\n"
            ),
            Finding::TooMuch => write!(text, "\n{label}: {name} received more than its budget.\n"),
            Finding::OtherPolicy => {
                write!(text, "\n{label}: {name} was given another policy.\n")
            }
            Finding::Ended => write!(text, "\n{label}: the thread {name} has ended.\n"),
            Finding::Unreserved => write!(text, "\n{}", moved(&name, entries)),
            Finding::Budget | Finding::AskedForLess | Finding::Nothing => Ok(()),
        };
    }
    text
}

/// Work of interrupts that has no reservation, and what helps.
fn moved(name: &str, entries: &Entries) -> String {
    let found = could_poll_in_threads(&Linux, entries);
    let threads: Vec<String> =
        found.iter().map(|interface| format!("`thread = \"napi:{interface}\"`")).collect();
    let helps = match threads.as_slice() {
        [] => "If it is that of a network card, reserve the thread that polls it: `thread = \"napi:...\"`".to_owned(),
        some => format!("Reserve the thread that polls the card: {}", some.join(", ")),
    };
    format!(
        "{name} does work of interrupts on a reserved processor, without a reservation.\n{helps} (docs/apply.md).\n"
    )
}

fn runtimes(end: &RuntimesEnd) -> String {
    match end {
        RuntimesEnd::ByTimer => "\nRuntimes end when they are used up (HRTICK_DL).\n".to_owned(),
        RuntimesEnd::ByTick => "\nRuntimes end with the tick behind their end (NO_HRTICK_DL): threads beside a reservation may wait a tick\n\
                                longer than their bounds. That was changed since it was applied.\n"
            .to_owned(),
        RuntimesEnd::Unknown(why) => format!("\nIt is unknown whether runtimes end when they are used up: {why}.\n"),
    }
}
