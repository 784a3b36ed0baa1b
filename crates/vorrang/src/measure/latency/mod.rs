//! `vorrang measure latency`: wake-up latencies of threads, with `cyclictest`'s options.

mod arguments;
mod document;
mod text;

use super::curves;
use super::kept::Kept;
use super::page::{exit, progress};
use crate::content::Content;
use crate::destination::{Destinations, Draft, Replace};
use crate::paged::Paged;
use arguments::{Affinity, affinity, duration};
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::interruption;
use vorrang_measure::latency::{Broken, Measured, Plan, ThreadPlan, measure, timerlat};
use vorrang_measure::machine::conditions::{self, Interrupted};
use vorrang_time::Duration;

/// Measure wake-up latencies of threads, with cyclictest's options
///
///     vorrang measure latency -m -p80 -i1000 -l10000 -a -t -q
///
/// Each thread sleeps until an instant and reads the clock. `-h` prints a histogram that scripts for
/// cyclictest read (then every other line begins with `#`), `--json` a document close to its own.
/// `-b` ends with the first latency that is longer, keeps the kernel's trace and reports the activity
/// of the processor meanwhile, where tracefs is mounted and permitted. `--timerlat` uses the kernel's
/// own tracer instead, which splits a latency in two: until the interrupt, and until the thread ran.
/// Without `-l` and `-D` it continues until Ctrl-C, which prints the results so far.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, disable_help_flag = true)]
#[expect(clippy::struct_excessive_bools, reason = "as many as there are letters")]
pub(super) struct Latency {
    /// Print help
    #[arg(long, action = clap::ArgAction::Help)]
    help: Option<bool>,
    /// Lock memory
    #[arg(short, long)]
    mlockall: bool,
    /// The real-time priority of the threads [default: none]
    #[arg(short, long, alias = "prio", value_name = "PRIORITY",
        value_parser = clap::value_parser!(u32).range(0..=99), default_value_t = 0,
        hide_default_value = true)]
    priority: u32,
    /// How long the first thread sleeps, in microseconds
    #[arg(short, long, value_name = "US", default_value_t = 1_000,
        value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    interval: u64,
    /// How much longer each further thread sleeps [default: 500; 0 with a histogram or -S]
    #[arg(short, long, value_name = "US", value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    distance: Option<u64>,
    /// The number of latencies of each thread [default: no limit]
    #[arg(short, long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    loops: u64,
    /// The duration in seconds, or with `m`, `h`, `d` in minutes, hours, days [default: no limit]
    #[arg(short = 'D', long, visible_alias = "for", value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,
    /// Print how many latencies had each number of microseconds below this one
    #[arg(short = 'h', long, value_name = "US", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    histogram: Option<u32>,
    /// The same, with a column for all threads together
    #[arg(short = 'H', long, value_name = "US", conflicts_with = "histogram",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    histofall: Option<u32>,
    /// Write the histogram into this file
    #[arg(long, value_name = "FILE")]
    histfile: Option<PathBuf>,
    /// Thread N on CPU N; or on these in turn, as `2-3,5`
    #[arg(short, long, value_name = "CPUS", num_args = 0..=1, default_missing_value = "",
        value_parser = affinity)]
    affinity: Option<Affinity>,
    /// The number of threads; one for each CPU without a number [default: 1]
    #[arg(short, long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "0",
        value_parser = clap::value_parser!(u16).range(0..=4_096))]
    threads: Option<u16>,
    /// A thread on each CPU, all with the same interval: `-a -t -d0`
    #[arg(short = 'S', long)]
    smp: bool,
    /// Print nothing until the end
    #[arg(short, long)]
    quiet: bool,
    /// Print a document instead of text, or write it into a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "",
        require_equals = true)]
    json: Option<String>,
    /// End with the first latency that is longer, in microseconds, and report its cause
    #[arg(short, long, value_name = "US", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    breaktrace: Option<u64>,
    /// The file for the kernel's trace of that latency
    #[arg(long, value_name = "FILE", default_value = "latency.trace")]
    trace: PathBuf,
    /// Leave the idle states of the processors as they are
    #[arg(long)]
    default_system: bool,
    /// Measure with the kernel's timerlat tracer
    #[arg(long)]
    timerlat: bool,
    /// Put the latencies into this profile, in place of those that it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

impl Latency {
    /// # Errors
    /// The host refuses, or a file cannot be read or written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[] as &[&Path]);
        let target = Kept::begin(&mut files, self.out.as_deref(), &self.paged)?;
        let drafts = self.drafts(&mut files)?;
        interruption::listen();
        let text = if self.timerlat {
            let (measured, conditions, remarks) = self.ask_the_kernel()?;
            let tallies = measured.cpus.iter().map(|(cpu, of)| (format!("CPU {cpu}"), &of.thread));
            target.write(
                &mut files,
                "latency",
                || curves::of_latencies(tallies),
                |profile| profile.replace_split_latencies(&measured, &conditions),
            )?;
            let kept = keep(drafts.trace, measured.broken.as_ref())?;
            let page = text::split(&measured, kept.as_deref(), &conditions, &remarks);
            let document = || document::split(&measured, &conditions, &remarks);
            self.text_or_document(page, drafts.json, document)?
        } else {
            let measured = self.measure()?;
            let threads = measured.threads.iter().enumerate();
            let tallies = threads.map(|(nth, of)| (format!("T:{nth}, CPU {}", of.cpu), &of.tally));
            target.write(
                &mut files,
                "latency",
                || curves::of_latencies(tallies),
                |profile| profile.replace_latencies(&measured),
            )?;
            let kept = keep(drafts.trace, measured.broken.as_ref())?;
            let page = self.page(&measured, drafts.histogram, kept.as_deref())?;
            let document = || document::threads(&measured, self.histogram_us());
            self.text_or_document(page, drafts.json, document)?
        };
        Ok(files.output(text, exit()))
    }

    /// The files that are written besides the profile.
    fn drafts(&self, files: &mut Destinations) -> Result<Drafts, Failure> {
        let mut draft =
            |path: Option<&Path>, content| path.map(|path| files.begin(path, content)).transpose();
        let json = self.json.as_deref().filter(|path| !path.is_empty());
        let histogram = self.histfile.as_deref().filter(|_| self.histogram_us().is_some());
        Ok(Drafts {
            json: draft(json.map(Path::new), Content::Latencies)?,
            histogram: draft(histogram, Content::Histogram)?,
            trace: draft(self.breaktrace.map(|_| self.trace.as_path()), Content::KernelTrace)?,
        })
    }

    fn measure(&self) -> Result<Measured, Failure> {
        let plan = self.plan();
        let quiet = self.quiet || (plan.loops.is_some() && plan.time.is_none());
        let mut waiting = (!quiet).then(|| progress("waking threads".to_owned()));
        let go_on = |part: f64| match &mut waiting {
            Some((_, go_on)) => go_on(part),
            None => !interruption::is_wanted(),
        };
        measure(&plan, go_on).map_err(|why| Failure::host(format!("error: {why}\n")))
    }

    fn plan(&self) -> Plan {
        let permitted = arguments::permitted();
        let count = match self.threads {
            None if self.smp => permitted.len(),
            None => 1,
            Some(0) => permitted.len(),
            Some(count) => usize::from(count),
        };
        let cpus = match &self.affinity {
            Some(Affinity::These(cpus)) => cpus.clone(),
            Some(Affinity::Each) => permitted,
            None if self.smp => permitted,
            None => Vec::new(),
        };
        let is_alike = self.smp || self.histogram_us().is_some();
        let distance_us = self.distance.unwrap_or(if is_alike { 0 } else { 500 });
        let thread = |index: usize| ThreadPlan {
            cpu: (!cpus.is_empty()).then(|| cpus[index % cpus.len()]),
            priority: (self.priority > 0).then_some(self.priority),
            interval_us: self.interval + distance_us * index as u64,
        };
        Plan {
            threads: (0..count).map(thread).collect(),
            loops: (self.loops > 0).then_some(self.loops),
            time: self.time(),
            break_us: self.breaktrace,
            histogram_us: self.histogram_us(),
            locks_memory: self.mlockall,
            keeps_awake: !self.default_system,
        }
    }

    fn ask_the_kernel(&self) -> Result<Asked, Failure> {
        let cpus = match &self.affinity {
            Some(Affinity::These(cpus)) => cpus.clone(),
            _ => arguments::permitted(),
        };
        let mut conditions = conditions::of(cpus.first().copied().unwrap_or(0));
        conditions.retain(|(name, _)| *name != "on-cpu");
        let named: Vec<String> = cpus.iter().map(usize::to_string).collect();
        conditions.push(("on-cpu", named.join(",")));
        conditions.push(("interval", format!("{}us", self.interval)));
        let interval_us = self.interval;
        let plan =
            timerlat::Plan { cpus, interval_us, time: self.time(), break_us: self.breaktrace };
        let mut waiting = (!self.quiet).then(|| progress("listening to the kernel".to_owned()));
        let go_on = |part: f64| match &mut waiting {
            Some((_, go_on)) => go_on(part),
            None => !interruption::is_wanted(),
        };
        let measured = timerlat::measure(&plan, go_on)
            .map_err(|why| Failure::host(format!("error: {why}\n")))?;
        let remarks = conditions::remarks(&conditions, None, Interrupted::Counts);
        Ok((measured, conditions, remarks))
    }

    fn time(&self) -> Option<std::time::Duration> {
        self.duration.map(|time| std::time::Duration::from_nanos(time.as_ns()))
    }

    fn histogram_us(&self) -> Option<usize> {
        self.histogram.or(self.histofall).map(|us| us as usize)
    }

    fn page(
        &self,
        measured: &Measured,
        histfile: Option<Draft>,
        kept: Option<&Path>,
    ) -> Result<String, Failure> {
        let page = text::threads(measured, kept);
        let Some(limit_us) = self.histogram_us() else { return Ok(page) };
        let histogram = text::histogram(&measured.threads, limit_us, self.histofall.is_some());
        match histfile {
            Some(draft) => {
                draft.write_whole(histogram.as_bytes())?;
                Ok(page)
            }
            None => Ok(histogram + &text::as_comments(&page)),
        }
    }

    fn text_or_document(
        &self,
        text: String,
        draft: Option<Draft>,
        document: impl FnOnce() -> String,
    ) -> Result<String, Failure> {
        match draft {
            None if self.json.is_some() => Ok(document()),
            None => Ok(text),
            Some(draft) => {
                draft.write_whole(document().as_bytes())?;
                Ok(text)
            }
        }
    }
}

/// Files that are begun before anything takes time.
struct Drafts {
    json: Option<Draft>,
    histogram: Option<Draft>,
    trace: Option<Draft>,
}

/// Keeps the trace of a break; returns its place.
fn keep(draft: Option<Draft>, broken: Option<&Broken>) -> Result<Option<PathBuf>, Failure> {
    let trace = broken.and_then(|broken| broken.trace.as_ref().ok());
    let Some((draft, trace)) = draft.zip(trace) else { return Ok(None) };
    let path = draft.path().to_owned();
    draft.write_whole(trace.as_bytes())?;
    Ok(Some(path))
}

/// The results of the kernel's tracer, the conditions, and their effect on the numbers.
type Asked = (timerlat::Measured, Vec<conditions::Condition>, Vec<String>);

#[cfg(test)]
mod tests;
