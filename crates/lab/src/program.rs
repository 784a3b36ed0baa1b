//! Programs of the host.

use crate::failure::Failure;
use std::process::{Command, Output};

/// The most lines of a program's errors that are passed on.
const TAIL: usize = 12;

/// Runs a program to its end; returns its standard output.
///
/// # Errors
/// It is not installed, or fails: with the end of what it wrote to standard error.
pub fn output(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } =
        command.output().map_err(|why| Failure(format!("{name} cannot be started: {why}")))?;
    if status.success() {
        return Ok(stdout);
    }
    let text = String::from_utf8_lossy(&stderr);
    let lines: Vec<&str> = text.lines().collect();
    let tail = lines[lines.len().saturating_sub(TAIL)..].join("\n  ");
    Err(Failure(format!("{name} failed ({status}):\n  {tail}")))
}

/// The same as text.
///
/// # Errors
/// As [`output`].
pub fn text(command: &mut Command) -> Result<String, Failure> {
    output(command).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
