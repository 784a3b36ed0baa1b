//! `SCHED_DEADLINE` on a core of Linux, besides EDF: what its servers pay for.
//!
//! | what | file |
//! |---|---|
//! | the routines of its core that a server pays for | `charges.rs` |

mod charges;

pub(crate) use charges::{Core, charges, overdrawn, unpaid};
