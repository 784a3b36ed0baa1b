//! What the names of threads and programs say.

use crate::found::NAME;

/// The number of a virtual processor, by the name of its thread.
pub(super) fn vcpu_number(name: &str) -> Option<u32> {
    let (number, kind) = name.strip_prefix("CPU ")?.split_once('/')?;
    ["KVM", "TCG"].contains(&kind).then(|| number.parse().ok())?
}

/// The name of the virtual machine in what stands behind `-name` of QEMU: `guest=NAME,debug-threads=on`, or the name.
pub(super) fn machine(word: &str) -> Option<String> {
    let mut parts = word.split(',');
    let name = parts.find(|part| !part.contains('=') || part.starts_with("guest="))?;
    let name = name.trim_start_matches("guest=");
    (name.len() <= NAME).then(|| name.to_owned())
}
