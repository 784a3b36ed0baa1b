//! `vorrang measure cache`: the cost of cold caches after a switch.

use super::kept::Kept;
use super::page::{circumstances, exit, some_time};
use super::{chart, curves, plot};
use crate::content::Content;
use crate::destination::{Destinations, Replace};
use crate::paged::Paged;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::interruption;
use vorrang_command::progress::{Line, Waiting};
use vorrang_command::screen;
use vorrang_measure::cache::{KINDS, Kind, Measured, Outcome, Plan, State, measure, plan};
use vorrang_measure::machine::conditions;
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// Measure the cost of cold caches after a switch
///
///     vorrang measure cache --out machine.toml --svg curves.svg
///
/// The caches are put into a defined state (full of dirty lines, full of clean lines, flushed, used by
/// another context), then a working set is traversed, with a timestamp of the cycle counter after each
/// block of accesses. The time beyond that at the sustained rate is lost. `useful` and `sustained` are
/// those of the flood model, which is never below what was measured; `average` and `constant` those of
/// the exponential one, by least squares of the means after another context. `loss` is that of a whole
/// switch: one run in ten lies below `low`, one above `high`. Interrupted runs are left out and counted.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Cache {
    /// Put the caches into this profile, in place of those that it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the curves, and the loss against the frequency of switching, into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The duration: the largest sets are left out where five rounds of them do not fit
    #[arg(long = "for", value_name = "TIME", default_value = "60s", value_parser = some_time)]
    time: Duration,
    /// On this CPU [default: the last permitted one]
    #[arg(long, value_name = "NUMBER")]
    cpu: Option<usize>,
    /// Seed of the order of the pointer chases
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Access patterns, separated by commas: `write`, `read-descending`, `modify-chase` [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = kind)]
    access: Vec<Kind>,
    /// The largest set in KiB [default: twice the last cache for the first access, 1024 for others]
    #[arg(long, value_name = "KIB", value_parser = clap::value_parser!(u64).range(2..=1 << 22))]
    largest: Option<u64>,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

/// Beyond this the other access patterns show the speed of memory, not the cost of a switch.
const LARGEST_OF_OTHERS: usize = 1 << 20;

/// The last cache where the system does not say: larger than most.
const LAST_CACHE: usize = 64 << 20;

pub(super) fn kind(name: &str) -> Result<Kind, String> {
    Kind::of_name(name).ok_or_else(|| {
        let names: Vec<String> = KINDS.into_iter().map(Kind::name).collect();
        format!("the access patterns are {}", names.join(", "))
    })
}

impl Cache {
    /// # Errors
    /// The host refuses, or a file cannot be read or written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[] as &[&Path]);
        let kept = Kept::begin(&mut files, self.out.as_deref(), &self.paged)?;
        let svg =
            self.svg.as_deref().map(|path| files.begin(path, Content::Picture)).transpose()?;
        let measured = self.measure()?;
        kept.write(
            &mut files,
            "cache",
            || curves::of_caches(&measured),
            |profile| profile.replace_caches(&measured),
        )?;
        if let Some(draft) = svg {
            draft.write_whole(plot::svg(&measured).as_bytes())?;
        }
        Ok(files.output(page(&measured), exit()))
    }

    fn measure(&self) -> Result<Measured, Failure> {
        interruption::listen();
        let plan = self.plan();
        let (_waiting, mut tell) = progress(plan.points.len());
        let go_on = |part: f64, rounds: usize| {
            tell(part, rounds);
            !interruption::is_wanted()
        };
        measure(&plan, go_on).map_err(|why| Failure::host(format!("error: {why}\n")))
    }

    fn plan(&self) -> Plan {
        let last_cache = conditions::last_cache_bytes(self.cpu.unwrap_or(0)).unwrap_or(LAST_CACHE);
        let all = if self.access.is_empty() { &KINDS[..] } else { &self.access[..] };
        let given = self.largest.and_then(|kib| usize::try_from(kib << 10).ok());
        let (first, others) = all.split_at(1);
        let mut points = Plan::of(given.unwrap_or(2 * last_cache), first);
        points.extend(Plan::of(given.unwrap_or(LARGEST_OF_OTHERS), others));
        let time = std::time::Duration::from_nanos(self.time.as_ns());
        Plan { points, flood_bytes: 2 * last_cache, cpu: self.cpu, seed: self.seed, time }
    }
}

/// A line about the measurement, and the function that updates it.
fn progress(points: usize) -> (Waiting, impl FnMut(f64, usize)) {
    let place = Arc::new((AtomicU64::new(0), AtomicUsize::new(0)));
    let told = Arc::clone(&place);
    let tell = move |part: f64, rounds: usize| {
        // A part of one in millionths.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        told.0.store((part * 1e6) as u64, Ordering::Relaxed);
        told.1.store(rounds, Ordering::Relaxed);
    };
    let waiting = Waiting::start(move |_| {
        let round = place.1.load(Ordering::Relaxed) + 1;
        let text =
            format!("measuring {points} combinations of set, access and state, round {round}");
        Line { done: Some(place.0.load(Ordering::Relaxed)), text }
    });
    (waiting, tell)
}

fn page(measured: &Measured) -> String {
    let Some(first) = measured.outcomes.first().map(|outcome| outcome.point.kind) else {
        return "Every run was interrupted: nothing was measured.\n".to_owned();
    };
    let of_first: Vec<&Outcome> =
        measured.outcomes.iter().filter(|outcome| outcome.point.kind == first).collect();
    let mut page = format!("Access: {}, in {} rounds\n\n", first.name(), measured.rounds);
    page += &sets(&of_first);
    page += &other_accesses(measured, first);
    page += &chart::draw(&of_first);
    page += &circumstances(&measured.conditions, &measured.remarks);
    page
}

/// As the publication has it: a row for each set and state.
fn sets(outcomes: &[&Outcome]) -> String {
    let numbers = |header: &str, value: &dyn Fn(&Outcome) -> String| {
        Column::numbers(header, outcomes.iter().map(|outcome| value(outcome)))
    };
    let only = |is_shown: bool, text: String| if is_shown { text } else { "-".to_owned() };
    let worst = |of: &Outcome, text: String| only(of.point.state.is_worst(), text);
    let average = |of: &Outcome, text: String| only(of.point.state == State::Switched, text);
    screen::draw(&[
        Column::words("set", outcomes.iter().map(|of| plan::size(of.point.set_bytes))),
        Column::words("caches", outcomes.iter().map(|of| of.point.state.word().to_owned())),
        numbers("useful", &|of| worst(of, format!("{:.3}", of.flood.useful))),
        numbers("sustained [us]", &|of| worst(of, us(of.flood.sustained_ns))),
        numbers("average", &|of| average(of, format!("{:.3}", of.exponential.useful))),
        numbers("constant [us]", &|of| average(of, us(of.exponential.sustained_ns))),
        numbers("loss [us]", &|of| us(of.loss.median)),
        numbers("low [us]", &|of| us(of.loss.low)),
        numbers("high [us]", &|of| us(of.loss.high)),
        numbers("runs", &|of| of.loss.count.to_string()),
        numbers("interrupted", &|of| of.curve.interrupted.to_string()),
    ])
}

/// The set at which access patterns are compared.
const COMPARED: usize = 64 << 10;

/// The cost of a switch by access pattern: one set, a column for each state.
fn other_accesses(measured: &Measured, first: Kind) -> String {
    let of_set = measured.outcomes.iter().filter(|of| of.point.set_bytes == COMPARED);
    let of_set: Vec<&Outcome> = of_set.collect();
    let mut kinds: Vec<Kind> = of_set.iter().map(|of| of.point.kind).collect();
    kinds.dedup();
    if kinds.iter().all(|kind| *kind == first) {
        return String::new();
    }
    let loss = |kind: Kind, state: State| {
        let found = of_set.iter().find(|of| of.point.kind == kind && of.point.state == state);
        found.map_or("-".to_owned(), |of| us(of.loss.median))
    };
    let mut columns = vec![Column::words("access", kinds.iter().map(|kind| kind.name()))];
    for state in State::existing() {
        let header = format!("{} [us]", state.word());
        columns.push(Column::numbers(&header, kinds.iter().map(|kind| loss(*kind, state))));
    }
    let set = plan::size(COMPARED);
    format!("\nLoss of a switch by access, set {set}, median:\n\n{}", screen::draw(&columns))
}

fn us(ns: f64) -> String {
    format!("{:.1}", ns / 1e3)
}

#[cfg(test)]
mod tests;
