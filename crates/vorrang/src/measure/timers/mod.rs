//! `vorrang measure timers`: the cost of timers of less urgent tasks for a job.

use super::kept::Kept;
use super::page::{circumstances, exit, progress, some_time};
use crate::destination::{Destinations, Replace};
use crate::paged::Paged;
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::interruption;
use vorrang_command::screen;
use vorrang_measure::timers::{Load, Measured, Outcome, Plan, WAYS, Way, measure};
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// Measure the cost of timers of less urgent tasks for an urgent job
///
///     vorrang measure timers --out machine.toml
///
/// An urgent job of 200us is released each millisecond on one CPU. Beside it less urgent timers
/// expire: each of a sleeping task (`tasks`), or all of one task with a file for each timer
/// (`timerfds`). `response` is the time from the release of a job to its end, `took` from its start.
/// The cost of an expiry is the slope of the execution times of jobs over the expiries during them,
/// for each round; `residual` is the median distance of a job from that line.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Timers {
    /// Put the timers into this profile, in place of those that it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The duration; a round over all loads is always finished
    #[arg(long = "for", value_name = "TIME", default_value = "30s", value_parser = some_time)]
    time: Duration,
    /// On this CPU [default: the last permitted one]
    #[arg(long, value_name = "NUMBER")]
    cpu: Option<usize>,
    /// The numbers of timers beside the job; zero is always measured
    #[arg(long = "timers", value_name = "NUMBERS", value_delimiter = ',', default_value = "1,50,100,1000",
        value_parser = clap::value_parser!(u16).range(1..=20_000))]
    beside: Vec<u16>,
    /// The kinds of timers: `tasks`, `timerfds` [default: both, one after the other]
    #[arg(long, value_name = "WAYS", value_delimiter = ',', value_parser = way)]
    way: Vec<Way>,
    /// The period of each timer
    #[arg(long, value_name = "TIME", default_value = "10ms", value_parser = some_time)]
    period: Duration,
    /// The execution time of the job
    #[arg(long, value_name = "TIME", default_value = "200us", value_parser = job)]
    job: Duration,
    /// Jobs beside each load in a round
    #[arg(long, value_name = "NUMBER", default_value_t = 300,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    jobs: u32,
    /// The real-time priority of the job
    #[arg(short, long, value_name = "PRIORITY", default_value_t = 80,
        value_parser = clap::value_parser!(u32).range(1..=99))]
    priority: u32,
    /// Seed of the phases of the timers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

fn way(word: &str) -> Result<Way, String> {
    let known = WAYS.into_iter().find(|way| way.word() == word);
    known.ok_or_else(|| "the kinds are tasks and timerfds".to_owned())
}

/// There must be time left for the tasks whose timers expire.
fn job(text: &str) -> Result<Duration, String> {
    let job = some_time(text)?;
    let longest = Duration::from_us(800);
    if job > longest {
        Err("a job every millisecond executes for at most 800us".into())
    } else {
        Ok(job)
    }
}

impl Timers {
    /// # Errors
    /// The host refuses, or a file cannot be read or written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[] as &[&Path]);
        let kept = Kept::begin(&mut files, self.out.as_deref(), &self.paged)?;
        let measured = self.measure()?;
        kept.write(&mut files, "timers", Vec::new, |profile| profile.replace_timers(&measured))?;
        Ok(files.output(page(&measured), exit()))
    }

    fn measure(&self) -> Result<Measured, Failure> {
        interruption::listen();
        let loads = self.loads();
        let (_waiting, go_on) = progress(format!("running jobs beside {} loads", loads.len()));
        let time = |time: Duration| std::time::Duration::from_nanos(time.as_ns());
        let plan = Plan {
            loads,
            job: time(self.job),
            period: time(self.period),
            jobs: self.jobs as usize,
            cpu: self.cpu,
            priority: self.priority,
            seed: self.seed,
            time: time(self.time),
        };
        measure(&plan, go_on).map_err(|why| Failure::host(format!("error: {why}\n")))
    }

    fn loads(&self) -> Vec<Load> {
        let ways = if self.way.is_empty() { &WAYS[..] } else { &self.way[..] };
        let mut loads = vec![Load { timers: 0, way: ways[0] }];
        for way in ways {
            let load = |timers: &u16| Load { timers: usize::from(*timers), way: *way };
            loads.extend(self.beside.iter().map(load));
        }
        loads
    }
}

fn page(measured: &Measured) -> String {
    let mut page = format!("Jobs, in {} rounds\n\n", measured.rounds);
    page += &jobs(&measured.outcomes);
    if measured.expiries.is_empty() {
        page += "\nNo job had more expiries than others: the cost of an expiry is not known.\n";
    } else {
        page += "\nCost of an expiry, one number for each round:\n\n";
        page += &costs(measured);
    }
    page + &circumstances(&measured.conditions, &measured.remarks)
}

fn jobs(outcomes: &[Outcome]) -> String {
    let numbers = |header: &str, text: &dyn Fn(&Outcome) -> String| {
        Column::numbers(header, outcomes.iter().map(text))
    };
    screen::draw(&[
        Column::words("beside", outcomes.iter().map(|of| of.load.name())),
        numbers("expiries", &|of| format!("{:.2}", of.expiries)),
        numbers("response [us]", &|of| us(of.response.quantile(0.5))),
        numbers("90 % [us]", &|of| us(of.response.quantile(0.9))),
        numbers("99 % [us]", &|of| us(of.response.quantile(0.99))),
        numbers("most [us]", &|of| us(of.response.quantile(1.0))),
        numbers("took [us]", &|of| us(of.took.quantile(0.5))),
        numbers("99 % [us]", &|of| us(of.took.quantile(0.99))),
        numbers("jobs", &|of| of.took.spread().count.to_string()),
    ])
}

fn costs(measured: &Measured) -> String {
    let rows = &measured.expiries;
    let numbers = |header: &str, value: &dyn Fn(usize) -> f64| {
        Column::numbers(header, (0..rows.len()).map(|row| format!("{:.3}", value(row) / 1e3)))
    };
    screen::draw(&[
        Column::words("of", rows.iter().map(|of| of.way.word().to_owned())),
        numbers("cost [us]", &|row| rows[row].cost.median),
        numbers("low [us]", &|row| rows[row].cost.low),
        numbers("high [us]", &|row| rows[row].cost.high),
        numbers("job alone [us]", &|row| rows[row].alone_ns),
        numbers("residual [us]", &|row| rows[row].residual_ns),
        Column::numbers("rounds", rows.iter().map(|of| of.cost.count.to_string())),
    ])
}

fn us(ns: f64) -> String {
    format!("{:.1}", ns / 1e3)
}

#[cfg(test)]
mod tests;
