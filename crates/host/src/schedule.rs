//! A run: lenders, guard and dispatcher, from their beginning to their end.
//!
//! ```text
//!   keeper       starts the others; waits for a signal, the guard's end or the time; ends the run
//!   guard        a process of its own
//!   dispatcher   decides, until it is stopped
//! ```

use crate::dispatch::{self, Course};
use crate::linux::{Awaited, Linux, guard};
use crate::processor::{Account, Interrupt};
use crate::rule::WakeUps;
use crate::running::{Process, Running};
use crate::scope::{Reserved, Scope};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::Child;
use std::thread;
use vorrang_enforce::Thread;
use vorrang_model::system::{Server, ServerKind};
use vorrang_time::{Duration, Instant};

/// Less budget is not lent: the time to begin and end a loan.
pub const GRAIN: Duration = Duration::from_us(8);

const STACK: usize = 256 << 10;

/// Statistics of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its beginning, by the monotonic clock in nanoseconds.
    pub origin: u64,
    /// The loop.
    pub course: Course,
    /// Processor time of the dispatcher, in nanoseconds.
    pub taken: u64,
    /// The loans of each server's thread.
    pub accounts: Vec<Account>,
    /// The interrupts of guests.
    pub interrupts: Vec<Interrupt>,
    /// Why it ended early.
    pub ended: Option<String>,
}

/// Runs the servers until a signal, or for so long. Nothing is lent afterwards.
///
/// # Errors
/// It could not begin, as a sentence.
pub fn run(
    scope: &Scope,
    threads: &[Thread],
    awaited: Vec<Awaited>,
    length: Option<Duration>,
    look: Duration,
    file: &Path,
) -> Result<Ran, String> {
    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    signals.thread_block().map_err(|why| format!("signals: {why}"))?;
    let signals = SignalFd::new(&signals).map_err(|why| format!("signals: {why}"))?;
    let mut machine = Linux::new(scope.cpu, threads, awaited)?;
    let ending = machine.ending();
    let mut child = guard::start(&machine)?;
    let begun = begin(&machine, &child, file);
    if let Err(why) = begun {
        machine.finish();
        ending.end();
        let _it_has_ended = child.wait();
        return Err(why);
    }
    let origin = Linux::soon();
    let mut processor = scope.processor(look, GRAIN);
    let end = length.and_then(|length| Instant::ZERO.checked_add(length));
    let dispatcher = thread::Builder::new().name("dispatcher".to_owned()).stack_size(STACK);
    let dispatcher = dispatcher.spawn(move || {
        let begun = machine.begin(origin);
        let end = end.unwrap_or(Instant::NEVER);
        let goes_on = || !ending.is_wanted();
        let course = begun.map(|()| dispatch::run(&mut processor, &mut machine, end, goes_on));
        machine.finish();
        (course, processor, crate::linux::taken())
    });
    let dispatcher = dispatcher.map_err(|why| format!("a thread: {why}"))?;
    let end = end.map(|end| origin.saturating_add(end.as_ns()));
    let ended = keep(&signals, &child, end).filter(|_| !ending.has_come());
    ending.end();
    let (course, processor, taken) =
        dispatcher.join().map_err(|_| "the dispatcher panicked".to_owned())?;
    let _it_has_ended = child.wait();
    let course = course.map_err(|why| format!("the dispatcher: {why}"))?;
    let (accounts, interrupts) = (processor.accounts().collect(), processor.interrupts().to_vec());
    Ok(Ran { origin, course, taken, accounts, interrupts, ended })
}

/// Checks and trials before the first loan.
fn begin(machine: &Linux, child: &Child, file: &Path) -> Result<(), String> {
    let number = |number: u32| i32::try_from(number).expect("a number of a process");
    let process = |of| Process::of(&vorrang_enforce::Linux, number(of));
    let processes = [process(std::process::id()), process(child.id())];
    let running = Running { processes: processes.into_iter().flatten().collect() };
    running.write(file).map_err(|why| format!("{}: {why}", file.display()))?;
    machine.try_loans()
}

/// Waits until something ends the run; returns why, unless it ended as planned.
fn keep(signals: &SignalFd, child: &Child, end: Option<u64>) -> Option<String> {
    let guard_ends = match guard::end_of(child) {
        Ok(file) => file,
        Err(why) => return Some(format!("the guard: {why}")),
    };
    loop {
        let mut files = [
            PollFd::new(signals.as_fd(), PollFlags::POLLIN),
            PollFd::new(guard_ends.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut files, timeout(end)) {
            Ok(0) if end.is_some_and(|end| crate::linux::clock() >= end) => return None,
            Ok(0) | Err(Errno::EINTR) => {}
            Ok(_) if files[1].any() == Some(true) => {
                return Some("the guard ended, and nothing is run without one".to_owned());
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

/// A server in words.
pub fn described(Reserved { server, wake_ups, .. }: &Reserved, look: Duration) -> String {
    let Server { budget, period, share, .. } = server;
    let seen = match wake_ups {
        WakeUps::AtOnce => format!("wake-ups are noticed within {look}"),
        WakeUps::AtReplenishment => {
            "wake-ups are noticed when the budget is replenished".to_owned()
        }
        WakeUps::Unneeded => "wake-ups need not be noticed".to_owned(),
        WakeUps::Rest => "no loan in its turns".to_owned(),
        WakeUps::Interrupt => "seen when it is raised".to_owned(),
    };
    match server.kind {
        ServerKind::Share => format!("{}, {share}; {seen}", server.kind.word()),
        _ => format!("{}, {budget} every {period}; {seen}", server.kind.word()),
    }
}
