//! Timer queues of a core: in the order of expiry, or shielded by urgency.
#![no_std]
extern crate alloc;

mod hrtimer;
mod queue;
mod shield;
mod tournament;
mod urgency;

pub use hrtimer::HrTimer;
pub use queue::{Pending, TimerQueue, Violation};
pub use shield::TimerShield;
pub use urgency::{Class, Urgency};
