//! `vorrang measure`: the overheads of this machine, as a profile.

mod cache;
mod chart;
mod compare;
mod curves;
#[cfg(target_os = "linux")]
mod dispatcher;
#[cfg(target_os = "linux")]
mod exits;
mod kept;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod latency;
mod merge;
mod page;
mod plot;
mod sheet;
mod sweep;
#[cfg(target_os = "linux")]
mod switch;
#[cfg(target_os = "linux")]
mod timers;

use crate::destination::{Destinations, Replace};
use crate::paged::Paged;
pub(crate) use merge::profile;
use std::path::{Path, PathBuf};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_quote::name::shown;

/// Measure the overheads of this machine, as a profile for descriptions
///
///     $ vorrang measure --compare published/machines/celeron.toml published/machines/celeron.toml
///     The profiles have no number in common.
///
/// (Published machines have no spreads.) `vorrang measure cache --out machine.toml` measures this
/// one; so do `switch`, `timers` and `latency`; `kernel` what its kernel does by itself, `dispatcher` what vorrang-host takes. What was measured goes into a profile, beside what
/// other measurements have put there. A description takes its costs and caches from it with
/// `profile = "machine.toml"`. With --report each of them, and `vorrang measure --profile machine.toml` of what is in
/// a profile, writes a page to look at. Every number there has its spread and its conditions; what the machine
/// cannot give is said below the table. A profile keeps its comments. As a file, `-` is standard
/// output; then the table goes to standard error.
///
/// Ctrl-C ends a measurement; the results so far are printed and written. Exit codes: 0 measured,
/// 2 a profile or the command line is wrong, 4 this machine cannot do it, 130 interrupted.
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
    /// List the numbers of two profiles that differ by more than their spread
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"])]
    compare: Vec<PathBuf>,
    /// Show what is in a profile, as a page with --report
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    paged: Paged,
    #[command(flatten)]
    replace: Replace,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Cache(cache::Cache),
    #[cfg(target_os = "linux")]
    Dispatcher(dispatcher::Dispatcher),
    #[cfg(target_os = "linux")]
    Exits(exits::Exits),
    #[cfg(target_os = "linux")]
    Kernel(kernel::Kernel),
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
            (Some(What::Dispatcher(dispatcher)), _) => dispatcher.run(),
            #[cfg(target_os = "linux")]
            (Some(What::Exits(exits)), _) => exits.run(),
            #[cfg(target_os = "linux")]
            (Some(What::Kernel(kernel)), _) => kernel.run(),
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
            (None, _) => match &self.profile {
                Some(path) => self.show(path),
                None => Err(Failure::bad_input(
                    "error: say what is to be measured, or what is to be shown with --profile or --compare\n",
                )),
            },
        }
    }

    /// A profile in a sentence, and as a page if one is wanted.
    fn show(&self, path: &Path) -> Result<Output, Failure> {
        let mut files = Destinations::new(self.replace, &[path]);
        let begun = self.paged.begin(&mut files)?;
        let profile = profile(path)?;
        if let Some(begun) = begun {
            let made = sheet::of(&shown(path), &profile, Vec::new(), &begun.options);
            begun.write(&mut files, &made)?;
        }
        Ok(files.output(sheet::sentence(&profile) + "\n", Exit::Success))
    }
}
