//! To what threads belong: a process, a control group, a virtual machine.
//!
//! **Model.** Which threads these are is in the files of the machine. A process is named by the name of its first thread or by
//! its number; a group by its path below the root of control groups, and those below it count.

use crate::facts::machine_of;
use std::collections::BTreeSet;
use std::fmt;
use std::io;
use vorrang_enforce::{Kernel, Thread, group_of, of_process};
use vorrang_import::{Reported, reported};
use vorrang_quote::visible;

/// What threads may belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A process, by its name or number.
    Process(String),
    /// A control group (v2), by its path.
    Group(String),
    /// A virtual machine of QEMU, by its name.
    Machine(String),
}

/// Where control groups are.
const ROOT: &str = "/sys/fs/cgroup";

impl Owner {
    fn has(&self, kernel: &dyn Kernel, process: &[Thread], thread: &Thread) -> io::Result<bool> {
        Ok(match self {
            Self::Process(name) => {
                let is_first = |one: &&Thread| one.thread == one.process;
                let first = process.iter().find(is_first);
                first.is_some_and(|first| first.name == *name)
                    || thread.process.to_string() == *name
            }
            Self::Group(path) => group_of(kernel, thread)?.is_some_and(|own| is_below(&own, path)),
            Self::Machine(name) => machine_of(kernel, thread.process).as_ref() == Some(name),
        })
    }
}

/// The same of a report, which has no `/proc/PID/task`.
fn of_report(kernel: &dyn Kernel, owners: &[Owner]) -> BTreeSet<u32> {
    let all = reported(kernel);
    let is = |thread: &Reported, owner: &Owner| match owner {
        Owner::Process(name) => {
            let first = all.get(&thread.process).and_then(|first| first.name.as_ref());
            first == Some(name) || thread.process.to_string() == *name
        }
        Owner::Group(path) => {
            let groups = thread.group.iter().flat_map(|text| text.lines());
            groups.filter_map(|line| line.rsplit(':').next()).any(|own| is_below(own, path))
        }
        Owner::Machine(name) => thread.vm.as_ref() == Some(name),
    };
    let wanted = all.iter().filter(|(_, thread)| owners.iter().any(|owner| is(thread, owner)));
    wanted.filter_map(|(number, _)| u32::try_from(*number).ok()).collect()
}

/// Whether a group is another one, or below it.
fn is_below(own: &str, path: &str) -> bool {
    let plain = |path: &str| path.strip_prefix(ROOT).unwrap_or(path).trim_matches('/').to_owned();
    let (own, path) = (plain(own), plain(path));
    path.is_empty() || own == path || own.starts_with(&format!("{path}/"))
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name) = match self {
            Self::Process(name) => ("process", name),
            Self::Group(name) => ("control group", name),
            Self::Machine(name) => ("virtual machine", name),
        };
        write!(f, "{kind} {}", visible(name))
    }
}

/// The threads that belong to one of these, by number.
///
/// # Errors
/// The machine does not say.
pub fn threads_of(kernel: &dyn Kernel, owners: &[Owner]) -> io::Result<BTreeSet<u32>> {
    let mut all = BTreeSet::new();
    if owners.is_empty() {
        return Ok(all);
    }
    let mut is_there = false;
    for name in kernel.list("/proc")? {
        let Ok(number) = name.parse() else { continue };
        let process = of_process(kernel, number)?;
        is_there |= !process.is_empty();
        for thread in &process {
            for owner in owners {
                if owner.has(kernel, &process, thread)? {
                    all.extend(u32::try_from(thread.thread).ok());
                    break;
                }
            }
        }
    }
    Ok(if is_there { all } else { of_report(kernel, owners) })
}
