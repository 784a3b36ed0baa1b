//! Reserving what handles the packets of a network card.
//!
//! Two cards hang on one hub. Packets go out of `eth1`, addressed to the card `eth0`, which handles
//! and then drops them: nobody has their address.
//!
//! On 6.12 `restore` of the thread that polls sometimes waits in the kernel while packets come, for minutes
//! of a host that is busy with other things; why is not known. `ci` shows that thread on 7.2 only.
//! On 7.2 what the thread of the interrupt receives depends on how it and `ksoftirqd` fall together, from boot
//! to boot, and was once more than its budget. `ci` therefore shows that one on 6.12 only.

use super::{BOTH, Check, Scenario, apply};
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use vorrang_guest::{Plan, Record, Step};

const MS: u64 = 1_000_000;

const DEVICES: &[&str] = &[
    "-netdev",
    "hubport,id=n0,hubid=0",
    "-device",
    "e1000,netdev=n0,mac=52:54:00:12:34:56",
    "-netdev",
    "hubport,id=n1,hubid=0",
    "-device",
    "e1000,netdev=n1,mac=52:54:00:12:34:57",
];

pub(super) fn polling() -> Scenario {
    Scenario {
        name: "apply-napi",
        shows: "a reservation of the thread that polls a network card keeps its budget",
        lines: BOTH,
        in_ci: &["7.2-rt"],
        machine: machine(),
        modules: &["e1000"],
        programs: &["vorrang"],
        files: || files("napi:eth0"),
        of_kernel: None,
        plan,
        checks,
    }
}

pub(super) fn interrupts() -> Scenario {
    Scenario {
        name: "apply-irq",
        shows: "a reservation of the thread of a network card's interrupt keeps its budget",
        lines: BOTH,
        in_ci: &["6.12-rt"],
        machine: machine(),
        modules: &["e1000"],
        programs: &["vorrang"],
        files: || files("irq:eth0"),
        of_kernel: None,
        plan,
        checks,
    }
}

fn machine() -> Machine {
    Machine { cpus: 2, devices: DEVICES, ..Machine::default() }
}

fn files(thread: &str) -> Vec<File> {
    let description = format!(
        "version = 1\n\
         [core.0]\nscheduler = \"linux\"\ncpu = 1\n\
         [server.receive]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"1ms\"\nperiod = \"10ms\"\n\
         thread = \"{thread}\"\n\
         [task.receive]\non = \"server.receive\"\nwcet = \"1ms\"\nperiod = \"10ms\"\ndeadline = \"none\"\n\
         [interrupt.eth0]\non = \"core.0\"\nisr = \"1us\"\nmin-interarrival = \"1ms\"\nirq = \"eth0\"\n"
    );
    let mut files = vec![File { path: "/system.toml".to_owned(), bytes: description.into_bytes() }];
    files.extend(super::busybox());
    files
}

fn plan() -> Plan {
    let run = |line: &str| Step::Run { command: line.split(' ').map(str::to_owned).collect() };
    Plan {
        steps: vec![
            run("/bin/busybox ip link set eth0 up"),
            run("/bin/busybox ip link set eth1 up"),
            run("/bin/busybox ip address add 10.9.0.1/24 dev eth1"),
            run("/bin/busybox arp -i eth1 -s 10.9.0.2 52:54:00:12:34:56"),
            // The cards agree with the hub on a speed first.
            Step::Sleep { time: 3000 * MS },
            Step::Read { path: "/sys/class/net/eth1/carrier".to_owned() },
            Step::Start { command: ["/init", "flood", "10.9.0.2:9"].map(str::to_owned).to_vec() },
            Step::Sleep { time: 100 * MS },
            Step::RememberState,
            Step::Run { command: apply::vorrang("apply /system.toml --yes --unproven --look 0s") },
            Step::Run { command: apply::vorrang("status --for 1s") },
            Step::Run { command: apply::vorrang("restore") },
            Step::CompareState,
        ],
    }
}

fn checks(evidence: &Evidence) -> Vec<Check> {
    let mut checks = vec![Check::nothing_refused(evidence)];
    for record in &evidence.records {
        match record {
            Record::Ran { command, exit, output, errors } => {
                // Where ksoftirqd does some of the work, that is said, and what helps.
                let moved = *exit == 1 && output.contains("thread = \"napi:eth0\"");
                checks.push(Check::new(
                    command.join(" "),
                    format!("exit code {exit}\n{output}{errors}"),
                    *exit == 0 || moved,
                ));
            }
            Record::Differences { lines } => {
                let seen = if lines.is_empty() { "nothing".to_owned() } else { lines.join("; ") };
                checks.push(Check::new("what differs on the machine", seen, lines.is_empty()));
            }
            _ => {}
        }
    }
    let (budget, received) = row(evidence).unwrap_or_default();
    let seen = format!("{received} % of {budget} %");
    // A period more or less at the ends of the interval, of a hundred.
    let holds = budget - 2.0 < received && received < budget + 1.0;
    checks.push(Check::new("it receives its budget, and no more", seen, holds));
    checks
}

/// Budget and use of the reservation, in percent, as `status` shows them.
fn row(evidence: &Evidence) -> Option<(f64, f64)> {
    let shown = evidence.records.iter().find_map(|record| match record {
        Record::Ran { command, output, .. } if command.iter().any(|word| word == "status") => {
            Some(output)
        }
        _ => None,
    })?;
    let line = shown.lines().find(|line| line.starts_with("server.receive"))?;
    // Behind the thread, its number and its processor.
    let mut numbers = line.split_whitespace().skip(4);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
