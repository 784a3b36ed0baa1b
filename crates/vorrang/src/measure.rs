//! `vorrang measure`: what this machine takes for its own work, as a profile.

mod cache;
mod chart;
mod compare;
mod plot;

use crate::exit::{Failure, Output};
use std::path::{Path, PathBuf};
use vorrang_measure::profile::Profile;
use vorrang_time::Duration;

/// Measure what this machine takes for its own work, as a profile for descriptions
///
///     $ vorrang measure --compare published/machines/celeron.toml published/machines/celeron.toml
///     No number of the one is in the other.
///
/// (Published machines have no spreads.) `vorrang measure cache --out machine.toml` measures this
/// one. What was measured goes into a profile, beside what other measurements have put there. A
/// description takes its costs and caches from it with `profile = "machine.toml"`. Every number there
/// has its spread and its conditions; what the machine cannot give is said below the table.
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
}

impl Measure {
    /// # Errors
    /// A file cannot be read or written or is no profile, or the host refuses.
    pub fn run(&self) -> Result<Output, Failure> {
        match (&self.what, self.compare.as_slice()) {
            (Some(What::Cache(cache)), _) => cache.run(),
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

/// Writes a file at once.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|why| {
        Failure::host(format!("error: {} cannot be written: {why}\n", path.display()))
    })
}
