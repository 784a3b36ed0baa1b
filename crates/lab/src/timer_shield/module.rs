//! The module `timer_shield` in a machine: its files, and steps and checks of whatever is done beside it.

use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::{LoadedTask, Policy, Record, Step, Work};

pub(super) const US: u64 = 1000;
pub(super) const MS: u64 = 1000 * US;
pub(crate) const NAME: &str = "timer_shield";
pub(crate) const HELD: &str = "/proc/timer_shield";
pub(crate) const HOOKED: &str = "/sys/kernel/tracing/enabled_functions";
pub(crate) const MODULES: &str = "/proc/modules";
pub(super) const INTERRUPTS: &str = "/proc/interrupts";

pub(super) fn read(path: &str) -> Step {
    Step::Read { path: path.to_owned() }
}

pub(super) fn load_module(parameters: &str) -> Step {
    Step::LoadModule { path: format!("/kernel/{NAME}.ko"), parameters: parameters.to_owned() }
}

pub(super) fn unload_module() -> Step {
    Step::UnloadModule { name: NAME.to_owned() }
}

pub(super) fn task(name: String, priority: u32, period: u64, jobs: u32, work: u64) -> LoadedTask {
    let (policy, work) = (Policy::Fifo(priority), Work::Compute(work));
    LoadedTask { name, cpu: Some(0), policy, offset: 0, period, jobs, work }
}

/// Whether the module has taken over the function of the kernel that arms timers.
pub(crate) fn is_hooked(functions: &str) -> bool {
    functions.contains("hrtimer_start_range_ns")
}

/// Whether the module was there at none of the times when that was read.
pub(super) fn is_gone(evidence: &Evidence) -> bool {
    evidence.texts(MODULES).all(|text| !text.contains(NAME))
}

/// With a tenth.
pub(super) fn microseconds(ns: u64) -> String {
    format!("{}.{}", ns / US, ns % US / 100)
}

/// Sleeps do not end before their instant, and all of them end.
pub(super) fn never_early(evidence: &Evidence) -> Check {
    let (mut all, mut early, mut latest) = (0, 0, 0);
    for record in &evidence.records {
        match record {
            Record::Jobs { jobs, .. } => {
                all += jobs.len() as u64;
                early += jobs.iter().filter(|job| job.start < job.release).count() as u64;
            }
            Record::Others { jobs, early: of_others, latest: of_these, .. } => {
                all += jobs;
                early += of_others;
                latest = latest.max(*of_these);
            }
            _ => {}
        }
    }
    Check::new(
        "sleeps that end early",
        format!("{early} of {all}, the latest {} us after its instant", latest / 1000),
        early == 0 && all > 0,
    )
}

/// A number of a processor in the module's file.
pub(crate) fn counter(text: &str, cpu: usize, name: &str) -> Option<u64> {
    let row = text.lines().find_map(|line| line.strip_prefix(&format!("cpu {cpu} ")))?;
    let mut words = row.split_whitespace().skip_while(|word| *word != name);
    words.nth(1)?.parse().ok()
}
