//! The delivery of interrupts to guests, and the reservations that pay for it.

use super::link::{Links, OfInterrupt};
use super::server::check_budget;
use super::tree::Tree;
use super::urgency::check_unused;
use crate::description::{Declared, Description, Interrupt, PseudoVcpu, Virtual};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::limits;
use crate::system::ServerKind;
use crate::word::{CORE_SCHEDULERS, Rule, text_of};
use vorrang_time::Duration;

pub(super) fn check(description: &Description, links: &Links, tree: &Tree, errors: &mut Errors) {
    for (declared, link) in description.interrupts.iter().zip(&links.interrupts) {
        let Some(delivery) = &declared.body.delivery else { continue };
        let Some(vcpu) = link.vcpu else { continue };
        check_woken(description, tree, delivery, link, vcpu, errors);
        if let Some(payer) = &delivery.pseudo_vcpu {
            check_payer(description, tree, declared, payer, vcpu, errors);
            check_credit(description, declared, link, payer, errors);
        }
    }
}

/// The woken task runs on the virtual processor that takes the interrupt.
fn check_woken(
    description: &Description,
    tree: &Tree,
    delivery: &Virtual,
    link: &OfInterrupt,
    vcpu: usize,
    errors: &mut Errors,
) {
    let (Some(task), Some(wakes)) = (link.wakes, delivery.wakes.get()) else { return };
    let Some(on) = tree.task_parent[task].filter(|on| tree.core[*on].is_some()) else {
        return;
    };
    // A longer chain has been reported, and must not be walked once per interrupt.
    let mut chain = std::iter::successors(Some(on), |supply| tree.parent[*supply]);
    if !chain.by_ref().take(limits::SERVER_DEPTH).any(|supply| supply == vcpu) {
        let (task, vcpu) = (&description.tasks[task].name, &description.supplies[vcpu].name);
        let message = format!("{task} does not run on {vcpu}");
        errors.push(
            Diagnostic::new(Code::WokenElsewhere, wakes.span.clone(), message)
                .label(format!("a task on {vcpu}, or on a server on it, is expected")),
        );
    }
}

/// A pseudo-VCPU stands beside the VCPU it pays for, and is scheduled by priority there, or before all deadlines.
fn check_payer(
    description: &Description,
    tree: &Tree,
    declared: &Declared<Interrupt>,
    payer: &PseudoVcpu,
    vcpu: usize,
    errors: &mut Errors,
) {
    let name = format!("the pseudo-vcpu of {}", declared.name);
    check_budget(&name, &payer.budget, &payer.period, errors);
    check_has_budget(description, payer, vcpu, errors);
    let Some(rule) = tree.rule_above(description, vcpu) else { return };
    match rule {
        Rule::FixedPriority | Rule::Linux | Rule::Edf => return,
        Rule::RateMonotonic | Rule::DeadlineMonotonic => {
            let why = format!("the scheduler is \"{}\"", text_of(CORE_SCHEDULERS, &rule));
            let help = "leave it out: a pseudo-VCPU without one is above everything there";
            return check_unused(&name, &payer.priority, &why, help, errors);
        }
        _ => {}
    }
    let vcpu = &description.supplies[vcpu].name;
    let word = text_of(CORE_SCHEDULERS, &rule);
    let message = format!("{name} stands beside {vcpu}, where it cannot be scheduled");
    errors.push(
        Diagnostic::new(Code::KindDoesNotFit, payer.span.clone(), message)
            .label(format!("the scheduler of what {vcpu} is on is \"{word}\""))
            .help("a pseudo-VCPU goes by priority, or before all deadlines: needs \"fixed-priority\", \"linux\" or \"edf\""),
    );
}

/// A virtual processor without a budget has nothing that another server could pay for.
fn check_has_budget(
    description: &Description,
    payer: &PseudoVcpu,
    vcpu: usize,
    errors: &mut Errors,
) {
    let declared = &description.supplies[vcpu];
    let kind = declared.body.server.as_ref().and_then(|server| server.kind.get());
    let Some(kind) = kind.filter(|kind| kind.value == ServerKind::Level) else { return };
    let message = format!("the pseudo-vcpu stands beside {}, which has no budget", declared.name);
    errors.push(
        Diagnostic::new(Code::KindDoesNotFit, payer.span.clone(), message)
            .label("it pays for what a budget would pay for")
            .also(kind.span.clone(), "this has none")
            .help(
                "leave it out: the interrupt is handled at the priority of the virtual processor",
            ),
    );
}

/// The budget pays for one interrupt in the guest, or for none ever.
fn check_credit(
    description: &Description,
    declared: &Declared<Interrupt>,
    link: &OfInterrupt,
    payer: &PseudoVcpu,
    errors: &mut Errors,
) {
    let Some(budget) = payer.budget.get() else { return };
    let Some(credit) = credit_of(description, &declared.body, link.wakes) else { return };
    if budget.value < credit {
        let message = format!("the pseudo-vcpu of {} cannot pay for one interrupt", declared.name);
        errors.push(
            Diagnostic::new(Code::PseudoVcpuBudget, budget.span.clone(), message)
                .label(format!("{} of time", budget.value))
                .help(format!(
                    "one interrupt takes {credit} in the guest: its routine, the end of interrupt and the `wcet` of the task that it wakes"
                )),
        );
    }
}

/// What one interrupt takes in its guest; `None`: that is not stated.
pub(crate) fn credit(description: &Description, interrupt: usize) -> Option<Duration> {
    let body = &description.interrupts[interrupt].body;
    let woken = body.delivery.as_ref()?.wakes.get().map(|own| &own.value.text);
    let woken = woken.map(|name| description.tasks.iter().position(|task| task.name == *name));
    match woken {
        Some(None) => None,
        Some(task) => credit_of(description, body, task),
        None => credit_of(description, body, None),
    }
}

fn credit_of(
    description: &Description,
    interrupt: &Interrupt,
    wakes: Option<usize>,
) -> Option<Duration> {
    let isr = interrupt.delivery.as_ref()?.isr.get()?.value;
    let woken = match wakes.map(|task| &description.tasks[task]) {
        None => Duration::ZERO,
        Some(task) => task.body.longest()?,
    };
    Some(isr + description.costs.vm_exit + woken)
}
