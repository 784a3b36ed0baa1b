//! Which members take more of a supply than there is.

use super::occupied::{Occupied, capacity, is_paid, of_task};
use crate::ground::{Bandwidth, Overbooked};
use vorrang_model::system::{Member, PseudoVcpu, SupplyId, System};

/// How many are named.
const NAMED: usize = 5;

/// Whether all that stands on a supply is more than it has, storms of interrupts included.
pub(crate) fn overbooked(system: &System, id: SupplyId, all: &[Occupied]) -> Option<Overbooked> {
    let occupied = &all[id.0];
    let has = occupied.capacity?;
    let members = system.supply(id).members.iter();
    let mut by: Vec<(String, Bandwidth)> = members
        .filter_map(|&member| {
            let share = match member {
                Member::Task(id) => {
                    let task = system.task(id);
                    (!is_paid(system, task)).then(|| of_task(task))
                }
                // Without a budget it takes what is asked for in it.
                Member::Server(id) if system.supply(id).level().is_some() => {
                    let endless = if all[id.0].polls { Bandwidth::ONE } else { Bandwidth::ZERO };
                    Some(all[id.0].taken().plus(endless))
                }
                Member::Server(id) => capacity(system, id),
            };
            Some((system.member_name(member).to_owned(), share?))
        })
        .collect();
    by.extend(pseudo_vcpus(system, id));
    let reserved = occupied.reserved != Bandwidth::ZERO;
    let kernel = [("interrupts", occupied.storm), ("costs", occupied.costs)];
    by.extend(kernel.map(|(name, share)| (name.to_owned(), share)));
    by.retain(|(_, share)| *share != Bandwidth::ZERO);
    by.sort_by_key(|(_, share)| -share.hundredths_ceil());
    let taken = by.iter().fold(Bandwidth::ZERO, |sum, (_, share)| sum.plus(*share));
    let used = taken.exceeds(occupied.reserved);
    let others = by.len().saturating_sub(NAMED);
    by.truncate(NAMED);
    by.shrink_to_fit();
    let supply = system.supply(id);
    taken.exceeds(has).then(|| Overbooked {
        supply: supply.name.clone(),
        capacity: (!supply.is_core()).then_some(has),
        taken,
        by,
        others,
        reserved,
        used,
    })
}

/// The pseudo-VCPUs that stand on a supply.
fn pseudo_vcpus(system: &System, on: SupplyId) -> impl Iterator<Item = (String, Bandwidth)> {
    system.interrupts.iter().filter_map(move |interrupt| {
        let delivery = interrupt.delivery.as_ref()?;
        let PseudoVcpu { budget, period, .. } = delivery.pseudo_vcpu.as_ref()?;
        let stands = system.supply(delivery.vcpu).server()?.on == on;
        let name = || format!("the pseudo-VCPU of {}", interrupt.name);
        stands.then(|| (name(), Bandwidth::of(*budget, *period)))
    })
}
