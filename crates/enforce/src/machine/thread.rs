//! Threads of a machine, by the files of `/proc`.

use super::kernel::Kernel;
use super::list::cpu_list;
use crate::groups;
use serde::{Deserialize, Serialize};
use std::io;

/// The number of samples of a thread that the kernel is about to create or move, ten milliseconds apart.
pub(crate) const LOOKS: u32 = 200;

/// A thread with a unique identity: numbers are reused, start times are not.
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
pub(crate) fn all(kernel: &dyn Kernel) -> io::Result<Vec<Thread>> {
    let mut all = Vec::new();
    for name in kernel.list("/proc")? {
        if let Ok(process) = name.parse() {
            all.extend(of_process(kernel, process)?);
        }
    }
    Ok(all)
}

/// The threads of a process that have not ended; its first one, which has its name, as long as another goes on.
///
/// # Errors
/// It is unknown, which differs from there being none.
pub fn of_process(kernel: &dyn Kernel, process: i32) -> io::Result<Vec<Thread>> {
    let (mut threads, mut goes_on) = (Vec::new(), false);
    for number in gone_is_none(kernel.list(&format!("/proc/{process}/task")))?.unwrap_or_default() {
        let Ok(thread) = number.parse() else { continue };
        let name = gone_is_none(kernel.read(&format!("/proc/{process}/task/{thread}/comm")))?;
        let (Some(name), Some(of_it)) = (name, Stat::of(kernel, process, thread)?) else {
            continue;
        };
        let Some(start) = of_it.number(22) else { continue };
        if !of_it.has_ended() || thread == process {
            let name = name.trim_end_matches('\n').to_owned();
            threads.push(Thread { thread, process, start, name });
            goes_on |= !of_it.has_ended();
        }
    }
    Ok(if goes_on { threads } else { Vec::new() })
}

/// Whether it is the same thread still. A zombie is not: the kernel no longer moves it.
///
/// # Errors
/// It is unknown.
pub fn is_there(kernel: &dyn Kernel, thread: &Thread) -> io::Result<bool> {
    let stat = Stat::of(kernel, thread.process, thread.thread)?;
    Ok(stat.is_some_and(|stat| stat.number(22) == Some(thread.start) && !stat.has_ended()))
}

/// Whether the kernel itself keeps the thread where it is (`PF_NO_SETAFFINITY`).
///
/// # Errors
/// It is unknown.
pub fn may_not_be_moved(kernel: &dyn Kernel, thread: &Thread) -> io::Result<bool> {
    has_flag(kernel, thread, 0x0400_0000)
}

/// Whether it is a thread of the kernel (`PF_KTHREAD`).
///
/// # Errors
/// It is unknown.
pub fn is_of_kernel(kernel: &dyn Kernel, thread: &Thread) -> io::Result<bool> {
    has_flag(kernel, thread, 0x0020_0000)
}

fn has_flag(kernel: &dyn Kernel, thread: &Thread, flag: u64) -> io::Result<bool> {
    let stat = Stat::of(kernel, thread.process, thread.thread)?;
    Ok(stat.and_then(|stat| stat.number(9)).is_some_and(|flags: u64| flags & flag != 0))
}

/// The processor on which a thread ran last: asleep, it still belongs to that one's domain.
pub(crate) fn last_processor(kernel: &dyn Kernel, thread: &Thread) -> io::Result<Option<u32>> {
    let stat = Stat::of(kernel, thread.process, thread.thread)?;
    Ok(stat.and_then(|stat| stat.number(39)))
}

/// Waits for the kernel to move a thread, which it may do in the background.
///
/// # Errors
/// It does not.
pub fn await_affinity(kernel: &dyn Kernel, thread: &Thread, cpu: u32) -> io::Result<()> {
    for _ in 0..LOOKS {
        if kernel.affinity(thread.thread)? == [cpu] {
            return Ok(());
        }
        kernel.wait();
    }
    let now = cpu_list(&kernel.affinity(thread.thread)?);
    Err(io::Error::other(format!("the kernel keeps it on processors {now}")))
}

/// The control group of a thread, as a folder; `None` if it has ended, or there are no groups.
///
/// # Errors
/// The kernel does not say.
pub fn group_of(kernel: &dyn Kernel, thread: &Thread) -> io::Result<Option<String>> {
    let path = format!("/proc/{}/task/{}/cgroup", thread.process, thread.thread);
    let Some(text) = gone_is_none(kernel.read(&path))? else { return Ok(None) };
    let group = text.lines().find_map(|line| line.strip_prefix("0::"));
    Ok(group.map(|group| format!("{}{}", groups::ROOT, group.trim_end_matches('/'))))
}

/// There is no such file, thread or device any more.
pub(crate) fn is_gone(why: &io::Error) -> bool {
    matches!(why.raw_os_error(), Some(libc::ENOENT | libc::ESRCH | libc::ENODEV))
        || why.kind() == io::ErrorKind::NotFound
}

/// An object that does not exist is an answer; every other error is one.
pub(crate) fn gone_is_none<T>(answer: io::Result<T>) -> io::Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(why) if is_gone(&why) => Ok(None),
        Err(why) => Err(why),
    }
}

/// The line of the kernel about a thread.
struct Stat(String);

impl Stat {
    fn of(kernel: &dyn Kernel, process: i32, thread: i32) -> io::Result<Option<Self>> {
        let text = kernel.read(&format!("/proc/{process}/task/{thread}/stat"));
        Ok(gone_is_none(text)?.map(Self))
    }

    /// A field, counted from 1; the second is the name, which may hold anything.
    fn field(&self, number: usize) -> Option<&str> {
        let (_, behind_name) = self.0.rsplit_once(')')?;
        behind_name.split_whitespace().nth(number - 3)
    }

    /// Its parent may not have collected it yet.
    fn has_ended(&self) -> bool {
        self.field(3).is_some_and(|state| matches!(state, "Z" | "X"))
    }

    fn number<T: std::str::FromStr>(&self, field: usize) -> Option<T> {
        self.field(field)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Linux;

    #[test]
    fn this_thread_is_among_all() {
        let process = i32::try_from(std::process::id()).expect("a number of a process");
        let own = of_process(&Linux, process).expect("it may look");
        assert!(own.iter().any(|thread| thread.thread == process), "{own:?}");
        assert!(own.iter().all(|thread| is_there(&Linux, thread).expect("it may look")));
        assert!(!may_not_be_moved(&Linux, &own[0]).expect("it may look"));
        assert!(!is_of_kernel(&Linux, &own[0]).expect("it may look"));
    }
}
