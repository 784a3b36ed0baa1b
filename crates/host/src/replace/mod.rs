//! A description takes the place of another one that is run: what changes, and how.
//!
//! ```text
//!   announce     one process at a time; from here on the run before leaves it to this one to undo changes
//!   park         threads that are new, each change journaled
//!   prepare      lenders, guards, trials, dispatchers; the run before goes on
//!   ask          each dispatcher of the run before gives way at an instant of the change, and the new one begins there
//!   settle       all have: the run before ends
//!   write        what is run now: processes, description
//!   undo         the changes of threads that are not run any more
//! ```
//!
//! If anything fails before `ask` has an effect, the run before goes on, and what was parked is as before. If this process
//! is killed, its guards end its loans. Where not all processors have given way by then, those that have go on with the run before;
//! what was changed for this one stays until the next `apply`, which undoes it first. `vorrang-host restore` ends both runs and
//! undoes all changes at every instant.
//!
//! **Assumption.** The threads of the run before inherit priorities: that was tried when it began.

mod replacement;

pub(crate) use replacement::Replacement;

use crate::changeover::Changeover;
use crate::in_place::undo_since;
use crate::linux::{Alive, Predecessor};
use crate::of_linux;
use crate::running::{self, Managed, Member, Running};
use crate::schedule;
use crate::scope::Scope;
use crate::words;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use vorrang_command::exit::Failure;
use vorrang_command::place::Place;
use vorrang_enforce::journal::{Entries, Found};
use vorrang_enforce::{Linux, Plan, following};
use vorrang_quote::visible;

/// A run that goes on, and whose place another one may take.
#[derive(Debug)]
pub(crate) struct Before {
    /// What its journal said.
    pub(crate) entries: Entries,
    /// Its processes and processors.
    running: Running,
    processors: Vec<(u32, Predecessor)>,
    process: Alive,
}

impl Before {
    /// The run of a journal, if it goes on.
    ///
    /// # Errors
    /// Its files cannot be read, or it is of another version of this program.
    pub(crate) fn of(entries: Entries, journal: &Path) -> io::Result<Option<Self>> {
        let Some(running) = Running::read(&running::beside(journal))? else { return Ok(None) };
        let Some(process) = running.dispatchers(&Linux) else { return Ok(None) };
        let one = |managed: &Managed| Ok((managed.cpu, Predecessor::of(process, managed.memory)?));
        let processors = running.processors.iter().map(one).collect::<io::Result<_>>()?;
        Ok(Some(Self { entries, running, processors, process: Alive::of(process)? }))
    }

    /// The numbers of the threads that it lends to.
    pub(crate) fn threads(&self) -> BTreeSet<i32> {
        let numbers = self.members().filter_map(|(_, one)| Some(one.thread.as_ref()?.1));
        numbers.collect()
    }

    /// It, without what another one changed that was killed before it could take its place.
    ///
    /// # Errors
    /// That may not be undone now, or cannot be.
    pub(crate) fn mended(self, journal: &Place, yes: bool) -> Result<Self, Failure> {
        let Some(first) = self.running.cut(&Linux) else { return Ok(self) };
        let name = visible(&self.entries.head.described.description);
        let failed = |why: &str| {
            Failure::host(format!(
                "error: what was to take the place of {name} was killed, and its changes are there: {why}\n"
            ))
        };
        if !yes {
            let why = "with --yes they are undone first, `vorrang restore` undoes everything";
            return Err(failed(why));
        }
        let left = undo_since(&mut Linux, journal.path(), first);
        if !left.is_empty() {
            return Err(failed(&left.join("; ")));
        }
        let running = Running { successor: Vec::new(), ..self.running.clone() };
        running.write(&running::beside(journal.path())).map_err(|why| journal.failure(&why))?;
        let Found::Journal(entries) = journal.read(&Linux)? else {
            return Err(failed("the journal is gone"));
        };
        let again = Self::of(*entries, journal.path()).map_err(|why| journal.failure(&why))?;
        again.ok_or_else(|| failed("it has ended meanwhile"))
    }

    /// The processors that it dispatches.
    fn cpus(&self) -> BTreeSet<u32> {
        self.processors.iter().map(|(cpu, _)| *cpu).collect()
    }

    /// Whether it is of the description with this SHA-256.
    pub(crate) fn is_of(&self, sha256: &str) -> bool {
        self.entries.head.described.sha256 == sha256
    }

    /// The schedule of a processor.
    pub(crate) fn of_processor(&self, cpu: u32) -> Option<Predecessor> {
        self.processors.iter().find(|(number, _)| *number == cpu).map(|(_, one)| *one)
    }

    fn members(&self) -> impl Iterator<Item = (u32, &Member)> {
        self.running
            .processors
            .iter()
            .flat_map(|managed| managed.members.iter().map(|member| (managed.cpu, member)))
    }

    /// Why members of processors cannot take its place, a sentence each.
    pub(crate) fn refusals(&self, after: &[(u32, Vec<Member>)]) -> Vec<String> {
        let mut refusals = Vec::new();
        for managed in &self.running.processors {
            if let Changeover::Never(why) = &managed.changeover {
                refusals.push(format!(
                    "processor {} cannot be changed while it runs: {why}; `vorrang-host restore` ends it",
                    managed.cpu
                ));
            }
        }
        for (cpu, members) in after {
            for Member { name, thread, .. } in members {
                let Some((_, number)) = thread else { continue };
                let has = |(_, one): &(u32, &Member)| {
                    one.thread.as_ref().is_some_and(|(_, other)| other == number)
                };
                if let Some((other, _)) = self.members().find(has)
                    && other != *cpu
                {
                    refusals.push(format!(
                        "{name}: its thread is run on processor {other}, and threads do not move to another one \
                         while they are; `vorrang-host restore` ends it"
                    ));
                }
            }
        }
        refusals
    }

    /// What becomes of each server and pseudo-VCPU, a line each.
    pub(crate) fn lines(&self, after: &[(u32, Vec<Member>)]) -> Vec<String> {
        let all =
            || after.iter().flat_map(|(cpu, members)| members.iter().map(move |one| (*cpu, one)));
        let mut lines = Vec::new();
        for (cpu, member) in all() {
            let before = self.members().find(|(_, one)| one.name == member.name);
            lines.push(format!(
                "{}: {}",
                member.name,
                match before {
                    None => "new".to_owned(),
                    Some((before, one)) if before == cpu && one == member => "as before".to_owned(),
                    Some((_, one)) => format!("instead of {}", one.reserved),
                }
            ));
        }
        for (_, gone) in self.members() {
            if !all().any(|(_, one)| one.name == gone.name) {
                lines.push(format!("{}: not run any more", gone.name));
            }
        }
        lines
    }

    /// When its processors give way.
    pub(crate) fn instants(&self) -> impl Iterator<Item = String> {
        self.running.processors.iter().filter_map(|managed| {
            let Managed { cpu, changeover, tasks, .. } = managed;
            words::changeover(changeover, !tasks.is_empty())
                .map(|when| format!("processor {cpu}: {when}"))
        })
    }
}

/// What is to be done on cores of Linux: all of a plan, or what is new of it where a description is run.
///
/// # Errors
/// It cannot be done while that one is run, a sentence each.
pub(crate) fn steps(
    before: Option<&Before>,
    plan: Option<&Plan>,
    scopes: &[Scope],
) -> Result<Option<Plan>, Vec<String>> {
    let Some(before) = before else { return Ok(plan.cloned()) };
    let cpus: BTreeSet<u32> = scopes.iter().map(|one| one.cpu).collect();
    match (plan, of_linux::part(&before.entries)) {
        (None, None) => Ok(None),
        (Some(plan), Some(_)) if cpus == before.cpus() => {
            following(&Linux, plan, &before.entries).map(Some)
        }
        _ => Err(vec![
            "beside cores of Linux processors stay what they are while they are run; `vorrang restore` ends it".to_owned(),
        ]),
    }
}

/// Tasks on a core keep thread and priority: they have them before the instant of the change, among the servers of the description
/// before.
fn other_tasks(before: &Before, managed: &[schedule::Managed<'_>]) -> Vec<String> {
    let mut refusals = Vec::new();
    for schedule::Managed { scope, tasks, .. } in managed {
        let own = before.running.processors.iter().find(|one| one.cpu == scope.cpu);
        let own = own.map_or(&[][..], |one| &one.tasks);
        let after: Vec<String> = words::tasks(scope, tasks).collect();
        let gone = own.iter().filter(|task| !after.contains(task)).map(|task| ("no longer", task));
        let new = after.iter().filter(|task| !own.contains(task)).map(|task| ("not before", task));
        for (when, task) in gone.chain(new) {
            refusals.push(format!(
                "processor {}: tasks on the core itself stay as they are while it runs, and this is so {when}: {task}; \
                 `vorrang-host restore` ends it",
                scope.cpu
            ));
        }
    }
    refusals
}

/// Tells what becomes of what is run.
///
/// # Errors
/// Why it cannot be replaced, a sentence each.
pub(crate) fn show(
    before: &Before,
    managed: &[schedule::Managed<'_>],
    text: &mut String,
) -> Result<(), Vec<String>> {
    let of = |one: &schedule::Managed<'_>| (one.scope.cpu, words::members(one.scope, one.threads));
    let after: Vec<_> = managed.iter().map(of).collect();
    let mut refusals = before.refusals(&after);
    refusals.extend(other_tasks(before, managed));
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let name = visible(&before.entries.head.described.description);
    let _ = writeln!(text, "\nit takes the place of {name}, which is run:");
    for line in before.lines(&after).into_iter().chain(before.instants()) {
        let _ = writeln!(text, "    {line}");
    }
    Ok(())
}
