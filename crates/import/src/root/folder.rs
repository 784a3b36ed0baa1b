//! Folders of a machine.

use vorrang_enforce::Kernel;

/// The names in a folder that end so, with the folder before them; none where there is no such folder.
pub(super) fn files(root: &dyn Kernel, folder: &str, end: &str) -> Vec<String> {
    let names = root.list(folder).unwrap_or_default();
    names
        .into_iter()
        .filter(|name| name.ends_with(end))
        .map(|name| format!("{folder}/{name}"))
        .collect()
}
