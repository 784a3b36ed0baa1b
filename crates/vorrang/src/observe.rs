//! `vorrang observe`: what a kernel's trace shows of a description, beside its bounds.

mod document;
mod live;
mod picture;
mod text;

use crate::exit::{Exit, Failure, Output};
use crate::input::{Input, Source};
use crate::progress;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use vorrang_enforce::Linux;
use vorrang_model::System;
use vorrang_model::system::{InterruptId, TaskId};
use vorrang_observe::Schedule;
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation, Outcome};
use vorrang_observe::schedule::Reader;
use vorrang_time::Duration;

/// Hold what a kernel did against a description: responses, budgets, execution times
///
///     $ vorrang observe crates/observe/tests/data/observe.toml --trace crates/observe/tests/data/6.12-rt.trace
///     of             thread          jobs  mean  longest      bound  executed  stated  preempted  verdict
///                                          [us]     [us]       [us]      [us]    [us]
///     -------------  --------------  ----  ----  -------  ---------  --------  ------  ---------  -------
///     task.reserved  reserved (130)     5  1510     1512  10200.000      1506    1700          0  below
///     task.fifo      fifo (131)         3  2519     2520   4199.999      1006    1200          0  below
///
///     budget of        thread          budget  period  mean  largest  preempted  verdict
///                                        [us]    [us]  [us]     [us]
///     ---------------  --------------  ------  ------  ----  -------  ---------  -------
///     server.reserved  reserved (130)    2000   10000  1370     1508          0  below
///
///     Everything was seen, and nothing above its bound.
///     ...
///
/// Reads a trace of the kernel, as tracefs prints it (`trace`, `trace_pipe`), or `trace-cmd
/// report` or `perf script` do; or traces this machine for a while (--for), in an instance of its own.
/// Wanted are the events sched_switch, sched_waking or sched_wakeup, and, as far as they are there,
/// irq_handler_entry and _exit, those of irq_vectors, kvm_entry and kvm_exit.
///
/// Threads are found as `vorrang apply` finds them (`thread` and `irq` in the description,
/// docs/apply.md). A job is what a thread does between a wake-up and the next sleep. Each is
/// held against the bound of `vorrang check` and the stated `wcet`, each reservation against budget and period;
/// what is above stands below the tables, with the time and with what had the processor meanwhile.
///
/// Exit codes: 0 everything was seen, and nothing above its bound, 1 something was above,
/// 2 the description or the trace is wrong, 3 nothing above, but something not seen, not as described or without a bound,
/// 4 this machine cannot be traced.
#[expect(clippy::doc_markdown, reason = "the manual is plain text")]
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["trace", "time"])))]
pub struct Observe {
    #[command(flatten)]
    source: Source,
    /// The text of a trace, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Trace this machine for so long
    #[arg(long = "for", id = "time", value_name = "TIME")]
    time: Option<Duration>,
    /// Write the text of the trace, too
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    keep: Option<PathBuf>,
    /// Write what happened as a trace for Perfetto (<https://ui.perfetto.dev>)
    #[arg(long, value_name = "FILE")]
    perfetto: Option<PathBuf>,
    /// Print the result as JSON, format "vorrang-observe/1"
    #[arg(long)]
    json: bool,
}

/// Everything that a result is made of.
struct Observed {
    input: Input,
    /// Where the trace is from.
    from: String,
    schedule: Schedule,
    limits: Limits,
    observation: Observation,
}

impl Observe {
    /// # Errors
    /// The input is wrong, the trace lost events, or the machine cannot be traced.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        let perfetto = self.perfetto.as_ref().map(|path| create(path)).transpose()?;
        let (from, schedule, matching) = match (&self.trace, self.time) {
            (Some(path), _) => {
                let schedule = read(path)?;
                let matching = Matching::in_trace(&input.system, &schedule);
                (path.display().to_string(), schedule, matching)
            }
            (None, time) => {
                let matching = Matching::on_machine(&input.system, &Linux);
                let schedule = live::trace(time.unwrap_or_default(), self.keep.as_deref())?;
                ("this machine".to_owned(), schedule, matching)
            }
        };
        let limits = limits(&input.system);
        let observation = Observation::of(&input.system, &schedule, &matching, &limits);
        let observed = Observed { input, from, schedule, limits, observation };
        if let (Some(file), Some(path)) = (perfetto, &self.perfetto) {
            picture::write(file, &observed, &matching)
                .map_err(|why| Failure::host(unwritable(path, &why)))?;
        }
        let text = if self.json { document::of(&observed) } else { text::of(&observed) };
        Ok(Output { text, exit: exit(observed.observation.outcome()) })
    }
}

fn exit(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Below => Exit::Success,
        Outcome::Open => Exit::Undecided,
        Outcome::Above => Exit::Refuted,
    }
}

/// The bounds of `vorrang check`.
fn limits(system: &System) -> Limits {
    let _waiting = progress::talk(|seconds| format!("bounding the responses, {seconds}s"));
    let bounds = vorrang_analysis::bounds(system);
    let found = |finding: &vorrang_analysis::Finding| {
        let why =
            || finding.reason.as_ref().map_or("there is no bound".to_owned(), ToString::to_string);
        finding.bound.ok_or_else(why)
    };
    Limits {
        tasks: (0..system.tasks.len()).map(|id| found(bounds.task(TaskId(id)))).collect(),
        interrupts: (0..system.interrupts.len())
            .map(|id| found(bounds.interrupt(InterruptId(id))))
            .collect(),
    }
}

/// Reads the text of a trace.
fn read(path: &Path) -> Result<Schedule, Failure> {
    let name = path.display();
    let mut bytes = Vec::new();
    let done = if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    done.map_err(|why| Failure::bad_input(format!("error: {name}: cannot be read: {why}\n")))?;
    if bytes.last().is_some_and(|&byte| byte != b'\n') {
        return Err(Failure::bad_input(format!(
            "error: {name}: the last line does not end: the text is cut there; remove that line\n"
        )));
    }
    let mut reader = Reader::default();
    for line in bytes.split(|&byte| byte == b'\n') {
        // Names of threads are whatever their programs say.
        reader.line(&String::from_utf8_lossy(line)).map_err(|why| {
            let line = String::from_utf8_lossy(line);
            Failure::bad_input(format!("error: {name}: {why}\n  {}\n", line.trim()))
        })?;
    }
    let schedule = reader.finish();
    if schedule.events.is_empty() {
        return Err(Failure::bad_input(format!(
            "error: {name}: there are no events sched_switch or sched_wakeup in it\n"
        )));
    }
    Ok(schedule)
}

fn create(path: &Path) -> Result<File, Failure> {
    File::create(path).map_err(|why| Failure::host(unwritable(path, &why)))
}

fn unwritable(path: &Path, why: &io::Error) -> String {
    format!("error: {} cannot be written: {why}\n", path.display())
}
