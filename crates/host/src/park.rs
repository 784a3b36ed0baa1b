//! Makes the changes that park threads.

use crate::changes::Parking;
use crate::of_kernel;
use crate::scope::Scope;
use vorrang_enforce::Kernel;
use vorrang_enforce::journal::Journal;

/// Makes changes, each journaled before; then the threads of the kernel among these are waited for, which it moves in the
/// background.
///
/// # Errors
/// One is refused, as a sentence.
pub fn make(
    kernel: &mut dyn Kernel,
    journal: &mut Journal,
    Parking { threads, tasks, changes }: &Parking,
    scopes: &[&Scope],
) -> Result<(), String> {
    for change in changes {
        journal.make(kernel, change).map_err(|why| format!("{}: {why}", change.exact()))?;
    }
    for (scope, (threads, tasks)) in scopes.iter().zip(threads.iter().zip(tasks)) {
        of_kernel::are_there(kernel, scope.cpu, threads)?;
        of_kernel::are_there(kernel, scope.cpu, tasks)?;
    }
    Ok(())
}
