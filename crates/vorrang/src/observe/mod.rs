//! `vorrang observe`: a kernel's trace compared with the bounds of a description.

mod chains;
mod document;
mod lanes;
mod live;
mod observed;
mod page;
mod picture;
mod reading;
mod text;
mod told;

use crate::content::Content;
use crate::destination::{self, Destinations, Draft, Replace};
use crate::paged::Paged;
use crate::tracing::Traced;
use observed::Observed;
use reading::read;
use std::path::PathBuf;
use vorrang_command::exit::{Exit, Failure, Found, Output};
use vorrang_command::input::Source;
use vorrang_command::interruption;
use vorrang_command::progress;
use vorrang_enforce::Linux;
use vorrang_model::System;
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation, Outcome};
use vorrang_quote::name::shown;
use vorrang_verdict::input::Input;

/// Compare a kernel's trace with a description: responses, chains, budgets, execution times
///
///     $ vorrang observe crates/observe/tests/data/observe.toml --trace crates/observe/tests/data/6.12-rt.trace
///     of             thread          jobs  mean  longest  bound  executed  stated  preempted  verdict
///                                          [us]     [us]   [us]      [us]    [us]
///     -------------  --------------  ----  ----  -------  -----  --------  ------  ---------  -------
///     task.reserved  reserved (130)     5  1510     1512   1900      1506    1700          0  below
///     task.fifo      fifo (131)         3  2519     2520   3100      1006    1200          0  below
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
/// report` or `perf script` do, or a trace.dat or perf.data; or traces this machine for a while (--for), in an instance of its own.
/// The events sched_switch and sched_waking or sched_wakeup are needed; irq_handler_entry and _exit,
/// those of irq_vectors, kvm_entry and kvm_exit are used if they are there.
///
/// Threads are found as `vorrang apply` finds them (`thread` and `irq` in the description,
/// docs/apply.md). A job is the execution of a thread between a wake-up and the next sleep. Each job
/// is compared with the bound of `vorrang check` and the stated `wcet`, each reservation with budget
/// and period; violations are listed below the tables, with the time and with the threads that had the
/// processor meanwhile. Each chain is compared with its bound, by the jobs that handed its values on.
///
/// --report writes the same as a page to look at: measured beside simulated beside bound.
///
/// A trace is read line by line; what is known of an event is kept, of at most 2 000 000 of them.
/// Files are written whole or not at all, and never over what is read. `-` is standard output; then the
/// result goes to standard error.
///
/// Lines of tracers (functions, stacks, latencies) are skipped and counted; what mails quote or break is
/// read; of what else is no text it is said what makes one of it.
///
/// Exit codes: 0 everything that a description can name was seen, and nothing above its bound,
/// 1 something was above, 2 the description or the trace is wrong, 3 nothing above, but something not seen,
/// not as described or without a bound, 4 this machine cannot be traced, 130 interrupted before anything was above.
#[expect(clippy::doc_markdown, reason = "the manual is plain text")]
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Observe {
    /// What is observed.
    #[command(flatten)]
    pub source: Source,
    /// What is looked at.
    #[command(flatten)]
    traced: Traced,
    /// Write the schedule as a trace for Perfetto (<https://ui.perfetto.dev>)
    #[arg(long, value_name = "FILE")]
    perfetto: Option<PathBuf>,
    /// Print the result as JSON, format "vorrang-observe/1"
    #[arg(long)]
    json: bool,
    /// What was seen as a page.
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

impl Observe {
    /// # Errors
    /// The input is wrong, the trace lost events, or the machine cannot be traced.
    pub fn run(&self) -> Result<Output, Failure> {
        let input = self.source.read()?;
        let trace = self.traced.trace.iter().cloned();
        let inputs: Vec<PathBuf> = input.files.iter().cloned().chain(trace).collect();
        let mut files = Destinations::new(self.replace, &inputs);
        let mut draft = |path: &Option<PathBuf>, kind| {
            path.as_ref().map(|path| files.begin(path, kind)).transpose()
        };
        let perfetto = draft(&self.perfetto, Content::Perfetto)?;
        let keep = draft(&self.traced.keep, Content::KernelTrace)?;
        let page = self.paged.begin(&mut files)?;
        if self.traced.trace.is_none() {
            interruption::listen();
        }
        let (observed, matching) = self.observed(input, keep)?;
        if let Some(draft) = perfetto {
            let path = draft.path().to_owned();
            let draft = picture::write(draft, &observed, &matching)
                .map_err(|why| destination::unwritable(&path, &why))?;
            draft.finish()?;
        }
        if let Some(page) = page {
            let made = page::of(&observed, &page.options);
            page.write(&mut files, &made)?;
        }
        let text = if self.json { document::of(&observed) } else { text::of(&observed) };
        Ok(files.output(text, exit(observed.observation.outcome())))
    }

    /// Both results of a description that was read; nothing is written.
    ///
    /// # Errors
    /// The trace is wrong or lost events, or the machine cannot be traced.
    pub fn found(&self, input: Input) -> Result<Found, Failure> {
        let (observed, _) = self.observed(input, None)?;
        let (json, text) = (document::of(&observed), text::of(&observed));
        Ok(Found { json, text, exit: exit(observed.observation.outcome()) })
    }

    fn observed(&self, input: Input, keep: Option<Draft>) -> Result<(Observed, Matching), Failure> {
        let (from, schedule, matching) = match (&self.traced.trace, self.traced.time) {
            (Some(path), _) => {
                let schedule = read(path)?;
                let matching = Matching::in_trace(&input.system, &schedule);
                (shown(path), schedule, matching)
            }
            (None, time) => {
                let matching = Matching::on_machine(&input.system, &Linux);
                let time = time.unwrap_or_default();
                let (schedule, means) = live::trace(time, self.traced.by, keep)?;
                (format!("this machine (recorded by {means})"), schedule, matching)
            }
        };
        let limits = limits(&input.system);
        let observation = Observation::of(&input.system, &schedule, &matching, &limits);
        Ok((Observed { input, from, schedule, limits, observation }, matching))
    }
}

fn exit(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Below | Outcome::Open if interruption::is_wanted() => Exit::Interrupted,
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
        finding.found.as_ref().map(|proof| proof.bound).map_err(ToString::to_string)
    };
    Limits {
        tasks: system.task_ids().map(|id| found(bounds.task(id))).collect(),
        interrupts: system.interrupt_ids().map(|id| found(bounds.interrupt(id))).collect(),
        chains: vorrang_analysis::chain_limits(system, &bounds),
    }
}
