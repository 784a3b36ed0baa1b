//! What a description names on a machine, for those who only look.

use crate::machine::{Kernel, Thread, all_threads};
use crate::plan::{Selector, Unresolved, interrupts};

/// The thread that a selector means.
///
/// # Errors
/// There is none, or there are several.
pub fn find_thread(kernel: &dyn Kernel, selector: &Selector) -> Result<Thread, Unresolved> {
    selector.find(kernel, &all_threads(kernel))
}

/// The numbers of the interrupts that a name or number means.
pub fn find_interrupts(kernel: &dyn Kernel, name: &str) -> Vec<u32> {
    interrupts::named(kernel, name)
}
