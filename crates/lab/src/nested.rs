//! A machine inside a machine: the host's QEMU with the libraries it needs, and a guest for it, as files of
//! an image.
//!
//! **Assumptions.** 1. The host's QEMU is of Debian: linked dynamically, its firmware is below `/usr/share`.
//! 2. The machine around it can have virtual machines: its processors have `svm`, its kernel `kvm_amd`.

use crate::emulator::PROGRAM;
use crate::failure::Failure;
use crate::image::{self, File};
use crate::kernel::Kernel;
use crate::module::Modules;
use crate::{guest, program};
use std::fs;
use std::path::Path;
use std::process::Command;
use vorrang_guest::Plan;

/// Where firmware lies in the image.
pub const FIRMWARE: &str = "/firmware";
/// The kernel of the guest.
pub const KERNEL: &str = "/guest/kernel";
/// Its first file system.
pub const IMAGE: &str = "/guest/image";

/// The files that QEMU reads to start a kernel in a machine of type `pc`, and their places on a host.
const FIRMWARE_OF_HOST: &[(&str, &str)] = &[
    ("bios-256k.bin", "/usr/share/seabios"),
    ("kvmvapic.bin", "/usr/share/qemu"),
    ("linuxboot_dma.bin", "/usr/share/qemu"),
];

/// QEMU, and a guest that is the same stock kernel, does a plan and has these modules and files.
///
/// # Errors
/// Something of the host's QEMU is missing, or the image of the guest cannot be built.
pub fn files(
    kernel: &Kernel,
    modules: &[&str],
    plan: &Plan,
    files: Vec<File>,
) -> Result<Vec<File>, Failure> {
    let modules = Modules::below(&kernel.modules)?.with_what_they_need(modules)?;
    let inner = image::build(read(&guest::build("vorrang-guest")?)?, modules, plan, files)?;
    let mut all = emulator()?;
    all.push(File { path: KERNEL.to_owned(), bytes: read(&kernel.image)? });
    all.push(File { path: IMAGE.to_owned(), bytes: inner });
    Ok(all)
}

/// The host's QEMU.
fn emulator() -> Result<Vec<File>, Failure> {
    let found = program::text(Command::new("sh").args(["-c", &format!("command -v {PROGRAM}")]))?;
    let found = found.trim();
    let mut all = vec![File { path: format!("/bin/{PROGRAM}"), bytes: read(Path::new(found))? }];
    // `libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x…)`, and the loader without an arrow.
    let libraries = program::text(Command::new("ldd").arg(found))?;
    for library in libraries.split_whitespace().filter(|word| word.starts_with('/')) {
        all.push(File { path: library.to_owned(), bytes: read(Path::new(library))? });
    }
    for (name, folder) in FIRMWARE_OF_HOST {
        let bytes = read(&Path::new(folder).join(name))?;
        all.push(File { path: format!("{FIRMWARE}/{name}"), bytes });
    }
    Ok(all)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|why| Failure::at(path, why))
}
