//! Which interrupts of guests the machine is to look out for, by the threads that take them.

use crate::guests::Seen;
use crate::linux::Awaited;
use crate::scope::Scope;
use vorrang_enforce::Thread;

/// What the machine is to look out for, by the threads of the servers that have one.
///
/// # Errors
/// A thread runs no virtual processor, a sentence each.
pub fn awaited(scope: &Scope, threads: &[Thread]) -> Result<Vec<Awaited>, Vec<String>> {
    let of = |seen: &Seen| {
        let before = scope.servers[..seen.of].iter().filter(|one| one.selector.is_some());
        Awaited::of(&threads[before.count()], seen.vectors.clone())
            .map_err(|why| format!("{}: {}: {why}", seen.name, scope.servers[seen.of].name))
    };
    let (found, problems): (Vec<_>, Vec<_>) =
        scope.interrupts.iter().map(of).partition(Result::is_ok);
    if problems.is_empty() {
        Ok(found.into_iter().flatten().collect())
    } else {
        Err(problems.into_iter().filter_map(Result::err).collect())
    }
}
