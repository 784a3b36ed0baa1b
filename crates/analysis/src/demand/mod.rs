//! The most that competitors take from a supply in a window: where it comes from, how often, and how much each time.
//!
//! | what | file |
//! |---|---|
//! | one competitor, and all of one entity | `load.rs` |
//! | those that come equally often as one | `sum.rs` |
//! | what the work in a server asks of it | `work.rs` |

mod load;
mod sum;
mod work;

pub use load::{Load, Loads};
pub(crate) use sum::Sum;
pub(crate) use work::{asked_in, is_plain, is_plain_task, only_tasks_use, task_anywhere};
