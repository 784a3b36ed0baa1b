//! Domains of libvirt: those that are defined, and those that run.

use super::folder::files;
use crate::found::Machine;
use crate::libvirt;
use vorrang_enforce::Kernel;

const FOLDERS: [&str; 2] = ["/etc/libvirt/qemu", "/run/libvirt/qemu"];

pub(super) fn read(root: &dyn Kernel, machine: &mut Machine) {
    for folder in FOLDERS {
        for path in files(root, folder, ".xml") {
            let Ok(text) = root.read(&path) else {
                machine.lose(format!("{path}: it cannot be read"));
                continue;
            };
            if let Err(why) = libvirt::read(&path, &text, machine) {
                machine.lose(format!("{path}: {why}"));
            }
        }
    }
}
