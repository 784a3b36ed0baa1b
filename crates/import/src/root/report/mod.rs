//! Threads of an unpacked report of `sos`, which has no `/proc/PID/task`.
//!
//! **Model.** Several files say something of a thread, by its number. They are of one machine and one minute.
//!
//! | file | says |
//! |---|---|
//! | `sos_commands/process/ps_*` | processes and threads with priorities; of processes the policy, the name, the group, and the processor on which the first thread ran last |
//! | `/proc/sched_debug`, `/sys/kernel/debug/sched/debug` | names, priorities, groups and processors of all threads |
//! | `sos_commands/process/pidstat_*` | names of threads |
//! | `/proc/PID/status`, `/proc/PID/cgroup` | where the first thread of a process may run, its name and group |
//! | `/run/libvirt/qemu/*.xml`, `sos_commands/virsh/taskset_*` | threads of virtual processors; where they may run |
//!
//! **Not covered.** Where other threads may run, which is in no file; and whether a thread that is not the first of its
//! process is of `SCHED_FIFO` or `SCHED_RR`.
//!
//! **Source.** sos/report/plugins/process.py, virsh.py and libvirt.py of sos, of 2026.

mod debug;
mod domain;
mod ps;
mod statistics;

use super::folder::files;
use super::names;
use crate::found::Policy;
use std::collections::BTreeMap;
use vorrang_enforce::{Kernel, cpus_of};

const PROCESSES: &str = "/sos_commands/process";
const DEBUG: [&str; 2] = ["/proc/sched_debug", "/sys/kernel/debug/sched/debug"];

/// A thread as a report has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reported {
    /// The number of its process.
    pub process: i32,
    /// Its name, if a file has it.
    pub name: Option<String>,
    /// Its control groups, as `/proc/PID/cgroup` has them.
    pub group: Option<String>,
    /// The file that says its policy.
    pub(super) from: String,
    pub(super) policy: Option<Policy>,
    pub(super) is_of_kernel: bool,
    pub(super) ran_on: Option<u32>,
    pub(super) vcpu: Option<u32>,
    /// Where it may run.
    pub cpus: Option<Vec<u32>>,
    /// The virtual machine that its process is.
    pub vm: Option<String>,
}

impl Reported {
    /// Whether it is known to be of `SCHED_RR`.
    pub fn takes_turns(&self) -> bool {
        matches!(self.policy, Some(Policy::RoundRobin(_)))
    }

    /// One that names the policy counts more than one that shows a priority only.
    fn is_scheduled(&mut self, policy: Option<Policy>, from: &str) {
        let Some(policy) = policy else { return };
        let is_vague = self.policy.is_none_or(|own| matches!(own, Policy::RealTime(_)));
        if is_vague && !(self.policy.is_some() && matches!(policy, Policy::RealTime(_))) {
            self.policy = Some(policy);
            from.clone_into(&mut self.from);
        }
    }
}

/// The threads of a report by their numbers; none where it has none.
pub fn reported(root: &dyn Kernel) -> BTreeMap<i32, Reported> {
    let mut all = BTreeMap::new();
    for path in files(root, PROCESSES, "") {
        let name = path.rsplit('/').next().unwrap_or_default();
        let Ok(text) = root.read(&path) else { continue };
        if name.starts_with("ps_") {
            of_ps(&path, &text, &mut all);
        } else if name.starts_with("pidstat_") {
            for (thread, name) in statistics::names(&text) {
                let known = all.entry(thread).or_default();
                known.name.get_or_insert_with(|| name.to_owned());
            }
        }
    }
    // Without those it is no report, but a machine that runs.
    if all.is_empty() {
        return all;
    }
    for path in DEBUG {
        of_debug(path, &root.read(path).unwrap_or_default(), &mut all);
    }
    for (thread, vm, number) in domain::virtual_processors(root) {
        let known = all.entry(thread).or_default();
        (known.vm, known.vcpu) = (Some(vm), Some(number));
    }
    for (thread, cpus) in domain::affinities(root) {
        all.entry(thread).or_default().cpus = Some(cpus);
    }
    of_processes(root, &mut all);
    all
}

fn of_ps(path: &str, text: &str, all: &mut BTreeMap<i32, Reported>) {
    /// Threads of the kernel, and where they are from.
    const KTHREADD: i32 = 2;
    for line in ps::lines(text) {
        let known = all.entry(line.thread).or_default();
        known.process = line.process;
        known.is_of_kernel |= line.parent == Some(KTHREADD) || line.process == KTHREADD;
        known.is_scheduled(line.policy, path);
        known.ran_on = known.ran_on.or(line.ran_on);
        known.name = known.name.take().or(line.name);
        known.vm = known.vm.take().or_else(|| line.command.and_then(machine));
        let group = || line.group.map(str::to_owned).filter(|group| group != "-");
        known.group = known.group.take().or_else(group);
    }
}

fn of_debug(path: &str, text: &str, all: &mut BTreeMap<i32, Reported>) {
    for line in debug::lines(text) {
        // One that no other file has came or went meanwhile.
        let Some(known) = all.get_mut(&line.thread) else { continue };
        known.is_scheduled(line.policy, path);
        known.ran_on = line.ran_on.or(known.ran_on);
        known.name = Some(line.name.to_owned());
        known.group = known.group.take().or_else(|| line.group.map(str::to_owned));
    }
}

/// What the files of processes say, and what threads have of their process.
fn of_processes(root: &dyn Kernel, all: &mut BTreeMap<i32, Reported>) {
    let first: Vec<i32> =
        all.iter().filter(|(own, of)| **own == of.process).map(|of| *of.0).collect();
    for process in first {
        let status = root.read(&format!("/proc/{process}/status")).unwrap_or_default();
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        let cpus = field("Cpus_allowed_list:").and_then(cpus_of).filter(|cpus| !cpus.is_empty());
        let group = root.read(&format!("/proc/{process}/cgroup")).ok();
        let Some(known) = all.get_mut(&process) else { continue };
        known.cpus = known.cpus.take().or(cpus);
        let name = field("Name:").map(|name| name.trim().to_owned());
        known.name = known.name.take().or(name);
        known.group = group.or_else(|| known.group.take());
    }
    let of_process: BTreeMap<i32, (Option<String>, Option<String>, bool)> = all
        .iter()
        .filter(|(own, of)| **own == of.process)
        .map(|(own, of)| (*own, (of.vm.clone(), of.group.clone(), of.is_of_kernel)))
        .collect();
    for known in all.values_mut() {
        if let Some((vm, group, is_of_kernel)) = of_process.get(&known.process) {
            known.vm = known.vm.take().or_else(|| vm.clone());
            known.group = known.group.take().or_else(|| group.clone());
            known.is_of_kernel |= is_of_kernel;
        }
    }
}

/// The name of the virtual machine that a program with its arguments is.
fn machine(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    words.find(|word| *word == "-name")?;
    names::machine(words.next()?)
}
