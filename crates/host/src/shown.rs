//! What is said before a description is run: whether its verdict counts this program, and what is changed.

use crate::changes::{Parking, assumed};
use crate::levels::Levels;
use crate::of_kernel;
use crate::running::Member;
use crate::schedule::Managed;
use crate::scope::Scope;
use crate::uncounted::uncounted;
use crate::words;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_command::exit::{Exit, Failure};
use vorrang_enforce::Kernel;
use vorrang_time::Duration;
use vorrang_verdict::input::Input;

/// The verdict must count the time that this program takes.
pub(crate) fn counts_the_dispatchers(
    input: &Input,
    scopes: &[Scope],
    look: Duration,
) -> Result<(), Failure> {
    let of = |scope| uncounted(&input.system, scope, look);
    let uncounted: BTreeSet<String> = scopes.iter().flat_map(of).collect();
    if uncounted.is_empty() {
        return Ok(());
    }
    let complain = |text: String, line: &String| text + &format!("error: {}: {line}\n", input.name);
    let message = uncounted.iter().fold(String::new(), complain)
        + "  the verdict does not count this program; --unproven runs it nevertheless\n";
    Err(Failure { exit: Exit::Undecided, message })
}

/// The changes and the loans.
pub(crate) fn show(
    kernel: &dyn Kernel,
    look: Duration,
    (managed, parking): (&[Managed<'_>], &Parking),
    text: &mut String,
) {
    let _ = writeln!(text, "\nthreads are parked, with 1 ms of every second");
    if let Some(assumed) = assumed(kernel) {
        let _ = writeln!(text, "    assumed: {assumed}");
    }
    if parking.threads.iter().flatten().any(|one| of_kernel::is(kernel, one) == Ok(true)) {
        let _ = writeln!(text, "    assumed: {}", of_kernel::ASSUMED);
    }
    for change in &parking.changes {
        let _ = writeln!(text, "    {}", change.exact());
    }
    for Managed { scope, threads, tasks, .. } in managed {
        let _ = writeln!(
            text,
            "\non processor {} threads are lent SCHED_FIFO, priority {}, one at a time{}",
            scope.cpu,
            each(scope, Levels::lent),
            for_interrupts(scope)
        );
        for (reserved, member) in scope.servers.iter().zip(words::members(scope, threads)) {
            let Member { name, thread, reserved: what, .. } = member;
            let thread = thread.map_or("all other threads".to_owned(), |(thread, number)| {
                format!("{thread} {number}")
            });
            let noticed = words::wake_ups(reserved, look);
            let _ = writeln!(text, "    {name} ({thread}): {what}; {noticed}");
        }
        for task in words::tasks(scope, tasks) {
            let _ = writeln!(text, "    {task}");
        }
        for seen in &scope.interrupts {
            let _ = writeln!(text, "    {}", words::interrupt(scope, seen));
        }
    }
}

/// The priority of what is lent to before another thread.
fn for_interrupts(scope: &Scope) -> String {
    let is_reserved = scope.interrupts.iter().any(|seen| seen.pseudo_vcpu.is_some());
    if !is_reserved {
        return String::new();
    }
    format!("; for an interrupt {}, before that one", each(scope, Levels::first))
}

/// The priorities of all levels.
fn each(scope: &Scope, of: fn(&Levels, usize) -> u32) -> String {
    let all = scope.levels.all().map(|level| of(&scope.levels, level).to_string());
    all.collect::<Vec<_>>().join(" or ")
}

/// What the machine lacks.
pub(crate) fn unlike(problems: &[String]) -> Failure {
    let complain = |text: String, line: &String| text + &format!("error: {line}\n");
    Failure::host(problems.iter().fold(String::new(), complain))
}
