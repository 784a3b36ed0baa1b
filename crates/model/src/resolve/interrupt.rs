//! Interrupts, their delivery to guests, and timers.

use super::name::{Names, Target};
use super::server::check_budget;
use super::tree::Tree;
use super::urgency::check_priority;
use crate::description::{Description, PseudoVcpu, Virtual};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::limits;

/// What the names of interrupts and timers stand for; supplies by index in the description.
#[derive(Default)]
pub(super) struct Interrupts {
    /// The core of each interrupt.
    pub(super) core: Vec<Option<usize>>,
    /// What nothing represents, each with the core it is on.
    pub(super) unsupported: Vec<(String, usize)>,
}

impl Interrupts {
    pub(super) fn of(
        description: &Description,
        names: &Names<'_>,
        tree: &Tree,
        errors: &mut Errors,
    ) -> Self {
        let mut interrupts = Self::default();
        for declared in &description.interrupts {
            let core = names.find(&declared.body.on, errors).map(|target| target.index);
            interrupts.core.push(core);
            let Some(delivery) = &declared.body.delivery else { continue };
            let what = format!("the virtual side of {}", declared.name);
            let vcpu = names.find(&delivery.vcpu, errors);
            check_delivery(description, names, tree, delivery, vcpu, errors);
            if let (Some(payer), Some(vcpu)) = (&delivery.pseudo_vcpu, vcpu) {
                check_payer(description, tree, &declared.name, payer, vcpu, errors);
            }
            let guest = vcpu.and_then(|vcpu| tree.core[vcpu.index]);
            let mut cores: Vec<usize> = core.into_iter().chain(guest).collect();
            cores.dedup();
            interrupts.unsupported.extend(cores.into_iter().map(|core| (what.clone(), core)));
        }
        for declared in &description.timers {
            let task = names.find(&declared.body.armed_by, errors);
            let supply = task.and_then(|task| tree.task_parent[task.index]);
            let core = supply.and_then(|supply| tree.core[supply]);
            interrupts.unsupported.extend(core.map(|core| (declared.name.clone(), core)));
        }
        interrupts
    }
}

/// The woken task runs in the machine that takes the interrupt.
fn check_delivery(
    description: &Description,
    names: &Names<'_>,
    tree: &Tree,
    delivery: &Virtual,
    vcpu: Option<Target>,
    errors: &mut Errors,
) {
    let woken = names.find(&delivery.wakes, errors);
    let (Some(vcpu), Some(task), Some(wakes)) = (vcpu, woken, delivery.wakes.get()) else {
        return;
    };
    let Some(on) = tree.task_parent[task.index].filter(|on| tree.core[*on].is_some()) else {
        return;
    };
    let machine = |supply: usize| {
        description.supplies[supply].body.server.as_ref().and_then(|server| server.vm.get())
    };
    let same_machine = |supply: &usize| {
        let same_label = machine(vcpu.index)
            .zip(machine(*supply))
            .is_some_and(|(ours, its)| ours.value == its.value);
        *supply == vcpu.index || same_label
    };
    // A longer chain has been reported, and must not be walked once per interrupt.
    let chain = std::iter::successors(Some(on), |supply| tree.parent[*supply]);
    if !chain.take(limits::SERVER_DEPTH).any(|supply| same_machine(&supply)) {
        let (task, vcpu) =
            (&description.tasks[task.index].name, &description.supplies[vcpu.index].name);
        let message = format!("{task} does not run in the machine of {vcpu}");
        errors.push(
            Diagnostic::new(Code::WokenElsewhere, wakes.span.clone(), message)
                .label(format!("a task on {vcpu}, or on a `vcpu` of the same `vm`, is expected")),
        );
    }
}

/// A pseudo-VCPU stands beside the VCPU it pays for, so it needs what a server there needs.
fn check_payer(
    description: &Description,
    tree: &Tree,
    interrupt: &str,
    payer: &PseudoVcpu,
    vcpu: Target,
    errors: &mut Errors,
) {
    let name = format!("the pseudo-vcpu of {interrupt}");
    check_budget(&name, &payer.budget, &payer.period, errors);
    if let Some(rule) = tree.rule_above(description, vcpu.index) {
        check_priority(rule, true, &name, &payer.span, &payer.priority, errors);
    }
}
