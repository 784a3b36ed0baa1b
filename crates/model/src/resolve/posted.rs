//! Posted interrupts: the processor delivers them to a guest that is there to take them, without a routine of the host.
//!
//! **Assumptions.** A virtual processor whose guest sleeps leaves the processor, and a routine of the host wakes it: so the guest of a
//! posted interrupt polls. One that is preempted or without budget finds the interrupt when it runs again.

use super::link::OfInterrupt;
use super::presence::KeyOf;
use super::tree::{Local, Tree};
use crate::description::{At, Declared, Description, Interrupt};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::limits;
use crate::system::ServerKind;

impl Interrupt {
    /// Whether the processor delivers it.
    pub(crate) fn is_posted(&self) -> bool {
        self.posted.get().is_some_and(|at| at.value)
    }
}

/// A service routine of the host is stated where one runs, and only there.
pub(super) fn check(
    description: &Description,
    tree: &Tree,
    (declared, link): (&Declared<Interrupt>, &OfInterrupt),
    errors: &mut Errors,
) {
    let body = &declared.body;
    let key = |key| KeyOf { name: &declared.name, span: &declared.span, key };
    let Some(posted) = body.posted.get().filter(|at| at.value) else {
        let help = "Longest execution time of its service routine. Write `isr = \"4us\"`, or `posted = true` where the processor delivers it";
        return key("isr").needed(&body.isr, help, errors);
    };
    let why = "it is posted: the host runs no routine for it";
    key("isr").pointless(&body.isr, why, errors);
    key("priority").pointless(&body.priority, why, errors);
    let Some(delivery) = &body.delivery else {
        let help = "state the guest: `virtual = { vcpu = \"vcpu.NAME\", isr = \"4us\" }`";
        return errors.push(refused(declared, posted, "no guest takes it", help));
    };
    key("vector").pointless(&delivery.vector, "it is posted: no thread raises it", errors);
    if let Some(payer) = &delivery.pseudo_vcpu {
        let label = "no pseudo-VCPU holds back what is posted";
        let help = "leave `pseudo-vcpu` out, or state `isr` in place of `posted`";
        let found = refused(declared, posted, label, help);
        errors.push(found.also(payer.span.clone(), "states one"));
    }
    let (Some(vcpu), Some(core)) = (link.vcpu, link.core) else { return };
    let supply = &description.supplies[vcpu];
    let at_vcpu = |found: Diagnostic, what: &str| found.also(supply.span.clone(), what);
    if tree.core[vcpu].is_some_and(|on| on != core) {
        let label = format!("it arrives at {}", description.supplies[core].name);
        let help = "an interrupt is posted where its virtual processor runs: put `on` there";
        errors.push(at_vcpu(refused(declared, posted, &label, help), "is on another core"));
    } else if tree.core[vcpu].is_some() && !never_sleeps(description, tree, vcpu, 0) {
        let label = format!("{} may sleep, and then a routine of the host wakes it", supply.name);
        let help = "state that routine (`isr`) in place of `posted`; or a task of the guest that polls, where it idles without leaving the processor";
        errors.push(at_vcpu(refused(declared, posted, &label, help), "no task of it polls"));
    }
}

/// Whether something polls in a guest whenever that has time; so deep in it. A longer chain has been reported.
fn never_sleeps(description: &Description, tree: &Tree, supply: usize, depth: usize) -> bool {
    depth < limits::SERVER_DEPTH
        && tree.members[supply].iter().any(|member| match *member {
            Local::Task(task) => description.tasks[task].body.polls(),
            Local::Server(inner) => {
                let server = description.supplies[inner].body.server.as_ref();
                let kind = server.and_then(|server| server.kind.get());
                kind.is_some_and(|kind| kind.value == ServerKind::Level)
                    && never_sleeps(description, tree, inner, depth + 1)
            }
        })
}

fn refused(
    declared: &Declared<Interrupt>,
    posted: &At<bool>,
    label: &str,
    help: &str,
) -> Diagnostic {
    let message = format!("{} cannot be posted", declared.name);
    Diagnostic::new(Code::PostedToNone, posted.span.clone(), message).label(label).help(help)
}
