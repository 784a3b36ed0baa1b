//! Ctrl-C, or being asked to terminate: the first signal ends the computation and the results so far
//! are printed; the second ends the program.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user has interrupted it.
static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C no longer kills the program but is remembered, once.
pub fn listen() {
    let note = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            // Nothing unwinds: settings that a measurement changed are restored here.
            vorrang_measure::machine::restore::all();
            std::process::exit(Exit::Interrupted as i32);
        }
    };
    // Where signals cannot be caught, Ctrl-C kills the program.
    let _ = ctrlc::set_handler(note);
}

/// Interrupts everything in this process, where another program catches signals.
pub fn ask() {
    ASKED.store(true, Ordering::Relaxed);
}

/// Clears the interruption for what begins from now on.
pub fn forget() {
    ASKED.store(false, Ordering::Relaxed);
}

/// Whether it was interrupted since.
#[inline]
pub fn is_wanted() -> bool {
    ASKED.load(Ordering::Relaxed)
}
