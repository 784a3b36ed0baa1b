//! Interrupts with their affinities.
//!
//! **Model.** `/proc/interrupts` has a line for each: a number, a count of each processor, the chip, and the names of the
//! handlers. Where one goes is its `effective_affinity_list`, or else its `smp_affinity_list`.

use crate::found::{Irq, LINES, Machine};
use vorrang_enforce::{Kernel, cpus_of};

const FROM: &str = "/proc/interrupts";

pub(super) fn read(root: &dyn Kernel, machine: &mut Machine) {
    let Ok(text) = root.read(FROM) else { return };
    let columns = text.lines().next().unwrap_or_default().split_whitespace().count();
    for line in text.lines().skip(1).take(LINES) {
        let Some((number, rest)) = line.trim_start().split_once(':') else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        let name = handlers(rest, columns);
        let places = ["effective_affinity_list", "smp_affinity_list"]
            .map(|file| format!("/proc/irq/{number}/{file}"));
        let affinity = places.iter().find_map(|path| {
            let cpus = cpus_of(&root.read(path).ok()?)?;
            (!cpus.is_empty()).then(|| (path.clone(), cpus))
        });
        match affinity {
            Some((from, cpus)) => machine.irqs.push(Irq { number, name, from, cpus }),
            None => {
                machine
                    .lose(format!("{FROM}: where interrupt {number} ({name}) goes is not there"));
            }
        }
    }
}

/// What stands behind the counts and the chip: its number on the chip, its kind, and the names.
fn handlers(rest: &str, columns: usize) -> String {
    let words: Vec<&str> = rest.split_whitespace().skip(columns).collect();
    // The chip, and its own number with the kind behind it: `IR-PCI-MSI 524288-edge eth0`, `GICv3 27 Level timer`.
    let kind = words.iter().position(|word| {
        let end = word.rsplit('-').next().unwrap_or(word);
        ["edge", "Edge", "level", "Level", "fasteoi"].contains(&end)
    });
    let names = kind.map_or(words.get(1..), |place| words.get(place + 1..)).unwrap_or_default();
    if names.is_empty() { "no handler".to_owned() } else { names.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::handlers;

    #[test]
    fn the_names_stand_behind_the_kind() {
        assert_eq!(handlers("  0  12 IR-PCI-MSI 524288-edge      eth0-rx-0", 2), "eth0-rx-0");
        assert_eq!(handlers("  0  12 IO-APIC   9-fasteoi   acpi, i801", 2), "acpi, i801");
        assert_eq!(handlers(" 5 GICv3  27 Level     arch_timer", 1), "arch_timer");
        assert_eq!(handlers(" 5 PCI-MSI-0000:00:1f.2   0-edge", 1), "no handler");
        assert_eq!(handlers("", 4), "no handler");
    }
}
