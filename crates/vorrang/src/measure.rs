//! `vorrang measure`: what this machine takes for its own work, as a profile.

mod cache;
mod chart;
mod compare;
#[cfg(target_os = "linux")]
mod exits;
#[cfg(target_os = "linux")]
mod latency;
mod plot;
mod sweep;
#[cfg(target_os = "linux")]
mod switch;
#[cfg(target_os = "linux")]
mod timers;

use crate::exit::{Failure, Output};
use crate::identity::TOOL;
use crate::progress::{Line, Waiting};
use crate::prose::wrapped;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use vorrang_measure::machine::conditions::Condition;
use vorrang_measure::profile::Profile;
use vorrang_time::Duration;

/// Measure what this machine takes for its own work, as a profile for descriptions
///
///     $ vorrang measure --compare published/machines/celeron.toml published/machines/celeron.toml
///     No number of the one is in the other.
///
/// (Published machines have no spreads.) `vorrang measure cache --out machine.toml` measures this
/// one; so do `switch`, `timers` and `latency`. What was measured goes into a profile, beside what
/// other measurements have put there. A description takes its costs and caches from it with
/// `profile = "machine.toml"`. Every number there has its spread and its conditions; what the machine
/// cannot give is said below the table.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct Measure {
    #[command(subcommand)]
    what: Option<What>,
    /// Say which numbers of two profiles differ by more than their spread
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"])]
    compare: Vec<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Cache(cache::Cache),
    #[cfg(target_os = "linux")]
    Exits(exits::Exits),
    Sweep(sweep::Sweep),
    #[cfg(target_os = "linux")]
    Switch(switch::Switch),
    #[cfg(target_os = "linux")]
    Timers(timers::Timers),
    #[cfg(target_os = "linux")]
    Latency(Box<latency::Latency>),
}

impl Measure {
    /// # Errors
    /// A file cannot be read or written or is no profile, or the host refuses.
    pub fn run(&self) -> Result<Output, Failure> {
        match (&self.what, self.compare.as_slice()) {
            (Some(What::Cache(cache)), _) => cache.run(),
            #[cfg(target_os = "linux")]
            (Some(What::Exits(exits)), _) => exits.run(),
            (Some(What::Sweep(sweep)), _) => sweep.run(),
            #[cfg(target_os = "linux")]
            (Some(What::Switch(switch)), _) => switch.run(),
            #[cfg(target_os = "linux")]
            (Some(What::Timers(timers)), _) => timers.run(),
            #[cfg(target_os = "linux")]
            (Some(What::Latency(latency)), _) => latency.run(),
            (None, [before, after]) => {
                Ok(Output::success(compare::page(&profile(before)?, &profile(after)?)))
            }
            (None, _) => unreachable!("the command line asks for one of them"),
        }
    }
}

/// The profile in a file.
fn profile(path: &Path) -> Result<Profile, Failure> {
    let wrong = |why: String| Failure::bad_input(format!("error: {}: {why}\n", path.display()));
    let text = std::fs::read_to_string(path).map_err(|why| wrong(why.to_string()))?;
    text.parse().map_err(|why: vorrang_measure::profile::Malformed| wrong(why.to_string()))
}

/// The profile in a file that is to be written; an empty one if there is no such file yet.
fn profile_to_be_written(path: &Path) -> Result<Profile, Failure> {
    if path.exists() { profile(path) } else { Ok(Profile::default()) }
}

/// How long something may take: more than nothing.
fn some_time(text: &str) -> Result<Duration, String> {
    let time: Duration = text.parse().map_err(|why| format!("{why}"))?;
    if time == Duration::ZERO { Err("a measurement takes time".to_owned()) } else { Ok(time) }
}

/// What the machine was like, and what that does to the numbers: the end of every page.
fn circumstances(conditions: &[Condition], remarks: &[String]) -> String {
    let mut page = "\n".to_owned();
    for remark in remarks {
        page += &wrapped(remark, "- ", "  ");
    }
    page.push('\n');
    for (name, value) in conditions {
        let _ = writeln!(page, "{name}: {value}");
    }
    let _ = writeln!(page, "{TOOL}");
    page
}

/// A line about what is measured, and how to tell it which part is done.
fn progress(text: String) -> (Waiting, impl FnMut(f64)) {
    let place = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&place);
    let tell = move |part: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        told.store((part * 1e6) as u64, Ordering::Relaxed);
    };
    let line = move |_| Line { done: Some(place.load(Ordering::Relaxed)), text: text.clone() };
    (Waiting::start(line), tell)
}

/// Writes a file at once.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|why| {
        Failure::host(format!("error: {} cannot be written: {why}\n", path.display()))
    })
}
