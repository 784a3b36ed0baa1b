//! Descriptions that `vorrang-host` runs: `apply`, `status` and `restore` leave them to that program.
//!
//! **Model.** Its journal stands beside that of `apply`, and is named `host`. While it is there, a description is run or
//! was; the program knows which.

use crate::exit::{Exit, Failure, Output};
use crate::input::Source;
use crate::journal::Journal;
use std::path::PathBuf;
use std::process::Command;
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
    let output = command.output().map_err(|why| {
        Failure::host(format!("error: {} is needed for this: {why}\n", shown(&program)))
    })?;
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
