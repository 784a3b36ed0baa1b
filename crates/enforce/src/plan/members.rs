//! Which threads a description reserves, with the policy of each; or why Linux has no such thing.
//!
//! On a core, Linux has servers of `SCHED_DEADLINE`, one thread each, and tasks of `SCHED_FIFO`. Other
//! mechanisms are skipped here, and named in `mechanism.rs`.

use super::mechanism;
use crate::machine::Policy;
use std::collections::BTreeMap;
use vorrang_model::System;
use vorrang_model::system::{
    Kernel, Member, Priority, Scheduler, Selector, Server, SupplyId, SupplyKind, TaskId,
    fault_of_interrupt,
};
use vorrang_model::target::LINUX;
use vorrang_quote::visible;

/// A thread that is reserved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// Its full name in the description.
    pub label: String,
    /// How it is found.
    pub selector: Selector,
    /// The processor it runs on.
    pub cpu: u32,
    /// Its policy.
    pub policy: Policy,
}

/// All threads that a description reserves, in the order of declaration, and everything that it lacks.
pub fn of(system: &System) -> (Vec<Reserved>, Vec<String>) {
    let mut found = Finder { system, reserved: Vec::new(), problems: Vec::new() };
    let mut cores: BTreeMap<u32, &str> = BTreeMap::new();
    for core in system.cores() {
        let name = &system.supply(core).name;
        let Some(cpu) = cpu_of(system, core, &mut found.problems) else { continue };
        if let Some(other) = cores.insert(cpu, name) {
            found.problems.push(format!("{other} and {name} are both processor {cpu}"));
        }
        if !mechanism::is_left(system, core) {
            found.core(core, cpu);
        }
    }
    found.problems.extend(faults_of_interrupts(system));
    (found.reserved, found.problems)
}

/// The processor that a core is; `None`, and a problem, if that is not stated.
pub(crate) fn cpu_of(system: &System, core: SupplyId, problems: &mut Vec<String>) -> Option<u32> {
    let name = &system.supply(core).name;
    let cpu = system.host.cpus.get(name).copied();
    if cpu.is_none() {
        problems.push(format!("{name} does not say which processor it is: `cpu = 1`"));
    }
    cpu
}

/// How the thread of something is found.
///
/// # Errors
/// It is not stated, or nothing can be called that.
pub(crate) fn selector_of(system: &System, label: &str) -> Result<Selector, String> {
    let Some(written) = system.host.threads.get(label) else {
        return Err(format!("{label} does not say which thread it is: `thread = \"name:...\"`"));
    };
    Selector::read(written)
        .map_err(|why| format!("{label}: \"{}\" names no thread: {why}", visible(written)))
}

/// What no interrupt can be called.
pub(crate) fn faults_of_interrupts(system: &System) -> impl Iterator<Item = String> {
    system.host.interrupts.iter().filter_map(|(label, irq)| {
        let fault = fault_of_interrupt(irq)?;
        Some(format!("{label}: `irq` is \"{}\": {fault}", visible(irq)))
    })
}

struct Finder<'a> {
    system: &'a System,
    reserved: Vec<Reserved>,
    problems: Vec<String>,
}

impl Finder<'_> {
    fn core(&mut self, core: SupplyId, cpu: u32) {
        let supply = self.system.supply(core);
        if !mechanism::has_scheduler(supply.scheduler) {
            return;
        }
        for member in &supply.members {
            match *member {
                Member::Server(server) => self.server(server, cpu),
                Member::Task(task) => self.task(task, cpu, supply.scheduler),
            }
        }
    }

    fn server(&mut self, id: SupplyId, cpu: u32) {
        let supply = self.system.supply(id);
        // That is in the kernel already.
        if supply.serves_other {
            return;
        }
        let policy = match &supply.kind {
            SupplyKind::Server(server) if mechanism::has_server(server.kind()) => {
                deadline_policy(server)
            }
            SupplyKind::Level(level) => {
                let Some(policy) = self.fifo_policy(&supply.name, level.priority) else { return };
                policy
            }
            SupplyKind::Core | SupplyKind::Share(_) | SupplyKind::Server(_) => return,
        };
        if supply.vm.is_some() {
            self.reserve(&supply.name, cpu, policy);
            return;
        }
        match *supply.members.as_slice() {
            [Member::Task(task)] => {
                let name = &self.system.task(task).name;
                let both =
                    [name, &supply.name].map(|name| self.system.host.threads.contains_key(name));
                if both == [true, true] {
                    self.problems
                        .push(format!("{} and {name} both name a thread: one does", supply.name));
                }
                self.reserve(if both[0] { name } else { &supply.name }, cpu, policy);
            }
            [] => self.reserve(&supply.name, cpu, policy),
            _ => self.problems.push(format!(
                "{}: a server of Linux is one thread; give each task a server of its own",
                supply.name
            )),
        }
    }

    fn task(&mut self, id: TaskId, cpu: u32, scheduler: Scheduler) {
        let task = self.system.task(id);
        // That is in the kernel already.
        if Kernel::does(&task.name) {
            return;
        }
        if scheduler == Scheduler::Edf {
            self.problems.push(format!(
                "{}: under \"edf\" Linux has \"sched-deadline\" servers only",
                task.name
            ));
            return;
        }
        if let Some(policy) = self.fifo_policy(&task.name, task.priority) {
            self.reserve(&task.name, cpu, policy);
        }
    }

    /// A plain thread of that priority; none, and a problem, if there is no such one.
    fn fifo_policy(&mut self, label: &str, Priority(priority): Priority) -> Option<Policy> {
        if LINUX.has_priority(priority) {
            return Some(Policy::fifo(priority));
        }
        self.problems
            .push(format!("{label}: priority {priority} is none of SCHED_FIFO, which has 1 to 99"));
        None
    }

    fn reserve(&mut self, label: &str, cpu: u32, policy: Policy) {
        match selector_of(self.system, label) {
            Ok(selector) => {
                self.reserved.push(Reserved { label: label.to_owned(), selector, cpu, policy });
            }
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// The policy of a server.
fn deadline_policy(server: &Server) -> Policy {
    let deadline = server.relative_deadline();
    Policy {
        flags: if server.reclaims() { Policy::RECLAIM } else { 0 },
        ..Policy::deadline(server.budget.as_ns(), deadline.as_ns(), server.period.as_ns())
    }
}
