//! The source package of the module `timer_shield`, built and installed by DKMS for a stock kernel.
//!
//! **Model.** In the [`Workshop`] of the kernel are its headers and its compilers, as on a machine that has them
//! installed. There the package is put by its own script, and Debian's `dkms` of the kernel's suite adds it,
//! builds it, installs it and removes it. The module that comes out is compared with the one that `make` alone builds.
//!
//! **Assumptions.** 1. Users of this host may have namespaces: `dkms` needs devices and `/proc`. 2. The lists of modules
//! are there as where the kernel is installed, for newer versions of `dkms` leave them alone where there are none.
//!
//! **Cost.** 8 MB of packages for each line of kernels, once; 13 seconds of processor time.
//!
//! **Not covered.** Whether the module can be loaded: guests do that with the module that `make` builds.

use crate::check::Check;
use crate::failure::Failure;
use crate::kernel::Kernel;
use crate::workshop::Workshop;

/// DKMS, and what it needs besides what builds modules.
const PACKAGES: &[&str] = &[
    "dkms",
    "base-files",
    "bash",
    "diffutils",
    "gzip",
    "hostname",
    "kmod",
    "libkmod2",
    "lsb-release",
    "patch",
    "tar",
    "util-linux",
    "xz-utils",
];

/// The module, and its version.
const NAME: &str = "timer_shield";
const VERSION: &str = "2";
/// Where the package's script looks for sources, and where it is; below the root of the project.
const SOURCES: [&str; 2] = ["kernel/timer_shield", "packaging/timer-shield"];
/// Where `vorrang apply` looks for it, below the modules of a kernel.
const FOLDER: &str = "updates/dkms";
const ENDINGS: [&str; 4] = ["ko", "ko.xz", "ko.zst", "ko.gz"];

/// Why the package cannot be tried on this host.
pub fn cannot() -> Option<&'static str> {
    let may = crate::workshop::may_have_namespaces();
    (!may).then_some("this host gives its users no namespaces (user.max_user_namespaces)")
}

/// Adds the package, builds, installs and removes it.
///
/// # Errors
/// The workshop or DKMS itself cannot be set up, or `make` cannot build the module.
pub fn checks(kernel: &Kernel) -> Result<Vec<Check>, Failure> {
    let workshop = Workshop::of(kernel)?;
    workshop.module(NAME)?;
    workshop.add(PACKAGES, "usr/sbin/dkms")?;
    for folder in [format!("usr/src/{NAME}-{VERSION}"), format!("var/lib/dkms/{NAME}")] {
        workshop.empty(&folder)?;
    }
    for folder in SOURCES {
        workshop.copy(folder, &format!("vorrang/{folder}"))?;
    }
    let release = kernel.release.as_str();
    let run = |command: &[&str]| workshop.run(command);
    run(&["mkdir", "-p", "/var/lib/dkms", "/etc/depmod.d"])?;
    run(&["depmod", "-a", release])?;
    let package = format!("{NAME}/{VERSION}");
    let script = format!("/build/vorrang/{}/install.sh", SOURCES[1]);
    let installed = run(&["sh", &script])
        .and_then(|_| run(&["dkms", "add", &package]))
        .and_then(|_| run(&["dkms", "build", &package, "-k", release]))
        .and_then(|_| run(&["dkms", "install", &package, "-k", release]));
    let seen = match &installed {
        Ok(_) => run(&["dkms", "status"])?.trim().to_owned(),
        Err(Failure(why)) => why.clone(),
    };
    let what = "DKMS adds, builds and installs the source package";
    let holds = installed.is_ok() && seen.ends_with("installed");
    let mut checks = vec![Check::new(what, seen, holds)];
    let places = |file: &str| ENDINGS.map(|ending| format!("{file}.{ending}"));
    let looked_for = places(&format!("/lib/modules/{release}/{FOLDER}/{NAME}"));
    let found = by_name(&workshop, release, "filename");
    checks.push(Check::new(
        "by its name it is found where `vorrang apply` looks for it",
        found.clone(),
        looked_for.contains(&found),
    ));
    let made = format!("/build/{NAME}/{NAME}.ko");
    for field in ["version", "vermagic", "srcversion", "license", "depends", "parm"] {
        let by_dkms = by_name(&workshop, release, field);
        let by_make = run(&["modinfo", "-F", field, &made])?.trim().to_owned();
        let seen = if by_dkms == by_make {
            by_dkms.replace('\n', "; ")
        } else {
            format!("\"{by_dkms}\", and \"{by_make}\" by `make`")
        };
        let what = format!("its {field} is that of the module that `make` builds");
        checks.push(Check::new(what, seen, by_dkms == by_make));
    }
    let removed = run(&["dkms", "remove", &package, "--all"]);
    let left = run(&["dkms", "status"])?;
    let is_found = run(&["modinfo", "-k", release, NAME]).is_ok();
    let is_gone = removed.is_ok() && left.trim().is_empty() && !is_found;
    checks.push(Check::new(
        "`dkms remove` takes it away",
        if is_gone { "it is gone".to_owned() } else { format!("{removed:?}, {left:?}") },
        is_gone,
    ));
    Ok(checks)
}

/// A field of the module that the kernel finds by its name.
fn by_name(workshop: &Workshop, release: &str, field: &str) -> String {
    let found = workshop.run(&["modinfo", "-k", release, "-F", field, NAME]);
    found.map_or_else(|Failure(why)| why, |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `vorrang apply` looks for is said where it does.
    #[test]
    fn the_places_are_those_of_apply() {
        let source = include_str!("../../enforce/src/shield.rs");
        let folders = source.lines().find(|line| line.starts_with("const FOLDERS"));
        assert!(folders.is_some_and(|line| line.contains(&format!("\"{FOLDER}\""))));
        assert!(source.contains(&format!("const ENDINGS: [&str; 4] = {ENDINGS:?};")));
    }
}
