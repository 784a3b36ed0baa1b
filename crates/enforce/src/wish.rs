//! The intended state of a thread, before its present one is known.

use crate::change::{Change, described};
use crate::groups::{self, GROUP};
use crate::machine::{
    Kernel, Policy, Thread, await_affinity, cpu_list, group_of, is_there, last_processor,
    of_process,
};
use crate::who::Who;
use std::io;

/// The intended state of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Its process is to be in a group.
    MoveProcess {
        /// The folder of the group.
        group: String,
    },
    /// It is to be in a group.
    Move {
        /// The folder of the group.
        group: String,
    },
    /// It is to be in the group of the domain in which it ran last, so that the kernel sees that it may use
    /// all of it.
    Stage {
        /// The processors of everything else.
        rest: Vec<u32>,
    },
    /// Among everything else, it is to be allowed on all of these processors.
    SetAffinity {
        /// The processors.
        cpus: Vec<u32>,
    },
    /// The kernel is to have moved it; no program may move it.
    AwaitAffinity {
        /// The processor.
        cpu: u32,
    },
    /// It is to have a policy.
    SetPolicy {
        /// The policy.
        policy: Policy,
    },
    /// It is to be where it was put, by the policy it was given.
    Verify {
        /// The processor.
        cpu: u32,
        /// The policy.
        policy: Policy,
    },
}

impl Wish {
    /// The change with the present state of the thread; `None` if nothing has to be changed.
    pub(crate) fn prepare(
        &self,
        kernel: &dyn Kernel,
        label: &str,
        thread: Thread,
    ) -> io::Result<Option<Change>> {
        match self {
            Self::MoveProcess { group } => move_process(kernel, thread, group),
            Self::Move { group } => move_thread(kernel, thread, group.clone()),
            Self::Stage { rest } => {
                let group = stage(kernel, &thread, rest)?;
                move_thread(kernel, thread, group)
            }
            Self::SetAffinity { cpus } => {
                let before = kernel.affinity(thread.thread)?;
                let is_among_the_rest = known_group(kernel, &thread)? == GROUP;
                let change = Change::SetAffinity { thread, cpus: cpus.clone(), before };
                Ok((is_among_the_rest && changes_affinity(&change)).then_some(change))
            }
            Self::AwaitAffinity { cpu } => {
                await_affinity(kernel, &thread, *cpu)?;
                Ok(None)
            }
            Self::SetPolicy { policy } => {
                let before = kernel.policy(thread.thread)?;
                let label = label.to_owned();
                let change = Change::SetPolicy { label, thread, policy: *policy, before };
                Ok((before != *policy).then_some(change))
            }
            Self::Verify { cpu, policy } => {
                await_affinity(kernel, &thread, *cpu)?;
                let now = kernel.policy(thread.thread)?;
                if now != *policy {
                    let why = format!("its policy is {}", described(&now));
                    return Err(io::Error::other(why));
                }
                Ok(None)
            }
        }
    }

    /// The call or write for a thread, as one line; one that does not exist yet by its name.
    pub(crate) fn exact(&self, who: &Who) -> String {
        let thread = who.number(|thread| thread.thread);
        match self {
            Self::MoveProcess { group } => {
                let process = who.number(|thread| thread.process);
                format!("write \"{process}\" to {group}/cgroup.procs")
            }
            Self::Move { group } => format!("write \"{thread}\" to {group}/cgroup.threads"),
            Self::Stage { .. } => format!("leave {thread} in the domain where it ran last"),
            Self::SetAffinity { cpus } => {
                format!("sched_setaffinity({thread}, {})", cpu_list(cpus))
            }
            Self::AwaitAffinity { cpu } => {
                format!("wait until the kernel has moved {thread} to {cpu}")
            }
            Self::SetPolicy { policy } => format!("sched_setattr({thread}, {})", described(policy)),
            Self::Verify { cpu, policy } => {
                format!("check that {thread} runs on {cpu} by {}", described(policy))
            }
        }
    }
}

fn changes_affinity(change: &Change) -> bool {
    matches!(change, Change::SetAffinity { cpus, before, .. } if cpus != before)
}

/// The group of a thread, without which it could not be put back.
fn known_group(kernel: &dyn Kernel, thread: &Thread) -> io::Result<String> {
    group_of(kernel, thread)?.ok_or_else(|| io::Error::other("its group is unknown"))
}

fn move_thread(kernel: &dyn Kernel, thread: Thread, group: String) -> io::Result<Option<Change>> {
    let before = known_group(kernel, &thread)?;
    Ok((before != group).then_some(Change::MoveThread { thread, group, before }))
}

/// The process goes with all its threads, unless it is there for another thread of it already, which must not be
/// moved back.
fn move_process(kernel: &dyn Kernel, thread: Thread, group: &str) -> io::Result<Option<Change>> {
    let now = known_group(kernel, &thread)?;
    if now == group || groups::is_own(&now) {
        return Ok(None);
    }
    let mut before = Vec::new();
    for thread in of_process(kernel, thread.process)? {
        // The first one may have ended while others go on: it stays where it is.
        if is_there(kernel, &thread)?
            && let Some(now) = group_of(kernel, &thread)?
        {
            before.push((thread, now));
        }
    }
    before.sort_by_key(|(thread, _)| thread.thread != thread.process);
    let process = before.first().map_or(thread, |(first, _)| first.clone());
    Ok(Some(Change::MoveProcess { process, group: group.to_owned(), before }))
}

/// The group of the domain in which a thread ran last: asleep, it still belongs to that one.
fn stage(kernel: &dyn Kernel, thread: &Thread, rest: &[u32]) -> io::Result<String> {
    let last = last_processor(kernel, thread)?.filter(|cpu| !rest.contains(cpu));
    let partition = last.map(groups::of_cpu).filter(|group| kernel.list(group).is_ok());
    Ok(partition.unwrap_or_else(|| GROUP.to_owned()))
}
