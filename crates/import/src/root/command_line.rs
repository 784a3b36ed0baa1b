//! The command line of the kernel.
//!
//! **Sources.** Documentation/admin-guide/kernel-parameters.rst: flags stand before the list of `isolcpus`; lists may be
//! `all`, and ranges may have steps (`0-15:2/4`), which are not carried over.

use crate::found::{LINES, Listed, Machine};
use vorrang_enforce::{Kernel, cpus_of};

const FROM: &str = "/proc/cmdline";
const LISTS: [&str; 4] = ["isolcpus", "nohz_full", "rcu_nocbs", "irqaffinity"];
/// Of `isolcpus`.
const FLAGS: [&str; 3] = ["nohz", "domain", "managed_irq"];
/// What changes timing, and is in no description.
const OTHERS: [&str; 10] = [
    "idle",
    "intel_idle.max_cstate",
    "processor.max_cstate",
    "threadirqs",
    "nosmt",
    "skew_tick",
    "tsc",
    "nosoftlockup",
    "kthread_cpus",
    "preempt",
];

pub(super) fn read(root: &dyn Kernel, machine: &mut Machine) {
    let Ok(line) = root.read(FROM) else { return };
    for word in line.split_whitespace().take(LINES) {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        if LISTS.contains(&name) {
            match list(value, machine) {
                Some(cpus) => {
                    let listed = Listed { name: name.to_owned(), from: FROM.to_owned(), cpus };
                    machine.kernel.insert(name.to_owned(), listed);
                }
                None => machine.lose(format!("{FROM}: {word} is no plain list of processors")),
            }
        } else if OTHERS.contains(&name) {
            machine.lose(format!("{FROM}: {word} changes timing, and no description has it"));
        }
    }
}

fn list(value: &str, machine: &Machine) -> Option<Vec<u32>> {
    let mut rest = value;
    while let Some((flag, behind)) = rest.split_once(',') {
        if !FLAGS.contains(&flag) {
            break;
        }
        rest = behind;
    }
    match rest {
        "all" => machine.online.as_ref().map(|online| online.cpus.clone()),
        _ => cpus_of(rest).filter(|cpus| !cpus.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_stand_before_the_list() {
        let machine = Machine::default();
        assert_eq!(list("managed_irq,domain,2-3,5", &machine), Some(vec![2, 3, 5]));
        assert_eq!(list("1", &machine), Some(vec![1]));
        for other in ["", "domain", "0-7:1/2", "all", "domain,x"] {
            assert_eq!(list(other, &machine), None, "{other}");
        }
    }
}
