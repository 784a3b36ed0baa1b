//! `vorrang measure dispatcher`: what a decision of `vorrang-host` takes.

use super::kept::Kept;
use super::page::{circumstances, exit, progress, some_time};
use super::switch::quantiles;
use crate::destination::{Destinations, Replace};
use crate::dispatched;
use crate::paged::Paged;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::interruption;
use vorrang_command::place::Place;
use vorrang_command::screen;
use vorrang_enforce::journal;
use vorrang_host::background::PROGRAM;
use vorrang_host::status::{Decisions, decisions};
use vorrang_measure::dispatcher::{Measured, Reading};
use vorrang_measure::machine::conditions::{self, Interrupted};
use vorrang_measure::statistics::Sorted;
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// Measure what a decision of vorrang-host takes, while it runs a description
///
///     vorrang-host run system.toml --unproven --yes --background
///     vorrang measure dispatcher --out machine.toml
///
/// Reads the accounts of its dispatchers again and again: what decisions took in the middle of the time between two readings, by
/// processor, and the longest since the description is run, with the switches before and after it. The longest of all is the
/// `scheduler-call` of the profile. It is no bound: measure for long, beside the load that the machine has.
///
/// Exit codes: as of the other measurements; 4 nothing is run by vorrang-host.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Dispatcher {
    /// Put the decisions into this profile, in place of those that it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The duration
    #[arg(long = "for", value_name = "TIME", default_value = "10s", value_parser = some_time)]
    time: Duration,
    /// The journal of what was changed
    #[arg(long, value_name = "FILE", default_value = journal::PLACE)]
    journal: Place,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

/// Readings are so far apart.
const APART: Duration = Duration::from_ms(250);

impl Dispatcher {
    /// # Errors
    /// Nothing is run, or a file cannot be read or written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[] as &[&Path]);
        let kept = Kept::begin(&mut files, self.out.as_deref(), &self.paged)?;
        let measured = self.measure()?;
        let put = |profile: &mut vorrang_measure::profile::Profile| {
            profile.replace_dispatcher(&measured);
        };
        kept.write(&mut files, "dispatcher", Vec::new, put)?;
        Ok(files.output(page(&measured), exit()))
    }

    /// What decisions take in a time.
    fn read(&self, between: Duration) -> Result<impl Iterator<Item = Reading>, Failure> {
        let read = decisions(&dispatched::beside(&self.journal), between)?;
        let read = read.map_err(|Output { text, .. }| {
            Failure::host(format!(
                "error: {PROGRAM} runs no description: {text}  `{PROGRAM} run FILE --unproven --yes --background` starts it\n"
            ))
        })?;
        Ok(read.into_iter().map(reading))
    }

    fn measure(&self) -> Result<Measured, Failure> {
        interruption::listen();
        let (_waiting, mut go_on) = progress("reading what decisions take".to_owned());
        let apart = APART.min(self.time);
        let count = self.time.div_floor(apart);
        let mut readings: Vec<Reading> = Vec::new();
        for number in 1..=count {
            readings.extend(self.read(apart)?);
            #[expect(clippy::cast_precision_loss, reason = "a part of a line")]
            if !go_on(number as f64 / count as f64) {
                break;
            }
        }
        let first = readings.iter().map(|reading| reading.cpu).min().unwrap_or(0);
        Ok(Measured::of(&readings, conditions::of(first as usize)))
    }
}

fn reading(Decisions { cpu, count, each, longest }: Decisions) -> Reading {
    Reading { cpu, decisions: count, each_ns: each.as_ns(), longest_ns: longest.as_ns() }
}

fn page(measured: &Measured) -> String {
    let all = &measured.processors;
    let mut page = if all.is_empty() {
        "There was no decision: nothing was measured.\n".to_owned()
    } else {
        let sorted: Vec<&Sorted> = all.iter().map(|one| &one.each).collect();
        let cpus = Column::words("on CPU", all.iter().map(|one| one.cpu.to_string()));
        let counts = Column::counts("decisions", all.iter().map(|one| one.count));
        let longest = Column::rates("longest", "[ns]", all.iter().map(|one| one.longest_ns));
        screen::draw(&[vec![cpus, counts], quantiles(&sorted), vec![longest]].concat())
    };
    if let Some(longest) = measured.longest_ns() {
        let _ = writeln!(
            page,
            "\nMeans of a decision in the time between two readings; the longest with the switches before and after it, {longest} ns."
        );
    }
    let remarks = conditions::remarks(&measured.conditions, None, Interrupted::Counts);
    page += &circumstances(&measured.conditions, &remarks);
    page
}
