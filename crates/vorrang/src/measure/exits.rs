//! `vorrang measure exits`: the costs of a guest of KVM.

use super::kept::Kept;
use super::page::{circumstances, exit, progress, some_time};
use super::switch::quantiles;
use crate::destination::{Destinations, Replace};
use crate::paged::Paged;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Failure, Output};
use vorrang_command::interruption;
use vorrang_command::screen;
use vorrang_measure::exits::{Measured, Outcome, Plan, measure};
use vorrang_measure::statistics::Sorted;
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// Measure the costs of VM exits, of injecting interrupts and of their end
///
///     vorrang measure exits --out machine.toml
///
/// Needs Linux on x86-64 and access to /dev/kvm. A guest of one page of machine code repeats the same
/// round. `program`: from entering the guest to its write to a port being handled here; `memory`: the
/// same for an access to unmapped memory; `kernel`: an exit that the kernel handles; `inject`: from
/// sending it an interrupt until the handler runs; `end`: the handler's end-of-interrupt write to its
/// interrupt controller. Interrupted rounds are left out and counted.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Exits {
    /// Put the exits into this profile, in place of those that it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The duration
    #[arg(long = "for", value_name = "TIME", default_value = "10s", value_parser = some_time)]
    time: Duration,
    /// On this CPU [default: the last permitted one]
    #[arg(long, value_name = "NUMBER")]
    cpu: Option<usize>,
    /// The real-time priority [default: none]
    #[arg(short, long, value_name = "PRIORITY", value_parser = clap::value_parser!(u32).range(1..=99))]
    priority: Option<u32>,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

impl Exits {
    /// # Errors
    /// The host refuses, or a file cannot be read or written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[] as &[&Path]);
        let kept = Kept::begin(&mut files, self.out.as_deref(), &self.paged)?;
        let measured = self.measure()?;
        kept.write(&mut files, "exits", Vec::new, |profile| profile.replace_exits(&measured))?;
        Ok(files.output(page(&measured), exit()))
    }

    fn measure(&self) -> Result<Measured, Failure> {
        interruption::listen();
        let (_waiting, go_on) = progress("leaving a guest and coming back".to_owned());
        let time = std::time::Duration::from_nanos(self.time.as_ns());
        let plan = Plan { cpu: self.cpu, priority: self.priority, time };
        measure(&plan, go_on).map_err(|why| Failure::host(format!("error: {why}\n")))
    }
}

fn page(measured: &Measured) -> String {
    let mut page = match &measured.outcome {
        Some(outcome) => rows(outcome),
        None => "Every round was interrupted: nothing was measured.\n".to_owned(),
    };
    page += &circumstances(&measured.conditions, &measured.remarks);
    page
}

fn rows(of: &Outcome) -> String {
    let named = of.named();
    let sorted: Vec<&Sorted> = named.iter().map(|(_, sorted)| *sorted).collect();
    let words = Column::words("exit", named.iter().map(|(name, _)| (*name).to_owned()));
    let mut page = screen::draw(&[vec![words], quantiles(&sorted)].concat());
    let count = of.program.spread().count;
    let _ = writeln!(page, "\n{count} rounds, {} interrupted and left out", of.interrupted);
    page
}
