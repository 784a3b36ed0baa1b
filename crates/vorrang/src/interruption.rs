//! Ctrl-C, or being asked to terminate: the first time ends what runs, and what is known is printed;
//! the second ends the program.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user has asked for the end.
static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C no longer kills the program but is remembered, once.
pub fn listen() {
    let note = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            // Nothing unwinds: what a measurement changed is put back here.
            vorrang_measure::machine::restore::all();
            std::process::exit(Exit::Interrupted as i32);
        }
    };
    // Where signals cannot be caught, Ctrl-C goes on to kill the program, which is no worse.
    let _ = ctrlc::set_handler(note);
}

/// Asks for the end of all that runs in this process, where another program catches signals.
pub fn ask() {
    ASKED.store(true, Ordering::Relaxed);
}

/// What begins from now on was not asked to end.
pub fn forget() {
    ASKED.store(false, Ordering::Relaxed);
}

/// Whether the user has asked for the end since.
#[inline]
pub fn is_wanted() -> bool {
    ASKED.load(Ordering::Relaxed)
}
