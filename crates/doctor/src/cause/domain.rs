//! Affinity against the root domain.
//!
//! **Model.** A thread becomes `SCHED_DEADLINE` if it may use all processors of the root domain in which it ran last
//! (EPERM otherwise), and one that is may not be pinned below that (EBUSY). A partition of `cpuset` is a domain; so
//! are the isolated processors together; so is the rest.
//!
//! **Not covered.** Domains of control groups v1 (`cpuset.sched_load_balance`).

use crate::finding::{Said, absent, costs, stops, unknown};
use crate::look::{Look, stat};
use crate::subject::Subject;
use vorrang_enforce::{cpu_list, cpus_of};

const ROOT: &str = "/sys/fs/cgroup";
/// How deep partitions are looked for; `apply` makes them two levels deep, systemd three.
const DEPTH: u32 = 5;

/// The root domain of a processor.
fn domain(look: &Look, cpu: u32) -> Vec<u32> {
    let isolated = look.cpus("/sys/devices/system/cpu/isolated");
    if isolated.contains(&cpu) {
        return isolated;
    }
    let mut partitions = Vec::new();
    find(look, ROOT, DEPTH, &mut partitions);
    if let Some((group, cpus)) = partitions.iter().find(|(_, cpus)| cpus.contains(&cpu)) {
        look.keep(&format!("{group}/cpuset.cpus.effective"), &cpu_list(cpus));
        return cpus.clone();
    }
    let elsewhere =
        |cpu: &u32| isolated.contains(cpu) || partitions.iter().any(|(_, cpus)| cpus.contains(cpu));
    let online = look.cpus("/sys/devices/system/cpu/online");
    online.into_iter().filter(|cpu| !elsewhere(cpu)).collect()
}

/// The groups below that are partitions, with their processors.
fn find(look: &Look, group: &str, depth: u32, found: &mut Vec<(String, Vec<u32>)>) {
    if depth == 0 {
        return;
    }
    for name in look.kernel.list(group).unwrap_or_default() {
        let below = format!("{group}/{name}");
        let Some(kind) = look.quietly(&format!("{below}/cpuset.cpus.partition")) else { continue };
        if matches!(kind.as_str(), "root" | "isolated") {
            let cpus = look.quietly(&format!("{below}/cpuset.cpus.effective"));
            found.push((below.clone(), cpus.and_then(|list| cpus_of(&list)).unwrap_or_default()));
        }
        find(look, &below, depth - 1, found);
    }
}

pub(crate) fn affinity(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_deadline {
        return None;
    }
    let (folder, who) = (subject.folder(), subject.who());
    let list = look.field(&format!("{folder}/status"), "Cpus_allowed_list")?;
    let allowed = cpus_of(&list)?;
    let ran_on = stat(look, &format!("{folder}/stat"), 39).and_then(|cpu| u32::try_from(cpu).ok());
    let cpu = ran_on.or_else(|| allowed.first().copied())?;
    let domain = domain(look, cpu);
    if domain.is_empty() {
        return Some(unknown(
            format!("the root domain of processor {cpu} cannot be seen"),
            "Run on the machine itself.",
        ));
    }
    if domain.iter().all(|cpu| allowed.contains(cpu)) {
        return Some(absent(format!(
            "{who} may use all of its root domain ({})",
            cpu_list(&domain)
        )));
    }
    let says = format!(
        "EPERM: {who} may use processors {list}, and its root domain is {}: SCHED_DEADLINE needs all of that",
        cpu_list(&domain)
    );
    let remedy = "Make its processors a partition (cpuset.cpus.partition = root), as `vorrang apply` does, instead of \
                  pinning it (taskset, CPUAffinity=, vcpupin).";
    // What is applied gets a domain of its own.
    Some(if subject.is_thread() { stops(says, remedy) } else { costs(says, remedy) })
}

pub(crate) fn fixed(look: &Look, subject: &Subject) -> Option<Said> {
    /// `PF_NO_SETAFFINITY`.
    const FIXED: i64 = 0x0400_0000;
    if !subject.is_thread() {
        return None;
    }
    let (path, who) = (format!("{}/stat", subject.folder()), subject.who());
    let flags = stat(look, &path, 9)?;
    look.keep(&path, &format!("flags {flags:#x}"));
    Some(if flags & FIXED == 0 {
        absent(format!("{who} may be moved"))
    } else {
        stops(
            format!(
                "EINVAL: {who} is a thread of the kernel that cannot be moved (PF_NO_SETAFFINITY)"
            ),
            "Move what it works for: the interrupt (/proc/irq/N/smp_affinity_list), or let the card poll in threads \
             (napi).",
        )
    })
}
