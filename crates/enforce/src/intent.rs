//! A step of a plan: what is to be changed, before what is there is known.

use crate::change::{Change, described, is_there};
use crate::machine::{
    Kernel, LOOKS, Policy, Thread, all_threads, await_affinity, cpu_list, group_of, last_processor,
    of_process,
};
use crate::plan::{GROUP, Selector, Unresolved, group_of_cpu};
use crate::runtimes::{BY_TICK, BY_TIMER, FEATURES, RuntimesEnd, runtimes_end};
use crate::shield;
use std::io;
use vorrang_quote::visible;

/// A thread of the machine that stands for something of the description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// Its full name in the description.
    pub label: String,
    /// How it is found.
    pub selector: Selector,
    /// The thread, if it is there already.
    pub known: Option<Thread>,
}

/// What is to be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// A control group is to be there.
    MakeGroup {
        /// Its folder.
        path: String,
    },
    /// A controller is to be available in the groups below a folder.
    EnableCpuset {
        /// The folder.
        group: String,
    },
    /// A file is to hold a text.
    Write {
        /// The file.
        path: String,
        /// The text.
        text: String,
    },
    /// Runtimes are to end when they are used up.
    EndRuntimesByTimer,
    /// The module that shields processors from timers is to be loaded.
    LoadShield {
        /// Its file.
        path: String,
    },
    /// The process of a thread is to be in a group.
    MoveProcess {
        /// The thread.
        who: Who,
        /// The folder of the group.
        group: String,
    },
    /// A thread is to be in a group.
    MoveThread {
        /// Which.
        who: Who,
        /// The folder of the group.
        group: String,
    },
    /// A thread is to be in the group of the domain in which it ran last, so that the kernel sees
    /// that it may use all of it.
    StageThread {
        /// Which.
        who: Who,
        /// The processors of everything else.
        rest: Vec<u32>,
    },
    /// A thread among everything else is to be allowed on all of these processors.
    SetAffinity {
        /// Which.
        who: Who,
        /// The processors.
        cpus: Vec<u32>,
    },
    /// The kernel is to have moved a thread that nobody else may move.
    AwaitAffinity {
        /// Which.
        who: Who,
        /// The processor.
        cpu: u32,
    },
    /// A thread is to be where it was put, by the policy it was given.
    Verify {
        /// Which.
        who: Who,
        /// The processor.
        cpu: u32,
        /// The policy.
        policy: Policy,
    },
    /// A thread is to have a policy.
    SetPolicy {
        /// Which.
        who: Who,
        /// The policy.
        policy: Policy,
    },
}

/// Why a step could not be prepared.
#[derive(Debug)]
pub(crate) enum Unprepared {
    /// The thread is not there, or several are.
    Thread(Unresolved),
    /// The kernel did not answer.
    Kernel(io::Error),
}

impl From<io::Error> for Unprepared {
    fn from(why: io::Error) -> Self {
        Self::Kernel(why)
    }
}

impl Intent {
    /// The change with what is there now; `None` if nothing has to be changed.
    pub(crate) fn prepare(&self, kernel: &dyn Kernel) -> Result<Option<Change>, Unprepared> {
        Ok(match self {
            Self::MakeGroup { path } => {
                kernel.list(path).is_err().then(|| Change::MakeGroup { path: path.clone() })
            }
            Self::EnableCpuset { group } => {
                let path = format!("{group}/cgroup.subtree_control");
                let enabled = kernel.read(&path)?.split_whitespace().any(|name| name == "cpuset");
                let undo = (!is_own(&path)).then(|| "-cpuset".to_owned());
                (!enabled).then(|| Change::Write { path, text: "+cpuset".to_owned(), undo })
            }
            Self::Write { path, text } => {
                let now = kernel.read(path)?.trim().to_owned();
                let differs = now != *text;
                let undo = (!is_own(path)).then_some(now);
                differs.then(|| Change::Write { path: path.clone(), text: text.clone(), undo })
            }
            Self::EndRuntimesByTimer => {
                (runtimes_end(kernel) == RuntimesEnd::ByTick).then(|| Change::Write {
                    path: FEATURES.to_owned(),
                    text: BY_TIMER.to_owned(),
                    undo: Some(BY_TICK.to_owned()),
                })
            }
            Self::LoadShield { path } => {
                (!shield::is_loaded(kernel)).then(|| Change::LoadShield { path: path.clone() })
            }
            Self::MoveProcess { who, group } => {
                let thread = who.find(kernel)?;
                let threads = of_process(kernel, thread.process);
                let first = threads.iter().find(|one| one.thread == one.process).cloned();
                let process = first.unwrap_or(thread);
                let mut before: Vec<_> = threads
                    .into_iter()
                    .filter_map(|thread| Some((thread.clone(), group_of(kernel, &thread)?)))
                    .collect();
                before.sort_by_key(|(thread, _)| thread.thread != thread.process);
                // A second reserved thread of the process: the first one must not be moved back.
                let is_in =
                    before.first().is_some_and(|(_, now)| now == group || is_below(now, group));
                (!is_in).then(|| Change::MoveProcess { process, group: group.clone(), before })
            }
            Self::MoveThread { who, group } => {
                let thread = who.find(kernel)?;
                let before = group_of(kernel, &thread).unwrap_or_default();
                let group = group.clone();
                (before != group).then_some(Change::MoveThread { thread, group, before })
            }
            Self::StageThread { who, rest } => {
                let thread = who.find(kernel)?;
                let last = last_processor(kernel, &thread).filter(|cpu| !rest.contains(cpu));
                let group = last.map(group_of_cpu).filter(|group| kernel.list(group).is_ok());
                let group = group.unwrap_or_else(|| GROUP.to_owned());
                let before = group_of(kernel, &thread).unwrap_or_default();
                (before != group).then_some(Change::MoveThread { thread, group, before })
            }
            Self::SetAffinity { who, cpus } => {
                let thread = who.find(kernel)?;
                let before = kernel.affinity(thread.thread)?;
                let is_among_the_rest =
                    group_of(kernel, &thread).is_some_and(|group| group == GROUP);
                (is_among_the_rest && before != *cpus).then(|| Change::SetAffinity {
                    thread,
                    cpus: cpus.clone(),
                    before,
                })
            }
            Self::AwaitAffinity { who, cpu } => {
                let thread = who.find(kernel)?;
                await_affinity(kernel, &thread, *cpu)?;
                None
            }
            Self::SetPolicy { who, policy } => {
                let thread = who.find(kernel)?;
                let before = kernel.policy(thread.thread)?;
                let change = || Change::SetPolicy {
                    label: who.label.clone(),
                    thread,
                    policy: *policy,
                    before,
                };
                (before != *policy).then(change)
            }
            Self::Verify { who, cpu, policy } => {
                let thread = who.find(kernel)?;
                await_affinity(kernel, &thread, *cpu)?;
                let now = kernel.policy(thread.thread)?;
                if now != *policy {
                    return Err(
                        io::Error::other(format!("its policy is {}", described(&now))).into()
                    );
                }
                None
            }
        })
    }

    /// The call or write, as one line; a thread that is not there yet by what it is called.
    pub fn exact(&self) -> String {
        visible(&match self {
            Self::MakeGroup { path } => format!("mkdir {path}"),
            Self::EnableCpuset { group } => {
                format!("write \"+cpuset\" to {group}/cgroup.subtree_control")
            }
            Self::Write { path, text } => format!("write \"{text}\" to {path}"),
            Self::EndRuntimesByTimer => format!("write \"{BY_TIMER}\" to {FEATURES}"),
            Self::LoadShield { path } => {
                format!("finit_module({path}), which shields no processor yet")
            }
            Self::MoveProcess { who, group } => {
                format!("write \"{}\" to {group}/cgroup.procs", who.number(|thread| thread.process))
            }
            Self::MoveThread { who, group } => {
                format!(
                    "write \"{}\" to {group}/cgroup.threads",
                    who.number(|thread| thread.thread)
                )
            }
            Self::StageThread { who, .. } => {
                format!(
                    "leave {} in the domain where it ran last",
                    who.number(|thread| thread.thread)
                )
            }
            Self::SetAffinity { who, cpus } => {
                format!(
                    "sched_setaffinity({}, {})",
                    who.number(|thread| thread.thread),
                    cpu_list(cpus)
                )
            }
            Self::AwaitAffinity { who, cpu } => {
                format!(
                    "wait until the kernel has moved {} to {cpu}",
                    who.number(|thread| thread.thread)
                )
            }
            Self::Verify { who, cpu, policy } => format!(
                "check that {} runs on {cpu} by {}",
                who.number(|thread| thread.thread),
                described(policy)
            ),
            Self::SetPolicy { who, policy } => {
                format!(
                    "sched_setattr({}, {})",
                    who.number(|thread| thread.thread),
                    described(policy)
                )
            }
        })
    }
}

/// Whether a file is in a group of our own.
fn is_own(path: &str) -> bool {
    is_below(path, GROUP)
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

impl Who {
    /// The thread; waited for if the kernel is about to make it.
    fn find(&self, kernel: &dyn Kernel) -> Result<Thread, Unprepared> {
        let mut found = self.now(kernel);
        for _ in 0..LOOKS {
            if found.is_ok() || !self.selector.may_come() {
                break;
            }
            kernel.wait();
            found = self.now(kernel);
        }
        found.map_err(Unprepared::Thread)
    }

    /// The thread as it is now.
    pub(crate) fn now(&self, kernel: &dyn Kernel) -> Result<Thread, Unresolved> {
        match self.known.clone().filter(|thread| is_there(kernel, thread)) {
            Some(known) => Ok(known),
            None => self.selector.find(kernel, &all_threads(kernel)),
        }
    }

    fn number(&self, of: impl Fn(&Thread) -> i32) -> String {
        self.known
            .as_ref()
            .map_or_else(|| self.selector.to_string(), |thread| of(thread).to_string())
    }
}
