//! Preemptive fixed priority on any supply.
//!
//! | what | file |
//! |---|---|
//! | one task, arbitrary deadline, jitter, blocking, any supply | `response.rs` |
//! | the same in words and numbers | `explained.rs` |
//! | a whole task set on any supply, without jitter and blocking, fast | `task_set.rs` |
//! | only whether it meets its deadlines | `yes_no.rs` |

mod explained;
mod response;
mod task_set;
mod yes_no;

pub(crate) use explained::{explain_busy_window, explain_iteration};
pub use response::{Gift, Response, response_time, response_time_with_gift};
pub(crate) use task_set::{Demand, Level};
pub use task_set::{Scratch, SporadicTask, response_times};
pub use yes_no::all_within_limits;
