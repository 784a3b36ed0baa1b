//! Descriptions that `vorrang-host` runs: `apply`, `status` and `restore` leave them to that program.
//!
//! **Model.** Its journal stands beside that of `apply`, and is named `host`. While it is there, a description is run or
//! was; the program knows which. With a journal at another place, its group is there.

use crate::exit::{Exit, Failure, Output};
use crate::input::Source;
use crate::journal::Journal;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use vorrang_enforce::{Kernel as _, Linux};
#[cfg(target_os = "linux")]
use vorrang_measure::dispatcher::Reading;
use vorrang_quote::name::shown;
use vorrang_time::Duration;

const PROGRAM: &str = "vorrang-host";

/// Its journal.
fn beside(journal: &Journal) -> PathBuf {
    journal.place().with_file_name("host")
}

/// Whether a description is run, or was and is not undone.
pub(crate) fn is_run(journal: &Journal) -> bool {
    beside(journal).exists()
}

/// The group of the threads that it lends to, wherever its journal is.
const GROUP: &str = "/sys/fs/cgroup/vorrang-host";

/// What is in effect with a journal at another place, if anything is, and how that is undone.
pub(crate) fn elsewhere() -> Option<String> {
    of_groups(|group| Linux.list(group).is_ok())
}

fn of_groups(is_there: impl Fn(&str) -> bool) -> Option<String> {
    let what = |group: &str, does: &str, program: &str| {
        format!(
            "{group} is there: {does}, with a journal at another place. \
             `{program} restore --journal FILE` undoes it; without a journal, remove the group.\n"
        )
    };
    if is_there(GROUP) {
        return Some(what(GROUP, "a description is run by vorrang-host", PROGRAM));
    }
    is_there(vorrang_enforce::GROUP)
        .then(|| what(vorrang_enforce::GROUP, "a description is applied", "vorrang"))
}

/// That there is no journal, and what is in effect nevertheless.
pub(crate) fn nothing() -> String {
    match elsewhere() {
        None => "Nothing is applied.\n".to_owned(),
        Some(other) => format!("Nothing is applied with this journal. But {other}"),
    }
}

/// Runs a description, or shows the changes for it.
///
/// # Errors
/// It is refused.
pub(crate) fn run(
    source: &Source,
    yes: bool,
    unproven: bool,
    journal: &Journal,
) -> Result<Output, Failure> {
    if source.is_standard_input() {
        return Err(Failure::bad_input(format!(
            "error: {PROGRAM} runs this description, and reads it from a file\n"
        )));
    }
    let mut command = command(journal, "run");
    command.arg(&source.file);
    if let Some(format) = source.format {
        command.args(["--format", format.word()]);
    }
    for code in &source.allow {
        command.args(["--allow", &code.to_string()]);
    }
    command.args(yes.then_some(["--yes", "--background"]).into_iter().flatten());
    command.args(unproven.then_some("--unproven"));
    output(command)
}

/// What its servers receive.
///
/// # Errors
/// As it says.
pub(crate) fn status(journal: &Journal, between: Duration) -> Result<Output, Failure> {
    let mut command = command(journal, "status");
    command.args(["--for", &between.to_string()]);
    output(command)
}

/// What its decisions take in a time.
///
/// # Errors
/// None is run, or as it says.
#[cfg(target_os = "linux")]
pub(crate) fn decisions(journal: &Journal, between: Duration) -> Result<Vec<Reading>, Failure> {
    let mut command = command(journal, "status");
    command.args(["--for", &between.to_string(), "--decisions"]);
    let Output { text, .. } = output(command)?;
    let readings: Option<Vec<Reading>> = text.lines().map(reading).collect();
    readings.filter(|readings| !readings.is_empty()).ok_or_else(|| {
        Failure::host(format!(
            "error: {PROGRAM} runs no description: {text}  `{PROGRAM} run FILE --unproven --yes --background` starts it\n"
        ))
    })
}

#[cfg(target_os = "linux")]
fn reading(line: &str) -> Option<Reading> {
    let said: serde_json::Value = serde_json::from_str(line).ok()?;
    let number = |name: &str| said.get(name)?.as_u64();
    Some(Reading {
        cpu: number("cpu")?.try_into().ok()?,
        decisions: number("decisions")?,
        each_ns: number("each-ns")?,
        longest_ns: number("longest-ns")?,
    })
}

/// Ends it, and undoes its changes.
///
/// # Errors
/// As it says.
pub(crate) fn restore(journal: &Journal) -> Result<Output, Failure> {
    output(command(journal, "restore"))
}

/// The program beside this one, or else the one that a shell would find.
fn command(journal: &Journal, verb: &str) -> Command {
    let beside_this = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    let program = beside_this.filter(|path| path.exists()).unwrap_or(PROGRAM.into());
    let mut command = Command::new(program);
    command.arg(verb).arg("--journal").arg(beside(journal));
    command
}

fn output(mut command: Command) -> Result<Output, Failure> {
    let program = PathBuf::from(command.get_program());
    let output = command.output().map_err(|why| Failure::host(unstarted(&program, &why)))?;
    let [text, message] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let exit = match output.status.code() {
        Some(0) => Exit::Success,
        Some(1) => Exit::Refuted,
        Some(2) => Exit::BadInput,
        Some(3) => Exit::Undecided,
        _ => Exit::Host,
    };
    // Warnings of a description were printed already.
    if exit == Exit::Success || message.is_empty() {
        Ok(Output { text, exit })
    } else {
        Err(Failure { exit, message })
    }
}

/// Why the program did not run, and where it is from.
fn unstarted(program: &Path, why: &io::Error) -> String {
    if why.kind() == io::ErrorKind::NotFound {
        return format!(
            "error: {PROGRAM} is needed for this, and is neither beside this program nor in PATH\n  \
             `cargo build --release` in the repository makes both (docs/host.md)\n"
        );
    }
    format!("error: {} cannot be started: {why}\n", shown(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of the system names no program, and not where to get it.
    #[test]
    fn a_program_that_is_missing_is_said_with_where_it_is_from() {
        let missing = Command::new("/no-such-folder/vorrang-host");
        let Err(Failure { message, .. }) = output(missing) else { panic!("it is not there") };
        assert!(message.contains("neither beside this program nor in PATH"), "{message}");
        assert!(message.contains("`cargo build --release`"), "{message}");
        assert!(!message.contains("os error"), "{message}");
    }

    #[test]
    fn a_journal_at_another_place_is_seen_by_its_group() {
        assert_eq!(of_groups(|_| false), None);
        for (group, undo) in [
            (GROUP, "`vorrang-host restore --journal FILE`"),
            (vorrang_enforce::GROUP, "`vorrang restore --journal FILE`"),
        ] {
            let said = of_groups(|one| one == group).expect("it is there");
            assert!(said.starts_with(group) && said.contains(undo), "{said}");
        }
    }
}
