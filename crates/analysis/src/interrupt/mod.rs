//! Service routines: how long one waits for the others.
//!
//! | what | file |
//! |---|---|
//! | what a pseudo-VCPU gives: found in `bounds/pseudo_vcpu.rs`, kept in | `paid.rs` |
//! | a proxy process, or the thread of an interrupt: a task that a routine wakes, on its own server | `../core/propagation.rs` |
//! | the routine of a guest that has no other, from the request at the core on | `delivered.rs` |
//! | the routines before the members of a supply, and when one ends | `routines.rs`, `end.rs` |
//! | one routine among those of a core or of a guest, in each order, with storms; how its bound comes about | `level.rs`, `derive.rs` |

mod delivered;
mod derive;
mod end;
mod level;
mod paid;
mod routines;

pub(crate) use delivered::Delivered;
pub(crate) use end::End;
pub use level::{Level, Routine, Worst};
pub(crate) use paid::Paid;
pub(crate) use routines::{Routines, of_level};
