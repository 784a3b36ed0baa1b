//! Ending processes that lend, from outside.
//!
//! **Model.** A killed thread must run once more to end, and a lender runs no sooner than the thread that it
//! lends to. So all threads are lowered first, which ends every loan, by a caller with a higher priority than
//! lent threads.

use super::{call, urgency};
use std::io;
use std::thread;
use std::time::Duration;

/// Looks at whether they have ended, ten milliseconds apart.
const LOOKS: u32 = 500;

/// Ends processes by their numbers, of which `threads` tells the threads that are left; the caller has no priority
/// afterwards.
///
/// # Errors
/// The caller may not, or some do not end.
pub fn end_processes(processes: &[i32], threads: impl Fn() -> Vec<i32>) -> io::Result<()> {
    if processes.is_empty() {
        return Ok(());
    }
    urgency::raise(0, urgency::KEEPER)?;
    let ended = end(processes, threads);
    urgency::lower(0)?;
    ended
}

fn end(processes: &[i32], threads: impl Fn() -> Vec<i32>) -> io::Result<()> {
    for _ in 0..LOOKS {
        let left = threads();
        if left.is_empty() {
            return Ok(());
        }
        for thread in left {
            let _it_has_ended = urgency::lower(thread);
        }
        for &process in processes {
            if let Ok(process) = call::process(process) {
                call::kill(&process);
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "processes that were killed do not end"))
}
