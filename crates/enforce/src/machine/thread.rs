//! Threads of a machine, by the files of `/proc`.

use super::{Kernel, cpu_list};
use serde::{Deserialize, Serialize};
use std::io;

/// Looks at a thread that the kernel is about to make or to move, ten milliseconds apart.
pub(crate) const LOOKS: u32 = 200;

/// A thread that no later one can be mistaken for: numbers are used again, beginnings are not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Thread {
    /// Its number.
    pub thread: i32,
    /// The number of its process.
    pub process: i32,
    /// When it began, in ticks since the boot.
    pub start: u64,
    /// Its name.
    pub name: String,
}

/// All threads; those that end meanwhile are left out.
pub(crate) fn all(kernel: &dyn Kernel) -> Vec<Thread> {
    let numbers = kernel.list("/proc").unwrap_or_default();
    let processes = numbers.iter().filter_map(|name| name.parse::<i32>().ok());
    processes.flat_map(|process| of_process(kernel, process)).collect()
}

/// The threads of a process.
pub fn of_process(kernel: &dyn Kernel, process: i32) -> Vec<Thread> {
    let tasks = kernel.list(&format!("/proc/{process}/task")).unwrap_or_default();
    let thread = |number: &String| {
        let thread: i32 = number.parse().ok()?;
        let name = kernel.read(&format!("/proc/{process}/task/{thread}/comm")).ok()?;
        let start = start_of(kernel, process, thread)?;
        Some(Thread { thread, process, start, name: name.trim_end_matches('\n').to_owned() })
    };
    tasks.iter().filter_map(thread).collect()
}

/// When a thread began; `None` if it is not there any more.
pub(crate) fn start_of(kernel: &dyn Kernel, process: i32, thread: i32) -> Option<u64> {
    field(kernel, process, thread, 22)?.parse().ok()
}

/// Whether a thread that can be seen has ended all the same.
pub(crate) fn has_ended(kernel: &dyn Kernel, process: i32, thread: i32) -> bool {
    field(kernel, process, thread, 3).is_some_and(|state| matches!(state.as_str(), "Z" | "X"))
}

/// Whether the kernel itself keeps the thread where it is (`PF_NO_SETAFFINITY`).
pub(crate) fn may_not_be_moved(kernel: &dyn Kernel, thread: &Thread) -> bool {
    const NO_SETAFFINITY: u64 = 0x0400_0000;
    let flags = field(kernel, thread.process, thread.thread, 9).and_then(|text| text.parse().ok());
    flags.is_some_and(|flags: u64| flags & NO_SETAFFINITY != 0)
}

/// The processor on which a thread ran last: asleep, it still belongs to that one's domain.
pub(crate) fn last_processor(kernel: &dyn Kernel, thread: &Thread) -> Option<u32> {
    field(kernel, thread.process, thread.thread, 39)?.parse().ok()
}

/// Waits for the kernel to move a thread, which it may do in the background.
pub(crate) fn await_affinity(kernel: &dyn Kernel, thread: &Thread, cpu: u32) -> io::Result<()> {
    for _ in 0..LOOKS {
        if kernel.affinity(thread.thread)? == [cpu] {
            return Ok(());
        }
        kernel.wait();
    }
    let now = cpu_list(&kernel.affinity(thread.thread)?);
    Err(io::Error::other(format!("the kernel keeps it on processors {now}")))
}

/// The control group of a thread, as a folder.
pub fn group_of(kernel: &dyn Kernel, thread: &Thread) -> Option<String> {
    let path = format!("/proc/{}/task/{}/cgroup", thread.process, thread.thread);
    let text = kernel.read(&path).ok()?;
    let group = text.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(format!("{}{}", crate::plan::GROUPS, group.trim_end_matches('/')))
}

/// A field of `stat`, counted from 1; the second is the name, which may hold anything.
fn field(kernel: &dyn Kernel, process: i32, thread: i32, number: usize) -> Option<String> {
    let text = kernel.read(&format!("/proc/{process}/task/{thread}/stat")).ok()?;
    let (_, behind_name) = text.rsplit_once(')')?;
    behind_name.split_whitespace().nth(number - 3).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Linux;

    #[test]
    fn this_thread_is_among_all() {
        let process = i32::try_from(std::process::id()).expect("a number of a process");
        let own = of_process(&Linux, process);
        assert!(own.iter().any(|thread| thread.thread == process), "{own:?}");
        assert!(
            own.iter().all(|thread| start_of(&Linux, process, thread.thread) == Some(thread.start))
        );
        assert!(!may_not_be_moved(&Linux, &own[0]));
    }
}
