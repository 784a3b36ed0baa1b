//! A change with the previous state: an entry of the journal.
//!
//! Making a change twice, or undoing one that was not made, leaves the machine as it was.

use crate::machine::{Kernel, Policy, Thread, group_of, is_gone, is_there};
use crate::runtimes::{FEATURES, RuntimesEnd, runtimes_end};
use crate::shield;
use serde::{Deserialize, Serialize};
use std::io;
use vorrang_quote::visible;

/// A change and what undoes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// A control group is made.
    MakeGroup {
        /// Its folder.
        path: String,
    },
    /// A text is written into a file of the kernel.
    Write {
        /// The file.
        path: String,
        /// The text.
        text: String,
        /// The text that undoes it; none in a group of our own, which is removed.
        undo: Option<String>,
    },
    /// The module that shields processors from timers is loaded.
    LoadShield {
        /// Its file.
        path: String,
    },
    /// A process, with all its threads, gets another control group.
    MoveProcess {
        /// Its first thread.
        process: Thread,
        /// The folder of the group.
        group: String,
        /// Its threads, each with the group it had; the first one's is that of the process.
        before: Vec<(Thread, String)>,
    },
    /// A thread gets another control group of the same process.
    MoveThread {
        /// The thread.
        thread: Thread,
        /// The folder of the group.
        group: String,
        /// The one it had.
        before: String,
    },
    /// A thread may use other processors.
    SetAffinity {
        /// The thread.
        thread: Thread,
        /// The processors.
        cpus: Vec<u32>,
        /// Those it had.
        before: Vec<u32>,
    },
    /// A thread gets another policy.
    SetPolicy {
        /// Its name in the description.
        label: String,
        /// The thread.
        thread: Thread,
        /// The policy.
        policy: Policy,
        /// The one it had.
        before: Policy,
    },
}

/// Attempts to remove a group, whose members may still be ending.
const REMOVALS: u32 = 50;

impl Change {
    /// Makes it.
    ///
    /// # Errors
    /// The kernel refuses, and has changed nothing.
    pub(crate) fn make(&self, kernel: &mut dyn Kernel) -> io::Result<()> {
        match self {
            Self::MakeGroup { path } => kernel.make(path),
            Self::Write { path, text, .. } => kernel.write(path, text),
            Self::LoadShield { path } => kernel.load_module(path),
            Self::MoveProcess { process, group, .. } => {
                kernel.write(&format!("{group}/cgroup.procs"), &process.process.to_string())
            }
            Self::MoveThread { thread, group, .. } => {
                kernel.write(&format!("{group}/cgroup.threads"), &thread.thread.to_string())
            }
            Self::SetAffinity { thread, cpus, .. } => kernel.set_affinity(thread.thread, cpus),
            Self::SetPolicy { thread, policy, .. } => kernel.set_policy(thread.thread, policy),
        }
    }

    /// Verifies a change that the kernel may accept without effect.
    ///
    /// # Errors
    /// It does not.
    pub(crate) fn confirm(&self, kernel: &dyn Kernel) -> io::Result<()> {
        match self {
            Self::LoadShield { .. } => shield::check_version(kernel),
            Self::Write { path, text, .. } if path == FEATURES => match runtimes_end(kernel) {
                RuntimesEnd::ByTimer => Ok(()),
                _ => Err(io::Error::other(format!("the kernel does not show {text}"))),
            },
            Self::Write { path, text, .. } if path.ends_with("/cpuset.cpus.partition") => {
                let now = kernel.read(path)?;
                if now.trim() == text {
                    return Ok(());
                }
                Err(io::Error::other(format!("the kernel says \"{}\"", now.trim())))
            }
            _ => Ok(()),
        }
    }

    /// Undoes it, as far as it was made; for objects that no longer exist there is nothing to do.
    ///
    /// # Errors
    /// The kernel refuses.
    pub(crate) fn undo(&self, kernel: &mut dyn Kernel) -> io::Result<()> {
        let undone = match self {
            Self::MakeGroup { path } => remove_group(kernel, path),
            Self::Write { undo: None, .. } => Ok(()),
            Self::Write { path, undo: Some(undo), .. } => match kernel.read(path) {
                Ok(now) if now.trim() == undo => Ok(()),
                // An empty write would have no effect.
                Ok(_) if undo.is_empty() => kernel.write(path, "\n"),
                Ok(_) => kernel.write(path, undo),
                Err(why) => Err(why),
            },
            Self::LoadShield { .. } => kernel.unload_module(shield::MODULE),
            Self::MoveProcess { before, .. } => move_back(kernel, before),
            Self::MoveThread { thread, group, before } => {
                // Elsewhere it was not moved, or its process is where it was already.
                if is_there(kernel, thread)? && group_of(kernel, thread)?.as_ref() == Some(group) {
                    kernel.write(&format!("{before}/cgroup.threads"), &thread.thread.to_string())
                } else {
                    Ok(())
                }
            }
            Self::SetAffinity { thread, before, .. } => {
                if is_there(kernel, thread)? && kernel.affinity(thread.thread)? != *before {
                    kernel.set_affinity(thread.thread, before)
                } else {
                    Ok(())
                }
            }
            Self::SetPolicy { thread, before, .. } => {
                if is_there(kernel, thread)? && kernel.policy(thread.thread)? != *before {
                    kernel.set_policy(thread.thread, before)
                } else {
                    Ok(())
                }
            }
        };
        match undone {
            Err(why) if is_gone(&why) => Ok(()),
            other => other,
        }
    }

    /// The call or write, as one line.
    pub fn exact(&self) -> String {
        visible(&match self {
            Self::MakeGroup { path } => format!("mkdir {path}"),
            Self::Write { path, text, .. } => format!("write \"{text}\" to {path}"),
            Self::LoadShield { path } => format!("finit_module({path})"),
            Self::MoveProcess { process, group, .. } => {
                format!("write \"{}\" to {group}/cgroup.procs", process.process)
            }
            Self::MoveThread { thread, group, .. } => {
                format!("write \"{}\" to {group}/cgroup.threads", thread.thread)
            }
            Self::SetAffinity { thread, cpus, .. } => {
                format!("sched_setaffinity({}, {})", thread.thread, crate::machine::cpu_list(cpus))
            }
            Self::SetPolicy { thread, policy, .. } => {
                format!("sched_setattr({}, {})", thread.thread, described(policy))
            }
        })
    }
}

/// A policy as the manual writes it.
pub(crate) fn described(policy: &Policy) -> String {
    let Policy { runtime, deadline, period, priority, nice, .. } = policy;
    match policy.policy {
        Policy::OTHER => format!("SCHED_OTHER, nice {nice}"),
        Policy::IDLE => "SCHED_IDLE".to_owned(),
        Policy::FIFO => format!("SCHED_FIFO, priority {priority}"),
        Policy::ROUND_ROBIN => format!("SCHED_RR, priority {priority}"),
        Policy::DEADLINE => {
            let reclaim =
                if policy.flags & Policy::RECLAIM == 0 { "" } else { ", SCHED_FLAG_RECLAIM" };
            format!(
                "SCHED_DEADLINE, runtime {runtime}, deadline {deadline}, period {period}{reclaim}"
            )
        }
        other => format!("policy {other}"),
    }
}

/// Members are moved to the parent, then the folder is removed.
fn remove_group(kernel: &mut dyn Kernel, path: &str) -> io::Result<()> {
    let parent = path.rsplit_once('/').map_or(path, |(parent, _)| parent).to_owned();
    for attempt in 1.. {
        for file in ["cgroup.procs", "cgroup.threads"] {
            // A threaded group has a list of threads only.
            let members = kernel.read(&format!("{path}/{file}")).unwrap_or_default();
            for member in members.lines() {
                // One that ends meanwhile is no member any more.
                kernel
                    .write(&format!("{parent}/{file}"), member)
                    .or_else(|why| if is_gone(&why) { Ok(()) } else { Err(why) })?;
            }
        }
        match kernel.remove(path) {
            Err(why) if why.raw_os_error() == Some(libc::EBUSY) && attempt < REMOVALS => {
                kernel.wait();
            }
            other => return other,
        }
    }
    unreachable!("the loop returns")
}

fn move_back(kernel: &mut dyn Kernel, before: &[(Thread, String)]) -> io::Result<()> {
    let Some((process, group)) = before.first() else { return Ok(()) };
    if !is_there(kernel, process)? {
        // Threads that go on without the first one are moved with it; those that are ending cannot be moved,
        // though they may still have to run for that.
        let _unused = kernel.write(&format!("{group}/cgroup.procs"), &process.process.to_string());
        return Ok(());
    }
    if group_of(kernel, process)?.as_ref() != Some(group) {
        kernel.write(&format!("{group}/cgroup.procs"), &process.process.to_string())?;
    }
    for (thread, group) in before {
        if is_there(kernel, thread)? && group_of(kernel, thread)?.as_ref() != Some(group) {
            kernel.write(&format!("{group}/cgroup.threads"), &thread.thread.to_string())?;
        }
    }
    Ok(())
}
