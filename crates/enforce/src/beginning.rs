//! Threads of the kernel that have been made, but have not run yet.
//!
//! Such a thread has its number and its name from the beginning. The kernel refuses to move it to another control group
//! with `EINVAL` until it has run for the first time (`no_cgroup_migration` of `kthreadd`, from which it is forked; `kthread`
//! resets it before the function of the thread). No file shows that, so the move is tried again.

use crate::change::Change;
use crate::journal::Head;
use crate::machine::{Kernel, LOOKS, is_of_kernel, may_not_be_moved};
use std::io;

/// Whether a refused change may succeed once the thread has run: it is one of the kernel that was made since the
/// head was, and that the kernel itself does not hold in its place.
pub(crate) fn may_still_begin(
    kernel: &dyn Kernel,
    head: &Head,
    change: &Change,
    why: &io::Error,
) -> bool {
    let Change::MoveProcess { process, .. } = change else { return false };
    why.raw_os_error() == Some(libc::EINVAL)
        && !head.affinities.iter().any(|(known, _)| known == process)
        && is_of_kernel(kernel, process).unwrap_or(false)
        && !may_not_be_moved(kernel, process).unwrap_or(true)
}

/// How often such a change is tried, with a wait of ten milliseconds between.
pub(crate) const TRIES: u32 = LOOKS;
