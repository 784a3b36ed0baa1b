//! A Linux in a virtual machine, inside: its network card, and a reservation for its virtual processor.
//!
//! ```text
//! lab's machine   7.2-rt: vorrang, QEMU ── thread "CPU 0/KVM" ◄── SCHED_DEADLINE, 4 ms every 10 ms
//!                          10.9.0.1 tap0                │
//!   guest in it   7.2-rt:  10.9.0.2 eth0 (virtio)       └─ computes all the time
//! ```
//!
//! Both are the same stock kernel, unmodified, and both have the lab's program as first process. Each
//! side sends packets to the other, which answers.
//

use super::linux_guest::{CONSOLE, PACKETS, RECORDS, files, is_started, ping, run, started};
use super::{Check, Scenario, apply};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{Plan, Record, Step};

const DESCRIPTION: &str = r#"
version = 1

[core.0]
scheduler = "linux"
cpu = 1

[vcpu.guest]
on = "core.0"
server = "sched-deadline"
budget = "4ms"
period = "10ms"
vm = "guest"
thread = "vm:guest/0"

[task.guest]
on = "vcpu.guest"
wcet = "1ms"
period = "1s"
"#;

/// The reservation of the description, in percent of a processor.
const BUDGET: f64 = 40.0;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "kvm-guest",
        shows: "a Linux under KVM has a virtio network card, and its virtual processor is reserved",
        lines: &["7.2-rt"],
        // The nested guest sometimes stands still, for an unknown cause (docs/lab-reference.md).
        in_ci: &[],
        machine: Machine {
            cpus: 2,
            memory: 1536,
            features: &["+svm"],
            // Without it a real-time kernel has no KVM: an emulated processor does not promise it.
            command_line: "setcpuid=constant_tsc",
            ..Machine::default()
        },
        modules: &["kvm_amd", "tun"],
        programs: &["vorrang"],
        files: || {
            let description =
                File { path: "/system.toml".to_owned(), bytes: DESCRIPTION.as_bytes().to_vec() };
            super::busybox().into_iter().chain([description]).collect()
        },
        of_kernel: Some(files),
        plan,
        checks,
    }
}

fn plan() -> Plan {
    let vorrang = |arguments: &str| Step::Run { command: apply::vorrang(arguments) };
    let applied = [
        run(&ping("10.9.0.2")),
        Step::RememberState,
        vorrang("apply /system.toml"),
        Step::CompareState,
        vorrang("apply /system.toml --yes"),
        vorrang("status --for 1s"),
        run(&ping("10.9.0.2")),
        vorrang("restore"),
        Step::CompareState,
        Step::Read { path: RECORDS.to_owned() },
        Step::Read { path: CONSOLE.to_owned() },
    ];
    Plan { steps: started().into_iter().chain(applied).collect() }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    let inner: Vec<Record> = evidence
        .texts(RECORDS)
        .flat_map(str::lines)
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    checks.push(is_started(evidence));
    checks.push(same_kernel(&evidence.records, &inner));
    checks.push(answered("the guest is answered from outside", &inner, 0));
    checks.push(answered("it answers", &evidence.records, 0));
    let ran = |arguments: &str| {
        let wanted = apply::vorrang(arguments);
        evidence.records.iter().find_map(|record| match record {
            Record::Ran { command, exit, output, errors } if *command == wanted => {
                Some((*exit, format!("{output}{errors}")))
            }
            _ => None,
        })
    };
    let expected = [
        ("the virtual processor is found", "apply /system.toml", "vm:guest/0"),
        ("it is reserved", "apply /system.toml --yes", "SCHED_DEADLINE, runtime 4000000"),
        ("what it receives is shown", "status --for 1s", "CPU 0/KVM"),
        ("it is undone", "restore", "changes are undone"),
    ];
    for (what, arguments, text) in expected {
        let (exit, said) = ran(arguments).unwrap_or((-1, "it did not run".to_owned()));
        let line = said.lines().find(|line| line.contains(text)).filter(|_| exit == 0);
        // Unexpected output is shown as it is.
        let seen =
            line.map_or_else(|| format!("exit code {exit}\n{said}"), |line| line.trim().to_owned());
        checks.push(Check::new(what, seen, line.is_some()));
    }
    let status = ran("status --for 1s").map(|(_, said)| said).unwrap_or_default();
    let seen = shares(&status, "vcpu.guest");
    // Something of every period; a period more or less at the ends of the interval, of a hundred.
    let holds = seen.is_some_and(|(budget, received)| {
        (budget - BUDGET).abs() < 0.01 && (BUDGET - 4.0..BUDGET + 1.0).contains(&received)
    });
    let seen = seen.map_or_else(
        || format!("status does not say:\n{status}"),
        |(budget, received)| format!("{received} % of {budget} %"),
    );
    checks.push(Check::new("it computes all the time, and receives its budget", seen, holds));
    checks.push(answered("reserved, it answers", &evidence.records, 1));
    for record in &evidence.records {
        if let Record::Differences { lines } = record {
            let seen = if lines.is_empty() { "nothing".to_owned() } else { lines.join("; ") };
            checks.push(Check::new("what differs on the machine", seen, lines.is_empty()));
        }
    }
    checks
}

/// Both are the same stock kernel.
fn same_kernel(outer: &[Record], inner: &[Record]) -> Check {
    let kernel = |records: &[Record]| {
        records.iter().find_map(|record| match record {
            Record::Started { kernel, .. } => Some(kernel.clone()),
            _ => None,
        })
    };
    let (outer, inner) = (kernel(outer), kernel(inner));
    let seen = inner.clone().unwrap_or_else(|| "the guest told nothing".to_owned());
    Check::new("the guest is the same stock kernel", seen, inner.is_some() && inner == outer)
}

/// All packets of the `place`th `ping` are answered.
fn answered(what: &str, records: &[Record], place: usize) -> Check {
    let mut pings = records.iter().filter_map(|record| match record {
        Record::Ran { command, output, .. } if command.iter().any(|word| word == "ping") => {
            Some(output.as_str())
        }
        _ => None,
    });
    let output = pings.nth(place).unwrap_or("it did not run");
    let summary = output.lines().find(|line| line.contains("packets transmitted"));
    let all = format!("{PACKETS} packets transmitted, {PACKETS} packets received");
    let seen = summary.unwrap_or(output);
    Check::new(what, seen, seen.starts_with(&all))
}

/// The budget of a reservation and what was received of it, in percent, as a row of `status` shows them.
fn shares(status: &str, label: &str) -> Option<(f64, f64)> {
    let row = status.lines().find(|line| line.starts_with(label))?;
    let mut shares = row
        .split_whitespace()
        .filter(|word| word.contains('.'))
        .filter_map(|word| word.parse().ok());
    Some((shares.next()?, shares.next()?))
}
