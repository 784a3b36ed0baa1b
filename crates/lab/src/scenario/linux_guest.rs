//! A Linux in a virtual machine of the lab's machine, which computes all the time and answers packets: what starts it.
//!
//! The guest's processor is of model `kvm64`, without XSAVE: with what the emulated host offers, 7.2 panics in
//! `fpu__init_system_xstate`.
//!
//! It leaves at the end of each interrupt (no `kvm-pv-eoi`; `x2apic`, so that this is one write to a register).
//! By reading its source, QEMU keeps the number of an interrupt that `VMRUN` injects as a pending exception until the guest
//! leaves, and delivers it once more, masked or not, if counted instructions run out before: the guest then
//! waits for a lock that it holds itself. Leaving early makes that time short; it does not make it nothing.

use super::Check;
use crate::emulator::PROGRAM;
use crate::evidence::Evidence;
use crate::failure::Failure;
use crate::image::File;
use crate::kernel::Kernel;
use crate::nested;
use vorrang_guest::{LoadedTask, Plan, Policy, Record, Step, Work};

const MS: u64 = 1_000_000;

/// The records of the guest and the console of its kernel, as files of the machine around it.
pub(super) const RECORDS: &str = "/run/records";
pub(super) const CONSOLE: &str = "/run/console";
const SCRIPT: &str = "/guest.sh";
/// The number of its process.
const NUMBER: &str = "/run/guest.number";
/// Starts the guest, unless it is there and answers; and once more where it stands still or panics before its own steps are
/// done: each start is another one, with other memory. `guest.sh COMMAND`.
const START: &str = r#"#!/bin/busybox sh
b=/bin/busybox
if $b ping -c 1 -W 2 10.9.0.2 > /dev/null 2>&1; then
    echo "it goes on"
    exit 0
fi
[ -e NUMBER ] && $b kill -9 $($b cat NUMBER)
for start in 1 2 3; do
    while [ -e /sys/class/net/tap0 ]; do $b usleep 100000; done
    $b rm -f RECORDS CONSOLE
    "$@" -m $((248 + 8 * start)) > /dev/null 2>&1 < /dev/null &
    qemu=$!
    echo $qemu > NUMBER
    until [ -e /sys/class/net/tap0 ]; do $b usleep 100000; done
    $b ip address add 10.9.0.1/24 dev tap0
    $b ip link set tap0 up
    i=0
    while [ $i -lt 200 ] && $b kill -0 $qemu 2> /dev/null; do
        if $b grep -q /proc/version RECORDS 2> /dev/null; then
            echo "by start $start"
            exit 0
        fi
        i=$((i + 1))
        $b usleep 100000
    done
    $b kill -9 $qemu
    wait $qemu
done
echo "it does not start"
exit 1
"#;
/// Packets of each side.
pub(super) const PACKETS: u32 = 5;

pub(super) fn run(line: &str) -> Step {
    Step::Run { command: words(line) }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

pub(super) fn ping(address: &str) -> String {
    format!("/bin/busybox ping -c {PACKETS} -i 0.05 -W 2 {address}")
}

fn plan() -> Plan {
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
         -accel kvm -cpu kvm64,+x2apic,-kvm-pv-eoi \
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
pub(super) fn files(kernel: &Kernel) -> Result<Vec<File>, Failure> {
    let modules = ["virtio_pci", "virtio_net"];
    let files = super::busybox().into_iter().collect();
    let mut files = nested::files(kernel, &modules, &plan(), files)?;
    files.push(starter());
    Ok(files)
}

fn starter() -> File {
    let names = [("RECORDS", RECORDS), ("CONSOLE", CONSOLE), ("NUMBER", NUMBER)];
    let text = names.iter().fold(START.to_owned(), |text, (word, name)| text.replace(word, name));
    File { path: SCRIPT.to_owned(), bytes: text.into_bytes() }
}

/// The guest is started, its card is connected, and all its own steps are done.
pub(super) fn started() -> Vec<Step> {
    let command =
        words(&format!("/bin/busybox sh {SCRIPT}")).into_iter().chain(emulator()).collect();
    vec![Step::Run { command }]
}

/// Whether it was, each time.
pub(super) fn is_started(evidence: &Evidence) -> Check {
    let said = evidence.records.iter().filter_map(|record| match record {
        Record::Ran { command, exit, output, .. } if command.iter().any(|word| word == SCRIPT) => {
            Some((*exit, output.trim()))
        }
        _ => None,
    });
    let (exits, said): (Vec<i32>, Vec<&str>) = said.unzip();
    let holds = !exits.is_empty() && exits.iter().all(|exit| *exit == 0);
    Check::new("the guest is started", said.join("; "), holds)
}
