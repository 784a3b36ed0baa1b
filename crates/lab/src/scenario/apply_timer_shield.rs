//! `vorrang apply`, `status` and `restore` of a description with a shielded core, the one of the examples.
//!
//! Without the module it is refused. With it, packed as DKMS packs it, the core is shielded, timers of the logger wait
//! for the control task, and after `restore` the module is gone.

use super::timer_shield::{HELD, HOOKED, MODULES, NAME, counter, no_warning, read};
use super::{BOTH, Check, Scenario, apply, shown};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::program;
use crate::workshop::Workshop;
use std::process::Command;
use vorrang_guest::{Fault, LoadedTask, Plan, Policy, Step, Work};

const US: u64 = 1000;
const MS: u64 = 1000 * US;
const DESCRIPTION: &str = include_str!("../../../../examples/timers.toml");
/// Processor of the shielded core.
const CPU: usize = 2;
/// Where the module is before it is installed.
const UNUSED: &str = "/kernel/timer_shield.ko.xz";
const APPLY: &str = "apply /timers.toml --yes --look 300ms";
const STATUS: &str = "status --for 300ms";

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "apply-timer-shield",
        shows: "vorrang apply shields a core from timers, status shows what was held back, restore undoes it",
        lines: BOTH,
        in_ci: BOTH,
        machine: Machine { cpus: 3, ..Machine::default() },
        modules: &[],
        programs: &["vorrang"],
        files,
        of_kernel: Some(|kernel| {
            Ok(vec![File { path: UNUSED.to_owned(), bytes: packed(kernel)? }])
        }),
        plan,
        checks,
    }
}

pub(super) fn kill() -> Scenario {
    faults(
        "faults-timer-shield-killed",
        "apply of a shielded core, killed anywhere, leaves nothing that restore does not undo",
        || plan_of_faults(Fault::Kill),
    )
}

pub(super) fn refuse() -> Scenario {
    faults(
        "faults-timer-shield-refused",
        "apply of a shielded core, refused anything, leaves nothing that restore does not undo",
        || plan_of_faults(Fault::Refuse(1)),
    )
}

pub(super) fn kill_restore() -> Scenario {
    faults(
        "faults-timer-shield-restore-killed",
        "restore of a shielded core, killed anywhere, can be done again",
        || plan_of_faults(Fault::KillRestore),
    )
}

/// The same with a fault at every call that may change something; one kind a boot, for all take longer than a boot may.
fn faults(name: &'static str, shows: &'static str, plan: fn() -> Plan) -> Scenario {
    Scenario {
        name,
        shows,
        in_ci: &[],
        machine: Machine { cpus: 2, ..Machine::default() },
        files: files_of_faults,
        of_kernel: Some(|kernel| {
            Ok(vec![File { path: installed(kernel), bytes: packed(kernel)? }])
        }),
        plan,
        checks: super::faults::checks,
        ..scenario()
    }
}

fn files() -> Vec<File> {
    let bytes = DESCRIPTION.as_bytes().to_vec();
    let description = File { path: "/timers.toml".to_owned(), bytes };
    super::busybox().into_iter().chain([description]).collect()
}

/// What `faults.rs` applies, with the shield: it is decided sooner.
fn files_of_faults() -> Vec<File> {
    let text = apply::DESCRIPTION.replace("cpu = 1\n", "cpu = 1\ntimers = \"timershield\"\n");
    vec![File { path: "/system.toml".to_owned(), bytes: text.into_bytes() }]
}

/// Where DKMS installs it.
fn installed(kernel: &Kernel) -> String {
    format!("/lib/modules/{}/updates/dkms/{NAME}.ko.xz", kernel.release)
}

/// The module as DKMS packs it for kernels whose modules are packed so.
fn packed(kernel: &Kernel) -> Result<Vec<u8>, Failure> {
    let folder = crate::storage::subfolder("packed")?;
    let path = folder.join(format!("{NAME}-{}.ko", kernel.release));
    let module = Workshop::of(kernel)?.module(NAME)?;
    std::fs::write(&path, module).map_err(|why| Failure::at(&path, why))?;
    let mut xz = Command::new("xz");
    program::output(xz.args(["--check=crc32", "--lzma2=dict=1MiB", "--stdout"]).arg(&path))
}

/// The threads of the description.
fn load() -> Step {
    let task = |name: &str, period, work| LoadedTask {
        name: name.to_owned(),
        cpu: None,
        policy: Policy::Other,
        offset: 0,
        period,
        jobs: u32::MAX,
        work: Work::Compute(work),
    };
    let tasks = ["a", "b"].into_iter().flat_map(|core| {
        [
            task(&format!("control-{core}"), MS, 200 * US),
            task(&format!("logger-{core}"), 150 * US, 10 * US),
        ]
    });
    Step::StartLoad { tasks: tasks.collect(), until: 0 }
}

/// Commands of busybox, for there is no other shell.
fn busybox(arguments: &[&str]) -> Step {
    let command = ["/bin/busybox"].iter().chain(arguments).map(|word| (*word).to_owned());
    Step::Run { command: command.collect() }
}

/// As DKMS installs it, for the kernel that runs.
fn install() -> Step {
    let script = format!(
        "d=/lib/modules/$(/bin/busybox uname -r)/updates/dkms; /bin/busybox mkdir -p $d; /bin/busybox mv {UNUSED} $d"
    );
    busybox(&["sh", "-ec", &script])
}

fn plan() -> Plan {
    let run = |arguments: &str| Step::Run { command: apply::vorrang(arguments) };
    Plan {
        steps: vec![
            load(),
            Step::Sleep { time: 50 * MS },
            run("apply /timers.toml"),
            install(),
            Step::RememberState,
            run("apply /timers.toml"),
            Step::CompareState,
            read(HOOKED),
            run(APPLY),
            read(HOOKED),
            read(HELD),
            run(STATUS),
            run("restore"),
            Step::CompareState,
            read(HOOKED),
            read(MODULES),
            run("restore"),
        ],
    }
}

fn plan_of_faults(fault: Fault) -> Plan {
    let faults = Step::Faults {
        before: Vec::new(),
        change: apply::vorrang("apply /system.toml --yes --look 0s"),
        restore: apply::vorrang("restore"),
        fault,
        stride: 1,
    };
    Plan {
        steps: vec![apply::load(false), Step::Sleep { time: 50 * MS }, Step::RememberState, faults],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence), no_warning(evidence)];
    checks.extend(apply::commands(
        evidence,
        &[
            (
                "without the module it is refused",
                "apply /timers.toml",
                4,
                "needs the module timer_shield, which is not below",
            ),
            ("the plan is shown", "apply /timers.toml", 0, "finit_module("),
            ("it is applied", APPLY, 0, "/timer_shield.ko.xz)"),
            ("what was held back is shown", STATUS, 0, "Timers of less urgent threads"),
            ("it is undone", "restore", 0, "changes are undone"),
            ("undoing it twice does no harm", "restore", 0, "Nothing is applied."),
        ],
    ));
    checks.extend(apply::differences(evidence));
    let hooked: Vec<bool> =
        evidence.texts(HOOKED).map(|text| text.contains("hrtimer_start_range_ns")).collect();
    let gone = evidence.texts(MODULES).all(|text| !text.contains(NAME));
    checks.push(Check::new(
        "the kernel's function is taken over while it is applied, and only then",
        format!("{hooked:?}"),
        hooked == [false, true, false] && gone,
    ));
    let counted = |cpu, name| evidence.texts(HELD).next().and_then(|text| counter(text, cpu, name));
    checks.push(Check::new(
        "timers wait on the shielded processor only, and none too long for the module",
        format!("held back {:?}, overdue {:?}", counted(CPU, "held-back"), counted(CPU, "overdue")),
        counted(CPU, "held-back") > Some(0)
            && counted(CPU, "overdue") == Some(0)
            && counted(1, "held") == Some(0),
    ));
    let sessions = ["apply /timers.toml", APPLY, STATUS, "restore"].map(apply::vorrang);
    checks.extend(shown::TIMER_SHIELD.check(evidence, &sessions));
    checks
}
