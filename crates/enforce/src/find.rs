//! Finds the threads and interrupts of a description on a machine, without changing anything.

use crate::interrupts;
use crate::machine::{Kernel, Thread, all_threads};
use crate::selector::{self, Unresolved};
use std::io;
use vorrang_model::system::Selector;

/// The thread that a selector means.
///
/// # Errors
/// There is none, or there are several.
pub fn find_thread(kernel: &dyn Kernel, selector: &Selector) -> Result<Thread, Unresolved> {
    let all = all_threads(kernel).map_err(|why| Unresolved::unseen(selector, &why))?;
    selector::find(selector, kernel, &all)
}

/// The numbers of the interrupts that a name or number means.
///
/// # Errors
/// The kernel does not say.
pub fn find_interrupts(kernel: &dyn Kernel, name: &str) -> io::Result<Vec<u32>> {
    interrupts::named(kernel, name)
}
