//! A kernel boots to user space, is the one that was asked for, and is a real-time kernel.

use super::{BOTH, Check, Scenario};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use vorrang_guest::{Plan, Record, Step};

/// Says what the kernel was told.
const COMMAND_LINE: &str = "/proc/cmdline";

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "boot",
        shows: "a real-time kernel boots on two processors",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { cpus: 2, ..Machine::default() },
        modules: &["virtio-net"],
        programs: &[],
        files: super::no_files,
        of_kernel: None,
        plan: || Plan { steps: vec![Step::Read { path: COMMAND_LINE.to_owned() }] },
        checks,
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let started = evidence.records.iter().find_map(|record| match record {
        Record::Started { kernel, version, cpus } => {
            Some((kernel.as_str(), version.as_str(), *cpus))
        }
        _ => None,
    });
    let (kernel, version, cpus) = started.unwrap_or_default();
    let told = |record: &Record| matches!(record, Record::Text { path, text } if path == COMMAND_LINE && text.contains("nokaslr"));
    vec![
        Check::new("it is a kernel of the line", kernel, kernel.ends_with("-rt-amd64")),
        Check::new(
            "it says that it is preemptible everywhere",
            version,
            version.contains("PREEMPT_RT"),
        ),
        Check::new("it reads its files", COMMAND_LINE, evidence.records.iter().any(told)),
        Check::new("it has two processors", cpus.to_string(), cpus == 2),
        Check::nothing_refused(evidence),
    ]
}
