//! The beginning of a run: lenders, guards, trials, dispatchers.

use super::kept::Kept;
use crate::around::Around;
use crate::changeover::Changeover;
use crate::control::Course;
use crate::dispatch;
use crate::linux::{Awaited, Beginning, Linux, Predecessor, Run, guard};
use crate::processor::Processor;
use crate::running::{self, Process, Running};
use crate::scope::Scope;
use crate::words;
use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::thread::{self, JoinHandle};
use vorrang_enforce::Thread;
use vorrang_time::Instant;

const STACK: usize = 256 << 10;

/// A processor to be run.
#[derive(Clone, Debug)]
pub struct Managed<'a> {
    /// Its servers.
    pub scope: &'a Scope,
    /// Their threads.
    pub threads: &'a [Thread],
    /// Those of its tasks, the most urgent first.
    pub tasks: &'a [Thread],
    /// The interrupts that they take.
    pub awaited: Vec<Awaited>,
    /// The schedule whose place it takes.
    pub before: Option<Predecessor>,
}

/// The end of a dispatcher.
pub(super) type Ended = (io::Result<(u64, Course)>, Processor, u64);

impl Managed<'_> {
    /// With its lenders.
    fn made(self) -> Result<(Linux, Self), String> {
        let run = Run { threads: self.threads, tasks: self.tasks, levels: &self.scope.levels };
        let machine = Linux::new(self.scope.cpu, run, self.awaited.clone())?;
        Ok((machine, self))
    }
}

/// All processors, guarded, and files that can be read when their guards have ended.
pub(super) fn guarded<'a>(
    processors: Vec<Managed<'a>>,
    around: &dyn Around,
) -> Result<(Vec<Guarded<'a>>, Vec<OwnedFd>), String> {
    // All that takes long is done before this thread is urgent: a run that goes on is not to be held up by it, and
    // lenders begin as it is.
    let made = processors.into_iter().map(Managed::made).collect::<Result<Vec<_>, String>>()?;
    let mut guarded = Vec::new();
    let ready = made.into_iter().try_for_each(|(machine, managed)| {
        let guard = guard::start(&machine)?;
        guarded.push(Guarded { machine, guard, managed });
        Ok(())
    });
    match ready.and_then(|()| begin(&guarded, around)) {
        Ok(guards) => Ok((guarded, guards)),
        Err(why) => {
            guarded.into_iter().for_each(Guarded::dismiss);
            Err(why)
        }
    }
}

/// A processor whose guard guards; nothing is lent yet.
pub(super) struct Guarded<'a> {
    pub(super) machine: Linux,
    pub(super) guard: Child,
    pub(super) managed: Managed<'a>,
}

impl Guarded<'_> {
    /// It is not run.
    fn dismiss(mut self) {
        self.machine.finish();
        self.machine.ending().end();
        let _it_has_ended = self.guard.wait();
    }
}

/// The beginning of a schedule.
pub(super) struct Begins {
    pub(super) processor: Processor,
    pub(super) at: Beginning,
    pub(super) end: Instant,
    pub(super) changeover: Changeover,
}

impl Begins {
    /// The thread that decides.
    pub(super) fn dispatcher(self, mut machine: Linux) -> io::Result<JoinHandle<Ended>> {
        let Self { mut processor, at, end, changeover } = self;
        let (ending, board) = (machine.ending(), machine.board());
        let dispatch = move || {
            let course = machine.begin(at).map(|origin| {
                board.begin(origin);
                let mut course = Course::default();
                loop {
                    let changeover = changeover.clone();
                    let control = Kept { ending, board, changeover, planned: None, origin };
                    course = dispatch::go_on(&mut processor, &mut machine, end, control, course);
                    if course.gave_way.is_none() || !ending.goes_on_after_all() {
                        break (origin, course);
                    }
                }
            });
            machine.finish();
            (course, processor, crate::linux::taken())
        };
        let thread = thread::Builder::new().name("dispatcher".to_owned()).stack_size(STACK);
        let dispatcher = thread.spawn(dispatch);
        if dispatcher.is_err() {
            ending.give_up();
        }
        dispatcher
    }
}

/// Checks and trials before the first loan; returns files that can be read when guards have ended.
fn begin(guarded: &[Guarded<'_>], around: &dyn Around) -> Result<Vec<OwnedFd>, String> {
    let number = |number: u32| i32::try_from(number).expect("a number of a process");
    let process = |of| Process::of(&vorrang_enforce::Linux, number(of));
    let guards = guarded.iter().map(|one| one.guard.id());
    let processes = std::iter::once(std::process::id()).chain(guards).filter_map(process);
    let managed = |one: &Guarded<'_>| {
        let Managed { scope, threads, tasks, .. } = one.managed;
        running::Managed {
            cpu: scope.cpu,
            memory: one.machine.number(),
            members: words::members(scope, threads),
            tasks: words::tasks(scope, tasks).collect(),
            interrupts: scope.interrupts.iter().map(|seen| seen.name.clone()).collect(),
            changeover: Changeover::of_scope(scope),
        }
    };
    let processors = guarded.iter().map(managed).collect();
    let processes = processes.collect();
    around.write(Running { processes, processors, successor: Vec::new(), changes: 0 })?;
    // From here on no loan keeps it from ending that loan.
    crate::linux::rise()?;
    guarded.iter().try_for_each(|one| {
        one.machine.try_loans(|index| around.is_known(&one.managed.threads[index]))
    })?;
    let ends = guarded.iter().map(|one| guard::end_of(&one.guard));
    let ends = ends.collect::<io::Result<_>>();
    let ends = ends.map_err(|why| format!("a guard: {why}"))?;
    // From here on nothing new is done to the machine.
    crate::linux::give_up_privileges()?;
    Ok(ends)
}
