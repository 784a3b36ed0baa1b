//! What surrounds a run: changes of the machine, what is written down of it, and the run before, if there is one.

use crate::changes::Parking;
use crate::ran::Ran;
use crate::running::{self, Process, Running};
use crate::scope::Scope;
use vorrang_command::exit::Failure;
use vorrang_command::place::Place;
use vorrang_enforce::{Linux, Thread};

/// What surrounds a run.
pub trait Around {
    /// Where the journal is.
    fn place(&self) -> &Place;

    /// Parks the threads, each change journaled before.
    ///
    /// # Errors
    /// One is refused, as a sentence.
    fn park(&self, parking: &Parking, scopes: &[&Scope]) -> Result<(), String>;

    /// Whether a thread is known to inherit priorities.
    fn is_known(&self, thread: &Thread) -> bool;

    /// Writes down what will be run, before the first loan.
    ///
    /// # Errors
    /// As a sentence.
    fn write(&self, running: Running) -> Result<(), String>;

    /// Whether this run takes the place of another one.
    fn follows(&self) -> bool;

    /// All is prepared: the run before is asked to give way.
    fn ask(&self);

    /// Whether it has.
    ///
    /// # Errors
    /// It will not, as a sentence.
    fn has_given_way(&self) -> Result<bool, String>;

    /// Calls it off; `false`: it has given way already, at least in part.
    fn call_off(&self) -> bool;

    /// This run has taken its place.
    ///
    /// # Errors
    /// As a sentence.
    fn took_place(&self) -> Result<(), String>;

    /// It could not begin: what was changed for it is undone. Returns the report.
    fn give_up(&self) -> String;

    /// Undoes the changes in the journal; returns the report.
    ///
    /// # Errors
    /// Something cannot be undone.
    fn undo(&self) -> Result<String, Failure>;

    /// Its end. All changes are undone, but where another run has taken its place, or is about to: then that does. Returns the
    /// report.
    ///
    /// # Errors
    /// Something cannot be undone.
    fn end(&self, ran: &Ran) -> Result<String, Failure> {
        end(self, ran)
    }
}

/// The end of any run.
///
/// # Errors
/// Something cannot be undone.
pub(crate) fn end(around: &(impl Around + ?Sized), ran: &Ran) -> Result<String, Failure> {
    let is_there =
        |process: i32| Process::of(&Linux, process).is_some_and(|one| one.is_there(&Linux));
    let gave_way = ran.processors.iter().all(|one| one.course.gave_way.is_some());
    match ran.successor {
        Some(process) if gave_way => {
            return Ok(format!("Process {process} has taken its place.\n"));
        }
        Some(process) if is_there(process) => {
            return Ok(format!("Process {process} undoes the changes.\n"));
        }
        _ => {}
    }
    // If nothing began there is none.
    let _forgotten = std::fs::remove_file(running::beside(around.place().path()));
    around.undo()
}
