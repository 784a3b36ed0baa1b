//! Why there is no bound, with the loads that exceed the capacity.

use crate::coverage::ServerMember;
use crate::ground::NoBound;
use crate::ground::Overbooked;
use crate::ground::Reason;
use crate::utilisation::{Occupied, occupied, overbooked};
use core::cell::OnceCell;
use vorrang_model::system::{InterruptId, SupplyId, System};
use vorrang_time::Duration;

/// Finds reasons for a system.
#[derive(Debug)]
pub(crate) struct Why<'s> {
    system: &'s System,
    /// By supply: what is reserved and used of it, computed on demand.
    occupied: OnceCell<Vec<Occupied>>,
}

impl<'s> Why<'s> {
    pub(crate) fn new(system: &'s System) -> Self {
        Self { system, occupied: OnceCell::new() }
    }

    /// Why a search on a supply found nothing.
    pub(crate) fn no_bound(&self, supply: SupplyId, why: NoBound) -> Reason {
        let overbooked = if why == NoBound::Overload { self.overbooked(supply) } else { None };
        Reason::NoBound { supply: self.system.supply(supply).name.clone(), why, overbooked }
    }

    /// A server may need longer than its period for its budget, or has none at all: under an
    /// overload, or why ever.
    pub(crate) fn no_guarantee(
        &self,
        ServerMember { id, server }: ServerMember<'_>,
        needs: Result<Duration, NoBound>,
    ) -> Reason {
        let supply = self.system.supply(id);
        let overload = needs == Err(NoBound::Overload);
        Reason::NoGuarantee {
            server: supply.name.clone(),
            period: server.period,
            needs: needs.ok(),
            overbooked: if overload { self.overbooked(server.on) } else { None },
        }
    }

    /// More of an interrupt may be requested than its pseudo-VCPU lets through.
    pub(crate) fn held_back(&self, id: InterruptId) -> Reason {
        Reason::HeldBack { interrupt: self.system.interrupt(id).name.clone() }
    }

    /// The members that take more of a supply than there is.
    fn overbooked(&self, supply: SupplyId) -> Option<Box<Overbooked>> {
        let occupied = self.occupied.get_or_init(|| occupied(self.system));
        overbooked(self.system, supply, &occupied[supply.0]).map(Box::new)
    }
}
