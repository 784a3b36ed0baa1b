//! Scenarios: a machine, the plan of its first process, and the expected observations.
//!
//! A check compares the behaviour of the kernel with its documentation; each reports the observation, whether
//! it holds or not.

mod apply;
mod apply_timer_shield;
mod boot;
mod conformance;
mod conformance_shield;
mod exported;
mod faults;
mod host_apply;
mod host_change;
mod host_change_half;
mod host_change_two;
mod host_film;
mod host_growth;
mod host_guest;
mod host_interrupts;
mod host_kill;
mod host_kill_first;
mod host_kinds;
mod host_rows;
mod host_storm;
mod host_storm_traced;
mod host_two;
mod host_two_guests;
mod interrupt_thread;
mod kvm_host;
mod linux_guest;
mod measure_kernel;
mod module;
mod network;
mod observe;
mod partition;
mod raised;
mod rival;
mod shown;
mod timer_shield;
mod timer_shield_case;
mod timer_shield_cases;
mod timer_shield_costs;
mod timer_shield_ends;
mod timer_shield_exercise;
mod timer_shield_files;
mod timer_shield_stress;
mod timer_shield_threads;
mod vm;

use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::kernel::Kernel;
use crate::module::Modules;
use crate::{guest, image, storage, unpacked};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;
use vorrang_guest::{Plan, Step};

/// How long a boot may take on the host before it is given up. It is no part of any check.
const LIMIT: Duration = Duration::from_secs(1200);

/// The program that is the first process of every guest.
const FIRST_PROCESS: &str = "vorrang-guest";

/// A scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name.
    pub name: &'static str,
    /// Its claim, as a sentence without a full stop.
    pub shows: &'static str,
    /// The lines of kernels it is for.
    pub lines: &'static [&'static str],
    /// Those of them that `ci` runs it on.
    pub in_ci: &'static [&'static str],
    /// The machine.
    pub machine: Machine,
    /// The modules that are loaded.
    pub modules: &'static [&'static str],
    /// Programs of this project in its `/bin`.
    pub programs: &'static [&'static str],
    /// Other files.
    pub files: fn() -> Vec<image::File>,
    /// Files that are built for the kernel, or are its own.
    pub of_kernel: Option<OfKernel>,
    /// The plan of its first process.
    pub plan: fn() -> Plan,
    /// The expected observations.
    pub checks: fn(&Evidence) -> Vec<Check>,
}

/// The host's `busybox`, which sets up networks; missing, the scenario says so by its first step.
pub(crate) fn busybox() -> Option<image::File> {
    let bytes = ["/bin/busybox", "/usr/bin/busybox"].iter().find_map(|path| fs::read(path).ok())?;
    Some(image::File { path: "/bin/busybox".to_owned(), bytes })
}

/// No files.
pub(crate) fn no_files() -> Vec<image::File> {
    Vec::new()
}

/// A check.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    /// The claim, as a sentence without a full stop.
    pub what: String,
    /// The observation.
    pub seen: String,
    /// Whether it holds.
    pub holds: bool,
}

impl Check {
    /// Something that holds or does not.
    pub fn new(what: impl Into<String>, seen: impl Into<String>, holds: bool) -> Self {
        Self { what: what.into(), seen: seen.into(), holds }
    }

    /// The guest could execute its whole plan.
    pub fn nothing_refused(evidence: &Evidence) -> Self {
        let refusals = evidence.refusals();
        let seen = if refusals.is_empty() { "nothing".to_owned() } else { refusals.join("; ") };
        Self::new("what the guest could not do", seen, refusals.is_empty())
    }
}

/// All scenarios.
pub fn all() -> Vec<Scenario> {
    let mut all = vec![
        boot::scenario(),
        conformance::scenario(),
        partition::scenario(),
        interrupt_thread::scenario(),
        apply::scenario(),
        exported::scenario(),
        network::polling(),
        network::interrupts(),
        measure_kernel::scenario(),
        observe::scenario(),
        kvm_host::with_late_runtimes(),
        kvm_host::scenario(),
        crate::experiment::scenario(),
        module::scenario(),
        timer_shield::scenario(),
        conformance_shield::scenario(),
        timer_shield_files::scenario(),
        timer_shield_costs::scenario(),
        timer_shield_threads::scenario(),
        timer_shield_exercise::scenario(),
        timer_shield_exercise::in_full(),
        timer_shield_stress::scenario(),
        timer_shield_stress::in_full(),
        vm::scenario(),
        apply_timer_shield::scenario(),
        faults::kill(),
        faults::refuse(),
        faults::kill_restore(),
        apply_timer_shield::kill(),
        apply_timer_shield::refuse(),
        apply_timer_shield::kill_restore(),
    ];
    all.extend(of_host());
    all
}

/// Those of `vorrang-host`.
fn of_host() -> Vec<Scenario> {
    vec![
        host_growth::scenario(),
        host_kinds::scenario(),
        host_kinds::turns(),
        host_interrupts::scenario(),
        host_interrupts::on_6_12(),
        host_two_guests::scenario(),
        host_two_guests::on_6_12(),
        host_storm::scenario(),
        host_storm::on_6_12(),
        host_storm_traced::scenario(),
        host_film::scenario(),
        host_apply::scenario(),
        host_apply::on_two_processors(),
        host_change::scenario(),
        host_change::killed(),
        host_two::scenario(),
        host_two::long(),
        host_change_two::scenario(),
        host_change_two::killed(),
        host_change_half::scenario(),
        host_guest::scenario(),
        host_guest::on_6_12(),
        host_guest::with_budgets(),
        host_kill::scenario(),
        host_kill::steps(),
        host_kill_first::scenario(),
        host_kill_first::on_6_12(),
    ]
}

/// The lines that have all that the lab is for.
pub(crate) const BOTH: &[&str] = &["6.12-rt", "7.2-rt"];

/// Builds files for a kernel, or takes its own.
pub type OfKernel = fn(&Kernel) -> Result<Vec<image::File>, Failure>;

/// Programs of this project, built for guests, by their names.
pub type Programs = BTreeMap<&'static str, Vec<u8>>;

impl Scenario {
    /// Builds the programs of scenarios, each once.
    ///
    /// # Errors
    /// One cannot be built.
    pub fn programs_of<'a>(
        scenarios: impl IntoIterator<Item = &'a Self>,
    ) -> Result<Programs, Failure> {
        let of_all = scenarios.into_iter().flat_map(|scenario| scenario.programs.iter().copied());
        let names: BTreeSet<&'static str> = of_all.chain([FIRST_PROCESS]).collect();
        let build = |name| {
            let path = guest::build(name)?;
            Ok((name, fs::read(&path).map_err(|why| Failure::at(&path, why))?))
        };
        names.into_iter().map(build).collect()
    }

    /// What its first process does, with faults at every `stride`th call only.
    pub fn plan_with(&self, stride: u32) -> Plan {
        let mut plan = (self.plan)();
        for step in &mut plan.steps {
            if let Step::Faults { stride: of_step, .. } = step {
                *of_step = stride;
            }
        }
        plan
    }

    /// Whether it has faults, which can be made fewer.
    pub fn can_be_thinned(&self) -> bool {
        (self.plan)().steps.iter().any(|step| matches!(step, Step::Faults { .. }))
    }

    /// Boots a kernel and does the plan, with faults at every `stride`th call.
    ///
    /// # Errors
    /// The machine cannot be built or does not come to its end.
    pub fn run(
        &self,
        kernel: &Kernel,
        programs: &Programs,
        stride: u32,
    ) -> Result<Evidence, Failure> {
        let modules = Modules::below(&kernel.modules)?.with_what_they_need(self.modules)?;
        let mut files = (self.files)();
        if let Some(of_kernel) = self.of_kernel {
            files.extend(of_kernel(kernel)?);
        }
        let configuration = &kernel.configuration;
        files.push(image::File {
            path: format!("/boot/config-{}", kernel.release),
            bytes: fs::read(configuration).map_err(|why| Failure::at(configuration, why))?,
        });
        for name in self.programs {
            files.push(image::File { path: format!("/bin/{name}"), bytes: programs[name].clone() });
        }
        let init = programs[FIRST_PROCESS].clone();
        let image = image::build(init, modules, &self.plan_with(stride), files)?;
        let folder = storage::subfolder("runs")?.join(format!("{}-{}", self.name, kernel.line));
        let kernel = unpacked::kernel(&kernel.image)?;
        let heard = self.machine.boot(&kernel, &image, &folder, LIMIT)?;
        Evidence::of(heard)
    }
}
