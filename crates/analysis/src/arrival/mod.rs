//! How often things happen: jobs that are released, interrupts that are requested, routines that end.
//!
//! | what | file |
//! |---|---|
//! | jobs that no interrupt wakes, and ends of callbacks | `release.rs` |
//! | each event on its way from the core to a task in a guest | `propagation.rs` |
//! | what competitors for a supply take by that | `competitors.rs` |

mod competitors;
mod propagation;
mod release;

pub(crate) use propagation::{Propagation, Stages};
pub(crate) use release::{Delay, jobs, since_poll};
