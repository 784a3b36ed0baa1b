//! Which thread or interrupt of a trace is which entity of a description.
//!
//! **Model.** A description names threads by the selectors of `vorrang apply`. On the running machine they
//! are found as `apply` does; in a trace from another machine among the threads that have events in it.
//!
//! **Assumptions** of a trace from elsewhere. 1. A thread keeps its last name. 2. A trace does not say to which
//! process or virtual machine a thread belongs: the only thread of the right name is taken.

use crate::schedule::{Routine, Schedule};
use std::collections::BTreeSet;
use std::fmt;
use vorrang_enforce::Kernel;
use vorrang_model::System;
use vorrang_model::system::{Member, Selector, SupplyId, TaskId, VECTORS};

/// The longest name of a thread: the kernel cuts the rest.
const LONGEST_NAME: usize = 15;

/// Which thread or interrupt something is; or why not, as a clause.
pub type Found<T> = Result<T, String>;

/// The threads and interrupts found, by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// Threads of tasks.
    pub tasks: Vec<Found<u32>>,
    /// Threads of servers; of cores there are none.
    pub supplies: Vec<Found<u32>>,
    /// Interrupts.
    pub interrupts: Vec<Found<Line>>,
}

/// What raises an interrupt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Devices with these numbers.
    Devices(Vec<u32>),
    /// This processor itself, by the name of the vector.
    Vector(usize, String),
}

impl Line {
    /// Its service routines in a trace.
    pub fn routines<'s>(&'s self, schedule: &'s Schedule) -> impl Iterator<Item = &'s Routine> {
        let (of_devices, of_processors) = (schedule.routines.iter(), schedule.vectors.iter());
        let all = of_devices.chain(of_processors.filter(|_| matches!(self, Self::Vector(..))));
        all.filter(move |one| match self {
            Self::Devices(numbers) => numbers.contains(&one.interrupt),
            Self::Vector(cpu, name) => one.cpu == *cpu && one.name == *name,
        })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Devices(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
                write!(f, "irq {}", numbers.join(", "))
            }
            Self::Vector(cpu, name) => write!(f, "{name} of {cpu}"),
        }
    }
}

impl Matching {
    /// On the running machine.
    pub fn on_machine(system: &System, kernel: &dyn Kernel) -> Self {
        let thread = |selector: &Selector| {
            let found = vorrang_enforce::find_thread(kernel, selector);
            let thread = found.map_err(|why| why.to_string())?;
            u32::try_from(thread.thread).map_err(|why| why.to_string())
        };
        let interrupt = |name: &str| match vorrang_enforce::find_interrupts(kernel, name) {
            Ok(numbers) if numbers.is_empty() => {
                Err(format!("this machine has no interrupt {name}"))
            }
            numbers => numbers.map_err(|why| format!("which interrupt is {name}: {why}")),
        };
        Self::by(system, &thread, &interrupt)
    }

    /// Among those of a trace.
    pub fn in_trace(system: &System, schedule: &Schedule) -> Self {
        let thread = |selector: &Selector| thread_in(schedule, selector);
        let interrupt = |name: &str| match interrupts_in(schedule, name) {
            numbers if numbers.is_empty() => {
                Err(format!("there is no interrupt {name} in the trace"))
            }
            numbers => Ok(numbers),
        };
        Self::by(system, &thread, &interrupt)
    }

    fn by(
        system: &System,
        thread: &dyn Fn(&Selector) -> Found<u32>,
        interrupt: &dyn Fn(&str) -> Found<Vec<u32>>,
    ) -> Self {
        let written = |name: &str| system.host.threads.get(name);
        let find = |written: Found<&String>| {
            let written = written?;
            let selector = Selector::read(written)
                .map_err(|why| format!("\"{written}\" names no thread: {why}"))?;
            thread(&selector)
        };
        let tasks = system.task_ids().map(|id| {
            let server =
                alone_in(system, id).and_then(|server| written(&system.supply(server).name));
            let own = written(&system.task(id).name).or(server);
            find(own.ok_or_else(|| unnamed(system, system.task(id).on)))
        });
        let supplies = system.supply_ids().map(|id| {
            let supply = system.supply(id);
            let task = match *supply.members.as_slice() {
                [Member::Task(task)] => written(&system.task(task).name),
                _ => None,
            };
            let on = supply.on().unwrap_or(id);
            find(written(&supply.name).or(task).ok_or_else(|| unnamed(system, on)))
        });
        let interrupts = system.interrupt_ids().map(|id| {
            let of = system.interrupt(id);
            let irq = system.host.interrupts.get(&of.name);
            let irq = irq.ok_or("the description does not say which interrupt it is (`irq`)")?;
            if !VECTORS.contains(&irq.as_str()) {
                return interrupt(irq).map(Line::Devices);
            }
            let core = &system.supply(of.on).name;
            let cpu = system.host.cpus.get(core);
            let cpu = cpu.ok_or_else(|| {
                format!("the description does not say which processor {core} is (`cpu`)")
            })?;
            Ok(Line::Vector(*cpu as usize, irq.clone()))
        });
        Self {
            tasks: tasks.collect(),
            supplies: supplies.collect(),
            interrupts: interrupts.collect(),
        }
    }
}

/// The reservation of the host in which a task is alone.
fn alone_in(system: &System, task: TaskId) -> Option<SupplyId> {
    let id = system.task(task).on;
    let supply = system.supply(id);
    let alone = !supply.is_core() && supply.vm.is_none() && supply.members.len() == 1;
    alone.then_some(id)
}

/// Why an entity without a thread cannot be observed.
fn unnamed(system: &System, mut on: SupplyId) -> String {
    loop {
        let supply = system.supply(on);
        if supply.vm.is_some() {
            return format!(
                "it runs inside {}, and a trace of the host does not show it",
                supply.name
            );
        }
        match supply.on() {
            Some(parent) => on = parent,
            None => return "the description does not say which thread it is (`thread`)".to_owned(),
        }
    }
}

/// The thread of a trace that a selector means.
fn thread_in(schedule: &Schedule, selector: &Selector) -> Found<u32> {
    if let Selector::Number(number) = selector {
        let number =
            u32::try_from(*number).ok().filter(|number| schedule.names.contains_key(number));
        return number.ok_or_else(|| format!("{selector} has no event in the trace"));
    }
    let named = schedule.names.iter().filter(|(_, name)| is(schedule, selector, name));
    let mut found: Vec<(&u32, &String)> = named.collect();
    if let Selector::Napi(_, Some(place)) = selector {
        found.sort_by_key(|(_, name)| number_at_end(name));
        found = found.get(*place).copied().into_iter().collect();
    }
    match found[..] {
        [] => Err(format!("no thread of the trace is {selector}")),
        [(number, _)] => Ok(*number),
        _ => {
            let several = found.iter().map(|(number, name)| format!("{name} ({number})"));
            let several = several.collect::<Vec<_>>().join(", ");
            Err(format!("{} threads of the trace may be {selector}: {several}", found.len()))
        }
    }
}

fn is(schedule: &Schedule, selector: &Selector, name: &str) -> bool {
    match selector {
        Selector::Number(_) => false,
        Selector::Name(own) | Selector::OfProcess(_, own) => name == own || name == cut(own),
        Selector::Vm(_, cpu) => {
            name == format!("CPU {cpu}/KVM") || name == format!("CPU {cpu}/TCG")
        }
        Selector::Irq(own) => {
            let Some((number, handler)) =
                name.strip_prefix("irq/").and_then(|rest| rest.split_once('-'))
            else {
                return false;
            };
            let by_number = |known: &u32| known.to_string() == number;
            number == own
                || is_handler(handler, own)
                || interrupts_in(schedule, own).iter().any(by_number)
        }
        Selector::Napi(interface, _) => name.starts_with(cut(&format!("napi/{interface}-"))),
    }
}

/// A name as the kernel keeps it.
fn cut(name: &str) -> &str {
    let end = (0..=LONGEST_NAME.min(name.len())).rev().find(|&end| name.is_char_boundary(end));
    &name[..end.unwrap_or(0)]
}

fn number_at_end(name: &str) -> u32 {
    name.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(u32::MAX)
}

/// Handlers are named after their device, with or without their function: `eth0`, `eth0-rx-1`.
fn is_handler(handler: &str, name: &str) -> bool {
    handler == name || handler.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
}

/// The numbers of a trace's interrupts that a name or number means.
fn interrupts_in(schedule: &Schedule, name: &str) -> Vec<u32> {
    let own = schedule
        .routines
        .iter()
        .filter(|routine| is_handler(&routine.name, name) || routine.interrupt.to_string() == name);
    let numbers: BTreeSet<u32> = own.map(|routine| routine.interrupt).collect();
    numbers.into_iter().collect()
}

#[cfg(test)]
mod tests;
