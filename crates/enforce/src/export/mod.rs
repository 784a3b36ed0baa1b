//! The settings of a description as lines for other programs.
//!
//! Settings that a program cannot express are written as comments, so that none is lost silently.
//! Every name is written by [`vorrang_quote`].

mod boot;
mod cgroup;
mod microkit;
mod oci;
mod rt_app;
mod shell;
mod xl;

use crate::machine::Policy;
use crate::plan::{Reserved, Unfit, reserved};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vorrang_model::System;
use vorrang_model::system::Selector;
use vorrang_quote::{visible, xml_comment};

/// Which program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A shell script with `chrt` and `taskset`, and with writes for partitions and interrupts.
    Chrt,
    /// Parts of systemd units.
    Systemd,
    /// `cputune` of libvirt's domains.
    Libvirt,
    /// `xl sched-rtds` of Xen.
    Xl,
    /// Parts of containers, by the OCI's runtime specification.
    Oci,
    /// A system of the seL4 Microkit.
    Microkit,
    /// A workload of rt-app.
    RtApp,
    /// The command line of the kernel.
    CommandLine,
    /// A profile of tuned.
    Tuned,
    /// A shell script with control groups that have budgets of real-time threads.
    Cgroup,
}

/// The settings for a program.
///
/// # Errors
/// All reasons why the target, Linux, Xen or seL4, has no such settings.
pub fn export(system: &System, form: Form) -> Result<String, Unfit> {
    Ok(match form {
        Form::Chrt => shell::script(system, &reserved(system)?),
        Form::Systemd => systemd(&reserved(system)?),
        Form::Libvirt => libvirt(&reserved(system)?),
        Form::Xl => xl::commands(system)?,
        Form::Microkit => microkit::system(system)?,
        Form::RtApp => rt_app::workload(system)?,
        Form::Oci => oci::containers(&reserved(system)?),
        Form::CommandLine => boot::command_line(&reserved(system)?),
        Form::Tuned => boot::tuned(&reserved(system)?),
        Form::Cgroup => cgroup::script(&reserved(system)?)?,
    })
}

fn systemd(reserved: &[Reserved]) -> String {
    let mut text = String::new();
    for Reserved { label, selector, cpu, policy } in reserved {
        let (label, named) = (visible(label), visible(&selector.to_string()));
        if matches!(selector, Selector::Vm(..) | Selector::Irq(_) | Selector::Napi(..)) {
            let _ = write!(
                text,
                "# {label}: {named} is not the process of a unit (`vorrang export --as chrt` finds it)\n\n"
            );
            continue;
        }
        let _ = write!(text, "# {label}: into the unit of {named}\n[Service]\n");
        if policy.policy == Policy::DEADLINE {
            let _ = writeln!(
                text,
                "# systemd has no SCHED_DEADLINE; the kernel admits it if processor {cpu} is a partition, and the\n\
                 # unit in it (`vorrang export --as chrt` has the partition).\n\
                 ExecStartPost=/usr/bin/chrt {} $MAINPID\n",
                shell::arguments(policy)
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
fn machines(reserved: &[Reserved]) -> (BTreeMap<String, Vec<(u32, Reserved)>>, String) {
    let mut machines: BTreeMap<String, Vec<(u32, Reserved)>> = BTreeMap::new();
    let mut others = String::new();
    for one in reserved {
        match &one.selector {
            Selector::Vm(vm, number) => {
                machines.entry(vm.clone()).or_default().push((*number, one.clone()));
            }
            other => {
                let says = format!("{} ({other}) is no virtual processor", one.label);
                let _ = writeln!(others, "{}", in_xml(&says));
            }
        }
    }
    (machines, others)
}

fn in_xml(comment: &str) -> String {
    format!("<!-- {} -->", xml_comment(comment))
}

fn libvirt(reserved: &[Reserved]) -> String {
    let (machines, mut text) = machines(reserved);
    for (vm, processors) in machines {
        let _ = write!(text, "{}\n<cputune>\n", in_xml(&vm));
        for (number, one) in processors {
            let Reserved { cpu, policy, .. } = &one;
            let _ = writeln!(text, "  <vcpupin vcpu='{number}' cpuset='{cpu}'/>");
            if policy.policy == Policy::DEADLINE {
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
