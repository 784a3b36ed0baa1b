//! Where two places say different things of the same.

use crate::found::{Contradiction, Listed, Machine, Policy, Thread, Word};
use std::collections::BTreeSet;
use vorrang_enforce::cpu_list;

fn between(says: String, one: &str, other: &str) -> Contradiction {
    Contradiction { says, between: [one.to_owned(), other.to_owned()] }
}

/// So many are found at most; who has more begins with the first.
const MOST: usize = 1000;

fn common(one: &[u32], other: &[u32]) -> Vec<u32> {
    let other: BTreeSet<&u32> = other.iter().collect();
    one.iter().filter(|cpu| other.contains(cpu)).copied().collect()
}

fn beyond(one: &[u32], other: &[u32]) -> Vec<u32> {
    let other: BTreeSet<&u32> = other.iter().collect();
    one.iter().filter(|cpu| !other.contains(cpu)).copied().collect()
}

/// All of them, in order.
pub(crate) fn of(machine: &Machine) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for thread in machine.threads.iter().take(MOST) {
        of_words(thread, &mut found);
        of_places(machine, thread, &mut found);
    }
    of_pairs(machine, &mut found);
    of_interrupts(machine, &mut found);
    of_kernel(machine, &mut found);
    found.sort();
    found.dedup();
    found.truncate(MOST);
    found
}

/// A file and the running thread.
fn of_words(thread: &Thread, found: &mut Vec<Contradiction>) {
    let Some((last, before)) = thread.words.split_last() else { return };
    for word in before {
        let name = &thread.name;
        if let (Some(one), Some(other)) = (word.policy, last.policy)
            && one.contradicts(other)
        {
            let says = format!("{name} is to be {}, and is {}", one.said(), other.said());
            found.push(between(says, &word.from, &last.from));
        }
        if let (Some(one), Some(other)) = (&word.cpus, &last.cpus)
            && !beyond(other, one).is_empty()
        {
            let says = format!(
                "{name} is to run on processors {}, and may run on {}",
                cpu_list(one),
                cpu_list(other)
            );
            found.push(between(says, &word.from, &last.from));
        }
        if let (Some(one), None, Some(ran)) = (&word.cpus, &last.cpus, last.ran_on)
            && !one.contains(&ran)
        {
            let says =
                format!("{name} is to run on processors {}, and ran on {ran}", cpu_list(one));
            found.push(between(says, &word.from, &last.from));
        }
    }
}

/// A thread and the processors of the machine.
fn of_places(machine: &Machine, thread: &Thread, found: &mut Vec<Contradiction>) {
    let name = &thread.name;
    for Word { from, cpus, policy, .. } in &thread.words {
        let Some(cpus) = cpus else { continue };
        if let Some(online) = &machine.online {
            let missing = beyond(cpus, &online.cpus);
            if !missing.is_empty() {
                let says = format!(
                    "{name} is to run on processors {}, which the machine does not have or has offline",
                    cpu_list(&missing)
                );
                found.push(between(says, from, &online.from));
            }
        }
        let is_real_time = policy.or_else(|| thread.policy()).is_some_and(Policy::is_real_time);
        let Some(isolated) = machine.listed("isolcpus") else { continue };
        let (inside, outside) = (common(cpus, &isolated.cpus), beyond(cpus, &isolated.cpus));
        if is_real_time && inside.is_empty() {
            let says = format!(
                "{name} is real-time on processors {}, and {} are isolated",
                cpu_list(&outside),
                cpu_list(&isolated.cpus)
            );
            found.push(between(says, from, &isolated.from));
        } else if !inside.is_empty() && !outside.is_empty() {
            let says = format!(
                "{name} may run on processors {}, of which {} are isolated: it is not moved between those",
                cpu_list(cpus),
                cpu_list(&inside)
            );
            found.push(between(says, from, &isolated.from));
        }
    }
}

/// The processor of a thread that may run on one only.
fn pinned(thread: &Thread) -> Option<(u32, &Word)> {
    let word = thread.words.iter().find(|word| word.cpus.is_some())?;
    match word.cpus.as_deref() {
        Some([cpu]) => Some((*cpu, word)),
        _ => None,
    }
}

/// Two threads, and a thread with what else is placed.
fn of_pairs(machine: &Machine, found: &mut Vec<Contradiction>) {
    let pinned: Vec<(&Thread, u32, &Word)> = machine
        .threads
        .iter()
        .filter_map(|thread| pinned(thread).map(|(cpu, word)| (thread, cpu, word)))
        .collect();
    for (index, (thread, cpu, word)) in pinned.iter().enumerate() {
        let vm = thread.vcpu.as_ref().map(|(vm, _)| vm);
        if found.len() > MOST {
            return;
        }
        for (other, at, theirs) in &pinned[index + 1..] {
            let same_vm = vm.is_some() && other.vcpu.as_ref().map(|(vm, _)| vm) == vm;
            if at == cpu && same_vm {
                let says =
                    format!("{} and {} are both on processor {cpu}", thread.name, other.name);
                found.push(between(says, &word.from, &theirs.from));
            }
        }
        for Listed { name, from, cpus } in &machine.others {
            if vm.is_some() && name == "machine.slice" && !cpus.contains(cpu) {
                let says = format!(
                    "{} is to run on processor {cpu}, and {name} may run on {}",
                    thread.name,
                    cpu_list(cpus)
                );
                found.push(between(says, &word.from, from));
            }
        }
        if !thread.policy().is_some_and(Policy::is_real_time) {
            continue;
        }
        for Listed { name, from, cpus } in &machine.others {
            if cpus[..] == [*cpu] {
                let says = format!(
                    "{name} has processor {cpu} only, where {} is real-time: it may never run",
                    thread.name
                );
                found.push(between(says, from, &word.from));
            }
        }
    }
}

/// Interrupts on processors of real-time threads, against what is asked of them.
fn of_interrupts(machine: &Machine, found: &mut Vec<Contradiction>) {
    let (isolated, placed) = (machine.listed("isolcpus"), machine.listed("irqaffinity"));
    for irq in &machine.irqs {
        let name = format!("interrupt {} ({})", irq.number, irq.name);
        if let Some(placed) = placed {
            let elsewhere = beyond(&irq.cpus, &placed.cpus);
            let outside = elsewhere.len() == irq.cpus.len() && !elsewhere.is_empty();
            if outside {
                let says = format!(
                    "{name} goes to processors {}, and irqaffinity={}",
                    cpu_list(&irq.cpus),
                    cpu_list(&placed.cpus)
                );
                found.push(between(says, &irq.from, &placed.from));
                continue;
            }
        }
        let Some(isolated) = isolated else { continue };
        let inside = common(&irq.cpus, &isolated.cpus);
        if !inside.is_empty() {
            let says = format!("{name} may go to the isolated processors {}", cpu_list(&inside));
            found.push(between(says, &irq.from, &isolated.from));
        }
    }
    if let (true, Some(isolated)) = (machine.irqbalance, isolated) {
        let says = format!(
            "irqbalance moves interrupts, and processors {} are isolated",
            cpu_list(&isolated.cpus)
        );
        found.push(between(says, "running threads", &isolated.from));
    }
}

/// The command line with itself and with tuned.
fn of_kernel(machine: &Machine, found: &mut Vec<Contradiction>) {
    let Some(isolated) = machine.listed("isolcpus").or_else(|| machine.listed("nohz_full")) else {
        if let Some(tuned) = &machine.tuned {
            let says = format!(
                "tuned isolates processors {}, and the kernel was started without isolcpus",
                cpu_list(&tuned.cpus)
            );
            found.push(between(says, &tuned.from, "/proc/cmdline"));
        }
        return;
    };
    for name in ["nohz_full", "rcu_nocbs"] {
        let Some(other) = machine.listed(name) else { continue };
        let missing = beyond(&isolated.cpus, &other.cpus);
        if !missing.is_empty() {
            let says = format!(
                "{}={}, and {name}={}: processors {} keep their ticks or callbacks",
                isolated.name,
                cpu_list(&isolated.cpus),
                cpu_list(&other.cpus),
                cpu_list(&missing)
            );
            found.push(between(says, &isolated.from, &other.from));
        }
    }
    if let Some(placed) = machine.listed("irqaffinity") {
        let both = common(&placed.cpus, &isolated.cpus);
        if !both.is_empty() {
            let says = format!("irqaffinity has the isolated processors {}", cpu_list(&both));
            found.push(between(says, &placed.from, &isolated.from));
        }
    }
    if let Some(tuned) = &machine.tuned
        && tuned.cpus != isolated.cpus
    {
        let says = format!(
            "tuned isolates processors {}, and {}={}",
            cpu_list(&tuned.cpus),
            isolated.name,
            cpu_list(&isolated.cpus)
        );
        found.push(between(says, &tuned.from, &isolated.from));
    }
}
