//! The changes of a machine before the first loan: where threads are parked.
//!
//! ```text
//! /sys/fs/cgroup
//! └── vorrang-host      processes of lent threads; their other threads, as before
//!     └── parked        (threaded, 1 ms of every second) the threads that are lent to
//! ```
//!
//! A real-time kernel handles timers of `SCHED_OTHER` in a thread of `SCHED_FIFO`, priority 1, which the lent
//! thread would block, and with it all threads that sleep there. So that thread gets a higher priority than
//! the lent thread. Where interrupts of guests are seen, the one that wakes the dispatcher for them gets the priority of
//! the dispatcher (`urgency.rs`).
//!
//! A thread of the kernel is parked by its own policy, and stays in its group (`of_kernel.rs`).
//!
//! **Assumption.** 1 ms a second is the least that a group can have (`cpu.max`); it is less than any budget here.

use crate::linux::DISPATCHER;
use crate::of_kernel;
use crate::placed;
use crate::scope::Scope;
use std::collections::BTreeSet;
use std::io;
use vorrang_enforce::{
    Change, GROUP as APPLIED, Kernel, Policy, Thread, cpus_of, find_thread, group_of, of_process,
};
use vorrang_quote::visible;

const ROOT: &str = "/sys/fs/cgroup";
/// The group of the processes whose threads are lent to.
pub const GROUP: &str = "/sys/fs/cgroup/vorrang-host";
const PARKED: &str = "/sys/fs/cgroup/vorrang-host/parked";
/// Microseconds, and the period in microseconds.
const LEAST: &str = "1000 1000000";
/// Earlier kernels throttle `SCHED_FIFO`.
const OLDEST: (u32, u32) = (6, 12);
/// The oldest that was seen to stop a thread by itself; 6.12 stops its group, at a tick.
const STOPS_THREADS: (u32, u32) = (7, 2);

/// The threads of a description on a machine, and the changes that park them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parking {
    /// Of each core, in the order of the servers that have one.
    pub threads: Vec<Vec<Thread>>,
    /// Of each core, those of the tasks that stand on it, in the order of urgency.
    pub tasks: Vec<Vec<Thread>>,
    /// In the order in which they are made.
    pub changes: Vec<Change>,
}

/// The changes that park the threads of a description; none for what is parked by a run that goes on, if there is one: those are
/// the numbers of its threads.
///
/// # Errors
/// What this machine lacks, a sentence each.
pub fn parking(
    kernel: &dyn Kernel,
    scopes: &[Scope],
    run: Option<&BTreeSet<i32>>,
) -> Result<Parking, Vec<String>> {
    let is_run = run.is_some();
    let mut problems = lacking(kernel, scopes, is_run);
    let threads = threads(kernel, scopes, &mut problems);
    let tasks = placed::threads(kernel, scopes, &mut problems);
    are_different(threads.iter().chain(&tasks), &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut changes = if is_run { Vec::new() } else { groups(kernel) };
    let seen = scopes.iter().any(|scope| !scope.interrupts.is_empty());
    for Scope { cpu, levels, .. } in scopes {
        changes.extend(placed::above(kernel, format!("ktimers/{cpu}"), levels.above()));
        // An interrupt of a guest may be raised on any of them.
        if seen {
            changes.extend(placed::above(kernel, format!("irq_work/{cpu}"), DISPATCHER));
        }
    }
    let placed = scopes.iter().zip(&threads);
    let placed = placed.flat_map(|(scope, all)| all.iter().map(|one| (scope.cpu, one)));
    let mut of_programs = Vec::new();
    for (cpu, thread) in placed {
        if !of_kernel::is(kernel, thread).map_err(|why| vec![why])? {
            of_programs.push((cpu, thread));
        } else if !run.is_some_and(|run| run.contains(&thread.thread)) {
            let parked = of_kernel::parked(kernel, cpu, thread);
            changes.extend(parked.map_err(|why| vec![format!("{}: {why}", thread.name)])?);
        }
    }
    changes.extend(parked(kernel, &of_programs)?);
    for (scope, threads) in scopes.iter().zip(&tasks) {
        changes.extend(placed::changes(kernel, scope, threads)?);
    }
    Ok(Parking { threads, tasks, changes })
}

/// The changes that park threads of programs, each on a processor.
fn parked(kernel: &dyn Kernel, placed: &[(u32, &Thread)]) -> Result<Vec<Change>, Vec<String>> {
    let (mut changes, mut processes) = (Vec::new(), BTreeSet::new());
    for (_, thread) in placed {
        if !is_ours(kernel, thread) && processes.insert(thread.process) {
            match move_process(kernel, thread) {
                Ok(change) => changes.push(change),
                Err(why) => {
                    return Err(vec![format!("the threads of process {}: {why}", thread.process)]);
                }
            }
        }
    }
    for &(cpu, thread) in placed {
        let cpus = vec![cpu];
        let before = kernel.affinity(thread.thread);
        let before = before.map_err(|why| vec![format!("{}: {why}", visible(&thread.name))])?;
        if before != cpus {
            changes.push(Change::SetAffinity { thread: thread.clone(), cpus, before });
        }
        let (group, before) = (PARKED.to_owned(), GROUP.to_owned());
        if matches!(group_of(kernel, thread), Ok(Some(now)) if now == group) {
            continue;
        }
        changes.push(Change::MoveThread { thread: thread.clone(), group, before });
    }
    Ok(changes)
}

/// The threads of each core, and why some cannot be parked.
fn threads(kernel: &dyn Kernel, scopes: &[Scope], problems: &mut Vec<String>) -> Vec<Vec<Thread>> {
    let mut found = |scope: &Scope| {
        let mut threads = Vec::new();
        for reserved in &scope.servers {
            let Some(selector) = &reserved.selector else { continue };
            match find_thread(kernel, selector) {
                Ok(thread) => {
                    problems.extend(unfit(kernel, &reserved.name, &thread));
                    threads.push(thread);
                }
                Err(why) => {
                    let remedy = of_kernel::remedy(selector);
                    problems.push(format!("{}: {why}{}", reserved.name, remedy));
                }
            }
        }
        threads
    };
    scopes.iter().map(&mut found).collect()
}

/// No thread is that of two.
fn are_different<'a>(
    threads: impl Iterator<Item = &'a Vec<Thread>> + Clone,
    problems: &mut Vec<String>,
) {
    let all = threads.flatten();
    let different: BTreeSet<i32> = all.clone().map(|thread| thread.thread).collect();
    if different.len() < all.count() {
        problems.push("two servers or tasks name the same thread".to_owned());
    }
}

fn release(kernel: &dyn Kernel) -> String {
    kernel.read("/proc/sys/kernel/osrelease").unwrap_or_default()
}

/// The first two numbers of a release.
fn version(release: &str) -> (u32, u32) {
    let mut numbers = release.trim().split(['.', '-']).map_while(|part| part.parse().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// What is assumed of parked threads on this kernel beside their millisecond, as a sentence without a full stop.
pub fn assumed(kernel: &dyn Kernel) -> Option<String> {
    let release = release(kernel);
    (version(&release) < STOPS_THREADS).then(|| {
        format!(
            "beyond its budget, a thread receives up to a tick in one period now and then: Linux {} stops parked threads \
             by the tick; no bound of others depends on it",
            visible(release.trim())
        )
    })
}

/// Features that the kernel lacks.
fn lacking(kernel: &dyn Kernel, scopes: &[Scope], is_run: bool) -> Vec<String> {
    let mut problems = Vec::new();
    let release = release(kernel);
    if version(&release) < OLDEST {
        problems.push(format!(
            "this is Linux {}: before 6.12 SCHED_FIFO is throttled, and loans with it",
            visible(release.trim())
        ));
    }
    let controllers = kernel.read(&format!("{ROOT}/cgroup.controllers")).unwrap_or_default();
    if !controllers.split_whitespace().any(|name| name == "cpu") {
        problems.push(format!(
            "there is no controller \"cpu\" of control groups v2 at {ROOT}: threads cannot be parked"
        ));
    }
    let online = kernel.read("/sys/devices/system/cpu/online").unwrap_or_default();
    let cpus = cpus_of(&online).unwrap_or_default();
    for Scope { cpu, .. } in scopes.iter().filter(|scope| !cpus.contains(&scope.cpu)) {
        problems.push(format!("this machine has no processor {cpu}: it has {}", online.trim()));
    }
    let different: BTreeSet<u32> = scopes.iter().map(|scope| scope.cpu).collect();
    if different.len() < scopes.len() {
        problems.push("two cores are the same processor".to_owned());
    }
    if !is_run && kernel.list(GROUP).is_ok() {
        problems.push(format!(
            "{GROUP} is there already: `vorrang-host restore` removes what was left (with `--journal FILE` if the \
             journal is at another place)"
        ));
    }
    if !is_run && kernel.list(APPLIED).is_ok() {
        problems.push(format!(
            "{APPLIED} is there: a description is applied, with a journal at another place. \
             `vorrang restore --journal FILE` undoes it; without a journal, remove the group"
        ));
    }
    problems
}

/// Why a thread cannot be parked.
fn unfit(kernel: &dyn Kernel, name: &str, thread: &Thread) -> Option<String> {
    match of_kernel::is(kernel, thread) {
        Ok(false) => {}
        Ok(true) => return of_kernel::unfit(name, thread),
        Err(why) => return Some(format!("{name}: {why}")),
    }
    let whose = format!("{name}: {} ({})", visible(&thread.name), thread.thread);
    let policy = kernel.policy(thread.thread).ok()?.policy;
    if !matches!(policy, Policy::OTHER | Policy::BATCH | Policy::IDLE) {
        return Some(format!("{whose} is not of SCHED_OTHER: a group does not park it"));
    }
    let group = group_of(kernel, thread).ok()??;
    if is_ours(kernel, thread) {
        return None;
    }
    let kind = kernel.read(&format!("{group}/cgroup.type")).unwrap_or_default();
    (kind.trim() == "threaded").then(|| {
        format!(
            "{whose} is in the threaded group {}, from which its process cannot be moved alone",
            visible(&group)
        )
    })
}

/// Whether its process is one of those whose threads are lent to already.
fn is_ours(kernel: &dyn Kernel, thread: &Thread) -> bool {
    matches!(group_of(kernel, thread), Ok(Some(group)) if group == GROUP || group == PARKED)
}

fn groups(kernel: &dyn Kernel) -> Vec<Change> {
    let write = |path: String, text: &str, undo: Option<&str>| Change::Write {
        path,
        text: text.to_owned(),
        undo: undo.map(str::to_owned),
    };
    let control = format!("{ROOT}/cgroup.subtree_control");
    let enabled = kernel.read(&control).unwrap_or_default();
    let is_enabled = enabled.split_whitespace().any(|name| name == "cpu");
    let mut changes = Vec::new();
    if !is_enabled {
        changes.push(write(control, "+cpu", Some("-cpu")));
    }
    changes.extend([GROUP, PARKED].map(|path| Change::MakeGroup { path: path.to_owned() }));
    changes.push(write(format!("{PARKED}/cgroup.type"), "threaded", None));
    changes.push(write(format!("{GROUP}/cgroup.subtree_control"), "+cpu", None));
    // Undone although the group is removed: threads that were killed in it have to run to end.
    changes.push(write(format!("{PARKED}/cpu.max"), LEAST, Some("max 1000000")));
    changes
}

fn move_process(kernel: &dyn Kernel, thread: &Thread) -> io::Result<Change> {
    let threads = of_process(kernel, thread.process)?;
    let first = threads.iter().find(|one| one.thread == one.process).cloned();
    let process = first.unwrap_or_else(|| thread.clone());
    let mut before = Vec::new();
    for one in threads {
        if let Some(group) = group_of(kernel, &one)? {
            before.push((one, group));
        }
    }
    before.sort_by_key(|(one, _)| one.thread != one.process);
    Ok(Change::MoveProcess { process, group: GROUP.to_owned(), before })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_compared_by_their_first_numbers() {
        assert_eq!(version("6.12.95+deb12-rt-amd64\n"), (6, 12));
        assert_eq!(version("7.2-rt"), (7, 2));
        assert!(version("6.12.95") < STOPS_THREADS && version("7.2.12") >= STOPS_THREADS);
        assert_eq!(version(""), (0, 0), "an unknown one is none that is known to");
    }
}
