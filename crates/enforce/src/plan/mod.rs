//! From a description to the changes of a machine.
//!
//! ```text
//! /sys/fs/cgroup                     everything else, on the other processors
//! └── vorrang                        processes with reserved threads; their other threads
//!     ├── cpu1  (threaded, partition root, processor 1)
//!     └── cpu2  (threaded, partition root, processor 2)
//! ```
//!
//! A partition is a root domain of its own: only so does the kernel admit a `SCHED_DEADLINE` thread
//! that is pinned to one processor. A thread gets its policy while it may use all of the domain in
//! which it ran last, and is moved then: asleep, it stays in that domain until it wakes up, and would
//! be refused on another processor.

mod endless;
mod fair_server;
mod following;
mod interrupt_time;
mod interrupts;
mod kernel;
mod limits;
mod mechanism;
mod members;
mod planner;
mod shield;
mod step;
mod throttling;

use crate::groups;
use crate::groups::GROUP;
use crate::intent::Intent;
use crate::machine::{Kernel, Policy, all_threads, cpu_list, cpus_of, may_not_be_moved};
use crate::runtimes::{RuntimesEnd, runtimes_end};
use crate::selector;
use crate::who::Who;
use crate::wish::Wish;
pub use following::{following, known_threads};
pub(crate) use interrupts::placed_interrupts;
pub use mechanism::{is_dispatched, is_dispatched_core, is_of_both};
pub(crate) use mechanism::{missing_on, not_exported};
pub use members::{Reserved, of as threads_of};
pub(crate) use members::{cpu_of, faults_of_interrupts, selector_of};
use planner::Planner;
use std::collections::BTreeSet;
pub use step::{Plan, Step, Unfit};
use vorrang_model::System;
use vorrang_model::system::Selector;
use vorrang_model::target::LINUX;
use vorrang_quote::visible;

/// The threads that a description reserves on any Linux.
///
/// # Errors
/// All reasons why it reserves none there.
pub(crate) fn reserved(system: &System) -> Result<Vec<Reserved>, Unfit> {
    let (reserved, wrong) = members::of(system);
    let mut missing = mechanism::missing_on(system, &LINUX);
    missing.extend(mechanism::not_exported(system, &LINUX));
    Unfit { missing, wrong }.unless_empty()?;
    Ok(reserved)
}

/// The plan for a description on a machine; of dispatched cores it only has that their processors are no partitions, and that
/// interrupts go elsewhere.
///
/// # Errors
/// All reasons why it cannot be applied to this machine.
pub fn plan(kernel: &dyn Kernel, system: &System) -> Result<Plan, Unfit> {
    let (reserved, mut problems) = members::of(system);
    let online = kernel.read("/sys/devices/system/cpu/online").ok();
    let online = online.and_then(|list| cpus_of(&list)).unwrap_or_default();
    let used: BTreeSet<u32> =
        reserved.iter().map(|one| one.cpu).chain(system.host.cpus.values().copied()).collect();
    let dispatched = mechanism::dispatched(system);
    let used: BTreeSet<u32> = used.difference(&dispatched).copied().collect();
    problems.extend(
        used.iter().filter(|cpu| !online.contains(cpu)).map(|cpu| {
            format!("this machine has no processor {cpu}: it has {}", cpu_list(&online))
        }),
    );
    let rest: Vec<u32> = online.iter().copied().filter(|cpu| !used.contains(cpu)).collect();
    if problems.is_empty() && rest.is_empty() {
        problems.push("the description uses every processor of this machine: one must be left for everything else".into());
    }
    let all = all_threads(kernel).unwrap_or_else(|why| {
        problems.push(format!("the threads of this machine cannot be read: {why}"));
        Vec::new()
    });
    let plan = Plan::default();
    let mut planner = Planner { kernel, all, plan, problems, rest, dispatched, online };
    planner.runtimes(&reserved);
    planner.limits(system, &reserved);
    planner.interrupt_times(system, &reserved);
    planner.kernels(system);
    planner.polling_in_threads(&reserved);
    planner.endless(system, &reserved);
    planner.partitions(system, &used);
    let mut missing = mechanism::missing(system);
    missing.extend(planner.shields(system));
    planner.interrupts(system, &reserved);
    for one in &reserved {
        planner.thread(one);
    }
    Unfit { missing, wrong: planner.problems }.unless_empty()?;
    Ok(planner.plan)
}

/// The plan for the shielded timers of a description whose cores are all dispatched; `None`: it has none.
///
/// # Errors
/// All reasons why they cannot be shielded on this machine.
pub fn shields(kernel: &dyn Kernel, system: &System) -> Result<Option<Plan>, Unfit> {
    let mut planner = Planner::of(kernel);
    let missing = planner.shields(system);
    Unfit { missing, wrong: planner.problems }.unless_empty()?;
    Ok((!planner.plan.shielded.is_empty()).then_some(planner.plan))
}

impl Planner<'_> {
    /// Runtimes must end when they are exhausted; otherwise this is reported.
    fn runtimes(&mut self, reserved: &[Reserved]) {
        if !reserved.iter().any(|one| one.policy.policy == Policy::DEADLINE) {
            return;
        }
        match runtimes_end(self.kernel) {
            RuntimesEnd::ByTimer => {}
            RuntimesEnd::ByTick => self.step(
                "runtimes of SCHED_DEADLINE end when they are exhausted, not at the next tick",
                Intent::EndRuntimesByTimer,
            ),
            RuntimesEnd::Unknown(why) => self.plan.doubts.push(format!(
                "whether runtimes of SCHED_DEADLINE end when they are used up, or at the next tick, cannot \
                 be seen ({why}): threads beside a reservation may wait a tick longer than their bounds. {}",
                crate::refusal::DEBUG_FILES
            )),
        }
    }

    /// Interfaces whose NAPI thread is reserved poll in threads.
    fn polling_in_threads(&mut self, reserved: &[Reserved]) {
        let interfaces: BTreeSet<&String> = reserved
            .iter()
            .filter_map(|one| match &one.selector {
                Selector::Napi(interface, _) => Some(interface),
                _ => None,
            })
            .collect();
        for interface in interfaces {
            let path = format!("/sys/class/net/{interface}/threaded");
            if self.kernel.read(&path).is_err() {
                self.problems.push(format!(
                    "there is no interface {}, or it cannot poll in threads",
                    visible(interface)
                ));
            }
            self.write(
                &format!(
                    "{} polls in threads of its own, which can be reserved",
                    visible(interface)
                ),
                path,
                "1",
            );
        }
    }

    fn partitions(&mut self, system: &System, used: &BTreeSet<u32>) {
        let used: Vec<u32> = used.iter().copied().collect();
        let become_partitions = match used.as_slice() {
            [one] => format!("processor {one} becomes a partition of its own"),
            _ => format!("processors {} become partitions, one each", cpu_list(&used)),
        };
        let why = format!("{become_partitions}; everything else runs on {}", cpu_list(&self.rest));
        self.step(&why, Intent::EnableCpuset { group: groups::ROOT.to_owned() });
        self.step(&why, Intent::MakeGroup { path: GROUP.to_owned() });
        self.write(&why, format!("{GROUP}/cpuset.cpus.exclusive"), cpu_list(&used));
        for cpu in &used {
            let group = groups::of_cpu(*cpu);
            self.step(&why, Intent::MakeGroup { path: group.clone() });
            self.write(&why, format!("{group}/cgroup.type"), "threaded");
        }
        self.step(&why, Intent::EnableCpuset { group: GROUP.to_owned() });
        for cpu in &used {
            let group = groups::of_cpu(*cpu);
            self.write(&why, format!("{group}/cpuset.cpus"), cpu.to_string());
            self.write(&why, format!("{group}/cpuset.cpus.exclusive"), cpu.to_string());
            self.write(&why, format!("{group}/cpuset.cpus.partition"), "root");
            // At once: with the next partition 6.12 loses count of this server, and then refuses to change it.
            self.fair_servers(system, *cpu);
        }
    }

    fn thread(&mut self, one: &Reserved) {
        let known = match selector::find(&one.selector, self.kernel, &self.all) {
            Ok(thread) => Some(thread),
            Err(_) if selector::may_come(&one.selector) => None,
            Err(why) => {
                self.problems.push(format!("{}: {why}", one.label));
                return;
            }
        };
        let why = format!(
            "{} ({}) runs on processor {} by {}",
            one.label,
            visible(&one.selector.to_string()),
            one.cpu,
            crate::change::described(&one.policy)
        );
        let fixed = match known.as_ref().map(|thread| may_not_be_moved(self.kernel, thread)) {
            Some(Err(why)) => {
                self.problems.push(format!(
                    "{}: it is unknown whether its thread may be moved: {why}",
                    one.label
                ));
                return;
            }
            Some(Ok(fixed)) => fixed,
            None => false,
        };
        let who = Who { label: one.label.clone(), selector: one.selector.clone(), known };
        let rest = self.rest.clone();
        let mut step = |wish| self.step(&why, Intent::Thread { who: who.clone(), wish });
        let (cpu, policy) = (one.cpu, one.policy);
        if fixed {
            step(Wish::AwaitAffinity { cpu });
            step(Wish::SetPolicy { policy });
            step(Wish::Verify { cpu, policy });
            return;
        }
        step(Wish::MoveProcess { group: GROUP.to_owned() });
        if one.policy.policy == Policy::DEADLINE {
            step(Wish::Stage { rest: rest.clone() });
            step(Wish::SetAffinity { cpus: rest });
        }
        step(Wish::SetPolicy { policy });
        step(Wish::Move { group: groups::of_cpu(cpu) });
        step(Wish::Verify { cpu, policy });
    }
}
