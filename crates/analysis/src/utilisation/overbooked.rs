//! More is reserved or used on a supply than it has: how much, and by whom.

use super::occupied::{Occupied, capacity, is_paid, of_task};
use crate::bandwidth::Bandwidth;
use core::fmt;
use vorrang_model::system::{Member, PseudoVcpu, SupplyId, System};

/// The members that take more of a supply than there is of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overbooked {
    /// The supply.
    pub supply: String,
    /// What it has; `None`: a whole core.
    pub capacity: Option<Bandwidth>,
    /// What all of them take.
    pub taken: Bandwidth,
    /// Who, the largest share first.
    pub by: Vec<(String, Bandwidth)>,
    /// Whether servers and pseudo-VCPUs are among them.
    pub reserved: bool,
    /// Whether tasks and interrupts are.
    pub used: bool,
}

/// How many are named.
const NAMED: usize = 5;

/// Whether all that stands on a supply is more than it has, storms of interrupts included.
pub(crate) fn overbooked(system: &System, id: SupplyId, occupied: &Occupied) -> Option<Overbooked> {
    let has = occupied.capacity?;
    let members = system.supply(id).members.iter();
    let mut by: Vec<(String, Bandwidth)> = members
        .filter_map(|&member| {
            let share = match member {
                Member::Task(id) => {
                    let task = system.task(id);
                    (!is_paid(system, task)).then(|| of_task(task))
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
    let supply = system.supply(id);
    taken.exceeds(has).then(|| Overbooked {
        supply: supply.name.clone(),
        capacity: (!supply.is_core()).then_some(has),
        taken,
        by,
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

/// In percent, rounded up, without zeros at the end.
fn percent(share: Bandwidth) -> String {
    let hundredths = share.hundredths_ceil();
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl fmt::Display for Overbooked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { supply, capacity, taken, by, reserved, used } = self;
        let taken = percent(*taken);
        let is = match (reserved, used) {
            (true, true) => "reserved or used",
            (true, false) => "reserved",
            _ => "used",
        };
        if let Some(has) = capacity {
            let has = percent(*has);
            write!(f, "{taken} % of a core is {is} on {supply}, which has {has} %")?;
        } else {
            write!(f, "{taken} % of {supply} is {is}")?;
        }
        let named = by.iter().take(NAMED);
        let mut named: Vec<String> =
            named.map(|(name, share)| format!("{name} {} %", percent(*share))).collect();
        if by.len() > NAMED {
            named.push(format!("{} more", by.len() - NAMED));
        }
        write!(f, " ({})", named.join(", "))
    }
}
