//! The settings of a description as lines for other programs.
//!
//! What a program cannot express stands there as a comment, so that nothing is lost in silence.

use crate::machine::{Policy, cpu_list};
use crate::plan::{DEADLINE, Reserved, Selector, reserved};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use vorrang_model::System;

/// Which program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A shell script with `chrt`, and with writes to control groups for the partitions.
    Chrt,
    /// Parts of systemd units.
    Systemd,
    /// `cputune` of libvirt's domains.
    Libvirt,
    /// `xl sched-rtds` of Xen.
    Xl,
}

/// The settings for a program.
///
/// # Errors
/// All reasons why Linux, or Xen, has no such settings.
pub fn export(system: &System, form: Form) -> Result<String, Vec<String>> {
    let (reserved, problems) = reserved(system);
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(match form {
        Form::Chrt => chrt(&reserved),
        Form::Systemd => systemd(&reserved),
        Form::Libvirt => libvirt(&reserved),
        Form::Xl => xl(&reserved),
    })
}

fn chrt(reserved: &[Reserved]) -> String {
    let cpus: BTreeSet<u32> = reserved.iter().map(|one| one.cpu).collect();
    let list = cpu_list(&cpus.iter().copied().collect::<Vec<_>>());
    let mut text = format!(
        "#!/bin/sh\n\
         # As root. Not journaled: `vorrang apply` is, and checks what it did.\n\
         set -eu\n\
         # The threads with a name.\n\
         thread() {{ grep -lxF \"$1\" /proc/[0-9]*/task/*/comm | cut -d/ -f5; }}\n\
         \n\
         cd /sys/fs/cgroup\n\
         echo +cpuset > cgroup.subtree_control\n\
         mkdir vorrang\n\
         echo {list} > vorrang/cpuset.cpus.exclusive\n"
    );
    for cpu in &cpus {
        let _ =
            write!(text, "mkdir vorrang/cpu{cpu}\necho threaded > vorrang/cpu{cpu}/cgroup.type\n");
    }
    text.push_str("echo +cpuset > vorrang/cgroup.subtree_control\n");
    for cpu in &cpus {
        let _ = write!(
            text,
            "echo {cpu} > vorrang/cpu{cpu}/cpuset.cpus\n\
             echo {cpu} > vorrang/cpu{cpu}/cpuset.cpus.exclusive\n\
             echo root > vorrang/cpu{cpu}/cpuset.cpus.partition\n"
        );
    }
    for Reserved { label, selector, cpu, policy } in reserved {
        let _ = write!(text, "\n# {label}: {selector}\n");
        let Some(find) = found_by_shell(selector) else {
            text.push_str("# A shell does not find this thread: set t to its number.\n");
            let _ = writeln!(text, "chrt {} \"$t\"", arguments(policy));
            continue;
        };
        let _ = write!(
            text,
            "t={find}\n\
             awk '/^Tgid:/ {{ print $2 }}' /proc/$t/status > vorrang/cgroup.procs\n\
             chrt {} \"$t\"\n\
             echo \"$t\" > vorrang/cpu{cpu}/cgroup.threads\n",
            arguments(policy)
        );
    }
    text
}

fn found_by_shell(selector: &Selector) -> Option<String> {
    match selector {
        Selector::Number(number) => Some(number.to_string()),
        Selector::Name(name) | Selector::OfProcess(_, name) => {
            Some(format!("$(thread '{}')", name.replace('\'', r"'\''")))
        }
        _ => None,
    }
}

/// The arguments of `chrt` for a policy, up to the number of the thread.
fn arguments(policy: &Policy) -> String {
    let Policy { runtime, deadline, period, priority, .. } = policy;
    if policy.policy == DEADLINE {
        // chrt has no reclaiming.
        format!(
            "--deadline --sched-runtime {runtime} --sched-deadline {deadline} --sched-period {period} --pid 0"
        )
    } else {
        format!("--fifo --pid {priority}")
    }
}

fn systemd(reserved: &[Reserved]) -> String {
    let mut text = String::new();
    for Reserved { label, selector, cpu, policy } in reserved {
        let _ = write!(text, "# {label}: into the unit of {selector}\n[Service]\n");
        if policy.policy == DEADLINE {
            let _ = writeln!(
                text,
                "# systemd has no SCHED_DEADLINE; the kernel admits it if processor {cpu} is a partition, and the\n\
                 # unit in it (`vorrang export --as chrt` has the partition).\n\
                 ExecStartPost=/usr/bin/chrt {} $MAINPID\n",
                arguments(policy)
            );
        } else {
            let _ = write!(
                text,
                "CPUAffinity={cpu}\nCPUSchedulingPolicy=fifo\nCPUSchedulingPriority={}\n\n",
                policy.priority
            );
        }
    }
    text
}

/// The virtual processors of each machine, and a comment for everything else.
fn machines(
    reserved: &[Reserved],
    comment: (&str, &str),
) -> (BTreeMap<String, Vec<(u32, Reserved)>>, String) {
    let mut machines: BTreeMap<String, Vec<(u32, Reserved)>> = BTreeMap::new();
    let mut others = String::new();
    for one in reserved {
        match &one.selector {
            Selector::Vm(vm, number) => {
                machines.entry(vm.clone()).or_default().push((*number, one.clone()));
            }
            other => {
                let _ = writeln!(
                    others,
                    "{} {} ({other}) is no virtual processor{}",
                    comment.0, one.label, comment.1
                );
            }
        }
    }
    (machines, others)
}

fn libvirt(reserved: &[Reserved]) -> String {
    let (machines, mut text) = machines(reserved, ("<!--", " -->"));
    for (vm, processors) in machines {
        let _ = write!(text, "<!-- {vm} -->\n<cputune>\n");
        for (number, one) in processors {
            let Reserved { cpu, policy, .. } = &one;
            let _ = writeln!(text, "  <vcpupin vcpu='{number}' cpuset='{cpu}'/>");
            if policy.policy == DEADLINE {
                text.push_str("  <!-- libvirt has no SCHED_DEADLINE: vorrang apply sets it, or chrt on the thread -->\n");
            } else {
                let _ = writeln!(
                    text,
                    "  <vcpusched vcpus='{number}' scheduler='fifo' priority='{}'/>",
                    policy.priority
                );
            }
        }
        text.push_str("</cputune>\n");
    }
    text
}

/// Times of Xen are whole microseconds: budgets are rounded up and periods down, so that nobody
/// receives less.
fn xl(reserved: &[Reserved]) -> String {
    let (machines, mut text) = machines(reserved, ("#", ""));
    for (vm, processors) in machines {
        for (number, one) in processors {
            let Reserved { label, cpu, policy, .. } = &one;
            let _ = writeln!(text, "# {label}");
            let _ = writeln!(text, "xl vcpu-pin {vm} {number} {cpu}");
            if policy.policy != DEADLINE {
                let _ = writeln!(text, "# sched-rtds has no priorities");
                continue;
            }
            if policy.deadline != policy.period {
                let _ = writeln!(text, "# sched-rtds has no deadline before the end of the period");
            }
            let (budget, period) = (policy.runtime.div_ceil(1000), policy.period / 1000);
            let _ = writeln!(text, "xl sched-rtds -d {vm} -v {number} -p {period} -b {budget}");
        }
    }
    text
}
