//! Lists of processors as the kernel writes them: `0-2,5`.

use vorrang_model::limits;

/// The processors of a list; `None` if it is none, or names more than Linux has.
pub fn cpus_of(list: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in list.trim().split(',').filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let to = to.parse().ok().filter(|&to| u64::from(to) <= limits::CPU)?;
        cpus.extend(from.parse::<u32>().ok()?..=to);
        if cpus.len() as u64 > limits::CPU + 1 {
            return None;
        }
    }
    Some(cpus)
}

/// The list of processors, which are in order.
pub fn cpu_list(cpus: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &cpu in cpus {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == cpu => *last = cpu,
            _ => parts.push((cpu, cpu)),
        }
    }
    let text = |&(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(text).collect::<Vec<_>>().join(",")
}

/// The mask of processors as the kernel writes it: hexadecimal, a comma between words of 32 bits.
pub(crate) fn cpu_mask(cpus: &[u32]) -> String {
    let last = cpus.iter().max().map_or(0, |cpu| cpu / 32);
    let word = |index: u32| {
        let bits = cpus
            .iter()
            .filter(|&&cpu| cpu / 32 == index)
            .fold(0_u32, |bits, cpu| bits | 1 << (cpu % 32));
        if index == last { format!("{bits:x}") } else { format!("{bits:08x}") }
    };
    (0..=last).rev().map(word).collect::<Vec<_>>().join(",")
}

/// The processors of such a mask; `None` if it is none.
pub(crate) fn cpus_of_mask(mask: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for (word, first) in mask.trim().rsplit(',').zip((0..).step_by(32)) {
        let bits = u32::from_str_radix(word, 16).ok()?;
        cpus.extend((0..32).filter(|bit| bits >> bit & 1 == 1).map(|bit| first + bit));
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_words_of_32_bits() {
        assert_eq!(cpu_mask(&[0, 2, 3]), "d");
        assert_eq!(cpu_mask(&[1, 33, 64]), "1,00000002,00000002");
        assert_eq!(cpus_of_mask("0001,00000002,00000002\n"), Some(vec![1, 33, 64]));
        assert_eq!(cpus_of_mask("x"), None);
    }

    #[test]
    fn lists_are_read_and_written() {
        for (list, cpus) in [("", vec![]), ("0", vec![0]), ("0-2,5,7-8", vec![0, 1, 2, 5, 7, 8])] {
            assert_eq!(cpus_of(list), Some(cpus.clone()));
            assert_eq!(cpu_list(&cpus), list);
        }
        for list in ["0-x", "0-4294967295", "8192"] {
            assert_eq!(cpus_of(list), None, "{list}");
        }
        assert_eq!(cpus_of(&"0-8191,".repeat(2)), None);
        assert_eq!(cpus_of("0-8191").map(|cpus| cpus.len()), Some(8192));
    }
}
