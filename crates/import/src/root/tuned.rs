//! The active profile of tuned.
//!
//! **Model.** `active_profile` names one or several; each is a folder with a `tuned.conf`, of `/etc` before that of the
//! distribution, and may include another. Its processors are the variable `isolated_cores`, mostly in a file beside.

use crate::found::{LINES, Listed, Machine};
use vorrang_enforce::{Kernel, cpus_of};

const ACTIVE: &str = "/etc/tuned/active_profile";
const FOLDERS: [&str; 4] =
    ["/etc/tuned/profiles", "/etc/tuned", "/usr/lib/tuned/profiles", "/usr/lib/tuned"];
/// Profiles include each other so deep at most.
const DEPTH: usize = 8;

pub(super) fn read(root: &dyn Kernel, machine: &mut Machine) {
    let Ok(active) = root.read(ACTIVE) else { return };
    let mut profiles: Vec<String> = active.split_whitespace().map(str::to_owned).collect();
    let mut place = 0;
    while let Some(profile) = profiles.get(place).cloned() {
        place += 1;
        if place > DEPTH {
            machine.lose(format!("{ACTIVE}: profiles include more than {DEPTH} others"));
            return;
        }
        let file = FOLDERS.iter().map(|folder| format!("{folder}/{profile}/tuned.conf"));
        let found = file.clone().find_map(|path| root.read(&path).ok().map(|text| (path, text)));
        if let Some((path, text)) = found {
            profiles.extend(included(&text));
            of_text(&path, &text, machine);
        } else {
            machine.lose(format!("{ACTIVE}: the profile {profile} is not there"));
        }
        let variables = format!("/etc/tuned/{profile}-variables.conf");
        if let Ok(text) = root.read(&variables) {
            of_text(&variables, &text, machine);
        }
    }
}

fn included(text: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("include"));
    let names = line.and_then(|rest| rest.trim_start().strip_prefix('='));
    let names = names.unwrap_or_default().split([',', ' ']).map(str::trim);
    names.filter(|name| !name.is_empty() && !name.contains('/')).map(str::to_owned).collect()
}

fn of_text(path: &str, text: &str, machine: &mut Machine) {
    let mut section = String::new();
    for line in text.lines().take(LINES).map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            name.trim_end_matches(']').clone_into(&mut section);
            if ["sysctl", "bootloader", "cpu", "scheduler", "irqbalance"]
                .contains(&section.as_str())
            {
                machine.lose(format!("{path}: [{section}] sets what no description has"));
            }
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        if key.trim() == "isolated_cores" && machine.tuned.is_none() {
            match cpus_of(value.trim()).filter(|cpus| !cpus.is_empty()) {
                Some(cpus) => {
                    machine.tuned = Some(Listed {
                        name: "isolated_cores".to_owned(),
                        from: path.to_owned(),
                        cpus,
                    });
                }
                None => machine.lose(format!("{path}: {line} is no plain list of processors")),
            }
        }
    }
}
