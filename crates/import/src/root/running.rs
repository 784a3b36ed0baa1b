//! Threads that run: real-time ones, and the virtual processors of QEMU.
//!
//! **Model.** A virtual processor is the thread `CPU 0/KVM` of a process that was started with `-name`. Other threads
//! count where they are real-time, and no thread of the kernel. The parameters of `SCHED_DEADLINE` are in no file: so
//! they stay open. Where `/proc` has no threads, they are those of a report.

use super::names::{machine, vcpu_number};
use super::report::reported;
use crate::found::{Machine, NAME, Policy, Thread, Word};
use vorrang_enforce::{Kernel, cpus_of, of_process};

/// A thread that is looked at.
struct Running {
    /// What is known of it, and from where.
    word: Word,
    policy: Policy,
    name: Option<String>,
    vm: Option<String>,
    vcpu: Option<u32>,
    group: String,
}

pub(super) fn read(root: &dyn Kernel, machine: &mut Machine) {
    let mut is_there = false;
    let processes = root.list("/proc").unwrap_or_default();
    for process in processes.iter().filter_map(|name| name.parse::<i32>().ok()) {
        let vm = vm_of(root, process);
        for thread in of_process(root, process).unwrap_or_default() {
            is_there = true;
            let folder = format!("/proc/{process}/task/{}", thread.thread);
            let Some((policy, is_of_kernel)) = policy(root, &folder) else { continue };
            let (cpus, vcpu) = (allowed(root, &folder), vcpu_number(&thread.name));
            let group = root.read(&format!("{folder}/cgroup")).unwrap_or_default();
            let word = Word::new(&folder, cpus, Some(policy));
            let (name, vm) = (Some(thread.name), vm.clone());
            take(machine, Running { word, policy, name, vm, vcpu, group }, is_of_kernel);
        }
    }
    if !is_there {
        of_report(root, machine);
    }
}

/// The threads of an unpacked report.
fn of_report(root: &dyn Kernel, machine: &mut Machine) {
    for (number, thread) in reported(root) {
        let Some(policy) = thread.policy else { continue };
        let from = format!("{}: thread {number}", thread.from);
        let vcpu = thread.vcpu.or_else(|| vcpu_number(thread.name.as_deref()?));
        let word = Word { ran_on: thread.ran_on, ..Word::new(&from, thread.cpus, Some(policy)) };
        let (name, vm, group) = (thread.name, thread.vm, thread.group.unwrap_or_default());
        take(machine, Running { word, policy, name, vm, vcpu, group }, thread.is_of_kernel);
    }
}

fn take(machine: &mut Machine, thread: Running, is_of_kernel: bool) {
    let Running { word, policy, name, vm, vcpu, group } = thread;
    machine.irqbalance |= name.as_deref() == Some("irqbalance");
    let is_long = name.as_ref().is_some_and(|name| name.len() > NAME);
    if is_of_kernel || is_long || (vcpu.is_none() && !policy.is_real_time()) {
        return;
    }
    match (vm, vcpu, name) {
        (Some(vm), Some(number), _) => add_vcpu(machine, &vm, number, word),
        (None, Some(_), _) => {
            machine.lose(format!("{}: a virtual processor of a QEMU without -name", word.from));
        }
        (_, None, Some(name)) => add(machine, &name, &group, word),
        (vm, None, None) => {
            let of = vm.map(|vm| format!(" of {vm}")).unwrap_or_default();
            let said = policy.said();
            machine.lose(format!("{}: {said}{of}, whose name is in no file", word.from));
        }
    }
}

/// The name of the virtual machine that a process is.
fn vm_of(root: &dyn Kernel, process: i32) -> Option<String> {
    let line = root.read(&format!("/proc/{process}/cmdline")).ok()?;
    let mut words = line.split('\0');
    words.find(|word| *word == "-name")?;
    machine(words.next()?)
}

/// The policy, and whether it is a thread of the kernel (`PF_KTHREAD`).
fn policy(root: &dyn Kernel, folder: &str) -> Option<(Policy, bool)> {
    let text = root.read(&format!("{folder}/stat")).ok()?;
    let (_, behind_name) = text.rsplit_once(')')?;
    let fields: Vec<u64> =
        behind_name.split_whitespace().skip(1).map(|word| word.parse().unwrap_or(0)).collect();
    // The first of these is the fourth of the line.
    let field = |number: usize| fields.get(number - 4).copied();
    let priority = u32::try_from(field(40)?).ok()?;
    let policy = match field(41)? {
        1 => Policy::Fifo(priority),
        2 => Policy::RoundRobin(priority),
        6 => Policy::Deadline,
        _ => Policy::Other,
    };
    Some((policy, field(9)? & 0x0020_0000 != 0))
}

fn allowed(root: &dyn Kernel, folder: &str) -> Option<Vec<u32>> {
    let text = root.read(&format!("{folder}/status")).ok()?;
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    cpus_of(list).filter(|cpus| !cpus.is_empty())
}

fn add_vcpu(machine: &mut Machine, vm: &str, number: u32, word: Word) {
    let is = |thread: &&mut Thread| {
        thread.vcpu.as_ref().is_some_and(|(own, at)| own == vm && *at == number)
    };
    match machine.threads.iter_mut().find(is) {
        Some(known) => known.words.push(word),
        None => machine.threads.push(Thread::of_vm(vm, number, word)),
    }
}

/// A thread of a unit that is known, or another one.
fn add(machine: &mut Machine, name: &str, group: &str, word: Word) {
    let unit = group.lines().find_map(|line| line.rsplit('/').next().filter(|own| !own.is_empty()));
    let selector = format!("name:{name}");
    let is =
        |thread: &&mut Thread| Some(thread.name.as_str()) == unit && thread.selector == selector;
    match machine.threads.iter_mut().find(is) {
        Some(known) => known.words.push(word),
        None => machine.threads.push(Thread {
            vcpu: None,
            name: name.to_owned(),
            selector,
            words: vec![word],
        }),
    }
}
