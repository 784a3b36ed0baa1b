//! The places of pseudo-VCPUs in the order of a supply.

use super::ranked::{Entrant, Ranked};
use crate::payer;
use std::collections::BTreeMap;
use vorrang_model::system::{InterruptId, Priority, SupplyId, System};
use vorrang_model::{Allowed, Open};
use vorrang_time::Duration;

/// Those that stand on a supply: one place for each that states its priority, and one for those of a guest whose priority
/// may be any. One that states none is above the order.
pub(super) fn ranked(
    open: &Open,
    system: &System,
    open_values: &BTreeMap<&str, usize>,
    supply: SupplyId,
) -> Vec<Ranked> {
    let mut all: Vec<Ranked> = Vec::new();
    let mut together: BTreeMap<SupplyId, usize> = BTreeMap::new();
    for id in system.interrupt_ids() {
        let Some((vcpu, own)) = payer::of_interrupt(system, id) else { continue };
        if system.supply(vcpu).on() != Some(supply) {
            continue;
        }
        let at = open_values.get(&*system.pseudo_vcpu_name(id)).copied();
        let is_any = at.is_some_and(|at| open.values()[at].allowed == Allowed::Any);
        let Some(priority) = own.priority else { continue };
        if let Some(&first) = together.get(&vcpu).filter(|_| is_any) {
            add(&mut all[first], at, id, shortest(system, id));
            continue;
        }
        // Another one of the guest that states a priority has the one that may be any, too.
        let stated = stated_beside(system, open_values, vcpu).filter(|_| is_any);
        if is_any {
            together.insert(vcpu, all.len());
        }
        all.push(Ranked {
            member: Entrant::PseudoVcpus(vec![id]),
            at: at.into_iter().collect(),
            choices: vec![stated.unwrap_or(priority)],
            has_own: is_any && stated.is_none(),
            shortest: shortest(system, id),
        });
    }
    all
}

fn add(to: &mut Ranked, at: Option<usize>, id: InterruptId, shortest: Duration) {
    to.at.extend(at);
    to.shortest = to.shortest.min(shortest);
    if let Entrant::PseudoVcpus(all) = &mut to.member {
        all.push(id);
    }
}

/// The highest priority that a pseudo-VCPU of a guest states.
fn stated_beside(
    system: &System,
    open_values: &BTreeMap<&str, usize>,
    guest: SupplyId,
) -> Option<Priority> {
    let stated = system.interrupt_ids().filter_map(|id| {
        let (_, own) = payer::of_interrupt(system, id).filter(|(vcpu, _)| *vcpu == guest)?;
        own.priority.filter(|_| !open_values.contains_key(&*system.pseudo_vcpu_name(id)))
    });
    stated.max()
}

/// The shortest time that is required of what it pays for; the least distance of its interrupts if nothing is.
fn shortest(system: &System, id: InterruptId) -> Duration {
    let required = system.requirements.iter().filter(|of| payer::pays_for(system, id, of.kind));
    required.map(|of| of.limit).min().unwrap_or(system.interrupt(id).min_interarrival)
}
