//! The routines that come before all members of a supply, by the interrupts that they belong to.

use super::Routine;
use crate::demand::Load;
use crate::request::Requests;
use vorrang_model::system::{InterruptId, Priority, System};

/// The routines that come before all members of a supply.
#[derive(Clone, Copy)]
pub(crate) struct Routines<'a> {
    pub(crate) ids: &'a [InterruptId],
    pub(crate) requests: &'a [Requests<'a>],
    /// What they take at their worst.
    pub(crate) loads: &'a [Load<'a>],
}

impl<'a> Routines<'a> {
    pub(crate) const NONE: Self = Self { ids: &[], requests: &[], loads: &[] };

    /// `loads`, which begin with these, where one interrupt behaves: that whose own requirement is
    /// looked at.
    pub(crate) fn calmed<'b>(&self, loads: &[Load<'b>], own: InterruptId) -> Vec<Load<'b>>
    where
        'a: 'b,
    {
        let mut loads = loads.to_vec();
        if let Some(place) = self.ids.iter().position(|&id| id == own) {
            loads[place] = self.requests[place].calm;
        }
        loads
    }
}

/// Requests of interrupts, as the routines of a level.
pub(crate) fn of_level<'a, P: Fn(&System, InterruptId) -> Priority>(
    system: &System,
    ids: &[InterruptId],
    requests: &[Requests<'a>],
    priority: P,
) -> Vec<Routine<'a>> {
    let of = |(&id, requests): (&InterruptId, &Requests<'a>)| Routine {
        calm: requests.calm,
        storm: requests.storm,
        merges: system.interrupt(id).storm.is_some(),
        priority: priority(system, id),
    };
    ids.iter().zip(requests).map(of).collect()
}
