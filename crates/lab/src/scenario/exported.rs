//! What `vorrang export --as chrt` writes, done by the `chrt` and `taskset` of util-linux, leaves the machine
//! as `vorrang apply` does.

use super::{BOTH, Check, Scenario, apply, busybox};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use crate::program;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use vorrang_guest::{Plan, Record, Step};

const MS: u64 = 1_000_000;

/// The programs, and where the guest looks first. The shell is one without programs of its own, of which that of
/// busybox has a `taskset`.
const PROGRAMS: &[(&str, &str)] =
    &[("chrt", "/sbin/chrt"), ("taskset", "/sbin/taskset"), ("dash", "/sbin/dash")];

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "apply-exported",
        shows: "exported lines, done by chrt and taskset, leave the machine as vorrang apply does",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { cpus: 2, ..Machine::default() },
        modules: &[],
        programs: &["vorrang"],
        files,
        of_kernel: None,
        plan,
        checks,
    }
}

fn files() -> Vec<File> {
    let mut files = apply::files();
    files.extend(busybox());
    files.extend(PROGRAMS.iter().flat_map(|(name, path)| with_libraries(name, path)));
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.path.clone()));
    files
}

/// A program of the host with its libraries, as far as they are there; the step that needs a missing one
/// reports it.
fn with_libraries(name: &str, path: &str) -> Vec<File> {
    let found = ["/usr/bin", "/bin"].map(|folder| format!("{folder}/{name}"));
    let Some(bytes) = found.iter().find_map(|path| fs::read(path).ok()) else { return Vec::new() };
    let libraries = found.iter().find_map(|path| program::text(Command::new("ldd").arg(path)).ok());
    let libraries = libraries.unwrap_or_default();
    let words = libraries.split_whitespace().filter(|word| word.starts_with('/'));
    let library = |path: &str| Some(File { path: path.to_owned(), bytes: fs::read(path).ok()? });
    let mut files = vec![File { path: path.to_owned(), bytes }];
    files.extend(words.filter_map(library));
    files
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: apply::vorrang(arguments) };
    let shell = |script: &str| Step::Run {
        command: ["/sbin/dash", "-c", script].map(str::to_owned).to_vec(),
    };
    Plan {
        steps: vec![
            shell("/bin/busybox --install -s /bin && chrt --version && taskset --version"),
            apply::load(false),
            Step::Sleep { time: 200 * MS },
            run("apply /system.toml --yes --look 0s"),
            Step::RememberState,
            run("restore"),
            shell("vorrang export /system.toml --as chrt > /run/set && dash /run/set"),
            Step::CompareState,
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    checks.extend(apply::succeeded(evidence));
    checks.extend(apply::differences(evidence));
    let of_util_linux = evidence.records.iter().any(|record| {
        matches!(record, Record::Ran { output, .. } if output.contains("chrt from util-linux") && output.contains("taskset from util-linux"))
    });
    checks.push(Check::new(
        "chrt and taskset are those of util-linux",
        of_util_linux.to_string(),
        of_util_linux,
    ));
    checks
}
