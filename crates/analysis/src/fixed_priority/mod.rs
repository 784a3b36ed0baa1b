//! Preemptive fixed priority on any supply.
//!
//! | what | file |
//! |---|---|
//! | one task, arbitrary deadline, jitter, blocking, any supply | `response.rs` |
//! | a whole task set on a dedicated core, fast | `dedicated.rs` |

mod dedicated;
mod response;

pub use dedicated::{Scratch, SporadicTask, response_times};
pub use response::{Response, response_time};
