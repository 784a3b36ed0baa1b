//! The delivery of interrupts to guests, and the reservations that pay for it.

use super::link::{Links, OfInterrupt};
use super::server::check_budget;
use super::tree::Tree;
use super::urgency::check_unused;
use crate::description::{Description, Interrupt, PseudoVcpu, Timer, Virtual};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::limits;
use crate::paid::Paid;
use crate::system::ServerKind;
use crate::word::{CORE_SCHEDULERS, Rule, text_of};
use vorrang_time::Duration;

pub(super) fn check(description: &Description, links: &Links, tree: &Tree, errors: &mut Errors) {
    for (declared, link) in description.interrupts.iter().zip(&links.interrupts) {
        let Some(delivery) = &declared.body.delivery else { continue };
        let Some(vcpu) = link.vcpu else { continue };
        check_woken(description, tree, delivery, link, vcpu, errors);
        if let Some(payer) = &delivery.pseudo_vcpu {
            let credit = credit_of(description, &declared.body, link.wakes);
            Payer { of: &declared.name, stated: payer, vcpu, credit }.check(
                description,
                tree,
                errors,
            );
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

/// A pseudo-VCPU, as it is declared.
pub(super) struct Payer<'a> {
    /// The full name of what it pays for.
    pub(super) of: &'a str,
    pub(super) stated: &'a PseudoVcpu,
    /// The virtual processor that takes that.
    pub(super) vcpu: usize,
    /// What one takes there; `None`: that is not stated.
    pub(super) credit: Option<Duration>,
}

impl Payer<'_> {
    /// It stands beside the VCPU it pays for, and is scheduled by priority there, or before all deadlines.
    pub(super) fn check(&self, description: &Description, tree: &Tree, errors: &mut Errors) {
        let Self { stated: payer, vcpu, .. } = *self;
        let name = format!("the pseudo-vcpu of {}", self.of);
        check_budget(&name, &payer.budget, &payer.period, errors);
        self.check_has_budget(description, errors);
        self.check_credit(errors);
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
    fn check_has_budget(&self, description: &Description, errors: &mut Errors) {
        let declared = &description.supplies[self.vcpu];
        let kind = declared.body.server.as_ref().and_then(|server| server.kind.get());
        let Some(kind) = kind.filter(|kind| kind.value == ServerKind::Level) else { return };
        let message =
            format!("the pseudo-vcpu stands beside {}, which has no budget", declared.name);
        errors.push(
            Diagnostic::new(Code::KindDoesNotFit, self.stated.span.clone(), message)
                .label("it pays for what a budget would pay for")
                .also(kind.span.clone(), "this has none")
                .help(
                    "leave it out: the interrupt is handled at the priority of the virtual processor",
                ),
        );
    }

    /// The budget pays for one interrupt in the guest, or for none ever.
    fn check_credit(&self, errors: &mut Errors) {
        let (Some(budget), Some(credit)) = (self.stated.budget.get(), self.credit) else { return };
        if budget.value < credit {
            let message = format!("the pseudo-vcpu of {} cannot pay for one interrupt", self.of);
            errors.push(
                Diagnostic::new(Code::PseudoVcpuBudget, budget.span.clone(), message)
                    .label(format!("{} of time", budget.value))
                    .help(format!(
                        "one interrupt takes {credit} in the guest: its routine, the end of interrupt and the `wcet` of the task that it wakes"
                    )),
            );
        }
    }
}

/// What one takes in its guest of what a pseudo-VCPU pays for; `None`: that is not stated.
pub(crate) fn credit(description: &Description, of: Paid) -> Option<Duration> {
    match of {
        Paid::Timer(timer) => {
            let body = &description.timers[timer].body;
            let task = description.task(&body.armed_by.get()?.value.text)?;
            credit_of_timer(description, body, task)
        }
        Paid::Interrupt(interrupt) => {
            let body = &description.interrupts[interrupt].body;
            match body.delivery.as_ref()?.wakes.get() {
                Some(name) => {
                    let task = description.task(&name.value.text)?;
                    credit_of(description, body, Some(task))
                }
                None => credit_of(description, body, None),
            }
        }
    }
}

fn credit_of(
    description: &Description,
    interrupt: &Interrupt,
    wakes: Option<usize>,
) -> Option<Duration> {
    let isr = interrupt.delivery.as_ref()?.isr.get()?.value;
    in_guest(description, isr, wakes)
}

/// The same of a timer, by the task that arms it.
pub(super) fn credit_of_timer(
    description: &Description,
    timer: &Timer,
    armed_by: usize,
) -> Option<Duration> {
    let wakes = timer.wakes.get().is_some_and(|wakes| wakes.value).then_some(armed_by);
    in_guest(description, timer.isr.get()?.value, wakes)
}

/// What a routine takes in a guest, with its end and the task that it wakes.
fn in_guest(description: &Description, isr: Duration, wakes: Option<usize>) -> Option<Duration> {
    let woken = match wakes.map(|task| &description.tasks[task]) {
        None => Duration::ZERO,
        Some(task) => task.body.longest()?,
    };
    Some(isr + description.costs.vm_exit + woken)
}
