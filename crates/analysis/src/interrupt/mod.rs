//! Service routines: how often they are requested, and how long one waits for the others.
//!
//! | what | file |
//! |---|---|
//! | requests of one interrupt, at the core and after its routines | `requests.rs` |
//! | the budget of a pseudo-VCPU | `budget.rs` |
//! | what a description says of one; what it gives | `pseudo_vcpu.rs`, `paid.rs` |
//! | what that covers | `credits.rs` |
//! | the routine of a guest that has no other, from the request at the core on | `delivered.rs` |
//! | the routines before the members of a supply, and when one ends | `routines.rs`, `end.rs` |
//! | one routine among those of a core or of a guest, in each order, with storms; how its bound comes about | `level.rs`, `derive.rs` |

mod budget;
mod credits;
mod delivered;
mod derive;
mod end;
mod level;
mod paid;
pub(crate) mod pseudo_vcpu;
mod requests;
mod routines;

pub use budget::{Handler, pseudo_vcpu_budget};
pub(crate) use credits::{credit_covers, each_has_its_own, is_first_in_guest};
pub(crate) use delivered::Delivered;
pub(crate) use end::End;
pub use level::{Level, Routine, Worst};
pub(crate) use paid::Paid;
pub use requests::{Requests, around, credit, granted, has_guest, unreserved};
pub(crate) use routines::{Routines, of_level};
