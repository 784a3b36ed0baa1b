//! The runtime of a control group for real-time threads, where the kernel is built with `RT_GROUP_SCHED`.
//!
//! **Model.** A thread of a group whose runtime is zero gets no priority (EPERM), and one with a priority does not enter
//! it (EINVAL). Control groups v1 state the runtime in `cpu.rt_runtime_us`; v2 has no such file, so below the root, where
//! the controller `cpu` is on, it is zero. `sched_rt_runtime_us = -1` takes the check away, and so does
//! `rt_group_sched=0` since 6.16, where that may also be the default.

use crate::finding::{Said, absent, stops, unknown};
use crate::look::Look;
use crate::subject::Subject;

const BUILT: &str = "CONFIG_RT_GROUP_SCHED=y";
const ROOT: &str = "/sys/fs/cgroup";
const REMEDY: &str = "Boot with rt_group_sched=0 (6.16 or later), or a kernel without RT_GROUP_SCHED; or write -1 into \
     /proc/sys/kernel/sched_rt_runtime_us, which also ends throttling and the admission of SCHED_DEADLINE; or leave the \
     controller `cpu` out of cgroup.subtree_control above the thread.";

pub(crate) fn runtime(look: &Look, subject: &Subject) -> Option<Said> {
    let built = match is_built(look) {
        Ok(built) => built,
        Err(why) => return Some(why),
    };
    if !built {
        return Some(absent("groups have no runtimes of their own: no RT_GROUP_SCHED is in force"));
    }
    if look.text("/proc/sys/kernel/sched_rt_runtime_us").as_deref() == Some("-1") {
        return Some(absent("runtimes of groups are not looked at: sched_rt_runtime_us is -1"));
    }
    if subject.is_thread() && !subject.needs_priority {
        return Some(absent("SCHED_DEADLINE asks for no runtime of its group"));
    }
    Some(if subject.is_thread() { of_thread(look, subject) } else { of_machine(look) })
}

/// Whether the kernel has it, and it is on.
fn is_built(look: &Look) -> Result<bool, Said> {
    let Ok(configuration) = look.kernel.configuration() else {
        if look.text(&format!("{ROOT}/cpu/cpu.rt_runtime_us")).is_some() {
            return Ok(true);
        }
        return Err(unknown(
            "whether the kernel is built with RT_GROUP_SCHED cannot be seen: it shows no configuration",
            "Ask its maintainers, or look for cpu.rt_runtime_us in the groups of a machine with control groups v1.",
        ));
    };
    let has = |line: &str| configuration.lines().any(|own| own == line);
    look.keep(
        "configuration of the kernel",
        if has(BUILT) { BUILT } else { "no CONFIG_RT_GROUP_SCHED" },
    );
    let line = look.quietly("/proc/cmdline").unwrap_or_default();
    let switch =
        line.split_whitespace().rev().find_map(|word| word.strip_prefix("rt_group_sched="));
    if let Some(switch) = switch {
        look.keep("/proc/cmdline", &format!("rt_group_sched={switch}"));
    }
    let by_default = !has("CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y");
    Ok(has(BUILT) && switch.map_or(by_default, |switch| matches!(switch, "1" | "y" | "on")))
}

fn of_thread(look: &Look, subject: &Subject) -> Said {
    let who = subject.who();
    let path = format!("{}/cgroup", subject.folder());
    let Some(text) = look.quietly(&path) else {
        return unknown(format!("the group of {who} cannot be read"), "Run as root.");
    };
    let v1 = text.lines().find(|line| controllers(line).any(|name| name == "cpu"));
    if let Some(line) = v1 {
        look.keep(&path, line);
        return by_file(look, line, &who);
    }
    let line = text.lines().find(|line| line.starts_with("0::")).unwrap_or_default();
    look.keep(&path, line);
    let mut group = line.trim_start_matches("0::").trim_end_matches('/');
    while !group.is_empty() {
        let on = look.quietly(&format!("{ROOT}{group}/cgroup.controllers")).unwrap_or_default();
        if on.split_whitespace().any(|name| name == "cpu") {
            look.keep(&format!("{ROOT}{group}/cgroup.controllers"), &on);
            return stops(
                format!(
                    "EPERM: {who} is in the group {group}, which has the controller `cpu` and no runtime for SCHED_FIFO"
                ),
                REMEDY,
            );
        }
        group = group.rsplit_once('/').map_or("", |(above, _)| above);
    }
    absent(format!(
        "{who} is in no group with the controller `cpu`, so the runtime of the machine counts"
    ))
}

fn controllers(line: &str) -> impl Iterator<Item = &str> {
    line.split(':').nth(1).unwrap_or_default().split(',')
}

/// The runtime of a group v1.
fn by_file(look: &Look, line: &str, who: &str) -> Said {
    let group = line.splitn(3, ':').nth(2).unwrap_or_default().trim_end_matches('/');
    let places =
        ["cpu", "cpu,cpuacct"].map(|name| format!("{ROOT}/{name}{group}/cpu.rt_runtime_us"));
    match places.iter().find_map(|path| look.number(path)) {
        Some(0) => stops(
            format!("EPERM: {who} is in the group {group}, whose cpu.rt_runtime_us is 0"),
            "Write a part of sched_rt_runtime_us into cpu.rt_runtime_us of the group, and of each group above it.",
        ),
        Some(runtime) => {
            absent(format!("the group {group} has {runtime} us for real-time threads"))
        }
        None => unknown(format!("the runtime of the group {group} cannot be read"), "Run as root."),
    }
}

/// The groups that `apply` makes have the controller if all below the root have it.
fn of_machine(look: &Look) -> Said {
    let on = look.text(&format!("{ROOT}/cgroup.subtree_control")).unwrap_or_default();
    if on.split_whitespace().any(|name| name == "cpu") {
        stops(
            "EPERM: the kernel has RT_GROUP_SCHED, and every group below the root has the controller `cpu`, so no \
             runtime for SCHED_FIFO",
            REMEDY,
        )
    } else {
        absent(
            "groups below the root have no controller `cpu`, so the runtime of the machine counts",
        )
    }
}
