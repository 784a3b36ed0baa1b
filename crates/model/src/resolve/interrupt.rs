//! Interrupts: their urgency, their storms, and what they wake on the host.

use super::link::{Links, OfInterrupt};
use super::posted;
use super::presence::KeyOf;
use super::tree::Tree;
use crate::description::{Declared, Description, Field, Interrupt};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::system::InterruptOrder;
use crate::word::{INTERRUPT_ORDERS, text_of};

pub(super) fn check(description: &Description, links: &Links, tree: &Tree, errors: &mut Errors) {
    let mut on_core = vec![0_usize; description.supplies.len()];
    let own = description.interrupts.iter().zip(&links.interrupts);
    let with_routine = own.filter(|(declared, _)| !declared.body.is_posted());
    for core in with_routine.filter_map(|(_, link)| link.core) {
        on_core[core] += 1;
    }
    for (declared, link) in description.interrupts.iter().zip(&links.interrupts) {
        check_storm(declared, errors);
        posted::check(description, tree, (declared, link), errors);
        if let Some(core) = link.core.filter(|_| !declared.body.is_posted()) {
            check_priority(description, declared, core, on_core[core] > 1, errors);
        }
        let wakes = &declared.body.wakes;
        if declared.body.delivery.is_some() {
            let key = KeyOf { name: &declared.name, span: &declared.span, key: "wakes" };
            key.pointless(wakes, "its routine in the guest wakes: say so in `virtual`", errors);
        } else {
            check_woken(description, tree, declared, link, errors);
        }
    }
}

fn check_storm(declared: &Declared<Interrupt>, errors: &mut Errors) {
    let (Some(storm), Some(usual)) =
        (declared.body.storm.get(), declared.body.min_interarrival.get())
    else {
        return;
    };
    if storm.value > usual.value {
        let message = format!("{} comes less often in a storm than it may anyway", declared.name);
        errors.push(
            Diagnostic::new(Code::StormTooSlow, storm.span.clone(), message)
                .label(format!("at least {} apart", storm.value))
                .also(usual.span.clone(), format!("at least {} apart", usual.value)),
        );
    }
}

/// A priority stands where the order of the core goes by it, and only there.
fn check_priority(
    description: &Description,
    declared: &Declared<Interrupt>,
    core: usize,
    choice: bool,
    errors: &mut Errors,
) {
    let core = &description.supplies[core];
    let Some(order) = core.body.interrupts.or(InterruptOrder::FirstCome) else { return };
    let word = text_of(INTERRUPT_ORDERS, &order);
    match (&declared.body.priority, order) {
        (Field::Is(at), InterruptOrder::FirstCome) => {
            let message = format!("{} has a priority, but its core does not use it", declared.name);
            errors.push(
                Diagnostic::new(Code::UnusedPriority, at.span.clone(), message)
                    .label(format!("the interrupts of {} are \"{word}\"", core.name))
                    .help(
                        "leave it out, or make the core's `interrupts` \"priority\" or \"nested\"",
                    ),
            );
        }
        (Field::Absent, InterruptOrder::Priority | InterruptOrder::Nested) if choice => {
            let message = format!("{} has no priority", declared.name);
            errors.push(
                Diagnostic::new(Code::MissingPriority, declared.span.clone(), message)
                    .label("has no `priority`")
                    .help(format!(
                        "the interrupts of {} are \"{word}\"; larger is more urgent",
                        core.name
                    )),
            );
        }
        _ => {}
    }
}

/// The routine of the host wakes a task of the host.
fn check_woken(
    description: &Description,
    tree: &Tree,
    declared: &Declared<Interrupt>,
    link: &OfInterrupt,
    errors: &mut Errors,
) {
    let (Some(at), Some(task)) = (declared.body.wakes.get(), link.wakes) else { return };
    let Some(on) = tree.task_parent[task] else { return };
    let task = &description.tasks[task].name;
    if let Some(vcpu) = tree.guest_of(on) {
        let vcpu = &description.supplies[vcpu].name;
        let message = format!("{task} runs on {vcpu}, which {} does not reach", declared.name);
        errors.push(
            Diagnostic::new(Code::WokenElsewhere, at.span.clone(), message)
                .label("a task of the host is expected")
                .help(format!("deliver it to the guest: `virtual = {{ vcpu = \"{vcpu}\", ... }}`")),
        );
    }
}
