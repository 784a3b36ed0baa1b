//! A run: lenders, guards and dispatchers, from their beginning to their end.
//!
//! ```text
//!   keeper       starts the others; waits for a signal, a guard's end or the time; ends the run
//!   guard        of each processor, a process of its own
//!   dispatcher   of each processor, decides until it is stopped
//! ```
//!
//! Dispatchers share nothing: each has the servers of one processor. What ends one ends all.

use crate::dispatch::{self, Course};
use crate::linux::{Awaited, Ending, Linux, guard};
use crate::processor::{Account, Interrupt, Processor};
use crate::running::{self, Process, Running};
use crate::scope::Scope;
use crate::words;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;
use std::process::Child;
use std::thread::{self, JoinHandle};
use vorrang_enforce::Thread;
use vorrang_time::{Duration, Instant};

/// Less budget is not lent: the time to begin and end a loan.
pub const GRAIN: Duration = Duration::from_us(8);

const STACK: usize = 256 << 10;

/// A processor to be run.
#[derive(Clone, Debug)]
pub struct Managed<'a> {
    /// Its servers.
    pub scope: &'a Scope,
    /// Their threads.
    pub threads: &'a [Thread],
    /// The interrupts that they take.
    pub awaited: Vec<Awaited>,
}

impl Managed<'_> {
    /// With its lenders.
    fn made(self) -> Result<(Linux, Self), String> {
        let machine = Linux::new(self.scope.cpu, self.threads, self.awaited.clone())?;
        Ok((machine, self))
    }
}

/// Statistics of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its beginning, by the monotonic clock in nanoseconds.
    pub origin: u64,
    /// Each processor.
    pub processors: Vec<Statistics>,
    /// Why it ended early.
    pub ended: Option<String>,
}

/// Those of one processor.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// The loop.
    pub course: Course,
    /// Processor time of the dispatcher, in nanoseconds.
    pub taken: u64,
    /// The loans of each server's thread.
    pub accounts: Vec<Account>,
    /// The interrupts of guests.
    pub interrupts: Vec<Interrupt>,
}

/// The end of a dispatcher.
type Ended = (io::Result<Course>, Processor, u64);

/// Runs the servers until a signal, or for so long. Nothing is lent afterwards.
///
/// # Errors
/// It could not begin, as a sentence.
pub fn run(
    processors: Vec<Managed<'_>>,
    length: Option<Duration>,
    look: Duration,
    file: &Path,
) -> Result<Ran, String> {
    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    signals.thread_block().map_err(|why| format!("signals: {why}"))?;
    let signals = SignalFd::new(&signals).map_err(|why| format!("signals: {why}"))?;
    let (guarded, guards) = guarded(processors, file)?;
    let origin = Linux::soon();
    let end = length.and_then(|length| Instant::ZERO.checked_add(length));
    let endings: Vec<Ending> = guarded.iter().map(|one| one.machine.ending()).collect();
    let (mut dispatchers, mut children, mut refused) = (Vec::new(), Vec::new(), None);
    for Guarded { mut machine, guard, scope, .. } in guarded {
        children.push(guard);
        let processor = scope.processor(look, GRAIN);
        // Not begun, it has nothing to end; its guard goes with it.
        if refused.is_some() {
            machine.finish();
            continue;
        }
        match dispatcher(machine, processor, origin, end.unwrap_or(Instant::NEVER)) {
            Ok(dispatcher) => dispatchers.push(dispatcher),
            Err(why) => refused = Some(format!("a thread: {why}")),
        }
    }
    let end = end.map(|end| origin.saturating_add(end.as_ns()));
    let ended = refused.or_else(|| {
        // One that has come to its end is the planned end of all.
        keep(&signals, &guards, end).filter(|_| !endings.iter().any(|ending| ending.has_come()))
    });
    for ending in &endings {
        ending.end();
    }
    let joined: Vec<_> = dispatchers.into_iter().map(JoinHandle::join).collect();
    for mut guard in children {
        let _it_has_ended = guard.wait();
    }
    let processors = joined.into_iter().map(statistics).collect::<Result<_, String>>()?;
    Ok(Ran { origin, processors, ended })
}

/// What a dispatcher left.
fn statistics(joined: thread::Result<Ended>) -> Result<Statistics, String> {
    let (course, processor, taken) = joined.map_err(|_| "the dispatcher panicked".to_owned())?;
    let course = course.map_err(|why| format!("the dispatcher: {why}"))?;
    let (accounts, interrupts) = (processor.accounts().collect(), processor.interrupts().to_vec());
    Ok(Statistics { course, taken, accounts, interrupts })
}

/// All processors, guarded, and files that can be read when their guards have ended.
fn guarded<'a>(
    processors: Vec<Managed<'a>>,
    file: &Path,
) -> Result<(Vec<Guarded<'a>>, Vec<OwnedFd>), String> {
    // All lenders are there before this thread is urgent: they begin as it is.
    let made = processors.into_iter().map(Managed::made).collect::<Result<Vec<_>, String>>()?;
    crate::linux::rise()?;
    let mut guarded = Vec::new();
    let ready = made.into_iter().try_for_each(|(machine, Managed { scope, threads, .. })| {
        let guard = guard::start(&machine)?;
        guarded.push(Guarded { machine, guard, scope, threads });
        Ok(())
    });
    let guards = ready.and_then(|()| begin(&guarded, file));
    match guards {
        Ok(guards) => Ok((guarded, guards)),
        Err(why) => {
            guarded.into_iter().for_each(Guarded::dismiss);
            Err(why)
        }
    }
}

/// A processor whose guard guards; nothing is lent yet.
struct Guarded<'a> {
    machine: Linux,
    guard: Child,
    scope: &'a Scope,
    threads: &'a [Thread],
}

impl Guarded<'_> {
    /// It is not run.
    fn dismiss(mut self) {
        self.machine.finish();
        self.machine.ending().end();
        let _it_has_ended = self.guard.wait();
    }
}

/// The thread that decides.
fn dispatcher(
    mut machine: Linux,
    mut processor: Processor,
    origin: u64,
    end: Instant,
) -> io::Result<JoinHandle<Ended>> {
    let ending = machine.ending();
    let dispatch = move || {
        let begun = machine.begin(origin);
        let board = machine.board();
        let goes_on = |processor: &Processor, course: &Course| {
            board.write(processor, course);
            !ending.is_wanted()
        };
        let course = begun.map(|()| dispatch::run(&mut processor, &mut machine, end, goes_on));
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

/// Checks and trials before the first loan; returns files that can be read when guards have ended.
fn begin(guarded: &[Guarded<'_>], file: &Path) -> Result<Vec<OwnedFd>, String> {
    let number = |number: u32| i32::try_from(number).expect("a number of a process");
    let process = |of| Process::of(&vorrang_enforce::Linux, number(of));
    let guards = guarded.iter().map(|one| one.guard.id());
    let processes = std::iter::once(std::process::id()).chain(guards).filter_map(process);
    let managed = |one: &Guarded<'_>| running::Managed {
        cpu: one.scope.cpu,
        memory: one.machine.number(),
        members: words::members(one.scope, one.threads),
        interrupts: one.scope.interrupts.iter().map(|seen| seen.name.clone()).collect(),
    };
    let processors = guarded.iter().map(managed).collect();
    let running = Running { processes: processes.collect(), processors };
    running.write(file).map_err(|why| format!("{}: {why}", file.display()))?;
    guarded.iter().try_for_each(|one| one.machine.try_loans())?;
    let ends = guarded.iter().map(|one| guard::end_of(&one.guard)).collect::<io::Result<_>>();
    ends.map_err(|why| format!("a guard: {why}"))
}

/// Waits until something ends the run; returns why, unless it ended as planned.
fn keep(signals: &SignalFd, guards: &[OwnedFd], end: Option<u64>) -> Option<String> {
    loop {
        let files = guards.iter().map(OwnedFd::as_fd).chain([signals.as_fd()]);
        let mut files: Vec<_> = files.map(|file| PollFd::new(file, PollFlags::POLLIN)).collect();
        match poll(&mut files, timeout(end)) {
            Ok(0) if end.is_some_and(|end| crate::linux::clock() >= end) => return None,
            Ok(0) | Err(Errno::EINTR) => {}
            Ok(_) if files[..guards.len()].iter().any(|file| file.any() == Some(true)) => {
                return Some("a guard ended, and nothing is run without one".to_owned());
            }
            Ok(_) => return None,
            Err(why) => return Some(format!("the keeper: {why}")),
        }
    }
}

/// A little after the end.
fn timeout(end: Option<u64>) -> PollTimeout {
    let Some(end) = end else { return PollTimeout::NONE };
    let left = end.saturating_sub(crate::linux::clock()) / 1_000_000 + 1;
    PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)
}
