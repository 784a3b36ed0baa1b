//! What the files of a machine say of its threads besides.
//!
//! **Not covered.** A machine whose files are not at hand: then all of this stays unknown, and open.

use crate::learner::virtual_processor;
use crate::wanted::Learnt;
use std::collections::BTreeMap;
use vorrang_enforce::{Kernel, Policy};
use vorrang_import::{release, reported, tick};

/// What is known besides a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The release of the kernel, as much as a description takes.
    pub release: Option<String>,
    /// Words of its command line about processors, its clock tick among them.
    pub settings: Vec<String>,
    /// The kernel's tick, as a sentence.
    pub tick: Option<String>,
    /// The policy of each thread.
    pub policies: BTreeMap<u32, Policy>,
    /// Where each thread may run.
    pub affinities: BTreeMap<u32, Vec<u32>>,
    /// The virtual machine that a thread belongs to.
    pub machines: BTreeMap<u32, String>,
}

/// Words of the command line that say which processors are left to whom.
const SETTINGS: [&str; 5] = ["isolcpus=", "nohz_full=", "rcu_nocbs=", "irqaffinity=", "nohz="];

impl Facts {
    /// Of the machine that a trace is of, while its threads are there.
    pub fn of(kernel: &dyn Kernel, learnt: &Learnt) -> Self {
        let line = kernel.read("/proc/cmdline").unwrap_or_default();
        let is_setting = |word: &&str| SETTINGS.iter().any(|setting| word.starts_with(setting));
        let release = release(kernel);
        let mut facts = Self {
            release: release.as_deref().and_then(plain_release),
            tick: tick(kernel).map(|tick| tick.said()),
            settings: line.split_whitespace().filter(is_setting).map(str::to_owned).collect(),
            ..Self::default()
        };
        let reported = reported(kernel);
        for (&number, thread) in &learnt.threads {
            let Ok(id) = i32::try_from(number) else { continue };
            let report = reported.get(&id);
            let turns = report.filter(|report| report.takes_turns());
            let turns = turns.map(|_| Policy::plain(Policy::ROUND_ROBIN));
            facts.policies.extend(kernel.policy(id).ok().or(turns).map(|own| (number, own)));
            let cpus = report.and_then(|report| report.cpus.clone());
            facts.affinities.extend(kernel.affinity(id).ok().or(cpus).map(|own| (number, own)));
            if virtual_processor(&thread.name).is_some() {
                let vm = report.and_then(|report| report.vm.clone());
                facts.machines.extend(machine_of(kernel, id).or(vm).map(|own| (number, own)));
            }
        }
        facts
    }
}

/// The name of the virtual machine that the process of a thread is.
pub(crate) fn machine_of(kernel: &dyn Kernel, thread: i32) -> Option<String> {
    let line = kernel.read(&format!("/proc/{thread}/cmdline")).ok()?;
    let mut words = line.split('\0');
    words.find(|word| *word == "-name")?;
    let mut parts = words.next()?.split(',');
    let name = parts.find(|part| !part.contains('=') || part.starts_with("guest="))?;
    Some(name.trim_start_matches("guest=").to_owned())
}

/// Major and minor number of a release.
fn plain_release(release: &str) -> Option<String> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let (major, minor) = (numbers.next()?, numbers.next()?);
    let is_number = |text: &str| !text.is_empty() && text.len() < 6;
    (is_number(major) && is_number(minor)).then(|| format!("{major}.{minor}"))
}
