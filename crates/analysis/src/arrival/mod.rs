//! How often things happen: jobs that are released, interrupts that are requested, routines that end.
//!
//! | what | file |
//! |---|---|
//! | a number of anything in a window | `arrivals.rs` |
//! | jobs that no interrupt wakes, and ends of callbacks | `release.rs` |
//! | each event on its way from the core to a task in a guest | `propagation.rs` |
//! | what competitors for a supply take by that | `competitors.rs` |

mod arrivals;
mod competitors;
mod propagation;
mod release;

pub use arrivals::{Arrivals, Limit};
pub(crate) use propagation::{Propagation, Stages};
pub(crate) use release::{Delay, jobs, since_poll};
