//! Scenarios: a machine, the steps of its first process, and what is expected.
//!
//! A check compares the behaviour of the kernel with its documentation; each reports the observation, whether
//! it holds or not. What a scenario is, is its file ([`crate::written`]); here are the names of what is a program.

use crate::check::{self, Check};
use crate::data;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::module::Modules;
use crate::workshop::Workshop;
use crate::written::{Scenario, Told};
use crate::{
    apply, boot, call_count, conformance, experiment, guest, host, image, kvm, learn, measure,
    storage, timer_shield, unpacked,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;
use vorrang_guest::{Plan, Step};

/// How long a boot may take on the host before it is given up. It is no part of any check.
const MINUTES: u64 = 20;

/// The program that is the first process of every guest.
const FIRST_PROCESS: &str = "vorrang-guest";

/// All scenarios.
pub fn all() -> Vec<Scenario> {
    #[derive(Deserialize)]
    struct All {
        scenarios: Vec<String>,
    }
    let All { scenarios } = data::read("all.toml");
    scenarios.iter().map(|path| Scenario::read(path)).collect()
}

/// Programs of this project, built for guests, by their names.
pub type Programs = BTreeMap<String, Vec<u8>>;

/// Builds the programs of scenarios, each once.
///
/// # Errors
/// One cannot be built.
pub fn programs_of<'a>(
    scenarios: impl IntoIterator<Item = &'a Scenario>,
) -> Result<Programs, Failure> {
    let of_all = scenarios.into_iter().flat_map(|scenario| scenario.programs.iter().cloned());
    let names: BTreeSet<String> = of_all.chain([FIRST_PROCESS.to_owned()]).collect();
    let build = |name: String| {
        let path = guest::build(&name)?;
        Ok((name, fs::read(&path).map_err(|why| Failure::at(&path, why))?))
    };
    names.into_iter().map(build).collect()
}

impl Scenario {
    /// What its first process does.
    pub fn plan(&self) -> Plan {
        Plan { steps: self.steps(&|name| part(self, name)) }
    }

    /// The same with faults at every `stride`th call only.
    pub fn plan_with(&self, stride: u32) -> Plan {
        let mut plan = self.plan();
        for step in &mut plan.steps {
            if let Step::Faults { stride: of_step, .. } = step {
                *of_step = stride;
            }
        }
        plan
    }

    /// Whether it has faults, which can be made fewer.
    pub fn can_be_thinned(&self) -> bool {
        self.plan().steps.iter().any(|step| matches!(step, Step::Faults { .. }))
    }

    /// What is expected, and what was seen.
    pub fn checks(&self, evidence: &Evidence) -> Vec<Check> {
        self.expected.iter().flat_map(|name| checks(self, name, evidence)).collect()
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
        let modules: Vec<&str> = self.modules.iter().map(String::as_str).collect();
        let modules = Modules::below(&kernel.modules)?.with_what_they_need(&modules)?;
        let mut files = self.files();
        for name in &self.built {
            files.extend(built(self, name, kernel)?);
        }
        let configuration = &kernel.configuration;
        files.push(File {
            path: format!("/boot/config-{}", kernel.release),
            bytes: fs::read(configuration).map_err(|why| Failure::at(configuration, why))?,
        });
        for name in &self.programs {
            files.push(File { path: format!("/bin/{name}"), bytes: programs[name].clone() });
        }
        let init = programs[FIRST_PROCESS].clone();
        let image = image::build(init, modules, &self.plan_with(stride), files)?;
        let folder = storage::subfolder("runs")?.join(format!("{}-{}", self.name, kernel.line));
        let kernel = unpacked::kernel(&kernel.image)?;
        let limit = Duration::from_secs(self.minutes.unwrap_or(MINUTES) * 60);
        let heard = self.machine.boot(&kernel, &image, &folder, limit)?;
        Evidence::of(heard)
    }
}

/// Files that are built for the kernel, or are its own: by default a module of this project.
fn built(of: &Scenario, name: &str, kernel: &Kernel) -> Result<Vec<File>, Failure> {
    let module = || {
        let bytes = Workshop::of(kernel)?.module(name)?;
        Ok(vec![File { path: format!("/kernel/{name}.ko"), bytes }])
    };
    apply::built(name, kernel).or_else(|| kvm::built(of, name, kernel)).unwrap_or_else(module)
}

/// The steps of a part that is a program.
fn part(of: &Scenario, name: &str) -> Vec<Step> {
    let families = [conformance::part, experiment::part, host::part, kvm::part, timer_shield::part];
    let found = families.iter().find_map(|part| part(of, name));
    found.unwrap_or_else(|| panic!("{}: there are no steps {name}", of.name))
}

/// What is expected under a name.
fn checks(of: &Scenario, name: &str, evidence: &Evidence) -> Vec<Check> {
    let families = [
        of_any,
        apply::checks,
        conformance::checks,
        experiment::checks,
        host::checks,
        kvm::checks,
        learn::checks,
        measure::checks,
        timer_shield::checks,
    ];
    let found = families.iter().find_map(|checks| checks(of, name, evidence));
    found.unwrap_or_else(|| panic!("{}: nothing is expected under {name}", of.name))
}

/// What is expected in any family, or in none.
fn of_any(of: &Scenario, name: &str, evidence: &Evidence) -> Option<Vec<Check>> {
    Some(match name {
        "boot" => boot::booted(evidence),
        "call-count" => call_count::counted(evidence),
        "commands" => of.commands(evidence, Told::Everything),
        "commands-by-line" => of.commands(evidence, Told::Line),
        "commands-in-brief" => of.commands(evidence, Told::InBrief),
        "differences" => check::differences(evidence),
        "no-warning" => vec![check::no_warning(evidence)],
        "nothing-refused" => vec![Check::nothing_refused(evidence)],
        "succeeded" => check::succeeded(evidence),
        _ => return None,
    })
}
