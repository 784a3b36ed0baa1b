//! The process that ends all loans if the dispatcher ends, or is late.
//!
//! **Model.** It has the highest priority on its processor, and sleeps. It wakes when the dispatcher's thread
//! has ended, and every [`LATE`] to check whether that has slept for longer than planned. If so, it lowers all
//! lenders, which ends all loans, and kills the dispatcher's process, so that there are no further ones.
//!
//! **Assumption.** Nothing above priority 98 occupies its processor.

use super::begun::await_that;
use super::privileges::{self, Needs};
use super::shared::{Place, Shared};
use super::{call, clock, urgency};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::mman::{MlockAllFlags, mlockall};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering::SeqCst;

/// A dispatcher that sleeps longer than planned by this much, in nanoseconds, loses its loans.
pub const LATE: u64 = 100_000_000;
/// The same in milliseconds: how often the guard looks.
const EVERY: u16 = 100;

/// The argument that makes this program a guard.
pub const WORD: &str = "guard";

/// Starts a guard for the schedule of a machine, and waits until it guards.
///
/// # Errors
/// It cannot be started, or does not guard: as a sentence.
pub fn start(machine: &super::Linux) -> Result<Child, String> {
    let mut command = Command::new("/proc/self/exe");
    command.args([WORD, &machine.number().to_string(), &std::process::id().to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let guard = command.spawn().map_err(|why| format!("a guard: {why}"))?;
    let shared = machine.shared();
    await_that("the guard", || shared.guarded.load(SeqCst) != 0)?;
    Ok(guard)
}

/// Guards the schedule of the process with that number, until it ends.
///
/// # Errors
/// There is nothing to guard, or this process may not.
pub fn guard(memory: i32, of: i32) -> io::Result<()> {
    let place = Place::inherited(memory)?;
    let process = call::process(of)?;
    // Its first thread: lenders that are killed may need this guard to end, and the process ends with them.
    let first = call::thread(of)?;
    // One that ended before its file was opened has left this process to another parent.
    if nix::unistd::Pid::parent().as_raw() != of {
        return Ok(());
    }
    mlockall(MlockAllFlags::MCL_CURRENT | MlockAllFlags::MCL_FUTURE)?;
    urgency::raise(0, urgency::GUARD)?;
    privileges::keep(Needs::Priorities)?;
    let shared = place.shared;
    shared.guarded.store(1, SeqCst);
    let mut dispatcher: Option<OwnedFd> = None;
    loop {
        if dispatcher.is_none() {
            let number = shared.dispatcher.load(SeqCst);
            dispatcher = if number > 0 { call::thread(number).ok() } else { None };
        }
        let ended = has_ended(&[Some(&first), dispatcher.as_ref()])?;
        if shared.finished.load(SeqCst) != 0 {
            // Its end takes a while, which is not to be taken from the schedule that follows.
            return urgency::lower(0);
        }
        let (deadline, now) = (shared.deadline.load(SeqCst), clock::now());
        if ended || is_late(deadline, now) {
            end_loans(shared);
            call::kill(&process);
            let late = now.saturating_sub(deadline);
            return Err(io::Error::other(if ended {
                "the dispatcher has ended, and so have its loans".to_owned()
            } else {
                format!("the dispatcher is {late} ns late; its loans were ended")
            }));
        }
    }
}

/// Waits for the end of the thread or process of one of the files, for at most one interval.
fn has_ended(files: &[Option<&OwnedFd>]) -> io::Result<bool> {
    let files = files.iter().flatten().map(|file| PollFd::new(file.as_fd(), PollFlags::POLLIN));
    let mut files: Vec<PollFd<'_>> = files.collect();
    match poll(&mut files, PollTimeout::from(EVERY)) {
        Ok(ready) => Ok(ready > 0),
        Err(nix::errno::Errno::EINTR) => Ok(false),
        Err(why) => Err(why.into()),
    }
}

/// Whether a dispatcher that planned to be awake at `deadline` (0: it has not begun) is too late.
fn is_late(deadline: u64, now: u64) -> bool {
    deadline != 0 && now > deadline.saturating_add(LATE)
}

fn end_loans(shared: &Shared) {
    for lender in &shared.lenders {
        let number = lender.load(SeqCst);
        if number > 0 {
            let _it_has_ended = urgency::lower(number);
        }
    }
}

/// A file that can be read when the guard has ended.
///
/// # Errors
/// As the kernel says.
pub fn end_of(guard: &Child) -> io::Result<OwnedFd> {
    call::process(i32::try_from(guard.id()).expect("a number of a process"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dispatcher_has_so_much_time_and_no_more() {
        assert!(!is_late(0, u64::MAX), "it has not begun");
        assert!(!is_late(5, 5 + LATE));
        assert!(is_late(5, 6 + LATE));
        assert!(!is_late(u64::MAX, u64::MAX));
    }

    #[test]
    fn the_end_of_a_process_is_seen() {
        let mut child = Command::new("/bin/true").spawn().expect("every machine has it");
        let file = end_of(&child).expect("a child is there until it is waited for");
        while !has_ended(&[None, Some(&file)]).expect("it can be waited for") {}
        child.wait().expect("it is ours");
    }
}
