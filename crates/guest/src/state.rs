//! The state of a machine, as lines: everything that setting policies and processors may change.
//!
//! Policies are asked for by this program's own call, groups and interrupts by their files: nothing is
//! shared with what is tested. Threads that begin or end in between are no difference.

use crate::policy;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of the kernel, as paths with one `*` for a folder.
const FILES: &[&str] = &[
    "/proc/irq/default_smp_affinity",
    "/proc/irq/*/smp_affinity",
    "/proc/sys/kernel/sched_rt_runtime_us",
    "/sys/class/net/*/threaded",
    "/sys/kernel/debug/sched/features",
    "/sys/module/timer_shield/parameters/cpus",
];
/// Files of a control group.
const OF_GROUP: &[&str] = &[
    "cgroup.type",
    "cgroup.subtree_control",
    "cpuset.cpus",
    "cpuset.cpus.exclusive",
    "cpuset.cpus.partition",
    "cpuset.cpus.effective",
    "cpuset.cpus.isolated",
];

/// What is where, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    threads: BTreeMap<(i32, String), String>,
    others: BTreeMap<String, String>,
}

impl State {
    /// The state now.
    pub(crate) fn now() -> Self {
        let mut state = Self::default();
        for process in numbers(Path::new("/proc")) {
            for thread in numbers(Path::new(&format!("/proc/{process}/task"))) {
                state.thread(process, thread);
            }
        }
        for file in FILES {
            for path in expanded(file) {
                state.file(&path);
            }
        }
        state.group(Path::new("/sys/fs/cgroup"));
        state
    }

    fn thread(&mut self, process: i32, thread: i32) {
        let folder = PathBuf::from(format!("/proc/{process}/task/{thread}"));
        let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
        // What ends while it is looked at has no state.
        let (Some(name), Some(group)) = (read("comm"), read("cgroup")) else { return };
        let (Some(policy), Ok(set)) =
            (policy::told(thread), sched_getaffinity(Pid::from_raw(thread)))
        else {
            return;
        };
        let cpus: Vec<usize> =
            (0..CpuSet::count()).filter(|&cpu| set.is_set(cpu) == Ok(true)).collect();
        // Where the thread of an interrupt cannot be moved, it moves by itself when that comes next, to
        // where that is handled; where it may be handled is among the files.
        let follows = name.starts_with("irq/") && read("stat").is_some_and(|stat| is_fixed(&stat));
        let on = if follows { "its interrupt".to_owned() } else { format!("{cpus:?}") };
        let text = format!("{policy} on {on} in {}", group.trim());
        self.threads.insert((thread, name.trim().to_owned()), text);
    }

    fn file(&mut self, path: &Path) {
        if let Ok(text) = fs::read_to_string(path) {
            self.others.insert(path.display().to_string(), text.trim().to_owned());
        }
    }

    fn group(&mut self, folder: &Path) {
        self.others.insert(folder.display().to_string(), "a group".to_owned());
        for file in OF_GROUP {
            self.file(&folder.join(file));
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.group(&entry.path());
            }
        }
    }

    /// What another state has differently, one line each.
    pub(crate) fn differences(&self, now: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        for ((thread, name), before) in &self.threads {
            let after = now.threads.get(&(*thread, name.clone()));
            if let Some(after) = after.filter(|after| *after != before) {
                lines.push(format!("{name} ({thread}): {before}; now {after}"));
            }
        }
        let names = self
            .others
            .keys()
            .chain(now.others.keys().filter(|name| !self.others.contains_key(*name)));
        for name in names {
            let (before, after) = (self.others.get(name), now.others.get(name));
            if before != after {
                lines.push(format!("{name}: {before:?}; now {after:?}"));
            }
        }
        lines
    }
}

/// Whether the thread of this `stat` cannot be moved (`PF_NO_SETAFFINITY` among its flags, the seventh
/// word behind the name).
fn is_fixed(stat: &str) -> bool {
    const NO_SETAFFINITY: u64 = 0x0400_0000;
    let flags = stat.rsplit_once(')').and_then(|(_, words)| words.split_whitespace().nth(6));
    let flags = flags.and_then(|flags| flags.parse::<u64>().ok());
    flags.is_some_and(|flags| flags & NO_SETAFFINITY != 0)
}

/// The names in a folder that are numbers.
pub(crate) fn numbers(folder: &Path) -> Vec<i32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn expanded(pattern: &str) -> Vec<PathBuf> {
    let Some((before, after)) = pattern.split_once("/*/") else { return vec![pattern.into()] };
    let entries = fs::read_dir(before).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().join(after)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_thread_is_told_by_its_flags() {
        assert!(is_fixed("17 (migration/0) S 2 0 0 0 -1 69238848 0 0"));
        assert!(!is_fixed("115 (a) b) S 2 0 0 0 -1 2129984 0 0"));
    }

    #[test]
    fn nothing_differs_from_itself_and_a_change_does() {
        let before = State::now();
        assert!(!before.threads.is_empty());
        assert_eq!(before.differences(&before), Vec::<String>::new());
        let mut after = before.clone();
        after.others.insert("/sys/fs/cgroup/other".to_owned(), "a group".to_owned());
        after.threads.values_mut().next().expect("a thread").push('!');
        assert_eq!(before.differences(&after).len(), 2);
    }
}
