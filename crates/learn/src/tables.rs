//! What was learnt, as tables of a description.

use crate::arrival::stated;
use crate::facts::Facts;
use crate::names::{Names, plain};
use crate::processor::{Routine, Source};
use crate::said::longer;
use crate::table::{Style, Table, times};
use crate::thread::{Cause, Thread};
use crate::told::Told;
use crate::wanted::Learnt;
use std::collections::{BTreeMap, BTreeSet};
use vorrang_model::system::VECTORS;

/// All tables, in the order in which they are written.
pub(crate) fn tables(learnt: &Learnt, facts: &Facts, style: &Style) -> Vec<Table> {
    let (names, sources) = (Names::of(learnt, facts), sources(learnt));
    let cpus = learnt.threads.values().flat_map(|thread| &thread.cpus);
    let cpus = cpus.filter(|cpu| learnt.looks_at(**cpu));
    let cores: BTreeSet<u32> = cpus.filter_map(|cpu| u32::try_from(*cpu).ok()).collect();
    let mut all: Vec<Table> = cores.iter().map(|cpu| core(*cpu, facts)).collect();
    let mut threads = Vec::new();
    for (&number, thread) in &learnt.threads {
        let is_woken = sources.contains_key(&number);
        threads.extend(
            Told { learnt, facts, style, names: &names, number, thread, is_woken }.tables(),
        );
    }
    for noun in ["vcpu", "server", "task"] {
        all.extend(threads.iter().filter(|table| table.noun == noun).cloned());
    }
    for (cpu, routines) in &learnt.routines {
        let Some(cpu) = u32::try_from(*cpu).ok().filter(|cpu| cores.contains(cpu)) else {
            continue;
        };
        for (source, routine) in routines.iter().filter(|(_, one)| one.executed.count() > 0) {
            let mut table = interrupt(cpu, source, routine, learnt, style);
            let woken = sources.iter().find(|(_, from)| **from == (cpu as usize, source));
            if let Some((thread, _)) = woken {
                table.state("wakes", format!("task.{}", names.of_task(*thread)));
            }
            table.state("learnt", vorrang_model::percentage(style.margin));
            all.push(table);
        }
    }
    all
}

/// The interrupt by which alone a thread is woken, on the processor on which alone it runs.
fn sources(learnt: &Learnt) -> BTreeMap<u32, (usize, &Source)> {
    let of = |(number, thread): (&u32, &Thread)| {
        let mut causes = thread.causes.keys();
        let (Some(Cause::Interrupt(irq)), None) = (causes.next(), causes.next()) else {
            return None;
        };
        let cpu = thread.cpus.first().filter(|_| thread.cpus.len() == 1)?;
        let (source, routine) = learnt.routines.get(cpu)?.get_key_value(&Source::Device(*irq))?;
        // A routine wakes one task, and that is in no server.
        let is_only = routine.executed.count() > 0
            && routine.wakes.keys().eq([number])
            && thread.priorities.iter().all(|priority| (0..100).contains(priority));
        is_only.then_some((*number, (*cpu, source)))
    };
    learnt.threads.iter().filter_map(of).collect()
}

fn core(cpu: u32, facts: &Facts) -> Table {
    let mut table = Table::new("core", &cpu.to_string());
    table.state("scheduler", "linux");
    if let Some(release) = &facts.release {
        table.state("kernel-release", release);
    }
    table.number("cpu", cpu.into());
    table
}

fn interrupt(
    cpu: u32,
    source: &Source,
    routine: &Routine,
    learnt: &Learnt,
    style: &Style,
) -> Table {
    let (name, irq) = match source {
        Source::Device(number) => (format!("irq-{number}-{cpu}"), Some(number.to_string())),
        Source::Vector(name) => {
            let name = plain(name);
            let irq = VECTORS.contains(&name.as_str()).then(|| name.clone());
            (format!("{name}-{cpu}"), irq)
        }
    };
    let mut table = Table::new("interrupt", &name);
    if matches!(source, Source::Device(_)) {
        table.notes.push(String::from_utf8_lossy(&routine.name).into_owned());
    }
    table.state("on", format!("core.{cpu}"));
    let time = learnt.end - learnt.begin;
    let longest = routine.executed.longest().max(1);
    let from = times(&routine.executed, "routines", time);
    table.learn("isr", longer(longest, style.margin), from);
    let (arrivals, from) = stated(&routine.arrivals, style.form, style.margin, time);
    table.arrive(["min-interarrival", "jitter"], arrivals, from);
    if let Some(irq) = irq {
        table.state("irq", irq);
    }
    table
}
