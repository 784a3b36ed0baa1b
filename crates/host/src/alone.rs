//! A run that takes no other one's place.

use crate::around::Around;
use crate::changes::Parking;
use crate::of_linux;
use crate::park::make;
use crate::running::{self, Running};
use crate::scope::Scope;
use crate::undoer::Undoing;
use vorrang_command::exit::Failure;
use vorrang_command::place::Place;
use vorrang_enforce::journal::{self, Described, Found, Head, Journal};
use vorrang_enforce::{Linux, Plan, Thread};

/// A run of this description.
pub(crate) struct Alone<'a> {
    place: &'a Place,
    described: Described,
    /// For the cores of Linux.
    of_linux: Option<&'a Plan>,
    undoing: Undoing,
}

impl<'a> Alone<'a> {
    pub(crate) fn of(place: &'a Place, described: Described, of_linux: Option<&'a Plan>) -> Self {
        Self { place, described, of_linux, undoing: Undoing::default() }
    }
}

impl Around for Alone<'_> {
    fn place(&self) -> &Place {
        self.place
    }

    fn park(&self, parking: &Parking, scopes: &[&Scope]) -> Result<(), String> {
        let path = self.place.path();
        if matches!(journal::read(path, &Linux), Ok(Found::Void)) {
            std::fs::remove_file(path).map_err(|why| why.to_string())?;
        }
        let begun = |why: std::io::Error| format!("the journal: {why}");
        let head = Head::of(&Linux, self.described.clone()).map_err(begun)?;
        let mut journal = Journal::begin(path, &head).map_err(begun)?;
        of_linux::make(&mut Linux, (&head, &mut journal), self.of_linux)?;
        make(&mut Linux, &mut journal, parking, scopes)
    }

    fn is_known(&self, _thread: &Thread) -> bool {
        false
    }

    fn write(&self, running: Running) -> Result<(), String> {
        self.undoing.prepare(self.place)?;
        let file = running::beside(self.place.path());
        running.write(&file).map_err(|why| format!("{}: {why}", file.display()))
    }

    fn follows(&self) -> bool {
        false
    }

    fn ask(&self) {}

    fn has_given_way(&self) -> Result<bool, String> {
        Ok(true)
    }

    fn call_off(&self) -> bool {
        false
    }

    fn took_place(&self) -> Result<(), String> {
        Ok(())
    }

    fn give_up(&self) -> String {
        // If nothing began there is none.
        let _forgotten = std::fs::remove_file(running::beside(self.place.path()));
        self.undo().unwrap_or_else(|failure| failure.message)
    }

    fn undo(&self) -> Result<String, Failure> {
        self.undoing.undo(self.place)
    }
}
