//! A shell script for control groups with budgets of real-time threads (`cpu.rt.max`), behind a probe for them.
//!
//! **Model.** Such a group has a server of `SCHED_DEADLINE` on each of its processors, with its threads of `SCHED_FIFO` inside.
//! The file takes a runtime and a period in microseconds, as `cpu.max` does; the deadline is the period. A server of the
//! description is a group with one processor and its thread.
//!
//! **Source.** Y. Andriaccio, \[RFC PATCH v6 00/25\] Hierarchical Constant Bandwidth Server, 8 June 2026, for Linux 7.1. No kernel
//! was released with it.
//!
//! **Not covered.** Reclaiming, and deadlines before the end of the period, which the file does not have; they are refused, and
//! so are times of no whole microseconds. Threads of the kernel stay in their group.

use super::shell::{FUNCTIONS, arguments, found};
use crate::machine::Policy;
use crate::plan::{Reserved, Unfit};
use std::fmt::Write as _;
use vorrang_model::system::Selector;
use vorrang_quote::visible;

const BEGIN: &str = r#"
# Budgets of real-time threads by groups: kernels with Hierarchical Constant Bandwidth Servers have them.
cd /sys/fs/cgroup
[ -e cpu.rt.max ] || { echo "$0: this kernel has no cpu.rt.max, so nothing was changed" >&2; exit 4; }
echo "+cpu +cpuset" > cgroup.subtree_control
mkdir vorrang-rt
"#;
/// Where the only thread of a group stands in it.
const PRIORITY: u32 = 1;

/// # Errors
/// What the file cannot express, a sentence each.
pub(super) fn script(reserved: &[Reserved]) -> Result<String, Unfit> {
    let is_server = |one: &&Reserved| one.policy.policy == Policy::DEADLINE;
    let servers: Vec<&Reserved> = reserved.iter().filter(is_server).collect();
    let wrong = servers.iter().filter_map(|one| inexpressible(one)).collect();
    Unfit { missing: Vec::new(), wrong }.unless_empty()?;
    let mut text = [FUNCTIONS, BEGIN].concat();
    for number in 1..=servers.len() {
        let _ = writeln!(
            text,
            "mkdir vorrang-rt/{number}\necho threaded > vorrang-rt/{number}/cgroup.type"
        );
    }
    text.push_str("echo \"+cpu +cpuset\" > vorrang-rt/cgroup.subtree_control\n");
    for (number, one) in (1..).zip(servers) {
        group(&mut text, number, one);
    }
    for Reserved { label, selector, cpu, policy } in
        reserved.iter().filter(|one| one.policy.policy != Policy::DEADLINE)
    {
        let (label, named) = (visible(label), visible(&selector.to_string()));
        let _ = write!(
            text,
            "\n# {label}: {named}, behind the groups of its processor\n{}\ntaskset -p -c {cpu} \"$t\"\nchrt {} \"$t\"\n",
            found(selector),
            arguments(policy)
        );
    }
    Ok(text)
}

fn inexpressible(one: &Reserved) -> Option<String> {
    let Reserved { label, selector, policy, .. } = one;
    let Policy { runtime, deadline, period, flags, .. } = policy;
    let why = if matches!(selector, Selector::Irq(_) | Selector::Napi(..)) {
        "its thread is one of the kernel, which has no other group".to_owned()
    } else if flags & Policy::RECLAIM != 0 {
        "cpu.rt.max has no reclaiming".to_owned()
    } else if deadline != period {
        "cpu.rt.max has no deadline before the end of the period".to_owned()
    } else if runtime % 1000 != 0 || period % 1000 != 0 {
        format!(
            "cpu.rt.max counts in microseconds, and {runtime} ns of {period} ns are no whole ones"
        )
    } else {
        return None;
    };
    Some(format!("{}: {why}", visible(label)))
}

fn group(text: &mut String, number: usize, one: &Reserved) {
    let Reserved { label, selector, cpu, policy } = one;
    let (label, named) = (visible(label), visible(&selector.to_string()));
    let (runtime, period) = (policy.runtime / 1000, policy.period / 1000);
    let _ = write!(
        text,
        "\n# {label}: {named}\n\
         echo {cpu} > vorrang-rt/{number}/cpuset.cpus\n\
         echo \"{runtime} {period}\" > vorrang-rt/{number}/cpu.rt.max\n\
         {}\n\
         awk '/^Tgid:/ {{ print $2 }}' /proc/\"$t\"/status > vorrang-rt/cgroup.procs\n\
         echo \"$t\" > vorrang-rt/{number}/cgroup.threads\n\
         chrt --fifo --pid {PRIORITY} \"$t\"\n",
        found(selector)
    );
}
