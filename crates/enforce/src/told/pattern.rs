//! Paths in which `*` stands for any name.

use crate::machine::Kernel;
use std::io;

/// Whether a path is one of a pattern.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.split('/'), path.split('/'));
    loop {
        match (pattern.next(), path.next()) {
            (None, None) => return true,
            (Some(own), Some(name)) if own == "*" || own == name => {}
            _ => return false,
        }
    }
}

/// The paths of a pattern on a machine, and the folders that cannot be looked into.
pub(super) fn expanded(
    kernel: &dyn Kernel,
    pattern: &str,
) -> (Vec<String>, Vec<(String, io::Error)>) {
    let Some((before, behind)) = pattern.split_once("/*") else {
        return (vec![pattern.to_owned()], Vec::new());
    };
    let names = match kernel.list(before) {
        Ok(names) => names,
        Err(why) => return (Vec::new(), vec![(before.to_owned(), why)]),
    };
    let (mut paths, mut unseen) = (Vec::new(), Vec::new());
    // Folders of processes have numbers, and there is much else in theirs.
    for name in names.iter().filter(|name| before != "/proc" || name.parse::<u32>().is_ok()) {
        let (more, without) = expanded(kernel, &format!("{before}/{name}{behind}"));
        paths.extend(more);
        unseen.extend(without);
    }
    (paths, unseen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::known;
    use std::collections::BTreeMap;

    #[test]
    fn a_name_stands_for_a_star() {
        assert!(matches("/proc/*/task", "/proc/1/task") && matches("/proc", "/proc"));
        assert!(!matches("/proc/*/task", "/proc/1/task/1") && !matches("/proc/*", "/proc"));
        let files = ["/proc/1/task/2/comm", "/proc/1/task/3/comm", "/proc/irq/4/x", "/proc/5"];
        let files = files.map(|path| (path.to_owned(), String::new()));
        let machine = known(BTreeMap::from(files));
        let comms = ["/proc/1/task/2/comm", "/proc/1/task/3/comm"];
        let paths = |pattern| expanded(&machine, pattern).0;
        assert_eq!(paths("/proc/*/task/*/comm"), comms);
        assert_eq!(paths("/proc/irq/*"), ["/proc/irq/4"]);
        assert_eq!(paths("/proc/version"), ["/proc/version"]);
        let (none, unseen) = expanded(&machine, "/sys/*/x");
        assert_eq!((none.len(), unseen[0].0.as_str()), (0, "/sys"));
    }
}
