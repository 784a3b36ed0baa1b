//! Threads of virtual machines that stand in each other's way.

use crate::finding::{Said, absent, costs};
use crate::look::{Look, Seen};
use crate::subject::Subject;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_enforce::cpu_list;

/// The threads of virtual processors by their process: `CPU 0/KVM`.
fn guests(look: &Look) -> BTreeMap<i32, Vec<Seen>> {
    let mut all: BTreeMap<i32, Vec<Seen>> = BTreeMap::new();
    for thread in look.threads(|name| name.starts_with("CPU ") && name.ends_with("/KVM")) {
        all.entry(thread.process).or_default().push(thread);
    }
    all
}

pub(crate) fn share(look: &Look, _: &Subject) -> Option<Said> {
    if let Some(none) = look.without_threads() {
        return Some(none);
    }
    let all = guests(look);
    for (process, threads) in &all {
        let allowed: Vec<Vec<u32>> = threads.iter().map(|thread| thread.allowed(look)).collect();
        let together: BTreeSet<u32> = allowed.iter().flatten().copied().collect();
        let pinned = |cpu: u32| allowed.iter().filter(|own| own[..] == [cpu]).count();
        let twice = together.iter().copied().find(|&cpu| pinned(cpu) > 1);
        if twice.is_none() && (together.is_empty() || together.len() >= threads.len()) {
            continue;
        }
        for (thread, cpus) in threads.iter().zip(&allowed) {
            look.keep(
                &format!("{}/status", thread.folder),
                &format!("{}: Cpus_allowed_list {}", thread.name, cpu_list(cpus)),
            );
        }
        let together: Vec<u32> =
            twice.map_or_else(|| together.into_iter().collect(), |cpu| vec![cpu]);
        let count = twice.map_or(threads.len(), pinned);
        return Some(costs(
            format!(
                "{count} virtual processors of process {process} have only processor {} together: one that spins for \
                 another keeps it from running, and with priorities the guest may hang while it starts",
                cpu_list(&together)
            ),
            "Pin each virtual processor to a processor of its own (vcpupin), or give each a budget.",
        ));
    }
    Some(absent(if all.is_empty() {
        "no virtual machine of KVM runs"
    } else {
        "no two virtual processors of a guest share a processor"
    }))
}

pub(crate) fn pit(look: &Look, _: &Subject) -> Option<Said> {
    if let Some(none) = look.without_threads() {
        return Some(none);
    }
    let pits = look.threads(|name| name.starts_with("kvm-pit/"));
    if pits.is_empty() {
        return Some(absent("no guest has a timer chip that the kernel emulates (kvm-pit)"));
    }
    let busy: Vec<(Seen, u32)> = look
        .threads(|name| !name.starts_with("kvm-pit/"))
        .into_iter()
        .filter(|thread| thread.is_real_time(look) && !is_of_kernel(look, thread))
        .filter_map(|thread| match thread.allowed(look)[..] {
            [cpu] => Some((thread, cpu)),
            _ => None,
        })
        .collect();
    for pit in &pits {
        let last = pit.stat(look, 39).and_then(|cpu| u32::try_from(cpu).ok());
        let Some((before, cpu)) = busy.iter().find(|(_, cpu)| Some(*cpu) == last) else { continue };
        look.keep(
            &format!("{}/stat", pit.folder),
            &format!("{} ran last on processor {cpu}", pit.name),
        );
        look.keep(
            &format!("{}/stat", before.folder),
            &format!("{} is real-time, only on processor {cpu}", before.name),
        );
        return Some(costs(
            format!(
                "{} runs on processor {cpu}, below the real-time thread {}: ticks of its guest come late",
                pit.name, before.name
            ),
            "Move it (taskset -p), or give the guest no such chip: libvirt <timer name='pit' present='no'/>, QEMU -machine \
             pit=off.",
        ));
    }
    Some(absent("each kvm-pit thread is on a processor without a pinned real-time thread"))
}

/// `PF_KTHREAD`.
fn is_of_kernel(look: &Look, thread: &Seen) -> bool {
    thread.stat(look, 9).is_some_and(|flags| flags & 0x0020_0000 != 0)
}
