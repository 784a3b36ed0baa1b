//! Signals to threads of this process, and the end of others.

use crate::account;
use nix::sys::pthread::{Pthread, pthread_kill};
use nix::sys::signal::{Signal, kill as send_to};
use nix::unistd::Pid;
use signal_hook::consts::SIGUSR1;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// From here on the signal of [`send`] interrupts a sleep, and does nothing else.
///
/// # Errors
/// The kernel refuses.
pub(crate) fn handle() -> io::Result<()> {
    signal_hook::flag::register(SIGUSR1, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Sends a thread of this process that signal.
///
/// # Errors
/// The kernel refuses.
pub(crate) fn send(thread: Pthread) -> io::Result<()> {
    Ok(pthread_kill(thread, Signal::SIGUSR1)?)
}

/// The process with a name. Looking takes milliseconds.
///
/// # Errors
/// There is none.
pub(crate) fn process(name: &str) -> io::Result<i32> {
    let none = || io::Error::other(format!("there is no process {name}"));
    account::named(name).first().map(|found| found.thread).ok_or_else(none)
}

/// Kills a process.
///
/// # Errors
/// The kernel refuses.
pub(crate) fn kill(process: i32) -> io::Result<()> {
    Ok(send_to(Pid::from_raw(process), Signal::SIGKILL)?)
}
