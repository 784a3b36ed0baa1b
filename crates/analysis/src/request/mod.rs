//! What asks a core or a guest for time, as it is described: interrupts and packets, each before anything is known of supplies.
//!
//! | what | file |
//! |---|---|
//! | requests of one interrupt, at the core and after its routines | `requests.rs` |
//! | what is reserved for one in a pseudo-VCPU, and the published budget of it | `reserved.rs`, `published_budget.rs` |
//! | packets of a network card, and what they take | `traffic.rs`, `card.rs` |
//! | competitors for a supply with their priorities | `competitor.rs` |

mod card;
mod competitor;
mod published_budget;
mod requests;
pub(crate) mod reserved;
mod traffic;

pub use card::Card;
pub(crate) use competitor::{Competitor, Ranked, Urgency, begin, equals, with_ranked};
pub use published_budget::{Handler, pseudo_vcpu_budget};
pub use requests::{
    Requests, around, arrivals, credit, granted, handler, has_guest, routine_in_guest, unreserved,
};
pub use traffic::Traffic;
