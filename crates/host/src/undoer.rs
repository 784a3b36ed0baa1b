//! The process that undoes the changes of a run which may not do so itself.
//!
//! **Model.** A run gives up the privilege to unload modules before its first loan (`linux/privileges.rs`). Where its journal has
//! a module, it starts this process before: it waits for a word, and then undoes the journal. It has no other part in
//! the run, and no thread or memory in common with it. Without the word, as when the run is killed, it ends, and `restore` undoes
//! everything.

use crate::linux::keep_for_modules;
use crate::restore::undo;
use std::cell::RefCell;
use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::place::Place;
use vorrang_enforce::journal::Found;
use vorrang_enforce::{Change, Linux};

/// The argument that makes this program such a process.
pub const WORD: &str = "undoer";

/// Who undoes the changes of a run.
#[derive(Debug, Default)]
pub(crate) struct Undoing(RefCell<Option<Child>>);

impl Undoing {
    /// Starts a process for it, if the journal has what this one may not undo later.
    ///
    /// # Errors
    /// It cannot be started, as a sentence.
    pub(crate) fn prepare(&self, place: &Place) -> Result<(), String> {
        let found = place.read(&Linux).map_err(|failure| failure.message)?;
        let of_module = |change: &Change| matches!(change, Change::LoadShield { .. });
        let Found::Journal(entries) = found else { return Ok(()) };
        if !entries.changes.iter().any(of_module) {
            return Ok(());
        }
        let mut command = Command::new("/proc/self/exe");
        command.arg(WORD).arg(place.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = command.spawn().map_err(|why| format!("the process that undoes: {why}"))?;
        self.0.replace(Some(child));
        Ok(())
    }

    /// Undoes the changes in the journal; returns the report.
    ///
    /// # Errors
    /// Something cannot be undone.
    pub(crate) fn undo(&self, place: &Place) -> Result<String, Failure> {
        let Some(mut child) = self.0.take() else { return undo(place) };
        let told = child.stdin.take().map_or(Ok(()), |mut word| word.write_all(b"\n"));
        let ended = told.and_then(|()| child.wait_with_output());
        let failed = |why: &str| {
            Failure::host(format!(
                "error: the process that undoes: {why}; `vorrang-host restore` does it\n"
            ))
        };
        let ended = ended.map_err(|why| failed(&why.to_string()))?;
        let text = String::from_utf8_lossy(&ended.stdout).into_owned();
        match ended.status.code() {
            Some(0) => Ok(text),
            Some(_) => Err(Failure::host(text)),
            None => Err(failed("it was killed")),
        }
    }
}

/// Waits for the word on the standard input, and then undoes the changes in a journal. What it says is on the standard output.
///
/// # Errors
/// The word cannot be read, or privileges cannot be given up.
pub fn wait(place: &Place) -> io::Result<Output> {
    keep_for_modules()?;
    let mut word = [0];
    if io::stdin().read(&mut word)? == 0 {
        return Ok(Output::success(""));
    }
    Ok(match undo(place) {
        Ok(text) => Output::success(text),
        Err(Failure { message, .. }) => Output { text: message, exit: Exit::Host },
    })
}
