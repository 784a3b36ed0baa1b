//! `vorrang measure kernel`: the kernel's own activity on this machine.

mod facts;

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
use vorrang_command::screen::wrapped;
use vorrang_enforce::Linux;
use vorrang_measure::kernel::{Measured, Plan, measure};
use vorrang_measure::statistics::Sorted;
use vorrang_time::Duration;
use vorrang_verdict::table::Column;

/// Measure the kernel's own activity on this machine, as a profile that `kernel` of a core names
///
///     vorrang measure kernel --out kernel.toml
///
/// Needs Linux and a permitted real-time priority; for all of it root, and debugfs. `tick`: the time
/// that it takes from a thread above all others; `ktimers` and `ksoftirqd`: their execution time
/// between two ticks, where they have a real-time priority; `wake-up`: a timer's interrupt, the
/// wake-up of a thread and the switch to it; `sleep`: the switch back; `overrun`: by how much a
/// runtime of `SCHED_DEADLINE` ends late, with the current settings. From the system: the server of
/// `SCHED_OTHER`, what interrupts are charged to, release and `PREEMPT_RT`. Numbers are the longest
/// observations, not bounds: the profile states their number, and `vorrang check` repeats it under
/// *Assumed*. What could not be measured is named there, too. For nine tenths of the time nothing else
/// runs on that CPU.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Kernel {
    /// Put the kernel into this profile, in place of the one that it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// For how long
    #[arg(long = "for", value_name = "TIME", default_value = "60s", value_parser = some_time)]
    time: Duration,
    /// On this CPU [default: the last permitted one]
    #[arg(long, value_name = "NUMBER")]
    cpu: Option<usize>,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

impl Kernel {
    /// # Errors
    /// The host refuses, or a file cannot be read or written.
    pub(super) fn run(&self) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[] as &[&Path]);
        let kept = Kept::begin(&mut files, self.out.as_deref(), &self.paged)?;
        let measured = self.measure()?;
        kept.write(&mut files, "kernel", Vec::new, |profile| profile.replace_kernel(&measured))?;
        Ok(files.output(page(&measured), exit()))
    }

    fn measure(&self) -> Result<Measured, Failure> {
        interruption::listen();
        let (_waiting, go_on) = progress("listening to the kernel".to_owned());
        let time = std::time::Duration::from_nanos(self.time.as_ns());
        let plan = Plan { facts: facts::of(&Linux), cpu: self.cpu, time };
        measure(&plan, go_on).map_err(|why| Failure::host(format!("error: {why}\n")))
    }
}

fn page(measured: &Measured) -> String {
    let mut page = rows(measured);
    if let Some(others) = &measured.others {
        let spread = others.spread();
        let text = format!(
            "Besides the tick {} interruptions were seen, the longest of {:.2} us: they belong to interrupts of the description.",
            spread.count,
            spread.max / 1_000.0
        );
        page += &wrapped(&text, "", "");
    }
    for (what, why) in missing(measured) {
        page += &wrapped(&format!("Not measured: {what} ({why})."), "", "");
    }
    let _ = writeln!(page, "\n{}", built(measured));
    page += "The longest that were seen are no bounds.\n";
    page += &circumstances(&measured.conditions, &measured.remarks);
    page
}

/// The numbers, if there is one.
fn rows(measured: &Measured) -> String {
    let named = measured.named();
    if named.is_empty() {
        return String::new();
    }
    let sorted: Vec<&Sorted> = named.iter().map(|(_, sorted)| *sorted).collect();
    let words = Column::words("of the kernel", named.iter().map(|(name, _)| name.clone()));
    let counts = sorted.iter().map(|sorted| sorted.spread().count.to_string());
    let counts = Column::numbers("samples", counts);
    screen::draw(&[vec![words], quantiles(&sorted), vec![counts]].concat()) + "\n"
}

/// The settings of the system, as a line.
fn built(measured: &Measured) -> String {
    let facts = &measured.facts;
    let with = if facts.is_realtime { "with" } else { "without" };
    let pays = match &facts.built {
        Ok(built) if built.interrupts_are_apart => "interrupts are charged to no budget",
        Ok(_) => "interrupts are charged to the thread that they interrupt",
        Err(_) => "what interrupts are charged to is not known",
    };
    let server = match &facts.fair_server {
        Ok((0, _)) => "SCHED_OTHER has no server".to_owned(),
        Ok((budget, period)) => format!(
            "SCHED_OTHER has {} every {}",
            Duration::from_ns(*budget),
            Duration::from_ns(*period)
        ),
        Err(_) => "the server of SCHED_OTHER is not known".to_owned(),
    };
    let text = format!(
        "Linux {}, {with} PREEMPT_RT; {pays}; {server}; {}.",
        facts.release, facts.runtimes_end
    );
    wrapped(&text, "", "").trim_end().to_owned()
}

fn missing(measured: &Measured) -> Vec<(&'static str, &str)> {
    let parts = [
        ("the tick", measured.ticks.as_ref().err()),
        ("threads for soft interrupts", measured.threads.as_ref().err()),
        ("calls of the scheduler", measured.calls.as_ref().err()),
        ("sections that are not preempted", measured.sections.as_ref().err()),
        ("late ends of runtimes", measured.late.as_ref().err()),
        ("the server of SCHED_OTHER", measured.facts.fair_server.as_ref().err()),
        ("the configuration of the kernel", measured.facts.built.as_ref().err()),
    ];
    parts.into_iter().filter_map(|(what, why)| Some((what, why?.as_str()))).collect()
}

#[cfg(test)]
mod tests;
