//! What shares a processor: hyper-threads, and other virtual machines.

use crate::finding::{Said, absent, costs};
use crate::look::Look;
use crate::subject::Subject;
use vorrang_enforce::{cpu_list, cpus_of};

pub(crate) fn siblings(look: &Look, subject: &Subject) -> Option<Said> {
    let online = look.online();
    for cpu in subject.among(online.clone()) {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        let Some(list) = look.quietly(&path) else { continue };
        let all = cpus_of(&list).unwrap_or_default();
        let others: Vec<u32> =
            all.into_iter().filter(|other| *other != cpu && online.contains(other)).collect();
        if !others.is_empty() {
            look.keep(&path, &list);
            return Some(costs(
                format!(
                    "processor {cpu} shares its execution units and caches with {}: each slows the other down",
                    cpu_list(&others)
                ),
                "Boot with nosmt, write off into /sys/devices/system/cpu/smt/control, or take the siblings of \
                 real-time processors offline.",
            ));
        }
    }
    Some(absent("no processor has a sibling that is online"))
}

pub(crate) fn hypervisor(look: &Look, _: &Subject) -> Option<Said> {
    let text = look.quietly("/proc/cpuinfo")?;
    let flags = text.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let is_guest = flags.split_whitespace().any(|flag| flag == "hypervisor");
    Some(if is_guest {
        look.keep("/proc/cpuinfo", "flags: hypervisor");
        costs(
            "this machine is virtual: its host takes time from its processors, which no description of it has",
            "Apply on the host, with the virtual processors of this machine as servers.",
        )
    } else {
        absent("this machine is not a guest, as far as its processors say")
    })
}
