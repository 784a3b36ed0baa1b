//! Timers: only a guest takes an expiry with a routine of its own, and pays for that with a pseudo-VCPU.

use super::delivery::{Payer, credit_of_timer};
use super::link::Links;
use super::presence::KeyOf;
use super::tree::Tree;
use crate::description::{At, Declared, Description, Field, PseudoVcpu, Timer};
use crate::diagnostic::collect::Errors;
use crate::keys::Noun;

pub(super) fn check(description: &Description, links: &Links, tree: &Tree, errors: &mut Errors) {
    for (declared, task) in description.timers.iter().zip(&links.timers) {
        let Some(task) = *task else { continue };
        let Some(on) = tree.task_parent[task].filter(|&on| tree.core[on].is_some()) else {
            continue;
        };
        // The innermost virtual processor takes it.
        let mut around = core::iter::successors(Some(on), |&supply| tree.parent[supply]);
        let vcpu = around.find(|&supply| description.supplies[supply].noun == Noun::Vcpu);
        if let Some(vcpu) = vcpu {
            check_payer(description, tree, (declared, task, vcpu), errors);
            continue;
        }
        let task = &description.tasks[task].name;
        let why = format!("{task} runs on the host, whose timer interrupt calls back");
        of(declared, "isr").pointless(&declared.body.isr, &why, errors);
        let payer = declared.body.pseudo_vcpu.as_ref();
        let at = |own: &PseudoVcpu| Field::Is(At { value: (), span: own.span.clone() });
        of(declared, "pseudo-vcpu").pointless(&payer.map_or(Field::Absent, at), &why, errors);
    }
}

fn check_payer(
    description: &Description,
    tree: &Tree,
    (declared, task, vcpu): (&Declared<Timer>, usize, usize),
    errors: &mut Errors,
) {
    let Some(payer) = &declared.body.pseudo_vcpu else { return };
    let help = "a pseudo-VCPU pays for the routine of the guest: state how long that takes";
    of(declared, "isr").needed(&declared.body.isr, help, errors);
    let credit = credit_of_timer(description, &declared.body, task);
    Payer { of: &declared.name, stated: payer, vcpu, credit }.check(description, tree, errors);
}

fn of<'a>(declared: &'a Declared<Timer>, key: &'static str) -> KeyOf<'a> {
    KeyOf { name: &declared.name, span: &declared.span, key }
}
