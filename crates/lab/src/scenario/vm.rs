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
//!
//! The guest's processor is of model `kvm64`, without XSAVE: with what the emulated host offers, 7.2 panics in
//! `fpu__init_system_xstate`.
//!
//! It leaves at the end of each interrupt (no `kvm-pv-eoi`; `x2apic`, so that this is one write to a register).
//! By reading its source, QEMU keeps the number of an interrupt that `VMRUN` injects as a pending exception until the guest
//! leaves, and delivers it once more, masked or not, if counted instructions run out before: the guest then
//! waits for a lock that it holds itself. Leaving early makes that time short; it does not make it nothing.

use super::{Check, Scenario, apply};
use crate::emulator::{Machine, PROGRAM};
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::nested;
use vorrang_guest::{LoadedTask, Plan, Policy, Record, Step, Work};

const MS: u64 = 1_000_000;

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

/// The records of the guest and the console of its kernel, as files of the machine around it.
const RECORDS: &str = "/run/records";
pub(super) const CONSOLE: &str = "/run/console";
/// How long the guest may take until its first process is there.
const BOOT: u64 = 180_000 * MS;
/// Packets of each side.
const PACKETS: u32 = 5;

pub(super) fn scenario() -> Scenario {
    Scenario {
        name: "kvm-guest",
        shows: "a Linux under KVM has a virtio network card, and its virtual processor is reserved",
        lines: &["7.2-rt"],
        // The nested guest sometimes stands still, for an unknown cause (docs/lab.md).
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
        of_kernel: Some(guest),
        plan,
        checks,
    }
}

pub(super) fn run(line: &str) -> Step {
    Step::Run { command: words(line) }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

fn ping(address: &str) -> String {
    format!("/bin/busybox ping -c {PACKETS} -i 0.05 -W 2 {address}")
}

fn plan_of_guest() -> Plan {
    let computing = LoadedTask {
        name: "computing".to_owned(),
        cpu: None,
        policy: Policy::Other,
        offset: 0,
        period: 1000 * MS,
        jobs: u32::MAX,
        work: Work::Compute(1000 * MS),
    };
    Plan {
        steps: vec![
            run("/bin/busybox ip link set eth0 up"),
            run("/bin/busybox ip address add 10.9.0.2/24 dev eth0"),
            run(&ping("10.9.0.1")),
            Step::StartLoad { tasks: vec![computing], until: 0 },
            Step::Read { path: "/proc/version".to_owned() },
            // Until the machine around it is turned off.
            Step::Sleep { time: 1_000_000 * MS },
        ],
    }
}

/// The command of QEMU, in which the guest starts.
fn emulator() -> Vec<String> {
    let command_line = "console=ttyS0 panic=-1 quiet nokaslr cryptomgr.notests";
    let mut emulator = words(&format!(
        "/bin/{PROGRAM} -name guest,debug-threads=on -L {} -machine pc,hpet=off,i8042=off,smbus=off \
         -accel kvm -cpu kvm64,+x2apic,-kvm-pv-eoi -m 256 \
         -nodefaults -no-reboot -display none -monitor none -serial file:{CONSOLE} -serial file:{RECORDS} \
         -serial null -netdev tap,id=n0,ifname=tap0,script=no,downscript=no \
         -device virtio-net-pci,netdev=n0,romfile= -kernel {} -initrd {} -append",
        nested::FIRMWARE,
        nested::KERNEL,
        nested::IMAGE
    ));
    emulator.push(command_line.to_owned());
    emulator
}

/// QEMU, the guest and what it needs.
pub(super) fn guest(kernel: &Kernel) -> Result<Vec<File>, Failure> {
    let modules = ["virtio_pci", "virtio_net"];
    let files = super::busybox().into_iter().collect();
    nested::files(kernel, &modules, &plan_of_guest(), files)
}

/// The guest is started, its card is connected, and all its own steps are done.
pub(super) fn started() -> Vec<Step> {
    let told =
        |text: &str| Step::Await { path: RECORDS.to_owned(), text: text.to_owned(), limit: BOOT };
    vec![
        Step::Start { command: emulator() },
        Step::Await {
            path: "/sys/class/net/tap0/operstate".to_owned(),
            text: String::new(),
            limit: BOOT,
        },
        run("/bin/busybox ip address add 10.9.0.1/24 dev tap0"),
        run("/bin/busybox ip link set tap0 up"),
        told("/proc/version"),
    ]
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
