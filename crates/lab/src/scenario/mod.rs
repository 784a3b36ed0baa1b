//! Scenarios: a machine, what its first process does, and what must be seen.
//!
//! A check compares what the kernel did with what its documentation says, within [`TOLERANCE`];
//! each says what was seen, whether it holds or not.

mod apply;
mod boot;
mod deadline;
mod faults;
mod fifo;
mod network;

use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::kernel::Kernel;
use crate::module::Modules;
use crate::{guest, image, storage};
use std::fs;
use std::time::Duration;
use vorrang_guest::Plan;

/// What a time may differ from what is expected: the instructions of the kernel between an event
/// and what follows from it, a context switch or two and a timer interrupt, at one nanosecond each.
pub const TOLERANCE: u64 = 50_000;

/// How long a boot may take on the host before it is given up. It is no part of any check.
const LIMIT: Duration = Duration::from_secs(1200);

/// A scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: &'static str,
    /// What it shows, as a sentence without its end.
    pub shows: &'static str,
    /// The lines of kernels it is for.
    pub lines: &'static [&'static str],
    /// Whether it takes minutes: then `ci` runs it on the newest line only.
    pub takes_long: bool,
    /// The machine.
    pub machine: Machine,
    /// The modules that are loaded.
    pub modules: &'static [&'static str],
    /// Programs of this project in its `/bin`.
    pub programs: &'static [&'static str],
    /// Other files.
    pub files: fn() -> Vec<image::File>,
    /// What its first process does.
    pub plan: fn() -> Plan,
    /// What must be seen.
    pub checks: fn(&Evidence) -> Vec<Check>,
}

/// The host's `busybox`, which sets up networks; missing, the scenario says so by its first step.
fn busybox() -> Option<image::File> {
    let bytes = ["/bin/busybox", "/usr/bin/busybox"].iter().find_map(|path| fs::read(path).ok())?;
    Some(image::File { path: "/bin/busybox".to_owned(), bytes })
}

/// No files.
fn no_files() -> Vec<image::File> {
    Vec::new()
}

/// Something that must be seen.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    /// What, as a sentence without its end.
    pub what: String,
    /// What was seen.
    pub seen: String,
    /// Whether that is it.
    pub holds: bool,
}

impl Check {
    /// Something that holds or does not.
    pub fn new(what: impl Into<String>, seen: impl Into<String>, holds: bool) -> Self {
        Self { what: what.into(), seen: seen.into(), holds }
    }

    /// The guest could do all that it was told.
    pub fn nothing_refused(evidence: &Evidence) -> Self {
        let refusals = evidence.refusals();
        let seen = if refusals.is_empty() { "nothing".to_owned() } else { refusals.join("; ") };
        Self::new("what the guest could not do", seen, refusals.is_empty())
    }

    /// A time that is expected, within the tolerance.
    pub fn time(what: impl Into<String>, expected: u64, seen: u64) -> Self {
        let holds = seen.abs_diff(expected) <= TOLERANCE;
        Self::new(what, format!("{} us", seen / 1000), holds)
    }
}

/// All scenarios.
pub fn all() -> Vec<Scenario> {
    vec![
        boot::scenario(),
        deadline::throttling(),
        deadline::wakeup(),
        fifo::scenario(),
        apply::scenario(),
        network::polling(),
        network::interrupts(),
        faults::kill(),
        faults::refuse(),
        faults::kill_restore(),
    ]
}

/// The lines that have all that the lab is for.
const BOTH: &[&str] = &["6.12-rt", "7.2-rt"];

impl Scenario {
    /// Boots a kernel and does the plan.
    ///
    /// # Errors
    /// The machine cannot be built or does not come to its end.
    pub fn run(&self, kernel: &Kernel) -> Result<Evidence, Failure> {
        let init = guest::build("vorrang-guest")?;
        let init = fs::read(&init).map_err(|why| Failure::at(&init, why))?;
        let modules = Modules::below(&kernel.modules)?.with_what_they_need(self.modules)?;
        let mut files = (self.files)();
        for name in self.programs {
            let built = guest::build(name)?;
            let bytes = fs::read(&built).map_err(|why| Failure::at(&built, why))?;
            files.push(image::File { path: format!("/bin/{name}"), bytes });
        }
        let image = image::build(init, modules, &(self.plan)(), files)?;
        let folder = storage::subfolder("runs")?.join(format!("{}-{}", self.name, kernel.line));
        let heard = self.machine.boot(&kernel.image, &image, &folder, LIMIT)?;
        Evidence::of(heard)
    }
}
