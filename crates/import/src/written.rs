//! What was found of a machine, as a description.
//!
//! **Model.** A core for each processor that a thread is pinned to, and for all where one is not; a virtual processor for
//! each of QEMU's; a server for each real-time thread besides. A virtual processor of `SCHED_FIFO` has its priority and no
//! budget. Each other thread is a reservation of `SCHED_DEADLINE` whose budget and period are open. What it has today is a
//! comment. Interrupts are comments, since their times are unknown.

use crate::description::{Core, Description, Table, Value};
use crate::found::{Contradiction, Machine, Policy, Thread};
use std::collections::BTreeSet;
use vorrang_enforce::cpu_list;
use vorrang_model::limits;

/// Threads that a description holds, so that it can be read again.
const MOST: usize = 2000;
/// Lines of a list that are shown.
const SHOWN: usize = 1000;

pub(crate) fn description(machine: &Machine, contradictions: &[Contradiction]) -> Description {
    let mut description =
        Description { head: head(machine, contradictions), ..Description::default() };
    for cpu in cores(machine) {
        let core = Core {
            scheduler: "linux",
            cpu: Some(cpu),
            release: machine.release.as_deref().and_then(plain_release),
        };
        description.cores.insert(cpu, core);
    }
    for thread in machine.threads.iter().take(MOST) {
        let table = table(thread, &description);
        description.add(table);
    }
    description.tail = interrupts(machine, &description);
    description
}

/// The processors that threads are pinned to; where one is not, all that are there.
fn cores(machine: &Machine) -> BTreeSet<u32> {
    let mut cores: BTreeSet<u32> =
        machine.threads.iter().filter_map(pinned).filter(|cpu| is_there(machine, *cpu)).collect();
    let floats = machine
        .threads
        .iter()
        .any(|thread| pinned(thread).is_none_or(|cpu| !is_there(machine, cpu)));
    if floats || cores.is_empty() {
        let all = machine.online.as_ref().map(|online| &online.cpus);
        cores.extend(all.into_iter().flatten());
        cores.extend(
            machine
                .threads
                .iter()
                .filter_map(Thread::cpus)
                .flatten()
                .filter(|cpu| is_there(machine, **cpu)),
        );
    }
    if cores.is_empty() {
        cores.insert(0);
    }
    cores
}

fn is_there(machine: &Machine, cpu: u32) -> bool {
    u64::from(cpu) <= limits::CPU
        && machine.online.as_ref().is_none_or(|online| online.cpus.contains(&cpu))
}

fn pinned(thread: &Thread) -> Option<u32> {
    match thread.cpus().map(Vec::as_slice) {
        Some([cpu]) => Some(*cpu),
        _ => None,
    }
}

fn table(thread: &Thread, description: &Description) -> Table {
    let mut comments = Vec::new();
    for word in &thread.words {
        let mut parts = Vec::new();
        parts.extend(word.policy.map(Policy::said));
        parts.extend(word.cpus.as_ref().map(|cpus| format!("processors {}", cpu_list(cpus))));
        let ran_on = word.ran_on.filter(|_| word.cpus.is_none());
        parts.extend(ran_on.map(|cpu| format!("ran on processor {cpu}")));
        comments.push(format!("{}: {}", word.from, parts.join(", ")));
    }
    let on = match pinned(thread).filter(|cpu| description.cores.contains_key(cpu)) {
        Some(cpu) => Value::Core(cpu),
        None => Value::Open,
    };
    let mut keys = Vec::new();
    if let Some((vm, _)) = &thread.vcpu {
        keys.push(("vm", Value::word(vm)));
    }
    keys.push(("on", on));
    match thread.policy() {
        Some(Policy::Fifo(priority)) if thread.vcpu.is_some() => keys.extend([
            ("server", Value::word("none")),
            ("priority", Value::Number(priority.into())),
        ]),
        _ => keys.extend([
            ("server", Value::word("sched-deadline")),
            ("budget", Value::Open),
            ("period", Value::Open),
        ]),
    }
    keys.push(("thread", Value::word(&thread.selector)));
    let noun = if thread.vcpu.is_some() { "vcpu" } else { "server" };
    Table { noun, name: thread.name.clone(), comments, keys }
}

fn head(machine: &Machine, contradictions: &[Contradiction]) -> Vec<String> {
    let mut head = vec![
        "What configures this machine, as `vorrang import` found it. Execution times and arrivals are in no".to_owned(),
        "file: state the tasks of each virtual processor and server, then `vorrang design` chooses what is \"?\".".to_owned(),
    ];
    for listed in machine.kernel.values().chain(&machine.tuned) {
        head.push(format!("{}: {}={}", listed.from, listed.name, cpu_list(&listed.cpus)));
    }
    head.extend(machine.tick.clone());
    for other in &machine.others {
        head.push(format!(
            "{}: {} may run on processors {}",
            other.from,
            other.name,
            cpu_list(&other.cpus)
        ));
    }
    section(
        &mut head,
        "Contradictions:",
        contradictions.iter().map(|one| {
            let [first, second] = &one.between;
            format!("{} ({first}; {second})", one.says)
        }),
    );
    section(&mut head, "Not carried over:", machine.lost.iter().cloned());
    head
}

pub(crate) fn section(head: &mut Vec<String>, title: &str, lines: impl Iterator<Item = String>) {
    let before = head.len();
    let mut lines = lines.map(|line| format!("- {line}"));
    head.extend(lines.by_ref().take(SHOWN));
    let more = lines.count();
    if more > 0 {
        head.push(format!("- and {more} more"));
    }
    if head.len() > before {
        head.insert(before, title.to_owned());
    }
}

/// Interrupts that go to a core of the description, and not to all of them.
fn interrupts(machine: &Machine, description: &Description) -> Vec<String> {
    let all = machine.online.as_ref().map_or(0, |online| online.cpus.len());
    let here = machine.irqs.iter().filter(|irq| {
        irq.cpus.len() < all.max(2)
            && irq.cpus.iter().any(|cpu| description.cores.contains_key(cpu))
    });
    let mut lines = Vec::new();
    section(
        &mut lines,
        "Interrupts of these processors; `[interrupt]` needs the time of the routine and the least time between two:",
        here.map(|irq| {
            format!("{} ({}) on processors {}", irq.number, irq.name, cpu_list(&irq.cpus))
        }),
    );
    lines
}

/// Major and minor number of a release, which is as much as a description takes.
fn plain_release(release: &str) -> Option<String> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let (major, minor) = (numbers.next()?, numbers.next()?);
    let is_number = |text: &str| !text.is_empty() && text.len() < 6;
    (is_number(major) && is_number(minor)).then(|| format!("{major}.{minor}"))
}
