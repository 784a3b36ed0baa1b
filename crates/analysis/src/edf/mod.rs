//! Preemptive earliest deadline first on any supply.
//!
//! | what | file |
//! |---|---|
//! | what one member demands by a deadline | `demand.rs` |
//! | whether every deadline is met | `feasibility.rs` |
//! | response time of one member | `response.rs` |

mod demand;
mod feasibility;
mod response;
#[cfg(test)]
mod tests;

pub use demand::{Contender, Work};
pub use feasibility::meets_all_deadlines;
pub(crate) use response::explain_terms;
pub use response::{Response, response_time};
