//! A kernel boots to user space, is the one that was asked for, and is a real-time kernel.

use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_guest::Record;

/// Says what the kernel was told.
const COMMAND_LINE: &str = "/proc/cmdline";

/// The kernel that booted.
pub(crate) fn booted(evidence: &Evidence) -> Vec<Check> {
    let started = evidence.records.iter().find_map(|record| match record {
        Record::Started { kernel, version, cpus } => {
            Some((kernel.as_str(), version.as_str(), *cpus))
        }
        _ => None,
    });
    let (kernel, version, cpus) = started.unwrap_or_default();
    let told = evidence.texts(COMMAND_LINE).any(|text| text.contains("nokaslr"));
    vec![
        Check::new("it is a kernel of the line", kernel, kernel.ends_with("-rt-amd64")),
        Check::new(
            "it says that it is preemptible everywhere",
            version,
            version.contains("PREEMPT_RT"),
        ),
        Check::new("it reads its files", COMMAND_LINE, told),
        Check::new("it has two processors", cpus.to_string(), cpus == 2),
    ]
}
