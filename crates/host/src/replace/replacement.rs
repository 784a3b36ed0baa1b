//! This run, in the place of another one.

use super::Before;
use crate::around::{Around, end};
use crate::changes::Parking;
use crate::in_place::{Kept, New, begin, settle, undo_since};
use crate::ran::Ran;
use crate::running::{self, Process, Running};
use crate::scope::Scope;
use crate::undoer::Undoing;
use std::cell::{Cell, OnceCell};
use vorrang_command::exit::Failure;
use vorrang_command::place::Place;
use vorrang_enforce::journal::Described;
use vorrang_enforce::{Linux, Plan, Thread};

/// This run, in the place of another one.
pub(crate) struct Replacement<'a> {
    before: &'a Before,
    place: &'a Place,
    described: Described,
    /// What is new on cores of Linux.
    plan: Option<&'a Plan>,
    kept: Kept,
    /// What it runs, once that is prepared.
    running: OnceCell<Running>,
    is_in_place: Cell<bool>,
    undoing: Undoing,
}

impl<'a> Replacement<'a> {
    /// Announces it.
    ///
    /// # Errors
    /// As a sentence: another one is announced.
    pub(crate) fn announce(
        before: &'a Before,
        place: &'a Place,
        described: Described,
        plan: Option<&'a Plan>,
        kept: Kept,
    ) -> Result<Self, String> {
        let number = i32::try_from(std::process::id()).expect("a number of a process");
        let own = Process::of(&Linux, number).ok_or("this process is not in /proc")?;
        let is_there =
            |process| Process::of(&Linux, process).is_some_and(|one| one.is_there(&Linux));
        let first = before.processors.first().ok_or("nothing is run")?.1;
        first.announce(number, is_there).map_err(|other| {
            format!(
                "process {other} is about to take the place of {}",
                before.entries.head.described.description
            )
        })?;
        for (_, other) in before.processors.iter().skip(1) {
            // The first one has decided between those that would follow.
            other.announce(number, |_| false).map_err(|_| "another process was faster")?;
        }
        let (running, is_in_place, undoing) = Default::default();
        let this = Self { before, place, described, plan, kept, running, is_in_place, undoing };
        match this.write_transition(vec![own]) {
            Ok(()) => Ok(this),
            Err(why) => {
                this.leave();
                Err(why)
            }
        }
    }

    fn leave(&self) {
        for (_, one) in &self.before.processors {
            one.leave();
        }
    }

    fn goes_on(&self) -> bool {
        self.before.process.is_there()
    }

    fn has_given_way_anywhere(&self) -> bool {
        self.before.processors.iter().any(|(_, one)| one.gave_way().is_some())
    }

    /// The run before, and these processes that are about to take its place.
    fn write_transition(&self, successor: Vec<Process>) -> Result<(), String> {
        let changes = self.before.entries.changes.len();
        self.write_running(&Running { successor, changes, ..self.before.running.clone() })
    }

    fn write_running(&self, running: &Running) -> Result<(), String> {
        let file = running::beside(self.place.path());
        running.write(&file).map_err(|why| format!("{}: {why}", file.display()))
    }
}

impl Around for Replacement<'_> {
    fn place(&self) -> &Place {
        self.place
    }

    fn park(&self, parking: &Parking, scopes: &[&Scope]) -> Result<(), String> {
        let new = New { plan: self.plan, parking, scopes };
        begin(&mut Linux, (self.place.path(), &self.before.entries), new)
    }

    fn is_known(&self, thread: &Thread) -> bool {
        let mut members = self.before.members();
        members
            .any(|(_, one)| one.thread.as_ref().is_some_and(|(_, other)| *other == thread.thread))
    }

    fn write(&self, running: Running) -> Result<(), String> {
        self.undoing.prepare(self.place)?;
        self.write_transition(running.processes.clone())?;
        self.running.set(running).expect("it is prepared once");
        Ok(())
    }

    fn follows(&self) -> bool {
        true
    }

    fn ask(&self) {
        for (_, predecessor) in &self.before.processors {
            predecessor.ask();
        }
    }

    fn has_given_way(&self) -> Result<bool, String> {
        // Looked at first: it may be ended as soon as all of it has given way.
        let goes_on = self.goes_on();
        let all = self.before.processors.iter().all(|(_, one)| one.gave_way().is_some());
        if !all && !goes_on {
            return Err("the run whose place it takes has ended".to_owned());
        }
        Ok(all)
    }

    fn call_off(&self) -> bool {
        // Each of them, also after one that is too late.
        let late = self.before.processors.iter().filter(|(_, one)| !one.call_off());
        late.count() == 0
    }

    fn took_place(&self) -> Result<(), String> {
        for (_, one) in &self.before.processors {
            one.settle();
        }
        let path = self.place.path();
        self.write_running(self.running.get().expect("it was prepared"))?;
        self.is_in_place.set(true);
        for why in settle(&mut Linux, path, &self.described, &self.kept)? {
            eprintln!("warning: {why}");
        }
        Ok(())
    }

    // If the run before goes on, only what was changed for this one is undone, otherwise everything.
    fn give_up(&self) -> String {
        let (path, first) = (self.place.path(), self.before.entries.changes.len());
        if self.goes_on() && !self.has_given_way_anywhere() {
            let left = undo_since(&mut Linux, path, first);
            let written = self.write_transition(Vec::new());
            self.leave();
            let name = &self.before.entries.head.described.description;
            let problems = left.into_iter().chain(written.err());
            return problems
                .fold(format!("{name} is run as before.\n"), |text, why| text + &why + "\n");
        }
        let ended = running::end(&Linux, &self.before.running.processes);
        let ended = ended.map_or_else(|why| format!("{why}\n"), |_| String::new());
        let _forgotten = std::fs::remove_file(running::beside(path));
        ended + &self.undo().unwrap_or_else(|failure| failure.message)
    }

    fn undo(&self) -> Result<String, Failure> {
        self.undoing.undo(self.place)
    }

    fn end(&self, ran: &Ran) -> Result<String, Failure> {
        if !self.is_in_place.get() {
            // It has given way in part, and the rest of it is not wanted without that.
            running::end(&Linux, &self.before.running.processes)
                .map_err(|why| Failure::host(format!("error: the run before: {why}\n")))?;
        }
        end(self, ran)
    }
}
