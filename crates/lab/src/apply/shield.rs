//! A shielded core: the module as DKMS packs it, and what is seen of it.

use crate::check::Check;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::program;
use crate::timer_shield::{HELD, HOOKED, MODULES, NAME, counter, is_hooked};
use crate::workshop::Workshop;
use std::process::Command;

/// Processor of the shielded core.
const CPU: usize = 2;

/// The module where it is before it is installed.
pub(crate) fn unused(kernel: &Kernel) -> Result<File, Failure> {
    Ok(File { path: format!("/kernel/{NAME}.ko.xz"), bytes: packed(kernel)? })
}

/// Where DKMS installs it.
pub(crate) fn installed(kernel: &Kernel) -> Result<File, Failure> {
    let path = format!("/lib/modules/{}/updates/dkms/{NAME}.ko.xz", kernel.release);
    Ok(File { path, bytes: packed(kernel)? })
}

/// The module as DKMS packs it for kernels whose modules are packed so.
fn packed(kernel: &Kernel) -> Result<Vec<u8>, Failure> {
    let folder = crate::storage::subfolder("packed")?;
    let path = folder.join(format!("{NAME}-{}.ko", kernel.release));
    let module = Workshop::of(kernel)?.module(NAME)?;
    std::fs::write(&path, module).map_err(|why| Failure::at(&path, why))?;
    let mut xz = Command::new("xz");
    program::output(xz.args(["--check=crc32", "--lzma2=dict=1MiB", "--stdout"]).arg(&path))
}

/// The kernel's function is taken over while it is applied, and timers wait where they are to.
pub(crate) fn shielded_while_applied(evidence: &Evidence) -> Vec<Check> {
    let hooked: Vec<bool> = evidence.texts(HOOKED).map(is_hooked).collect();
    let gone = evidence.texts(MODULES).all(|text| !text.contains(NAME));
    let taken_over = Check::new(
        "the kernel's function is taken over while it is applied, and only then",
        format!("{hooked:?}"),
        hooked == [false, true, false] && gone,
    );
    let counted = |cpu, name| evidence.texts(HELD).next().and_then(|text| counter(text, cpu, name));
    let waited = Check::new(
        "timers wait on the shielded processor only, and none too long for the module",
        format!("held back {:?}, overdue {:?}", counted(CPU, "held-back"), counted(CPU, "overdue")),
        counted(CPU, "held-back") > Some(0)
            && counted(CPU, "overdue") == Some(0)
            && counted(1, "held") == Some(0),
    );
    vec![taken_over, waited]
}
