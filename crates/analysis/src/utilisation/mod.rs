//! How much of a supply is taken, and which utilisation bounds hold for what takes it.
//!
//! | what | file |
//! |---|---|
//! | published criteria for tasks with rates, exactly | `criterion.rs`, `natural.rs`, `rounded.rs` |
//! | how much of each supply is reserved, used and left | `occupied.rs` |
//! | who takes more than there is | `overbooked.rs` |
//!
//! Nothing here decides a requirement: response times do, and are never worse.
//!
//! Theory: docs/theory/utilisation.md.

mod criterion;
mod natural;
mod occupied;
mod overbooked;
mod rounded;
#[cfg(test)]
mod tests;

pub use criterion::{Criterion, RateMonotonicTask, Share};
pub use occupied::{Occupied, occupied};
pub(crate) use overbooked::overbooked;
