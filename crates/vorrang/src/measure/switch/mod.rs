//! `vorrang measure switch`: the cost of a switch between two threads.

use super::kept::Kept;
use super::page::{circumstances, exit, progress, some_time};
use crate::destination::{Destinations, Replace};
use crate::paged::Paged;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::interruption;
use vorrang_command::screen;
use vorrang_measure::cache::Kind;
use vorrang_measure::cache::plan::size;
use vorrang_measure::statistics::Sorted;
use vorrang_measure::switch::{Means, Measured, Outcome, Plan, Point, measure};
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// Measure the cost of a context switch, direct and by displaced cache lines
///
///     vorrang measure switch --out machine.toml
///
/// Two threads on one CPU hand over to each other, each with a working set. `direct` is the time of
/// the handover minus that of the same calls where no thread waits; `indirect` is the time to traverse
/// the set after the switch minus that when it is hot. Both are differences within one round and may
/// be zero or below, as with larger sets: `up to 0` is the share of such rounds. Interrupted rounds
/// are left out and counted.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Switch {
    /// Put the switches into this profile, in place of those that it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The duration; every pair of sets is measured at least once
    #[arg(long = "for", value_name = "TIME", default_value = "20s", value_parser = some_time)]
    time: Duration,
    /// On this CPU [default: the last permitted one]
    #[arg(long, value_name = "NUMBER")]
    cpu: Option<usize>,
    /// Sets of the measured thread, in KiB; direct costs are those without a set
    #[arg(long, value_name = "KIB", value_delimiter = ',', default_value = "4,16,64,256,1024",
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    set: Vec<u64>,
    /// Sets of the other thread, in KiB [default: as large, and one of 2048]
    #[arg(long, value_name = "KIB", value_delimiter = ',',
        value_parser = clap::value_parser!(u64).range(0..=1 << 20))]
    other: Vec<u64>,
    /// The access pattern, as for `cache`; dependent accesses show a cold cache most clearly
    #[arg(long, value_name = "NAME", default_value = "read-chase", value_parser = super::cache::kind)]
    access: Kind,
    /// Hand over by a `futex` or a `pipe`
    #[arg(long, value_name = "MEANS", default_value = "futex", value_parser = means)]
    handover: Means,
    /// The real-time priority of both threads [default: none]
    #[arg(short, long, value_name = "PRIORITY", value_parser = clap::value_parser!(u32).range(1..=99))]
    priority: Option<u32>,
    /// Seed of the order of the pointer chases
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

/// The set of the other thread, which displaces smaller ones.
const LARGE: usize = 2 << 20;

fn means(name: &str) -> Result<Means, String> {
    let known = [Means::Futex, Means::Pipe].into_iter().find(|means| means.word() == name);
    known.ok_or_else(|| "threads hand over by futex or by pipe".to_owned())
}

impl Switch {
    /// # Errors
    /// The host refuses, or a file cannot be read or written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[] as &[&Path]);
        let kept = Kept::begin(&mut files, self.out.as_deref(), &self.paged)?;
        let measured = self.measure()?;
        kept.write(&mut files, "switch", Vec::new, |profile| profile.replace_switches(&measured))?;
        Ok(files.output(page(&measured), exit()))
    }

    fn measure(&self) -> Result<Measured, Failure> {
        interruption::listen();
        let points = self.points();
        let (_waiting, go_on) = progress(format!("switching with {} pairs of sets", points.len()));
        let plan = Plan {
            points,
            kind: self.access,
            means: self.handover,
            cpu: self.cpu,
            priority: self.priority,
            seed: self.seed,
            time: std::time::Duration::from_nanos(self.time.as_ns()),
        };
        measure(&plan, go_on).map_err(|why| Failure::host(format!("error: {why}\n")))
    }

    fn points(&self) -> Vec<Point> {
        let bytes = |kib: &u64| usize::try_from(*kib << 10).unwrap_or(usize::MAX);
        let mut points = vec![Point { own_bytes: 0, other_bytes: 0 }];
        for own_bytes in self.set.iter().map(bytes) {
            let others = match self.other.as_slice() {
                [] if own_bytes < LARGE => vec![own_bytes, LARGE],
                [] => vec![own_bytes],
                given => given.iter().map(bytes).collect(),
            };
            points.extend(others.into_iter().map(|other_bytes| Point { own_bytes, other_bytes }));
        }
        points
    }
}

fn page(measured: &Measured) -> String {
    let (empty, sets): (Vec<&Outcome>, Vec<&Outcome>) =
        measured.outcomes.iter().partition(|of| of.point.own_bytes == 0);
    let mut page = String::new();
    for of in empty {
        let rows = [("handover", &of.handover), ("calls", &of.calls), ("direct", &of.direct)];
        let words = Column::words("no sets", rows.map(|(name, _)| name.to_owned()));
        let columns = quantiles(&rows.map(|(_, sorted)| sorted));
        let _ = writeln!(page, "Handover: {}; {}\n", measured.means, left_out(of));
        page += &screen::draw(&[vec![words], columns].concat());
    }
    if !sets.is_empty() {
        let _ = writeln!(page, "\nIndirect, by a walk over the set: {}\n", measured.kind.name());
        page += &indirect(&sets);
    }
    if page.is_empty() {
        page += "Every round was interrupted: nothing was measured.\n";
    }
    page + &circumstances(&measured.conditions, &measured.remarks)
}

fn left_out(of: &Outcome) -> String {
    format!("{} rounds, {} interrupted and left out", of.direct.spread().count, of.interrupted)
}

fn indirect(sets: &[&Outcome]) -> String {
    let words = |header: &str, bytes: &dyn Fn(&Outcome) -> usize| {
        Column::words(header, sets.iter().map(|of| size(bytes(of))))
    };
    let numbers = |header: &str, text: &dyn Fn(&Outcome) -> String| {
        Column::numbers(header, sets.iter().map(|of| text(of)))
    };
    let sorted: Vec<&Sorted> = sets.iter().map(|of| &of.indirect).collect();
    let first = vec![
        words("set", &|of| of.point.own_bytes),
        words("other", &|of| of.point.other_bytes),
        numbers("hot [us]", &|of| us(of.hot.spread().median)),
    ];
    let last = vec![
        numbers("up to 0 [%]", &|of| format!("{:.1}", of.indirect.part_up_to(0.0) * 100.0)),
        numbers("rounds", &|of| of.indirect.spread().count.to_string()),
        numbers("interrupted", &|of| of.interrupted.to_string()),
    ];
    screen::draw(&[first, quantiles(&sorted), last].concat())
}

/// The columns of some distributions, a row each.
pub(super) fn quantiles(rows: &[&Sorted]) -> Vec<Column> {
    let column = |(header, part): (&str, f64)| {
        Column::numbers(header, rows.iter().map(|sorted| us(sorted.quantile(part))))
    };
    let parts = [("least [us]", 0.0), ("1 % [us]", 0.01), ("10 % [us]", 0.1), ("median [us]", 0.5)];
    let tails = [("90 % [us]", 0.9), ("99 % [us]", 0.99), ("most [us]", 1.0)];
    parts.into_iter().chain(tails).map(column).collect()
}

fn us(ns: f64) -> String {
    // No minus before a zero.
    let us = (ns / 10.0).round() / 100.0;
    format!("{:.2}", us + 0.0)
}

#[cfg(test)]
mod tests;
