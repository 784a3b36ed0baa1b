//! Programs that are started.

use std::process::{Command, Stdio};

/// A program with its arguments; without a name it cannot be started, which is told.
pub(crate) fn program(command: &[String]) -> Command {
    let mut words = command.iter();
    let mut program = Command::new(words.next().map_or("", String::as_str));
    program.args(words).stdin(Stdio::null());
    program
}
