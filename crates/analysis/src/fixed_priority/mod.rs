//! Preemptive fixed priority on any supply.
//!
//! | what | file |
//! |---|---|
//! | one task, arbitrary deadline, jitter, blocking, any supply | `response.rs` |
//! | the same where arrivals by the clock come before it, or are its own | `by_clock.rs` |
//! | how that comes about | `derive.rs` |
//! | how often one task takes longer than a limit | `exceedance.rs` |
//! | one task among members of the same priority | `first_come.rs` |
//! | the guest of a server that keeps its budget, from an idle guest on | `idle_guest.rs` |
//! | a task that is not preempted | `non_preemptive.rs` |
//! | the only task of a deferrable server | `lone_task.rs` |
//! | a whole task set on any supply, without jitter and blocking, fast | `task_set.rs` |
//! | only whether it meets its deadlines | `yes_no.rs` |

mod by_clock;
pub(crate) mod derive;
mod exceedance;
mod first_come;
mod idle_guest;
mod lone_task;
mod non_preemptive;
mod response;
mod task_set;
mod yes_no;

pub(crate) use by_clock::{ByClock, Worst as WorstByClock};
pub(crate) use exceedance::{Exceedance, Level as ExceedanceLevel, NoExceedance};
pub(crate) use first_come::{Equal, FirstCome, Stints, Worst};
pub(crate) use idle_guest::{Guest, Place};
pub(crate) use lone_task::LoneTask;
pub(crate) use non_preemptive::{Kept, response_without_preemption};
pub use response::{Gift, Response, response_time, response_time_with_gift};
pub use task_set::{Demand, Level, Scratch, SporadicTask, each_response_time, response_times};
pub use yes_no::all_within_limits;
