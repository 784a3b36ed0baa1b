//! What each kind of server is to the theorems: one sheet a kind, each fact with the page that it stands on.
//!
//! Nothing else here asks of which kind a server is. A kind answers every question of [`Sheet`], so that a new one has no bound of
//! another without saying so.
//!
//! | question | of | answered in numbers in |
//! |---|---|---|
//! | what does it take from others? | [`Sheet::takes`], [`Sheet::asks`] | `demand/load.rs`, `edf/member.rs` |
//! | what does it provide? | [`Sheet::provides`] | `bounds/priority_server.rs`, `bounds/edf.rs` |
//! | how does it wake, after its guest was idle? | [`Sheet::idle`] | `bounds/idle_guest.rs`, `bounds/edf_guests.rs` |
//! | what does it cost, and when is budget back? | [`Sheet::returns`] | `overhead/pieces.rs`, `overhead/caller.rs` |

mod cbs_hard;
mod cbs_soft;
mod deferrable;
mod level;
mod periodic;
mod polling;
mod posix_sporadic;
mod refill_queue;
mod sched_deadline;
mod share;
mod sheet;
mod slot;
mod sporadic;
mod table;

pub(crate) use sheet::{Asks, Idle, Provides, Returns, Sheet, Takes};

use vorrang_model::system::{Server, ServerKind, SupplyId, System};

impl Sheet {
    /// That of a kind.
    pub(crate) const fn of(kind: ServerKind) -> Self {
        match kind {
            ServerKind::Periodic => periodic::SHEET,
            ServerKind::Polling => polling::SHEET,
            ServerKind::Deferrable => deferrable::SHEET,
            ServerKind::Sporadic => sporadic::SHEET,
            ServerKind::CbsHard => cbs_hard::SHEET,
            ServerKind::CbsSoft => cbs_soft::SHEET,
            ServerKind::SchedDeadline => sched_deadline::SHEET,
            ServerKind::Slot => slot::SHEET,
            ServerKind::Table => table::SHEET,
            ServerKind::PosixSporadic => posix_sporadic::SHEET,
            ServerKind::RefillQueue => refill_queue::SHEET,
            ServerKind::Share => share::SHEET,
            ServerKind::Level => level::SHEET,
        }
    }

    /// That of a server.
    pub(crate) fn of_server(server: &Server) -> Self {
        Self::of(server.kind())
    }

    /// That of a supply; none of a core.
    pub(crate) fn of_supply(system: &System, id: SupplyId) -> Option<Self> {
        system.supply(id).server_kind().map(Self::of)
    }
}
