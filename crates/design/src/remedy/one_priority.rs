//! One priority for the pseudo-VCPUs of a guest, where that proves a requirement.
//!
//! **Model.** Interrupts that share a guest are served first come, first served. Of different priorities one may be served by
//! the credit of another, which then lacks it; of equal priority each has its own credit. So where those of a guest differ, all
//! of them get the highest that one of them states, or, where one states none, one above every member of their supply.
//!
//! **Assumptions.** Those of `remedy/mod.rs`: what is said was seen by the analysis.
//!
//! **Cost.** One analysis.

use super::{Remedies, TERMS_AGAIN};
use crate::proven::Proven;
use vorrang_analysis::bounds_within;
use vorrang_model::System;
use vorrang_model::system::{
    Delivery, Interrupt, Member, Priority, PseudoVcpu, RequirementKind, SupplyId,
};

/// A guest, and the priority of all its pseudo-VCPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnePriority {
    /// The virtual processor.
    pub guest: SupplyId,
    /// The priority.
    pub priority: Priority,
}

impl Remedies<'_> {
    /// That with which a requirement that is not proven would be, and everything that is proven now.
    pub fn one_priority(&self, requirement: usize) -> Option<OnePriority> {
        let RequirementKind::HandledWithin(id) = self.system.requirements[requirement].kind else {
            return None;
        };
        if self.is_large() {
            return None;
        }
        let guest = self.system.interrupt(id).delivery.as_ref()?.vcpu;
        let priority = common(self.system, guest)?;
        let mut changed = self.system.clone();
        for paid in changed.interrupts.iter_mut().filter_map(|one| pseudo_vcpu_of(one, guest)) {
            paid.priority = Some(priority);
        }
        let (found, _left) = bounds_within(&changed, TERMS_AGAIN);
        let then = Proven::of(&changed, &found);
        let proves = then.requirements[requirement] && then.has_all_of(&self.now);
        proves.then_some(OnePriority { guest, priority })
    }
}

fn pseudo_vcpu_of(interrupt: &mut Interrupt, guest: SupplyId) -> Option<&mut PseudoVcpu> {
    let delivery = interrupt.delivery.as_mut().filter(|own| own.vcpu == guest)?;
    delivery.pseudo_vcpu.as_mut()
}

/// The priority that all pseudo-VCPUs of a guest would get; none if they have one already, or there is one at most.
fn common(system: &System, guest: SupplyId) -> Option<Priority> {
    let deliveries = system.interrupts.iter().filter_map(|one| one.delivery.as_ref());
    let of_guest = deliveries.filter(|own| own.vcpu == guest);
    let stated: Vec<Option<Priority>> = of_guest
        .filter_map(|Delivery { pseudo_vcpu, .. }| pseudo_vcpu.as_ref())
        .map(|own| own.priority)
        .collect();
    let first = *stated.first()?;
    if stated.len() < 2 || first.is_some() && stated.iter().all(|other| *other == first) {
        return None;
    }
    if let Some(all) = stated.iter().copied().collect::<Option<Vec<_>>>() {
        return all.into_iter().max();
    }
    let members = &system.supply(system.supply(guest).on()?).members;
    let own = |&member: &Member| system.priority(member);
    let Priority(highest) = members.iter().map(own).chain(stated.into_iter().flatten()).max()?;
    Some(Priority(highest.checked_add(1)?))
}
