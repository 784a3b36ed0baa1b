//! What a program says at its end.

use std::fs;
use std::io;
use std::process::ExitCode;

/// Writes a file complete or not at all, for the reader that waits for it.
///
/// # Errors
/// As the kernel says.
pub fn write(file: &str, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let part = format!("{file}.part");
    fs::write(&part, bytes)?;
    fs::rename(part, file)
}

/// How it ended; why it failed goes to standard error.
pub fn exit(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(4)
        }
    }
}
