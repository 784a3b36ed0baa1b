//! That processors, threads and interrupts of the machine can be what is written, and are one thing each.

use crate::description::{At, Description, Field};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span, excerpt};
use crate::system::{Selector, fault_of_interrupt};
use std::collections::BTreeMap;

pub(super) fn check(description: &Description, errors: &mut Errors) {
    check_cpus(description, errors);
    check_threads(description, errors);
    for interrupt in &description.interrupts {
        let Some(irq) = interrupt.body.irq.get() else { continue };
        if let Some(why) = fault_of_interrupt(&irq.value) {
            let help = "write the number of an interrupt, or a name in /proc/interrupts";
            errors.push(not_of_a_machine(&interrupt.name, "irq", irq, why).help(help));
        }
    }
}

fn check_cpus(description: &Description, errors: &mut Errors) {
    let mut known: BTreeMap<u64, (&str, &Span)> = BTreeMap::new();
    for supply in &description.supplies {
        let Some(cpu) = supply.body.cpu.get() else { continue };
        let Some((other, span)) = known.insert(cpu.value, (&supply.name, &cpu.span)) else {
            continue;
        };
        let message = format!("{other} and {} are both processor {}", supply.name, cpu.value);
        errors.push(
            Diagnostic::new(Code::CpuTwice, cpu.span.clone(), message)
                .label("the same processor")
                .also(span.clone(), format!("of {other}"))
                .help("a processor is one core"),
        );
    }
}

fn check_threads(description: &Description, errors: &mut Errors) {
    let servers = description
        .supplies
        .iter()
        .filter_map(|supply| Some((&supply.name, &supply.body.server.as_ref()?.thread)));
    let tasks = description.tasks.iter().map(|task| (&task.name, &task.body.thread));
    let mut known: BTreeMap<Selector, (&str, &Span)> = BTreeMap::new();
    for (name, thread) in servers.chain(tasks) {
        let Field::Is(thread) = thread else { continue };
        let selector = match Selector::read(&thread.value) {
            Ok(selector) => selector,
            Err(why) => {
                let help = "a thread is found by pid:, name:, process:, vm:, irq: or napi: (docs/apply.md)";
                errors.push(not_of_a_machine(name, "thread", thread, why).help(help));
                continue;
            }
        };
        let Some((other, span)) = known.insert(selector, (name, &thread.span)) else { continue };
        let message = format!("{other} and {name} are both the thread {}", excerpt(&thread.value));
        errors.push(
            Diagnostic::new(Code::ThreadTwice, thread.span.clone(), message)
                .label("the same thread")
                .also(span.clone(), format!("of {other}"))
                .help("a thread has one reservation, or one priority"),
        );
    }
}

fn not_of_a_machine(name: &str, key: &str, text: &At<String>, why: &str) -> Diagnostic {
    let message = format!("`{key}` of {name} cannot be \"{}\"", excerpt(&text.value));
    Diagnostic::new(Code::NotOfAMachine, text.span.clone(), message).label(why)
}
