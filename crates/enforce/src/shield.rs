//! The module `timer_shield`, which implements `timers = "timershield"` on stock kernels
//! (docs/timer-shield.md).
//!
//! **Model.** The module is a file below `/lib/modules`, where DKMS or another installer has put it. It is
//! loaded without a processor, so that it shields none yet; then its version is checked; then its processors
//! are set by its parameter. Its file in `/proc` has its counters.
//!
//! **Assumption.** Of the same version, the module has the same parameters and counters.
//!
//! **Not covered.** Whether the file was built for this kernel: the kernel refuses one that was not.

use crate::machine::{Kernel, gone_is_none};
use std::collections::BTreeSet;
use std::io;

/// Its name.
pub(crate) const MODULE: &str = "timer_shield";
/// The version that is known here; in the module it is `TS_VERSION`.
pub(crate) const VERSION: &str = "2";
/// Its parameters.
pub(crate) const PARAMETERS: &str = "/sys/module/timer_shield/parameters/";
/// Its processors, as a list.
pub(crate) const CPUS: &str = "/sys/module/timer_shield/parameters/cpus";
/// The longest time that a timer waits, in nanoseconds; 0: no limit. One for all processors.
pub(crate) const MAX_DEFER: &str = "/sys/module/timer_shield/parameters/max_defer";
/// The most timers that fire in one interrupt.
pub(crate) const BATCH: &str = "/sys/module/timer_shield/parameters/batch";
/// Its default.
pub(crate) const USUAL_BATCH: u64 = 16;
/// What firing one timer takes at most: so many fire as end before a more urgent one; 0: all that may.
pub(crate) const CALLBACK: &str = "/sys/module/timer_shield/parameters/callback";
/// Its file of attributes while it is loaded.
const LOADED: &str = "/sys/module/timer_shield/version";
/// Its counters.
const FILE: &str = "/proc/timer_shield";
/// Where modules are that did not come with the kernel, below the folder of its release.
const FOLDERS: [&str; 4] = ["updates/dkms", "updates", "extra", "misc"];
/// Plain, and in the compressed forms that kernels accept.
const ENDINGS: [&str; 4] = ["ko", "ko.xz", "ko.zst", "ko.gz"];

/// Where the module is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It is loaded, in the version that is known here.
    Loaded,
    /// It can be loaded from this file.
    File(String),
    /// It cannot be used, and why, as the end of a sentence.
    Not(String),
}

/// Where the module for the kernel that runs is.
pub(crate) fn find(kernel: &dyn Kernel) -> Found {
    match is_loaded(kernel) {
        Ok(false) => {}
        Ok(true) => {
            return match check_version(kernel) {
                Ok(()) => Found::Loaded,
                Err(why) => Found::Not(format!("is loaded, but {why}")),
            };
        }
        Err(why) => return Found::Not(format!("is in an unknown state ({LOADED}: {why})")),
    }
    let places = folders(kernel).into_iter().flat_map(|folder| {
        ENDINGS.iter().map(move |ending| (folder.clone(), format!("{MODULE}.{ending}")))
    });
    let mut there = places.filter_map(|(folder, name)| {
        kernel.list(&folder).ok()?.contains(&name).then(|| format!("{folder}/{name}"))
    });
    match there.next() {
        Some(path) => Found::File(path),
        None => Found::Not(format!("is not below {} ({})", of_release(kernel), FOLDERS.join(", "))),
    }
}

/// The folder of the modules of the kernel that runs.
fn of_release(kernel: &dyn Kernel) -> String {
    let release = kernel.read("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("/lib/modules/{}", release.trim())
}

/// Where the module may be.
pub(crate) fn folders(kernel: &dyn Kernel) -> [String; 4] {
    let of_release = of_release(kernel);
    FOLDERS.map(|place| format!("{of_release}/{place}"))
}

/// Whether it is loaded.
///
/// # Errors
/// The kernel does not say.
pub(crate) fn is_loaded(kernel: &dyn Kernel) -> io::Result<bool> {
    Ok(gone_is_none(kernel.read(LOADED))?.is_some())
}

/// Whether the module that is loaded is the one that is known here.
///
/// # Errors
/// It is another one, or has no version.
pub(crate) fn check_version(kernel: &dyn Kernel) -> io::Result<()> {
    let version = kernel.read(LOADED)?;
    if version.trim() == VERSION {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "its version is {}, and this vorrang is for version {VERSION}",
        version.trim()
    )))
}

/// The counters of the module on a processor since it was loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shielded {
    /// The processor.
    pub cpu: u32,
    /// Whether it is shielded now.
    pub is_on: bool,
    /// Timers that expired while something more urgent ran, and were held back.
    pub held_back: u64,
    /// The longest time that one of them waited, in nanoseconds.
    pub longest: u64,
    /// Those that fired at their longest deferral.
    pub overdue: u64,
    /// Whether the journal has a longest deferral.
    pub is_limited: bool,
    /// Timers that were left to the kernel because the module had no room for their threads.
    pub no_room: u64,
}

/// The counters of the module on the processors that are, or should be, shielded.
pub(crate) fn of_processors(kernel: &dyn Kernel, told: &BTreeSet<u32>) -> Vec<Shielded> {
    let text = kernel.read(FILE).unwrap_or_default();
    let mut all: Vec<Shielded> = text.lines().filter_map(line).collect();
    all.retain(|one| one.is_on || told.contains(&one.cpu));
    // Without the module none is shielded.
    let gone = told.iter().filter(|cpu| !all.iter().any(|one| one.cpu == **cpu));
    let gone: Vec<Shielded> = gone.map(|&cpu| Shielded { cpu, ..Shielded::default() }).collect();
    all.extend(gone);
    all
}

/// A line of a processor; timers and counters that are not shown are passed over.
fn line(line: &str) -> Option<Shielded> {
    let mut words = line.strip_prefix("cpu ")?.split_whitespace();
    let cpu = words.next()?.parse().ok()?;
    let mut one = Shielded { cpu, is_on: words.next()? == "on", ..Shielded::default() };
    while let (Some(name), Some(number)) = (words.next(), words.next()) {
        let number = number.parse().ok()?;
        match name {
            "held-back" => one.held_back = number,
            "longest-ns" => one.longest = number,
            "overdue" => one.overdue = number,
            "no-room" => one.no_room = number,
            _ => {}
        }
    }
    Some(one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Known;

    const SOURCE: &str = include_str!("../../../kernel/timer_shield/shield.h");

    #[test]
    fn the_version_is_that_of_the_source() {
        assert!(SOURCE.contains(&format!("#define TS_VERSION \"{VERSION}\"")));
    }

    #[test]
    fn counters_are_read_by_their_names() {
        let text = "timer_shield 2\n\
                    cpu 0 off held 0 held-back 0 longest-ns 0 overdue 0 interrupts 0 no-room 0 moved 0\n\
                    cpu 1 on held 646 held-back 324 longest-ns 18570000 overdue 2 interrupts 486 no-room 3 moved 0\n\
                    timer cpu 1 clock 0 priority 10 expires 2051000000 pid 123 cpu 1 on\n";
        let kernel = Known(|path: &str| (path == FILE).then(|| text.to_owned()));
        let expected = Shielded {
            cpu: 1,
            is_on: true,
            held_back: 324,
            longest: 18_570_000,
            overdue: 2,
            is_limited: false,
            no_room: 3,
        };
        let gone = Shielded { cpu: 2, ..Shielded::default() };
        assert_eq!(of_processors(&kernel, &BTreeSet::from([1, 2])), [expected, gone.clone()]);
        let unloaded = Known(|_: &str| None);
        assert_eq!(of_processors(&unloaded, &BTreeSet::from([2])), [gone]);
        assert_eq!(of_processors(&unloaded, &BTreeSet::new()), []);
    }

    #[test]
    fn another_version_is_not_used() {
        let of = |version: &'static str| {
            Known(move |path: &str| (path == LOADED).then(|| version.to_owned()))
        };
        assert_eq!(find(&of("2\n")), Found::Loaded);
        assert!(matches!(find(&of("1\n")), Found::Not(why) if why.contains("version is 1")));
        assert!(matches!(find(&Known(|_: &str| None)), Found::Not(_)));
    }
}
