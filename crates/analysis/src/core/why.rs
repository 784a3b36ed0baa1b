//! Why there is no bound, with the loads that exceed the capacity.

use crate::coverage::ServerMember;
use crate::ground::NoBound;
use crate::ground::Overbooked;
use crate::ground::Reason;
use crate::utilisation::{Occupied, occupied, overbooked};
use core::cell::OnceCell;
use std::sync::Arc;
use vorrang_model::system::{InterruptId, SupplyId, System};
use vorrang_time::Duration;

/// Finds reasons for a system.
#[derive(Debug)]
pub(crate) struct Why<'s> {
    system: &'s System,
    /// By supply: what is reserved and used of it, computed on demand.
    occupied: OnceCell<Vec<Occupied>>,
    /// By supply: who takes more of it than there is, computed on demand and shared by all without a bound.
    overbooked: Vec<OnceCell<Option<Arc<Overbooked>>>>,
}

impl<'s> Why<'s> {
    pub(crate) fn new(system: &'s System) -> Self {
        let overbooked = vec![OnceCell::new(); system.supplies.len()];
        Self { system, occupied: OnceCell::new(), overbooked }
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
    fn overbooked(&self, supply: SupplyId) -> Option<Arc<Overbooked>> {
        let find = || {
            let occupied = self.occupied.get_or_init(|| occupied(self.system));
            overbooked(self.system, supply, occupied).map(Arc::new)
        };
        self.overbooked[supply.0].get_or_init(find).clone()
    }
}
