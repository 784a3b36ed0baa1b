//! What asks a core or a guest for time, as it is described: interrupts and packets, each before anything is known of supplies.
//!
//! | what | file |
//! |---|---|
//! | requests of one interrupt, at the core and after its routines | `requests.rs` |
//! | the pseudo-VCPU of one, and the published budget of it | `pseudo_vcpu.rs`, `handler.rs` |
//! | packets of a network card, and what they take | `traffic.rs`, `card.rs` |
//! | competitors for a supply with their priorities | `competitor.rs` |

mod card;
mod competitor;
mod handler;
pub(crate) mod pseudo_vcpu;
mod requests;
mod traffic;

pub use card::Card;
pub(crate) use competitor::{Competitor, Ranked, Urgency, begin, equals, with_ranked};
pub use handler::{Handler, pseudo_vcpu_budget};
pub use requests::{Requests, around, arrivals, credit, granted, handler, has_guest, unreserved};
pub use traffic::Traffic;
