//! A shell script with `chrt` and `taskset`, and writes for what they do not set.
//!
//! It does the steps of a plan, in the same order, but without a journal. A thread that last ran elsewhere
//! is admitted where it goes to, so where `chrt` is refused the thread is moved first.

use crate::machine::{Policy, cpu_list};
use crate::plan::{Reserved, placed_interrupts};
use crate::runtimes::{BY_TIMER, FEATURES};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::Selector;
use vorrang_quote::{expression, shell_word, visible};

/// The functions of the script. `grep -z` is not available everywhere.
pub(super) const FUNCTIONS: &str = r#"#!/bin/sh
# As root. Not journaled: `vorrang apply` is, and checks what it did.
set -eu
# The threads with a name; those of a process with a name; the virtual processors of a QEMU; the threads that
# begin with an expression; the numbers of an interrupt.
named() { grep -lxF -e "$1" /proc/[0-9]*/task/*/comm | cut -d/ -f5; }
of_process() {
  for p in $(grep -lxF -e "$1" /proc/[0-9]*/comm | cut -d/ -f3); do
    grep -lxF -e "$2" /proc/"$p"/task/*/comm | cut -d/ -f5 || :
  done
}
vcpu() {
  for p in $(grep -lxE "CPU $2/(KVM|TCG)" /proc/[0-9]*/task/*/comm | cut -d/ -f3); do
    tr '\0' '\n' < /proc/"$p"/cmdline | grep -A1 -xe -name | tr ',' '\n' | sed 's/^guest=//' | grep -qxFe "$1" || continue
    grep -lxE "CPU $2/(KVM|TCG)" /proc/"$p"/task/*/comm | cut -d/ -f5
  done
}
begins() { grep -lE "^$1" /proc/[0-9]*/task/*/comm | cut -d/ -f5; }
interrupts() { ls -d /proc/irq/"$1" /proc/irq/*/"$1" /proc/irq/*/"$1"-* 2>/dev/null | cut -d/ -f4 || :; }
one() { [ $# = 1 ] || { echo "$0: $# threads, not one: $*" >&2; exit 1; }; t=$1; }
"#;

const RESERVE: &str = r#"# reserve PROCESSOR ARGUMENTS-OF-CHRT: the thread $t
reserve() {
  cpu=$1; shift
  # A process that is there already has threads that must not be moved back.
  grep -q '^0::/vorrang' /proc/"$t"/cgroup || awk '/^Tgid:/ { print $2 }' /proc/"$t"/status > vorrang/cgroup.procs
  taskset -p -c "$rest" "$t"
  chrt "$@" "$t" 2>/dev/null || { echo "$t" > vorrang/cpu"$cpu"/cgroup.threads; chrt "$@" "$t"; }
  echo "$t" > vorrang/cpu"$cpu"/cgroup.threads
}
"#;

pub(super) fn script(system: &System, reserved: &[Reserved]) -> String {
    let cpus: BTreeSet<u32> = reserved.iter().map(|one| one.cpu).collect();
    let mut text = [FUNCTIONS, RESERVE].concat();
    if reserved.iter().any(|one| one.policy.policy == Policy::DEADLINE) {
        let _ =
            write!(text, "\n# Runtimes end when they are used up.\necho {BY_TIMER} > {FEATURES}\n");
    }
    polling(&mut text, reserved);
    partitions(&mut text, &cpus);
    interrupts(&mut text, system, reserved, &cpus);
    for one in reserved {
        thread(&mut text, one);
    }
    text
}

fn polling(text: &mut String, reserved: &[Reserved]) {
    let interface = |one: &Reserved| match &one.selector {
        Selector::Napi(interface, _) => Some(interface.clone()),
        _ => None,
    };
    let interfaces: BTreeSet<String> = reserved.iter().filter_map(interface).collect();
    for interface in interfaces {
        let path = shell_word(&format!("/sys/class/net/{interface}/threaded"));
        let _ = write!(
            text,
            "\n# {} polls in threads of its own; a thread that is made may be moved as soon as it has run.\n\
             echo 1 > {path}\nsleep 1\n",
            visible(&interface)
        );
    }
}

fn partitions(text: &mut String, cpus: &BTreeSet<u32>) {
    let list = cpu_list(&cpus.iter().copied().collect::<Vec<_>>());
    let _ = write!(
        text,
        "\n# Partitions; everything else runs on $rest.\n\
         cd /sys/fs/cgroup\n\
         echo +cpuset > cgroup.subtree_control\n\
         mkdir vorrang\n\
         echo {list} > vorrang/cpuset.cpus.exclusive\n"
    );
    for cpu in cpus {
        let _ =
            write!(text, "mkdir vorrang/cpu{cpu}\necho threaded > vorrang/cpu{cpu}/cgroup.type\n");
    }
    text.push_str("echo +cpuset > vorrang/cgroup.subtree_control\n");
    for cpu in cpus {
        let _ = write!(
            text,
            "echo {cpu} > vorrang/cpu{cpu}/cpuset.cpus\n\
             echo {cpu} > vorrang/cpu{cpu}/cpuset.cpus.exclusive\n\
             echo root > vorrang/cpu{cpu}/cpuset.cpus.partition\n"
        );
    }
    text.push_str("rest=$(cat cpuset.cpus.effective)\n");
}

/// Interrupts with a handler move away, where the kernel permits it; those of the description move here.
fn interrupts(text: &mut String, system: &System, reserved: &[Reserved], cpus: &BTreeSet<u32>) {
    text.push_str("\n# Interrupts go to the other processors, where the kernel permits it.\n");
    match cpus.iter().try_fold(0_u32, |mask, cpu| Some(mask | 1_u32.checked_shl(*cpu)?)) {
        Some(mask) => {
            let _ = write!(
                text,
                "d=/proc/irq/default_smp_affinity; m=$(cat $d)\n\
                 printf '%s%x\\n' \"${{m%\"${{m##*,}}\"}}\" $((0x${{m##*,}} & ~{mask:#x})) > $d\n"
            );
        }
        None => text.push_str("# Take the processors out of /proc/irq/default_smp_affinity.\n"),
    }
    text.push_str(
        "for i in /proc/irq/[0-9]*/*/; do\n  \
         (echo \"$rest\" > \"${i%/*/}\"/smp_affinity_list) 2>/dev/null || :\n\
         done\n",
    );
    for (irq, cpu, label) in placed_interrupts(system, reserved) {
        let _ = write!(
            text,
            "\n# {}\nfound=$(interrupts {}); [ -n \"$found\" ]\n\
             for i in $found; do echo {cpu} > /proc/irq/\"$i\"/smp_affinity_list; done\n",
            visible(label),
            shell_word(irq)
        );
    }
}

fn thread(text: &mut String, one: &Reserved) {
    const RECLAIM: u64 = 2;
    let Reserved { label, selector, cpu, policy } = one;
    let _ = write!(text, "\n# {}: {}\n", visible(label), visible(&selector.to_string()));
    if policy.flags & RECLAIM != 0 {
        text.push_str(
            "# chrt has no reclaiming (SCHED_FLAG_RECLAIM): unused bandwidth is not reclaimed.\n",
        );
    }
    let arguments = arguments(policy);
    // If it cannot be moved, it follows its interrupt at the next one.
    let follows = matches!(selector, Selector::Irq(_)).then(|| {
        format!(
            "(reserve {cpu} {arguments}) 2>/dev/null || {{\n  \
             until taskset -c -p \"$t\" | grep -q ': {cpu}$'; do sleep 1; done\n  \
             chrt {arguments} \"$t\"\n\
             }}"
        )
    });
    let reserve = follows.unwrap_or_else(|| format!("reserve {cpu} {arguments}"));
    let _ = writeln!(text, "{}\n{reserve}", found(selector));
}

/// The line that finds the thread, as `$t`.
pub(super) fn found(selector: &Selector) -> String {
    match selector {
        Selector::Number(number) => format!("one {number}"),
        Selector::Name(name) => format!("one $(named {})", shell_word(name)),
        Selector::OfProcess(process, name) => {
            format!("one $(of_process {} {})", shell_word(process), shell_word(name))
        }
        Selector::Vm(vm, number) => format!("one $(vcpu {} {number})", shell_word(vm)),
        Selector::Napi(interface, place) => {
            let pick =
                place.map_or(String::new(), |place| format!(" | sort -n | sed -n {}p", place + 1));
            let begin = shell_word(&expression(&format!("napi/{interface}-")));
            format!("one $(begins {begin}{pick})")
        }
        Selector::Irq(name) => format!(
            "one $(for i in $(interrupts {}); do begins irq/\"$i\"-; done)",
            shell_word(name)
        ),
    }
}

/// The arguments of `chrt` for a policy, up to the number of the thread.
pub(super) fn arguments(policy: &Policy) -> String {
    let Policy { runtime, deadline, period, priority, .. } = policy;
    if policy.policy == Policy::DEADLINE {
        format!(
            "--deadline --sched-runtime {runtime} --sched-deadline {deadline} --sched-period {period} --pid 0"
        )
    } else {
        format!("--fifo --pid {priority}")
    }
}
