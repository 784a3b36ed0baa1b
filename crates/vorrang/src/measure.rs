//! `vorrang measure`: what this machine takes for its own work, as a profile.

mod cache;
mod chart;
mod compare;
#[cfg(target_os = "linux")]
mod exits;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod latency;
mod plot;
mod sweep;
#[cfg(target_os = "linux")]
mod switch;
#[cfg(target_os = "linux")]
mod timers;

use crate::content::Content;
use crate::destination::{Destinations, Draft};
use crate::exit::{Exit, Failure, Output};
use crate::identity::TOOL;
use crate::input;
use crate::interruption;
use crate::name::shown;
use crate::progress::{Line, Waiting};
use crate::prose::wrapped;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use vorrang_measure::machine::conditions::Condition;
use vorrang_measure::profile::{Malformed, Profile};
use vorrang_model::limits;
use vorrang_time::Duration;

/// Measure what this machine takes for its own work, as a profile for descriptions
///
///     $ vorrang measure --compare published/machines/celeron.toml published/machines/celeron.toml
///     No number of the one is in the other.
///
/// (Published machines have no spreads.) `vorrang measure cache --out machine.toml` measures this
/// one; so do `switch`, `timers` and `latency`; `kernel` what its kernel does by itself. What was measured goes into a profile, beside what
/// other measurements have put there. A description takes its costs and caches from it with
/// `profile = "machine.toml"`. Every number there has its spread and its conditions; what the machine
/// cannot give is said below the table. A profile keeps its comments. As a file, `-` is standard
/// output; then the table goes to standard error.
///
/// Ctrl-C ends a measurement with what is known by then, which is printed and written. Exit codes: 0 measured,
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
    /// Say which numbers of two profiles differ by more than their spread
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"])]
    compare: Vec<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    Cache(cache::Cache),
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
            (None, _) => unreachable!("the command line asks for one of them"),
        }
    }
}

/// The profile in a file.
fn profile(path: &Path) -> Result<Profile, Failure> {
    parsed(&text(path)?).map_err(|why| wrong(path, &why))
}

fn parsed(text: &str) -> Result<Profile, String> {
    text.parse().map_err(|why: Malformed| why.to_string())
}

/// The text of a file, as long as a profile may be.
fn text(path: &Path) -> Result<String, Failure> {
    let bytes = input::file(path).map_err(|why| wrong(path, &input::explained(&why)))?;
    if bytes.len() > limits::BYTES {
        let why = format!("it is longer than the {} bytes of a profile", limits::BYTES);
        return Err(wrong(path, &why));
    }
    String::from_utf8(bytes).map_err(|why| wrong(path, &format!("it is not valid UTF-8: {why}")))
}

fn wrong(path: &Path, why: &str) -> Failure {
    Failure::bad_input(format!("error: {}: {why}\n", shown(path)))
}

/// A profile that is to be written. What it has is read once more then: another measurement may have
/// put something into it meanwhile.
struct Merge {
    path: PathBuf,
    draft: Draft,
    /// Whether what is there is no profile, and goes.
    anew: bool,
}

impl Merge {
    /// Before anything takes time: what is there must be a profile, or may go.
    fn begin(files: &mut Destinations, path: &Path) -> Result<Self, Failure> {
        let there = existing(path).and_then(|text| parsed(&text).map_err(|why| wrong(path, &why)));
        let anew = there.is_err();
        if !files.may_replace_anything() {
            there?;
        }
        let draft = files.begin(path, Content::Profile)?;
        Ok(Self { path: path.to_owned(), draft, anew })
    }

    /// Writes it, with what was measured.
    fn finish(self, measured: impl FnOnce(&mut Profile)) -> Result<(), Failure> {
        let Self { path, draft, anew } = self;
        let there = if anew { EMPTY.to_owned() } else { existing(&path)? };
        let mut profile = parsed(&there).map_err(|why| wrong(&path, &why))?;
        measured(&mut profile);
        let text = profile.within(&there).map_err(|why| wrong(&path, &why.to_string()))?;
        draft.write_whole(signed(&text).as_bytes())
    }
}

/// A profile without a number.
const EMPTY: &str = "version = 1\n";

/// The text of the profile that is there, or of an empty one.
fn existing(path: &Path) -> Result<String, Failure> {
    let there = std::fs::metadata(path).is_ok_and(|there| there.is_file() && there.len() > 0);
    if there && path != Path::new("-") { text(path) } else { Ok(EMPTY.to_owned()) }
}

/// With the tool that measured last in the first line.
fn signed(text: &str) -> String {
    let rest = match text.strip_prefix("# Measured by vorrang ") {
        Some(signed) => signed.split_once('\n').map_or("", |(_, rest)| rest),
        None => text,
    };
    format!("# Measured by {TOOL}.\n{rest}")
}

/// How a measurement ends: by itself, or by Ctrl-C, after which what is known is printed.
fn exit() -> Exit {
    if interruption::is_wanted() { Exit::Interrupted } else { Exit::Success }
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
