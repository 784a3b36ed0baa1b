//! Service routines: how often they are requested, and how long one waits for the others.
//!
//! | what | file |
//! |---|---|
//! | requests of one interrupt, at the core and after its routines | `requests.rs` |
//! | the budget of a pseudo-VCPU | `budget.rs` |
//! | one routine among those of a core or of a guest, in each order, with storms | `level.rs` |

mod budget;
mod level;
mod requests;

pub use budget::{Handler, pseudo_vcpu_budget};
pub use level::{Level, Routine, Worst};
pub use requests::{Requests, around, credit, granted, has_guest, unreserved};
