//! The most that competitors take from a supply in a window: where it comes from, how often, and how much each time.
//!
//! | what | file |
//! |---|---|
//! | one competitor, and all of one entity | `load.rs` |
//! | those that come equally often as one | `sum.rs` |
//! | what they leave of a supply that repeats | `repeated.rs` |
//! | what comes before one member of a core, as a value | `interference.rs` |

mod interference;
mod load;
mod repeated;
mod sum;

pub(crate) use interference::Interference;
pub(crate) use load::task_anywhere;
pub use load::{Load, Loads};
pub(crate) use sum::Sum;
