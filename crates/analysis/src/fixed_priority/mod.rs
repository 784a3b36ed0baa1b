//! Preemptive fixed priority on any supply.
//!
//! | what | file |
//! |---|---|
//! | one task, arbitrary deadline, jitter, blocking, any supply | `response.rs` |
//! | a whole task set on any supply, without jitter and blocking, fast | `task_set.rs` |

mod response;
mod task_set;

pub use response::{Gift, Response, response_time, response_time_with_gift};
pub use task_set::{Scratch, SporadicTask, all_within_limits, response_times};
