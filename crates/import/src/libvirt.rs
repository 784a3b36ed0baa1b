//! A domain of libvirt.
//!
//! **Sources.** <https://libvirt.org/formatdomain.html>: `vcpu` is how many there are, `cputune` where they run and how.

use crate::found::{LINES, Listed, Machine, NAME, Policy, Thread, Word};
use crate::refused::Refused;
use crate::xml::{document, line};
use roxmltree::Node;
use vorrang_enforce::cpu_list;
use vorrang_model::limits;

/// More virtual processors than any machine has.
const MOST: u32 = 1024;
/// Names that are pinned beside virtual processors.
const QUOTAS: [&str; 9] = [
    "shares",
    "period",
    "quota",
    "global_period",
    "global_quota",
    "emulator_period",
    "emulator_quota",
    "iothread_period",
    "iothread_quota",
];

/// Its virtual processors, and where its other threads run.
pub(crate) fn read(path: &str, text: &str, machine: &mut Machine) -> Result<(), Refused> {
    let document = document(text)?;
    let domain = document.descendants().find(|node| node.has_tag_name("domain"));
    let domain =
        domain.ok_or_else(|| Refused::at(1, "there is no <domain>: this is none of libvirt"))?;
    let name = child(domain, "name").and_then(|node| node.text()).map(str::trim);
    let name = name.filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| Refused::at(line(domain), "the domain has no <name>"))?;
    let vcpu = child(domain, "vcpu");
    if name.len() > NAME {
        return Err(Refused::at(line(domain), "the <name> is too long"));
    }
    let count = vcpu
        .and_then(|node| node.text())
        .and_then(|text| text.trim().parse::<u32>().ok())
        .unwrap_or(1);
    if count > MOST {
        return Err(Refused::at(
            vcpu.map_or(1, line),
            format!("there are more than {MOST} virtual processors"),
        ));
    }
    let common = vcpu.and_then(|node| node.attribute("cpuset")).and_then(cpuset);
    let tune = child(domain, "cputune");
    let mut threads: Vec<Thread> = (0..count)
        .map(|number| Thread::of_vm(name, number, Word::new(path, common.clone(), None)))
        .collect();
    for node in
        tune.into_iter().flat_map(|tune| tune.children()).filter(Node::is_element).take(LINES)
    {
        element(path, name, node, &mut threads, machine);
    }
    for thread in threads {
        add(thread, machine);
    }
    Ok(())
}

/// A domain that is defined and runs is there twice: what is defined comes first.
fn add(thread: Thread, machine: &mut Machine) {
    match machine.threads.iter_mut().find(|known| known.vcpu == thread.vcpu) {
        Some(known) => known.words.extend(thread.words),
        None => machine.threads.push(thread),
    }
}

/// One element of `cputune`.
fn element(path: &str, vm: &str, node: Node, threads: &mut [Thread], machine: &mut Machine) {
    let tag = node.tag_name().name();
    let at = format!("{path}:{}", line(node));
    match tag {
        "vcpupin" => match (number(node, "vcpu"), node.attribute("cpuset").and_then(cpuset)) {
            (Some(number), Some(cpus)) => match threads.get_mut(number) {
                Some(thread) => thread.words[0].cpus = Some(cpus),
                None => machine.lose(format!("{at}: {vm} has no virtual processor {number}")),
            },
            _ => machine.lose(format!("{at}: this vcpupin is not understood")),
        },
        "vcpusched" => {
            let numbers = node.attribute("vcpus").and_then(cpuset).unwrap_or_default();
            // One that is no number is no priority that the kernel has.
            let priority = node.attribute("priority").map(|text| text.parse().unwrap_or(0));
            let policy =
                node.attribute("scheduler").and_then(|word| Policy::of_word(word, priority));
            let Some(policy) = policy else {
                return machine.lose(format!("{at}: this vcpusched is not understood"));
            };
            let mut missing = Vec::new();
            for number in numbers {
                match threads.get_mut(number as usize) {
                    Some(thread) => thread.words[0].policy = Some(policy),
                    None => missing.push(number),
                }
            }
            if !missing.is_empty() {
                let missing = cpu_list(&missing);
                machine.lose(format!("{at}: {vm} has no virtual processor {missing}"));
            }
        }
        "emulatorpin" | "iothreadpin" => {
            let what = match node.attribute("iothread") {
                Some(number) => format!("I/O thread {number} of {vm}"),
                None => format!("the emulator of {vm}"),
            };
            match node.attribute("cpuset").and_then(cpuset) {
                Some(cpus) => {
                    machine.others.push(Listed { name: what, from: path.to_owned(), cpus });
                }
                None => machine.lose(format!("{at}: this {tag} is not understood")),
            }
        }
        "emulatorsched" | "iothreadsched" => {
            machine.lose(format!("{at}: {tag}: threads of QEMU besides its virtual processors"));
        }
        _ if QUOTAS.contains(&tag) => {
            let value = node.text().unwrap_or_default().trim();
            machine.lose(format!("{at}: {tag} {value}: a share or quota of SCHED_OTHER"));
        }
        _ => machine.lose(format!("{at}: {tag}")),
    }
}

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn number(node: Node, key: &str) -> Option<usize> {
    node.attribute(key)?.trim().parse().ok()
}

/// A set as libvirt writes it: `0-3,^2,8`.
pub(crate) fn cpuset(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(without) = part.strip_prefix('^') {
            let without: u32 = without.parse().ok()?;
            cpus.retain(|cpu| *cpu != without);
            continue;
        }
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to): (u32, u32) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        if u64::from(to) > limits::CPU || cpus.len() as u64 > limits::CPU {
            return None;
        }
        cpus.extend(from..=to);
    }
    cpus.sort_unstable();
    cpus.dedup();
    (!cpus.is_empty()).then_some(cpus)
}

#[cfg(test)]
mod tests {
    use super::cpuset;

    #[test]
    fn sets_are_those_of_libvirt() {
        assert_eq!(cpuset("0-3,^2,8"), Some(vec![0, 1, 3, 8]));
        assert_eq!(cpuset("1,0"), Some(vec![0, 1]));
        for wrong in ["", "x", "3-", "^1", "0-99999999", "4294967295"] {
            assert_eq!(cpuset(wrong), None, "{wrong}");
        }
    }
}
