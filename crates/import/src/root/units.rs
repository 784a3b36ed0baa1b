//! Units of systemd with their drop-ins.
//!
//! **Model.** A unit is the first file with its name in the folders, in their order; its drop-ins are the files of all
//! folders `NAME.d`, by their names, of which the first folder wins. A list is emptied by an empty value.
//!
//! **Not covered.** Drop-ins of a kind (`service.d`) or of a prefix (`foo-.service.d`), templates without an instance,
//! and specifiers (`%i`).

use super::folder::files;
use crate::found::{LINES, Listed, Machine, PRIORITIES, Policy, Thread, Word};
use std::collections::{BTreeMap, BTreeSet};
use vorrang_enforce::{Kernel, cpus_of};

/// The first wins.
const FOLDERS: [&str; 5] = [
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",
    "/lib/systemd/system",
];
/// What shares the processor by weights and quotas, of which no description knows.
const LOST: [&str; 5] =
    ["CPUQuota", "CPUWeight", "CPUShares", "StartupCPUWeight", "StartupAllowedCPUs"];

/// What a unit says, as far as it matters.
#[derive(Default)]
struct Unit {
    from: String,
    policy: Option<String>,
    priority: Option<u32>,
    affinity: Vec<u32>,
    allowed: Vec<u32>,
    starts: Option<String>,
}

pub(super) fn read(root: &dyn Kernel, machine: &mut Machine) {
    let mut names = BTreeSet::new();
    for folder in FOLDERS {
        for end in [".service", ".slice", ".scope", ".service.d", ".slice.d"] {
            let found = files(root, folder, end);
            let own = found.iter().filter_map(|path| path.rsplit('/').next());
            names.extend(own.map(|name| name.trim_end_matches(".d").to_owned()));
        }
    }
    for name in names {
        let unit = unit(root, &name, machine);
        take(&name, &unit, machine);
    }
}

/// The unit with its drop-ins.
fn unit(root: &dyn Kernel, name: &str, machine: &mut Machine) -> Unit {
    let mut unit = Unit::default();
    let main = FOLDERS.iter().map(|folder| format!("{folder}/{name}"));
    let mut paths: Vec<String> = main.filter(|path| root.read(path).is_ok()).take(1).collect();
    let mut drop_ins: BTreeMap<String, String> = BTreeMap::new();
    for folder in FOLDERS {
        for path in files(root, &format!("{folder}/{name}.d"), ".conf") {
            let own = path.rsplit('/').next().unwrap_or_default().to_owned();
            drop_ins.entry(own).or_insert(path);
        }
    }
    paths.extend(drop_ins.into_values());
    for path in paths {
        if let Ok(text) = root.read(&path) {
            unit.read(&path, &text, machine);
        }
    }
    unit
}

impl Unit {
    fn read(&mut self, path: &str, text: &str, machine: &mut Machine) {
        let joined = text.replace("\\\n", " ");
        for line in joined
            .lines()
            .take(LINES)
            .map(str::trim)
            .filter(|line| !line.starts_with(['#', ';', '[']))
        {
            let Some((key, value)) = line.split_once('=') else { continue };
            let (key, value) = (key.trim(), value.trim());
            let matters = match key {
                "CPUSchedulingPolicy" => {
                    self.policy = (!value.is_empty()).then(|| value.to_owned());
                    true
                }
                "CPUSchedulingPriority" => {
                    // What systemd does not take it ignores.
                    let own = value.parse().ok().filter(|own| PRIORITIES.contains(own));
                    self.priority = own.or(self.priority).filter(|_| !value.is_empty());
                    true
                }
                "CPUAffinity" => list(&mut self.affinity, path, line, value, machine),
                "AllowedCPUs" => list(&mut self.allowed, path, line, value, machine),
                "ExecStart" => {
                    self.starts = program(value).or(self.starts.take());
                    false
                }
                _ if LOST.contains(&key) => {
                    machine.lose(format!("{path}: {line}"));
                    false
                }
                _ => false,
            };
            if matters {
                path.clone_into(&mut self.from);
            }
        }
    }
}

/// Adds a list of processors to another; an empty one empties it. Returns whether it says anything.
fn list(all: &mut Vec<u32>, path: &str, line: &str, value: &str, machine: &mut Machine) -> bool {
    if value.is_empty() {
        all.clear();
        return true;
    }
    let Some(cpus) = cpus_of(&value.split_whitespace().collect::<Vec<_>>().join(",")) else {
        machine.lose(format!("{path}: {line} is no plain list of processors"));
        return false;
    };
    all.extend(cpus);
    all.sort_unstable();
    all.dedup();
    true
}

/// The name that the kernel gives the first thread of a program: fifteen bytes.
fn program(command: &str) -> Option<String> {
    let path = command.split_whitespace().next()?.trim_start_matches(['-', '@', '+', '!', ':']);
    let name = path.rsplit('/').next().filter(|name| !name.is_empty())?;
    let end = (0..=name.len().min(15)).rev().find(|&end| name.is_char_boundary(end))?;
    Some(name[..end].to_owned())
}

/// What it says becomes a thread, or a place where others may run.
fn take(name: &str, unit: &Unit, machine: &mut Machine) {
    let Unit { from, policy, priority, affinity, allowed, starts } = unit;
    if from.is_empty() {
        return;
    }
    let cpus = [affinity, allowed].into_iter().find(|cpus| !cpus.is_empty()).cloned();
    let scheduled = policy.as_ref().and_then(|word| Policy::of_word(word, *priority));
    if let (Some(word), None) = (policy, scheduled) {
        machine.lose(format!("{from}: the policy {word} is unknown"));
    }
    match (scheduled, starts) {
        (Some(policy), Some(program)) if policy.is_real_time() => machine.threads.push(Thread {
            vcpu: None,
            name: name.to_owned(),
            selector: format!("name:{program}"),
            words: vec![Word::new(from, cpus, Some(policy))],
        }),
        _ => {
            if let Some(policy) = scheduled.filter(|policy| policy.is_real_time()) {
                machine
                    .lose(format!("{from}: {} for a unit that starts no program", policy.said()));
            }
            let listed = |cpus| Listed { name: name.to_owned(), from: from.clone(), cpus };
            machine.others.extend(cpus.map(listed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn a_program_has_the_name_of_its_first_thread() {
        assert_eq!(program("/usr/bin/fieldbus --fast").as_deref(), Some("fieldbus"));
        assert_eq!(
            program("-/opt/a-very-long-name-of-a-program").as_deref(),
            Some("a-very-long-nam")
        );
        assert_eq!(program("@/x/äöüäöüäöü b").as_deref(), Some("äöüäöüä"));
        assert_eq!(program(""), None);
        assert_eq!(program("/"), None);
    }
}
