//! Threads that run: real-time ones, and the virtual processors of QEMU.
//!
//! **Model.** A virtual processor is the thread `CPU 0/KVM` of a process that was started with `-name`. Other threads
//! count where they are real-time, and no thread of the kernel. The parameters of `SCHED_DEADLINE` are in no file: so
//! they stay open.

use crate::found::{Machine, NAME, Policy, Thread, Word};
use vorrang_enforce::{Kernel, cpus_of, of_process};

pub(super) fn read(root: &dyn Kernel, machine: &mut Machine) {
    let processes = root.list("/proc").unwrap_or_default();
    for process in processes.iter().filter_map(|name| name.parse::<i32>().ok()) {
        let vm = vm_of(root, process);
        for thread in of_process(root, process).unwrap_or_default() {
            machine.irqbalance |= thread.name == "irqbalance";
            let folder = format!("/proc/{process}/task/{}", thread.thread);
            let Some((policy, is_of_kernel)) = policy(root, &folder) else { continue };
            let number = vcpu_number(&thread.name);
            if is_of_kernel
                || thread.name.len() > NAME
                || (number.is_none() && !policy.is_real_time())
            {
                continue;
            }
            let word =
                Word { from: folder.clone(), cpus: allowed(root, &folder), policy: Some(policy) };
            match (&vm, number) {
                (Some(vm), Some(number)) => add_vcpu(machine, vm, number, word),
                (None, Some(_)) => {
                    machine.lose(format!("{folder}: a virtual processor of a QEMU without -name"));
                }
                _ => add(root, machine, &folder, &thread.name, word),
            }
        }
    }
}

/// The number of a virtual processor, by the name of its thread.
fn vcpu_number(name: &str) -> Option<u32> {
    let (number, kind) = name.strip_prefix("CPU ")?.split_once('/')?;
    ["KVM", "TCG"].contains(&kind).then(|| number.parse().ok())?
}

/// The name of the virtual machine that a process is.
fn vm_of(root: &dyn Kernel, process: i32) -> Option<String> {
    let line = root.read(&format!("/proc/{process}/cmdline")).ok()?;
    let mut words = line.split('\0');
    words.find(|word| *word == "-name")?;
    let name =
        words.next()?.split(',').find(|part| !part.contains('=') || part.starts_with("guest="))?;
    let name = name.trim_start_matches("guest=");
    (name.len() <= NAME).then(|| name.to_owned())
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
fn add(root: &dyn Kernel, machine: &mut Machine, folder: &str, name: &str, word: Word) {
    let group = root.read(&format!("{folder}/cgroup")).unwrap_or_default();
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
