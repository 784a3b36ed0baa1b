//! From a description to what has to be changed on a machine.
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

mod fair_server;
mod interrupt_time;
pub(crate) mod interrupts;
mod kernel;
mod mechanism;
mod members;
mod selector;
mod shield;

use crate::intent::{Intent, Who};
use crate::machine::{
    Kernel, Policy, Thread, all_threads, cpu_list, cpu_mask, cpus_of, may_not_be_moved,
};
use crate::runtimes::{RuntimesEnd, runtimes_end};
pub(crate) use members::Reserved;
pub use selector::{Selector, Unresolved};
use std::collections::BTreeSet;
use vorrang_model::System;
use vorrang_model::system::SupplyId;
use vorrang_quote::visible;

/// Where control groups are.
pub(crate) const GROUPS: &str = "/sys/fs/cgroup";
/// The group of everything that is applied.
pub(crate) const GROUP: &str = "/sys/fs/cgroup/vorrang";

/// What has to be changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// In this order.
    pub steps: Vec<Step>,
    /// What should be known and changes nothing.
    pub notes: Vec<String>,
    /// Why bounds may not hold on this machine, whatever is applied.
    pub doubts: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is to be changed.
    pub intent: Intent,
    /// Why, for people; the same for the steps that belong together.
    pub why: String,
    /// Whether the rest is worthless without it.
    pub must: bool,
}

/// Why a description is not put onto a machine; never both empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfit {
    /// Mechanisms that the description rests on and Linux does not have, a sentence each.
    pub missing: Vec<String>,
    /// What is wrong with the description, for this machine, a sentence each.
    pub wrong: Vec<String>,
}

impl Unfit {
    fn unless_empty(self) -> Result<(), Self> {
        if self.missing.is_empty() && self.wrong.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// The threads that a description reserves on any Linux.
///
/// # Errors
/// All reasons why it reserves none there, and what `fault` says of each thread.
pub(crate) fn reserved(
    system: &System,
    fault: impl Fn(&Reserved) -> Option<String>,
) -> Result<Vec<Reserved>, Unfit> {
    let (reserved, mut wrong) = members::of(system);
    wrong.extend(reserved.iter().filter_map(fault));
    let mut missing = mechanism::missing(system);
    missing.extend(mechanism::not_exported(system));
    Unfit { missing, wrong }.unless_empty()?;
    Ok(reserved)
}

/// The plan for a description on a machine.
///
/// # Errors
/// All reasons why it cannot be applied to this machine.
pub fn plan(kernel: &dyn Kernel, system: &System) -> Result<Plan, Unfit> {
    let (reserved, mut problems) = members::of(system);
    let online = kernel.read("/sys/devices/system/cpu/online").ok();
    let online = online.and_then(|list| cpus_of(&list)).unwrap_or_default();
    let used: BTreeSet<u32> =
        reserved.iter().map(|one| one.cpu).chain(system.host.cpus.values().copied()).collect();
    problems.extend(
        used.iter().filter(|cpu| !online.contains(cpu)).map(|cpu| {
            format!("this machine has no processor {cpu}: it has {}", cpu_list(&online))
        }),
    );
    let rest: Vec<u32> = online.iter().copied().filter(|cpu| !used.contains(cpu)).collect();
    if problems.is_empty() && rest.is_empty() {
        problems.push("the description uses every processor of this machine: one must be left for everything else".into());
    }
    let mut planner =
        Planner { kernel, all: all_threads(kernel), plan: Plan::default(), problems, rest, online };
    planner.runtimes(&reserved);
    planner.interrupt_times(system, &reserved);
    planner.kernels(system);
    planner.polling_in_threads(&reserved);
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

struct Planner<'a> {
    kernel: &'a dyn Kernel,
    all: Vec<Thread>,
    plan: Plan,
    problems: Vec<String>,
    /// Processors for everything else.
    rest: Vec<u32>,
    online: Vec<u32>,
}

impl Planner<'_> {
    fn step(&mut self, why: &str, intent: Intent) {
        self.plan.steps.push(Step { intent, why: why.to_owned(), must: true });
    }

    fn write(&mut self, why: &str, path: String, text: impl Into<String>) {
        self.step(why, Intent::Write { path, text: text.into() });
    }

    /// Runtimes end when they are used up, or it is said that they do not.
    fn runtimes(&mut self, reserved: &[Reserved]) {
        if !reserved.iter().any(|one| one.policy.policy == Policy::DEADLINE) {
            return;
        }
        match runtimes_end(self.kernel) {
            RuntimesEnd::ByTimer => {}
            RuntimesEnd::ByTick => self.step(
                "runtimes of SCHED_DEADLINE end when they are used up, not with the tick behind that",
                Intent::EndRuntimesByTimer,
            ),
            RuntimesEnd::Unknown(why) => self.plan.doubts.push(format!(
                "whether runtimes of SCHED_DEADLINE end when they are used up, or with the tick behind that, cannot \
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
        self.step(&why, Intent::EnableCpuset { group: GROUPS.to_owned() });
        self.step(&why, Intent::MakeGroup { path: GROUP.to_owned() });
        self.write(&why, format!("{GROUP}/cpuset.cpus.exclusive"), cpu_list(&used));
        for cpu in &used {
            let group = group_of_cpu(*cpu);
            self.step(&why, Intent::MakeGroup { path: group.clone() });
            self.write(&why, format!("{group}/cgroup.type"), "threaded");
        }
        self.step(&why, Intent::EnableCpuset { group: GROUP.to_owned() });
        for cpu in &used {
            let group = group_of_cpu(*cpu);
            self.write(&why, format!("{group}/cpuset.cpus"), cpu.to_string());
            self.write(&why, format!("{group}/cpuset.cpus.exclusive"), cpu.to_string());
            self.write(&why, format!("{group}/cpuset.cpus.partition"), "root");
            // At once: with the next partition 6.12 loses count of this server, and then refuses to change it.
            self.fair_servers(system, *cpu);
        }
    }

    /// Interrupts of the description go to their cores, all others away from them.
    fn interrupts(&mut self, system: &System, reserved: &[Reserved]) {
        let mut placed: Vec<(u32, u32, String)> = Vec::new();
        let notes: Vec<String> =
            reserved.iter().filter_map(|one| self.may_leave_its_thread(one)).collect();
        self.plan.notes.extend(notes);
        self.plan.notes.extend(system.cores().filter_map(|core| order_of_routines(system, core)));
        for (irq, cpu, label) in placed_interrupts(system, reserved) {
            let numbers = interrupts::named(self.kernel, irq);
            if numbers.is_empty() {
                self.problems.push(format!(
                    "{label}: this machine has no interrupt {} (see /proc/interrupts)",
                    visible(irq)
                ));
            }
            placed.extend(numbers.into_iter().map(|number| (number, cpu, label.clone())));
        }
        let default = "/proc/irq/default_smp_affinity".to_owned();
        let why = "interrupts go to the other processors, where the kernel lets them";
        let others = Intent::Write { path: default, text: cpu_mask(&self.rest) };
        self.plan.steps.push(Step { intent: others, why: why.to_owned(), must: false });
        for number in interrupts::handled(self.kernel) {
            let path = format!("/proc/irq/{number}/smp_affinity_list");
            if let Some((_, cpu, label)) = placed.iter().find(|(known, ..)| *known == number) {
                self.write(&format!("{label} comes to processor {cpu}"), path, cpu.to_string());
                continue;
            }
            let now =
                self.kernel.read(&path).ok().and_then(|list| cpus_of(&list)).unwrap_or_default();
            if now.iter().any(|cpu| self.online.contains(cpu) && !self.rest.contains(cpu)) {
                let intent = Intent::Write { path, text: cpu_list(&self.rest) };
                self.plan.steps.push(Step { intent, why: why.to_owned(), must: false });
            }
        }
    }

    /// What is to be known of the thread of an interrupt whose work other threads may do.
    fn may_leave_its_thread(&self, one: &Reserved) -> Option<String> {
        let Selector::Irq(name) = &one.selector else { return None };
        let path = format!("/sys/class/net/{name}/threaded");
        let polls = self.kernel.read(&path).ok()?;
        let name = visible(name);
        let does = match polls.trim() {
            "0" => "ksoftirqd may do, unreserved",
            _ => "the threads that poll it do",
        };
        Some(format!(
            "{}: what the packets of {name} are for, {does}. `thread = \"napi:{name}\"` reserves the thread that polls the card; \
             `vorrang status` shows who does it.",
            one.label
        ))
    }

    fn thread(&mut self, one: &Reserved) {
        let known = match one.selector.find(self.kernel, &self.all) {
            Ok(thread) => Some(thread),
            Err(_) if one.selector.may_come() => None,
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
        let fixed = known.as_ref().is_some_and(|thread| may_not_be_moved(self.kernel, thread));
        let who = Who { label: one.label.clone(), selector: one.selector.clone(), known };
        if fixed {
            self.step(&why, Intent::AwaitAffinity { who: who.clone(), cpu: one.cpu });
            self.step(&why, Intent::SetPolicy { who: who.clone(), policy: one.policy });
            self.step(&why, Intent::Verify { who, cpu: one.cpu, policy: one.policy });
            return;
        }
        self.step(&why, Intent::MoveProcess { who: who.clone(), group: GROUP.to_owned() });
        if one.policy.policy == Policy::DEADLINE {
            self.step(&why, Intent::StageThread { who: who.clone(), rest: self.rest.clone() });
            self.step(&why, Intent::SetAffinity { who: who.clone(), cpus: self.rest.clone() });
        }
        self.step(&why, Intent::SetPolicy { who: who.clone(), policy: one.policy });
        self.step(&why, Intent::MoveThread { who: who.clone(), group: group_of_cpu(one.cpu) });
        self.step(&why, Intent::Verify { who, cpu: one.cpu, policy: one.policy });
    }
}

/// Every interrupt that has a place, stated or by its thread: its name on the machine, its processor, and what
/// it is called in the description.
pub(crate) fn placed_interrupts<'a>(
    system: &'a System,
    reserved: &'a [Reserved],
) -> impl Iterator<Item = (&'a String, u32, &'a String)> {
    let stated = system.interrupts.iter().filter_map(|interrupt| {
        let irq = system.host.interrupts.get(&interrupt.name)?;
        let cpu = system.host.cpus.get(&system.supply(interrupt.on).name)?;
        Some((irq, *cpu, &interrupt.name))
    });
    stated.chain(reserved.iter().filter_map(|one| match &one.selector {
        Selector::Irq(irq) => Some((irq, one.cpu, &one.label)),
        _ => None,
    }))
}

/// Where several interrupts come to one core, that nothing sets the order in which they are served.
fn order_of_routines(system: &System, core: SupplyId) -> Option<String> {
    let names: Vec<&str> =
        system.interrupts_on(core).map(|id| system.interrupt(id).name.as_str()).collect();
    (names.len() > 1).then(|| {
        format!(
            "Service routines of {} that are requested at the same time ({}) run in the order of the hardware's \
             vectors, which nothing sets; bounds take them first come, first served.",
            system.supply(core).name,
            names.join(", ")
        )
    })
}

pub(crate) fn group_of_cpu(cpu: u32) -> String {
    format!("{GROUP}/cpu{cpu}")
}

/// The processor of such a group.
pub(crate) fn cpu_of_group(group: &str) -> Option<u32> {
    group.strip_prefix(GROUP)?.strip_prefix("/cpu")?.parse().ok()
}
